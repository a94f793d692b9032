// The rules of the merge, one by one.
#include <gtest/gtest.h>
#include <memfs/merge.h>

#include "libmemfs/format/front_matter.h"
#include "libmemfs/merge/kept_values.h"
#include "libmemfs/merge/keyed_text.h"

namespace memfs {
namespace {

std::string file(const std::string& block, const std::string& body = "text\n") {
  return "---\n" + block + "---\n" + body;
}

std::string block_of_merge(const std::string& base, const std::string& ours,
                           const std::string& theirs) {
  const std::string b = file(base);
  const std::string o = file(ours);
  const std::string t = file(theirs);
  const MemoryMerge merge = merge_memories({b, o, t});
  const FrontMatter front = read_front_matter(merge.text);
  EXPECT_EQ(front.state, BlockState::kReadable) << merge.text;
  return std::string(block_of(merge.text, front));
}

TEST(MemoryMerge, ASideThatChangedNothingGivesWayByteForByte) {
  const std::string base = "\xEF\xBB\xBF---\r\ntitle:   'x'  # why\r\n...\r\nbody";
  const std::string ours = base + " more";
  EXPECT_EQ(merge_memories({base, ours, base}).text, ours);
  EXPECT_EQ(merge_memories({base, base, ours}).text, ours);
  EXPECT_EQ(merge_memories({base, ours, ours}).text, ours);
}

TEST(MemoryMerge, TakesEachKeyFromTheSideThatChangedIt) {
  EXPECT_EQ(block_of_merge("title: a\ntags: [x]  # keep\ncustom:  1.10\nrevision: 4\n",
                           "title: A\ntags: [x]  # keep\ncustom:  1.10\nrevision: 5\n",
                           "title: a\ntags: [x]  # keep\ncustom:  1.20 # new\nrevision: 5\n"),
            "title: A\ntags: [x]  # keep\ncustom:  1.20 # new\nrevision: 6\n");
}

TEST(MemoryMerge, TheRevisionIsTheNextOneOnlyIfBothChanged) {
  EXPECT_EQ(block_of_merge("title: a\nrevision: 4\n", "title: b\nrevision: 7\n",
                           "title: a\ndescription: d\nrevision: 5\n"),
            "title: b\ndescription: d\nrevision: 8\n");
  EXPECT_EQ(block_of_merge("title: a\nrevision: 4\n", "title: b\nrevision: 4\n",
                           "title: a\nx: 1\nrevision: 5\n"),
            "title: b\nx: 1\nrevision: 6\n")
      << "one side was edited by hand";
  EXPECT_EQ(block_of_merge("title: a\n", "title: b\n", "title: a\nx: 1\n"), "title: b\nx: 1\n")
      << "no revision is made up";
}

TEST(MemoryMerge, WhatHoldsTheOtherSideAlreadyStaysAsItIs) {
  const std::string ours = "title: b\ntags: [x, y]\nrevision: 6\n";
  EXPECT_EQ(block_of_merge("title: a\ntags: [x]\nrevision: 4\n", ours,
                           "title: b\ntags: [x]\nrevision: 5\n"),
            ours);
}

TEST(MemoryMerge, TheLatestUpdateAndTheEarliestEndHold) {
  EXPECT_EQ(block_of_merge("updated_at: 2026-01-01\nlast_verified_at: 2026-01-01T00:00:00Z\n",
                           "updated_at: 2026-03-01\nlast_verified_at: 2026-02-01T00:00:00Z\n",
                           "updated_at: 2026-02-01\nlast_verified_at: 2026-02-02T00:00:00Z\n"),
            "updated_at: 2026-03-01\nlast_verified_at: 2026-02-02T00:00:00Z\n");
  const std::string base = file("title: t\nexpires_at: 2026-12-31\n");
  const std::string ours = file("title: t\nexpires_at: 2027-06-01\n");
  const std::string theirs = file("title: t\nexpires_at: 2027-01-01 # soon\n");
  const MemoryMerge merge = merge_memories({base, ours, theirs});
  EXPECT_EQ(merge.text, file("title: t\nexpires_at: 2027-01-01 # soon\nmerge_conflict:\n"
                             "  - expires_at: 2027-06-01\n"));
  EXPECT_TRUE(merge.clean()) << "it is noted, and stops nobody";
  EXPECT_EQ(merge.notes, std::vector<std::string>{"expires_at: the earlier of two dates holds"});
}

TEST(MemoryMerge, ListsAreSets) {
  EXPECT_EQ(block_of_merge("tags: [a, b, c]\n", "tags: [b, c, d]\n", "tags: [a, b, e]\n"),
            "tags: [b, e, d]\n")
      << "in the order of the list whose bytes come first";
  EXPECT_EQ(block_of_merge("keywords:\n  - a\n  - b\n", "keywords:\n  - a\n  - b\n  - \"1.10\"\n",
                           "keywords:\n  - b\n  - 007\n"),
            "keywords:\n  - b\n  - \"1.10\"\n  - 007\n");
  EXPECT_EQ(block_of_merge("tags: a, b\n", "tags: a, b, c\n", "tags: b\n"), "tags: [b, c]\n");
  EXPECT_EQ(block_of_merge("extra: [x]\n", "extra: [x, y]\n", "extra: [x, z]\n"),
            "extra: [x, y, z]\n")
      << "unknown keys, too";
  EXPECT_EQ(block_of_merge("title: t\n", "title: t\ntags: [a]\n", "title: t\ntags: [b]\n"),
            "title: t\ntags: [a, b]\n");
}

TEST(MemoryMerge, CommentsInsideAListStayWithTheirItems) {
  const std::string base = "tags:\n  - a  # why a\n  # above b\n  - b\n\n  - c # why c\n";
  EXPECT_EQ(block_of_merge(base, base + "  - o # ours\n", base + "  # theirs\n  - t\n"),
            base + "  # theirs\n  - t\n  - o # ours\n");
  EXPECT_EQ(
      block_of_merge(base, "tags:\n  - a  # better\n  # above b\n  - b\n\n  - c # why c\n  - o\n",
                     "tags:\n  - a  # why a\n  - t\n"),
      "tags:\n  - a  # better\n  - o\n  - t\n")
      << "what was said of an item goes with it";
}

TEST(MemoryMerge, CommentsOfAListInBracketsStayAboveIt) {
  const std::string base = "tags: [\n  a, # why a\n  b\n]\n";
  EXPECT_EQ(block_of_merge(base, "tags: [\n  a, # why a\n  b, o\n]\n",
                           "tags: [\n  a, # why a\n  b, t\n]\n"),
            "# why a\ntags: [a, b, o, t]\n");
}

TEST(MemoryMerge, ACommentThatIsTheEndOfAnotherIsNotTakenForIt) {
  EXPECT_EQ(block_of_merge("a:\n- x\n", "a:\n- x\n- o # note\n", "a: # no\n- x\n- t\n"),
            "# no\na:\n- x\n- o # note\n- t\n");
}

TEST(MemoryMerge, TwoTextsForOneKeyAreKeptBoth) {
  const std::string base = file("title: a\nrevision: 1\n");
  const std::string ours = file("title: Ours\nrevision: 2\n");
  const std::string theirs = file("title: 'Theirs: 1'  # said so\nrevision: 2\n");
  const MemoryMerge merge = merge_memories({base, ours, theirs});
  EXPECT_EQ(merge.text,
            file("# said so\ntitle: Ours\nmerge_conflict:\n  - title: 'Theirs: 1'  # said so\n"
                 "revision: 3\n"));
  EXPECT_EQ(merge.undecided, std::vector<std::string>{"title"});
  EXPECT_FALSE(merge.clean());
}

TEST(MemoryMerge, AnyValueCanBeKept) {
  const std::string base = "m: 1\n";
  for (const std::string theirs :
       {"m:\n  a: 1\n  b: [x, 1.10]\n", "m: |\n  two\n\n  lines # no comment\n", "m: \"a\n  b\"\n",
        "m:\n- a: 1\n  b: 2\n- c\n", "m: {a: 1, b: 2}\n", "m: >-\n  x\n  y\n", "m: plain\n  text\n",
        "m: 2026-01-01\n", "m: ~\n"}) {
    const std::string merged = block_of_merge(base, "m: 2\n", theirs);
    ASSERT_TRUE(merged.starts_with("m: 2\nmerge_conflict:\n  - m:")) << merged;
    const auto kept = parse_kept(merged.substr(5));
    ASSERT_TRUE(kept) << merged;
    ASSERT_EQ(kept->size(), 1U);
    EXPECT_EQ(kept->front().raw, theirs);
    EXPECT_TRUE(kept->front().value.same_value(read_entry(theirs))) << merged;
  }
}

TEST(MemoryMerge, WhatIsKeptAddsUpAndGoesWhenItIsSettled) {
  const std::string three =
      block_of_merge("title: a\n", "title: b\nmerge_conflict:\n  - title: c\n", "title: d\n");
  EXPECT_EQ(three, "title: b\nmerge_conflict:\n  - title: c\n  - title: d\n");
  EXPECT_EQ(block_of_merge("title: b\nmerge_conflict:\n  - title: c\nx: 1\n", "title: c\nx: 1\n",
                           "title: b\nmerge_conflict:\n  - title: c\nx: 2\n"),
            "title: c\nx: 2\n")
      << "one side has settled it";
}

TEST(MemoryMerge, AnEditOutlivesARemoval) {
  const std::string base = file("title: t\ndescription: d\n");
  const std::string ours = file("title: t\n");
  const std::string theirs = file("title: t\ndescription: better\n");
  const MemoryMerge merge = merge_memories({base, ours, theirs});
  EXPECT_EQ(merge.text, theirs);
  EXPECT_EQ(merge.notes.size(), 1U);
  EXPECT_TRUE(merge.clean());
  EXPECT_EQ(block_of_merge("title: t\nx: 1\n", "title: t\n", "title: u\nx: 1\n"), "title: u\n")
      << "what only one side removed is gone";
}

TEST(MemoryMerge, KeysKeepTheirOrderAndCommentsTheirPlace) {
  EXPECT_EQ(block_of_merge("# head\ntitle: t\nid: x1\nrevision: 1\n",
                           "# head\ntitle: t\n# ours\na: 1\nid: x1\nrevision: 2\n",
                           "# head\ntitle: t\ntags: [x]\n# theirs\nid: x1\nrevision: 2\n# tail\n"),
            "# head\ntitle: t\ntags: [x]\n# ours\na: 1\n# theirs\nid: x1\nrevision: 3\n# tail\n");
  EXPECT_EQ(block_of_merge("a: 1\nb: 1\nc: 1\n", "c: 1\na: 1\nb: 1\n", "a: 1\nb: 2\nc: 1\n"),
            "c: 1\na: 1\nb: 2\n")
      << "who moved keys wins";
}

// Any step that looks through all keys for each pair of keys takes minutes here.
TEST(MemoryMerge, BlocksOfThousandsOfKeysAreMerged) {
  std::string ours, theirs;
  for (int i = 0; i < 5000; ++i) {
    const std::string key = "k" + std::to_string(i) + ": 1\n";
    if (i != 7) ours += key;
    if (i != 4000) theirs += key;
  }
  const std::string merged = block_of_merge("x: 1\n", "x: 1\n" + ours, "x: 1\n" + theirs);
  EXPECT_EQ(merged.size(), std::string("x: 1\nk7: 1\n").size() + ours.size());
  EXPECT_NE(merged.find("k6: 1\nk7: 1\nk8: 1\n"), std::string::npos);
  EXPECT_NE(merged.find("k3999: 1\nk4000: 1\nk4001: 1\n"), std::string::npos);
}

TEST(MemoryMerge, WhoChangedOnlyTheSpellingGivesWayButKeepsTheirComment) {
  EXPECT_EQ(block_of_merge("title: a\n", "title: a # mind\n", "title: b\n"), "# mind\ntitle: b\n");
}

TEST(MemoryMerge, TwoAdoptionsOfOneFileGiveTheOlderIdAndAnAlias) {
  const std::string base = "text\n";
  const std::string ours = file("id: mem-01b\nrevision: 1\n");
  const std::string theirs = file("id: mem-01a\nrevision: 1\n");
  EXPECT_EQ(merge_memories({base, ours, theirs}).text,
            file("aliases: [mem-01b]\nid: mem-01a\nrevision: 2\n"));
}

TEST(MemoryMerge, TwoMemoriesOfOneNameAreAConflictOfAllTheyDoNotShare) {
  const std::string ours = file("title: DB\nid: mem-01a\nrevision: 1\n", "one\n");
  const std::string theirs = file("title: DB\nid: mem-01b\nrevision: 1\n", "two\n");
  const MemoryMerge merge = merge_memories({"", ours, theirs});
  EXPECT_EQ(merge.text, file("title: DB\nmerge_conflict:\n  - id: mem-01b\nid: mem-01a\n"
                             "revision: 2\n",
                             "<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n"));
  EXPECT_EQ(merge.conflicts, 1U);
}

TEST(MemoryMerge, BodiesAreMergedByLines) {
  const std::string base = file("title: t\n", "a\nb\nc\n");
  EXPECT_EQ(
      merge_memories({base, file("title: t\n", "A\nb\nc\n"), file("title: u\n", "a\nb\nC\n")}).text,
      file("title: u\n", "A\nb\nC\n"));
}

TEST(MemoryMerge, ABlockThatCannotBeTakenApartIsKeptAsAWhole) {
  const std::string base = file("{title: a, x: 1}\n");
  const std::string ours = file("{title: b, x: 1}\n");
  const std::string theirs = file("{title: a, x: 2}\n");
  const MemoryMerge merge = merge_memories({base, ours, theirs});
  EXPECT_EQ(merge.text, file("{title: b, x: 1}\n",
                             "<<<<<<< ours\n=======\n---\n{title: a, x: 2}\n---\n"
                             ">>>>>>> theirs\ntext\n"));
  EXPECT_EQ(merge.conflicts, 1U);
}

TEST(MemoryMerge, ABrokenSideNeverTakesThePlaceOfOneThatCanBeRead) {
  const std::string base = file("title: a\n");
  const std::string broken = file("title: \"b\nrevision: 2\n");
  const std::string good = file("title: c\n");
  for (const bool swapped : {false, true}) {
    const MemoryMerge merge =
        swapped ? merge_memories({base, good, broken}) : merge_memories({base, broken, good});
    EXPECT_EQ(read_front_matter(merge.text).state, BlockState::kReadable) << merge.text;
    EXPECT_NE(merge.text.find("title: \"b\nrevision: 2\n"), std::string::npos) << merge.text;
    EXPECT_EQ(merge.conflicts, 1U);
  }
}

TEST(MemoryMerge, AnEditorThatChangesNewlinesChangesNoLine) {
  const std::string base = file("title: t\n", "a\nb\n");
  std::string ours = "---\r\ntitle: t\r\n---\r\na\r\nb\r\n";
  const std::string theirs = file("title: u\n", "a\nB\n");
  EXPECT_EQ(merge_memories({base, ours, theirs}).text, "---\r\ntitle: u\r\n---\r\na\r\nB\r\n");
  EXPECT_EQ(merge_memories({base, theirs, ours}).text, "---\r\ntitle: u\r\n---\r\na\r\nB\r\n");
}

TEST(MemoryMerge, YamlFilesAreMergedByKeyAsWell) {
  EXPECT_EQ(merge_yaml({"version: 1\nplaces:\n  - /a\n", "version: 1\nplaces:\n  - /a\n  - /b\n",
                        "version: 1\nplaces:\n  - /a\n  - /c\n"})
                .text,
            "version: 1\nplaces:\n  - /a\n  - /b\n  - /c\n");
}

}  // namespace
}  // namespace memfs
