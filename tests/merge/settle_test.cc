#include "libmemfs/merge/settle.h"

#include <gtest/gtest.h>

#include "libmemfs/format/front_matter.h"
#include "libmemfs/merge/marked_text.h"

namespace memfs {
namespace {

std::string readable(std::string_view file) {
  const auto merge = make_readable(file);
  EXPECT_TRUE(merge) << file;
  return merge ? merge->text : std::string();
}

std::string settled(std::string_view file, Take take, std::string_view key = {}) {
  const auto settlement = settle(file, take, key);
  EXPECT_TRUE(settlement) << settlement.error().message;
  return settlement ? settlement->file : std::string();
}

TEST(MarkedText, ConflictsAreTakenApart) {
  const auto conflicts = conflicts_in(
      "a\n<<<<<<< HEAD\nours\n||||||| 12ab\nbase\n=======\ntheirs\n>>>>>>> topic\nb\n");
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].line, 2);
  EXPECT_EQ(conflicts[0].ours, "ours\n");
  EXPECT_EQ(conflicts[0].base, "base\n");
  EXPECT_EQ(conflicts[0].theirs, "theirs\n");
}

TEST(MarkedText, MarkersOfInnerMergesAreText) {
  const auto conflicts = conflicts_in(
      "<<<<<<< HEAD\no\n||||||| merged common ancestors\n<<<<<<<<< T1\nx\n=========\ny\n"
      ">>>>>>>>> T2\n=======\nt\n>>>>>>> topic\n");
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].base, "<<<<<<<<< T1\nx\n=========\ny\n>>>>>>>>> T2\n");
}

TEST(MarkedText, WhatIsNoWholeConflictIsText) {
  EXPECT_TRUE(conflicts_in("<<<<<<< HEAD\nx\n=======\ny\n").empty());
  EXPECT_TRUE(conflicts_in("=======\n>>>>>>> x\n").empty());
  EXPECT_TRUE(conflicts_in("Title\n=======\n").empty());
  EXPECT_TRUE(conflicts_in("```\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n```\n").front().fenced);
}

TEST(MarkedText, LinesThatLookLikeTheMarkersMakeAConflictUnclear) {
  const auto heading = conflicts_in("<<<<<<< a\nHeading\n=======\nx\n=======\ny\n>>>>>>> b\n");
  ASSERT_EQ(heading.size(), 1U);
  EXPECT_TRUE(heading[0].unclear);
  const std::string example = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n";
  const auto nested = conflicts_in("<<<<<<< o\n" + example + "=======\nt\n>>>>>>> t\n");
  ASSERT_EQ(nested.size(), 1U) << "the example is a part of the conflict";
  EXPECT_TRUE(nested[0].unclear);
  const std::string outer = "<<<<<<<<< o\n" + example + "=========\nt\n>>>>>>>>> t\n";
  const auto longer = conflicts_in(outer);
  ASSERT_EQ(longer.size(), 1U);
  EXPECT_FALSE(longer[0].unclear);
  EXPECT_EQ(longer[0].ours, example);
  EXPECT_EQ(conflicts_in("<<<<<<< lone\ntext\n" + example).size(), 1U);
}

TEST(MakeReadable, RevisionAndDateLinesNeedNoChoice) {
  EXPECT_EQ(readable("---\ntitle: t\n<<<<<<< HEAD\nupdated_at: 2026-01-02\nrevision: 4\n=======\n"
                     "updated_at: 2026-01-03\nrevision: 7\n>>>>>>> topic\n---\nx\n"),
            "---\ntitle: t\nupdated_at: 2026-01-03\nrevision: 7\n---\nx\n")
      << "which is what one side has";
}

TEST(MakeReadable, TheRevisionIsTheNextOneWhereTheResultIsNew) {
  EXPECT_EQ(readable("---\ntitle: t\n<<<<<<< HEAD\nupdated_at: 2026-01-03\nrevision: 4\n=======\n"
                     "updated_at: 2026-01-02\nrevision: 7\n>>>>>>> topic\n---\nx\n"),
            "---\ntitle: t\nupdated_at: 2026-01-03\nrevision: 8\n---\nx\n");
}

TEST(MakeReadable, OtherValuesBecomeData) {
  EXPECT_EQ(readable("---\nid: a1\n<<<<<<< HEAD\ntitle: T\nrevision: 4\n=======\ntitle: U\n"
                     "revision: 5\n>>>>>>> topic\n---\nwalrus\n"),
            "---\nid: a1\ntitle: T\nmerge_conflict:\n  - title: U\nrevision: 6\n---\nwalrus\n");
}

TEST(MakeReadable, AConflictMayReachFromTheBlockIntoTheBody) {
  const std::string text = readable(
      "---\ntitle: t\n<<<<<<< HEAD\nrevision: 4\n---\nours\n=======\nrevision: 5\n---\ntheirs\n"
      ">>>>>>> topic\nend\n");
  EXPECT_EQ(text,
            "---\ntitle: t\nrevision: 6\n---\n<<<<<<< ours\nours\n=======\ntheirs\n"
            ">>>>>>> theirs\nend\n");
}

TEST(MakeReadable, KeysThatAMergeDoubledAreMergedByTheSameRules) {
  EXPECT_EQ(
      readable("---\nid: a1\nexpires_at: 2026-01-01\ntitle: t\nexpires_at: 2025-01-01\n---\nx\n"),
      "---\nid: a1\nexpires_at: 2025-01-01\ntitle: t\nmerge_conflict:\n"
      "  - expires_at: 2026-01-01\n---\nx\n");
  EXPECT_EQ(readable("---\ntitle: A\nrevision: 3\n\"title\": B\n\"revision\": 4\n---\nb\n"),
            "---\ntitle: A\nmerge_conflict:\n  - \"title\": B\n\"revision\": 5\n---\nb\n");
  EXPECT_EQ(readable("---\ntags: [a]\ntags: [b, a]\ntags:  # more\n- c\n---\n"),
            "---\ntags:  # more\n- c\n- a\n- b\n---\n")
      << "however often";
}

TEST(MakeReadable, LeavesAloneWhatIsWrongInAnotherWay) {
  EXPECT_FALSE(make_readable("---\ntitle: \"x\n---\n"));
  EXPECT_FALSE(make_readable("---\ntitle: x\n---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"));
}

constexpr std::string_view kOpen =
    "---\ntitle: a\n# why\nmerge_conflict:\n  - title: 'b'  # theirs\n  - x: 2\nx: 1\n---\nhead\n"
    "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\ntail\n";

TEST(Settle, WhatIsOpenIsListedWithItsLine) {
  const auto open = open_conflicts(kOpen);
  ASSERT_EQ(open.size(), 3U);
  EXPECT_EQ(open[0].key, "title");
  EXPECT_EQ(open[0].line, 5);
  EXPECT_EQ(open[0].ours, "title: a");
  EXPECT_EQ(open[0].theirs, "title: 'b'  # theirs");
  EXPECT_EQ(open[2].key, "");
  EXPECT_EQ(open[2].line, 10);
  EXPECT_EQ(open[2].theirs, "theirs\n");
}

TEST(Settle, OneSideIsTakenAsItWasWritten) {
  EXPECT_EQ(settled(kOpen, Take::kOurs), "---\ntitle: a\n# why\nx: 1\n---\nhead\nours\ntail\n");
  EXPECT_EQ(settled(kOpen, Take::kTheirs),
            "---\ntitle: 'b'  # theirs\n# why\nx: 2\n---\nhead\ntheirs\ntail\n");
}

TEST(Settle, OneKeyCanBeSettledAlone) {
  const std::string text = settled(kOpen, Take::kTheirs, "title");
  EXPECT_NE(text.find("title: 'b'  # theirs\n# why\nmerge_conflict:\n  - x: 2\nx: 1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("<<<<<<< ours\n"), std::string::npos);
  EXPECT_EQ(settle(kOpen, Take::kOurs, "tags").error().code, ErrorCode::kUsage);
}

TEST(Settle, BothTextsStandOneBehindTheOther) {
  EXPECT_EQ(settled("---\ntitle: t\n---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", Take::kBoth),
            "---\ntitle: t\n---\nx\ny\n");
  EXPECT_EQ(settle(kOpen, Take::kBoth, "").error().code, ErrorCode::kUsage)
      << "a key has one value";
}

TEST(Settle, TwoMemoriesOfOneNamePart) {
  const std::string ours = "---\ntitle: DB\nid: mem-01a\nrevision: 1\n---\none\n";
  const std::string theirs = "---\ntitle: DB\nid: mem-01b\nrevision: 1\n---\ntwo\n";
  const MemoryMerge merge = merge_memories({"", ours, theirs});
  const auto settlement = settle(merge.text, Take::kBoth, "");
  ASSERT_TRUE(settlement) << settlement.error().message;
  EXPECT_EQ(settlement->file, "---\ntitle: DB\nid: mem-01a\nrevision: 2\n---\none\n");
  ASSERT_TRUE(settlement->other);
  EXPECT_EQ(*settlement->other, "---\ntitle: DB\nid: mem-01b\nrevision: 2\n---\ntwo\n");
  EXPECT_EQ(settled(merge.text, Take::kTheirs),
            "---\ntitle: DB\naliases: [mem-01b]\nid: mem-01a\nrevision: 2\n---\ntwo\n")
      << "the memory stays the one it is, and is found by the other's id";
}

TEST(Settle, AWholeBlockThatStandsInTheBodyGoesBackToItsPlace) {
  const std::string ours = "---\na: &x 1\nb: *x\nc: 2\n---\n";
  const std::string theirs = "---\na: &x 2\nb: *x\nc: 1\n---\n";
  const MemoryMerge merge =
      merge_memories({"---\na: &x 1\nb: *x\nc: 1\n---\nz\n", ours + "z\n", theirs + "z\n"});
  ASSERT_EQ(merge.conflicts, 1U);
  EXPECT_EQ(settled(merge.text, Take::kOurs), ours + "z\n");
  EXPECT_EQ(settled(merge.text, Take::kTheirs), theirs + "z\n");
}

TEST(Settle, AConflictWhoseSidesCannotBeToldApartNeedsAPerson) {
  const std::string file =
      "---\ntitle: t\n---\n<<<<<<< a\nHeading\n=======\nx\n=======\ny\n>>>>>>> b\n";
  for (const Take take : {Take::kOurs, Take::kTheirs, Take::kBoth}) {
    const auto settlement = settle(file, take, "");
    ASSERT_FALSE(settlement);
    EXPECT_EQ(settlement.error().message,
              "line 4: lines of the text look like the markers around it");
    EXPECT_FALSE(settlement.error().hint.empty());
  }
  EXPECT_FALSE(
      make_readable("---\n<<<<<<< a\nt: 1\n=======\nt: 2\n=======\nt: 3\n>>>>>>> b\n---\n"));
}

TEST(Settle, AValueWhoseKeyWasRemovedMeanwhileComesBack) {
  const std::string file = "---\ntitle: t\nmerge_conflict:\n  - source: x\nrevision: 1\n---\n";
  EXPECT_EQ(settled(file, Take::kTheirs), "---\ntitle: t\nsource: x\nrevision: 1\n---\n");
  EXPECT_EQ(settled(file, Take::kOurs), "---\ntitle: t\nrevision: 1\n---\n");
}

TEST(Settle, WhatIsNotSettledIsSaid) {
  for (const char* file :
       {"---\n<<<<<<< a\nt: [\n=======\nt: {\n>>>>>>> b\n---\n", "---\ntitle: \"x\n---\n",
        "---\nmerge_conflict: [{title: x}]\n---\n", "---\nmerge_conflict:\n- title: x\n---\n",
        "---\nx: &a 1\nmerge_conflict:\n  - title: x\n---\n"}) {
    const auto settled = check_settled(file);
    ASSERT_FALSE(settled) << file;
    EXPECT_FALSE(settled.error().hint.empty());
  }
  const std::string lone = "---\ntitle: t\n---\na\n<<<<<<< HEAD\nx\n=======\ny\n";
  EXPECT_TRUE(check_settled(lone)) << "text, as far as anybody knows";
  EXPECT_EQ(check_settled(lone, {"a\nx\n", "a\ny\n"}).error().message,
            "line 5: a conflict marker without the rest of its conflict");
  EXPECT_TRUE(check_settled(lone, {lone, "a\ny\n"})) << "it was there before the merge";
}

TEST(Settle, SeveralOtherValuesNeedAPerson) {
  const std::string file = "---\ntitle: a\nmerge_conflict:\n  - title: b\n  - title: c\n---\n";
  EXPECT_EQ(settle(file, Take::kTheirs, "").error().code, ErrorCode::kConflict);
  EXPECT_EQ(settled(file, Take::kOurs), "---\ntitle: a\n---\n");
}

TEST(Settle, TheExampleOfAConflictIsNoConflict) {
  const std::string file = "---\ntitle: t\n---\n```\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n```\n";
  EXPECT_TRUE(open_conflicts(file).empty());
  EXPECT_EQ(open_conflicts(file, {"ours\n", "theirs\n"}).size(), 1U) << "a merge left it";
  EXPECT_TRUE(open_conflicts(file, {file, "theirs\n"}).empty()) << "a side had it";
  EXPECT_EQ(settle(file, Take::kOurs, "").error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace memfs
