// What became of what other systems lose: old states, omitted fields, hand edits.
#include <gtest/gtest.h>

#include <algorithm>

#include "libmemfs/base/hash.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {
namespace {

class HistoryTest : public StoreFixture {
 protected:
  static Change clear(const std::string& key) {
    Change change = set(key, "");
    change.fields.back().clear = true;
    return change;
  }
  static Change body(const std::string& text) {
    Change change;
    change.body = {BodyEdit::Kind::kSet, text, {}};
    return change;
  }
  static NewMemory with_subject(const std::string& title, const std::string& subject) {
    NewMemory asked = wish(title, title + " says so\n");
    asked.fields.push_back(field("subject_key", subject));
    return asked;
  }
  std::vector<std::string> labels(const std::string& reference) {
    std::vector<std::string> found;
    const auto history = open().history(reference);
    EXPECT_TRUE(history);
    for (const Revision& revision : history->revisions) found.push_back(revision.label);
    return found;
  }
  // A memory with revisions 1 to `count`, its bodies being the numbers.
  void make_revisions(const std::string& title, int count) {
    ASSERT_TRUE(open().create(wish(title, "1\n")));
    for (int i = 2; i <= count; ++i)
      ASSERT_TRUE(open().update("shared/" + title, body(std::to_string(i) + "\n")));
  }
  bool is_kept(const std::string& bytes) {
    const auto files = files_below(*memory, "/m/.state/history");
    return std::any_of(files.begin(), files.end(),
                       [&](const auto& kept_file) { return kept_file.second == bytes; });
  }
  std::size_t kept() { return files_below(*memory, "/m/.state/history").size(); }
};

// Reasonix: restore skips the subject check.
TEST_F(HistoryTest, AnOldStateThatClaimsAHeldSubjectIsRefused) {
  ASSERT_TRUE(open().create(with_subject("A", "db.host")));
  ASSERT_TRUE(open().update("a", clear("subject_key")));
  ASSERT_TRUE(open().create(with_subject("B", "db.host")));
  const auto before = files_below(*memory, "/m/shared");
  const auto refused = open().restore("a", "1");
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_EQ(open().undo()->undone.operation, memfs::Operation::kAdd) << "B, not the clearing";
  EXPECT_EQ(files_below(*memory, "/m/shared").size(), before.size() - 1);
  EXPECT_TRUE(open().restore("a", "1"));
}

// Reasonix: restore takes the fields that are omitted from the present state.
TEST_F(HistoryTest, WhatWasAbsentIsAbsentAgainAfterARestore) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const std::string old = file("shared/a.md");
  Change change = set("type", "user");
  for (const char* key : {"kind", "activation", "volatility", "subject_key", "keywords",
                          "description", "expires_at", "source"}) {
    const std::string name = key;
    change.fields.push_back(field(name, name == "kind"         ? "preference"
                                        : name == "activation" ? "pinned"
                                        : name == "volatility" ? "stable"
                                        : name == "expires_at" ? "2030-01-01"
                                                               : "x"));
  }
  change.fields.push_back(field("tags", ""));
  change.fields.back().items = {"t"};
  change.body = {BodyEdit::Kind::kSet, "two\n", {}};
  ASSERT_TRUE(open().update("a", change)) << open().update("a", change).error().message;
  const auto back = open().restore("a", "1");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(without_owned(file("shared/a.md")), without_owned(old));
  EXPECT_EQ(back->memory.revision, 3U);
}

TEST_F(HistoryTest, CommentsAndForeignKeysComeBackWithTheirState) {
  const std::string old = "---\n# why\ntitle: 'A'   # quoted\ncolour: [red, 'blue']\n---\n\none";
  memory->plant("/m/shared/a.md", old);
  ASSERT_TRUE(open().update("a", set("type", "user")));
  ASSERT_TRUE(open().edit("a", "other\n", open().read("a")->memory.etag));
  EXPECT_EQ(without_owned(file("shared/a.md")), "other\n");
  const auto back = open().restore("a", content_hash(old));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(without_owned(file("shared/a.md")), old);
}

// Reasonix: an omitted type is reset, the title cleared. mermaid: tags dropped, `created` reset.
TEST_F(HistoryTest, AnUpdateOfTheBodyKeepsEveryField) {
  NewMemory asked = wish("Release branch", "one\n");
  asked.fields.push_back(field("type", "project"));
  asked.fields.push_back(field("keywords", "trunk"));
  asked.fields.push_back(field("subject_key", "release.branch"));
  asked.fields.push_back(field("tags", ""));
  asked.fields.back().items = {"git", "release"};
  ASSERT_TRUE(open().create(asked));
  now = "2026-12-24T00:00:00Z";
  const auto updated = open().update("release-branch", body("two\n"));
  ASSERT_TRUE(updated);
  EXPECT_EQ(updated->memory.title, "Release branch");
  EXPECT_EQ(updated->memory.type, "project");
  EXPECT_EQ(updated->memory.keywords, "trunk");
  EXPECT_EQ(updated->memory.subject_key, "release.branch");
  EXPECT_EQ(updated->memory.tags, (std::vector<std::string>{"git", "release"}));
  EXPECT_EQ(updated->memory.created_at->text, "2026-11-30T09:00:00Z");
}

// Reasonix: keywords and subject cannot be cleared.
TEST_F(HistoryTest, KeywordsAndSubjectCanBeCleared) {
  NewMemory asked = with_subject("A", "db.host");
  asked.fields.push_back(field("keywords", "trunk"));
  ASSERT_TRUE(open().create(asked));
  ASSERT_TRUE(open().update("a", clear("keywords")));
  ASSERT_TRUE(open().update("a", clear("subject_key")));
  const auto read = open().read("a");
  EXPECT_EQ(read->memory.keywords, "");
  EXPECT_EQ(read->memory.subject_key, "");
  EXPECT_TRUE(open().create(with_subject("B", "db.host"))) << "the subject is free";
}

TEST_F(HistoryTest, AHandEditIsAStateOfItsOwnUnderTheSameNumber) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const std::string made = file("shared/a.md");
  const std::string typed = made + "typed\n";
  memory->plant("/m/shared/a.md", typed);
  ASSERT_TRUE(open().update("a", append("three")));
  EXPECT_EQ(labels("a"), (std::vector<std::string>{"2", "1-" + content_hash(typed).substr(0, 8),
                                                   "1-" + content_hash(made).substr(0, 8)}));
  EXPECT_EQ(open().revision("a", "1").error().code, ErrorCode::kConflict);
  EXPECT_EQ(open().revision("a", "1-" + content_hash(made).substr(0, 8))->bytes, made);
  EXPECT_EQ(open().revision("a", content_hash(typed))->bytes, typed);
  EXPECT_EQ(open().restore("a", "1").error().code, ErrorCode::kConflict);
}

TEST_F(HistoryTest, ADamagedCopyIsNamedAndTheOthersAreRead) {
  make_revisions("a", 3);
  std::string damaged;
  for (const auto& [path, bytes] : files_below(*memory, "/m/.state/history"))
    if (path.find("/0000000001-") != std::string::npos) damaged = path;
  memory->plant(damaged, "cut sho");
  const auto refused = open().revision("a", "1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(refused.error().path, damaged);
  const std::string now_there = file("shared/a.md");
  EXPECT_EQ(open().restore("a", "1").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(file("shared/a.md"), now_there);
  EXPECT_EQ(open().revision("a", "2")->memory.body, "2\n");
}

TEST_F(HistoryTest, AFileWithoutIdHasAHistoryThatMovesWithIt) {
  memory->plant("/m/private/note.md", "one\n");
  ASSERT_TRUE(open().update("note", append("two")));
  ASSERT_TRUE(open().move({.from = "note", .to = "shared"}));
  EXPECT_EQ(open().revision("note", content_hash("one\n"))->bytes, "one\n");
  ASSERT_TRUE(open().restore("note", content_hash("one\n")));
  EXPECT_EQ(file("shared/note.md"), "one\n") << "no identity was asked for";
  ASSERT_TRUE(open().adopt("note"));
  EXPECT_EQ(open().revision("note", content_hash("one\ntwo\n"))->bytes, "one\ntwo\n");
  ASSERT_TRUE(open().forget("note", true));
  EXPECT_EQ(kept(), 0U);
  EXPECT_EQ(open().undo().error().code, ErrorCode::kRefused) << "a purge is final";
}

TEST_F(HistoryTest, AFileOfTheYear1970IsLive) {
  memory->plant("/m/shared/note.md", "one\n");  // its time is 0: archives for repeatable builds
  const auto history = open().history("note");
  ASSERT_TRUE(history);
  EXPECT_TRUE(history->revisions.front().current);
  const auto text = open().revision("note", "");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->bytes, "one\n");
}

TEST_F(HistoryTest, AnArchivedMemoryKeepsItsHistory) {
  make_revisions("a", 2);
  const std::string second = file("shared/a.md");
  ASSERT_TRUE(open().forget("a"));
  const auto history = open().history("a");
  ASSERT_TRUE(history);
  EXPECT_FALSE(history->revisions.front().current);
  EXPECT_EQ(open().revision("a", "")->bytes, second);
  EXPECT_EQ(open().revision("a", "1")->memory.body, "1\n");
}

// Reasonix: revisions are never pruned.
TEST_F(HistoryTest, PruningKeepsTheNewestAndTheYoung) {
  make_revisions("a", 5);
  const std::string before = file("shared/a.md");
  const auto would = open().prune("a", {2, 0}, true);
  ASSERT_TRUE(would);
  EXPECT_EQ(would->files.size(), 3U);
  EXPECT_EQ(kept(), 5U) << "a dry run drops nothing";
  EXPECT_TRUE(open().prune("a", {2, 30000}, false)->files.empty()) << "all are young";
  const auto done = open().prune("", {2, 0}, false);
  EXPECT_EQ(done->files, would->files);
  EXPECT_EQ(labels("a"), (std::vector<std::string>{"5", "4"}));
  EXPECT_EQ(file("shared/a.md"), before);
}

TEST_F(HistoryTest, TheNewestCopyIsNeverDropped) {
  make_revisions("a", 3);
  const std::string made = file("shared/a.md");
  const auto report = open().prune("", {0, 0}, false);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->kept, 1U);
  memory->plant("/m/shared/a.md", made + "typed\n");
  ASSERT_TRUE(open().update("a", append("more")));
  EXPECT_EQ(open().revision("a", content_hash(made))->bytes, made) << "what a hand edit replaced";
}

// A branch whose file has a smaller number than those that are kept.
TEST_F(HistoryTest, WhatTheFileHoldsIsKeptWhateverItsNumber) {
  make_revisions("a", 4);
  const std::string branch = open().revision("a", "1")->bytes + "branch\n";
  memory->plant("/m/config.yaml", "history: {keep: 1, days: 0}\n");
  memory->plant("/m/shared/a.md", branch);
  ASSERT_TRUE(open().update("a", append("two")));
  const std::string made = file("shared/a.md");
  EXPECT_TRUE(is_kept(made));
  for (const char* reference : {"", "a"}) {
    ASSERT_TRUE(open().prune(reference, {1, 0}, false));
    EXPECT_TRUE(is_kept(made)) << "a hand edit would leave no other copy";
  }
}

TEST_F(HistoryTest, AnyNumberOfDaysIsForEver) {
  make_revisions("a", 3);
  for (const std::uint64_t days : {std::uint64_t{110'000'000'000}, ~std::uint64_t{0}})
    EXPECT_TRUE(open().prune("", {1, days}, true)->files.empty()) << days;
}

TEST_F(HistoryTest, AMemoryWhoseFileWasRemovedComesBack) {
  const std::string id = open().create(wish("Gone", "one\n"))->memory.id;
  ASSERT_TRUE(open().update("gone", append("two")));
  ASSERT_TRUE((*memory->open("/m/shared"))->remove("gone.md"));
  for (const std::string& reference : {std::string("gone"), id, std::string("shared/gone")})
    EXPECT_EQ(open().history(reference)->revisions.size(), 2U) << reference;
  EXPECT_EQ(open().restore("gone", "7").error().code, ErrorCode::kNotFound);
  const auto back = open().restore("gone", "1");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->memory.id, id);
  EXPECT_EQ(back->memory.body, "one\n");
  EXPECT_EQ(back->memory.revision, 3U);
}

TEST_F(HistoryTest, AnEmptiedFileIsNamedBeforeItIsReplaced) {
  ASSERT_TRUE(open().create(wish("Gone", "one\n")));
  memory->plant("/m/shared/gone.md", "");
  const auto refused = open().restore("gone", "1");
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_NE(refused.error().hint, "");
  EXPECT_EQ(file("shared/gone.md"), "");
}

TEST_F(HistoryTest, AForgottenMemoryComesBackInAnOlderState) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  ASSERT_TRUE(open().update("a", append("two")));
  ASSERT_TRUE(open().forget("a"));
  ASSERT_TRUE(open().restore("a", "1"));
  EXPECT_EQ(open().read("a")->memory.body, "one\n");
  EXPECT_TRUE(open().archived()->empty());
}

TEST_F(HistoryTest, RevisionsStandInTheOrderOfTimeWhateverTheirNumbers) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const std::string first = file("shared/a.md");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(open().update("a", append(std::to_string(i))));
  memory->plant("/m/shared/a.md", first);  // as a checkout of another branch does
  ASSERT_TRUE(open().update("a", append("branch")));
  const auto history = open().history("a");
  ASSERT_GE(history->revisions.size(), 3U);
  EXPECT_EQ(history->revisions[0].number, 2U);
  EXPECT_EQ(history->revisions[1].number, 1U);
  EXPECT_EQ(history->revisions[1].operation, memfs::Operation::kAdd) << "we wrote it";
  EXPECT_EQ(history->revisions[2].number, 4U);
}

TEST_F(HistoryTest, ADoubtfulConfigurationGivesNoPolicyAndDropsNothing) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  ASSERT_TRUE(open().update("a", append("two")));
  memory->plant("/m/config.yaml", "history: {keep: 1, days: all}\n");
  now = "2030-01-01T00:00:00Z";
  EXPECT_EQ(open().history_policy({}, {}).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(open().history_policy(1, {}).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(open().history_policy(7, 8)->days, 8U);
  const auto written = open().update("a", append("three"));
  ASSERT_TRUE(written);
  EXPECT_FALSE(written->warnings.empty()) << "the problem is told";
  EXPECT_EQ(open().history("a")->revisions.size(), 3U);
  memory->plant("/m/config.yaml", "history: {keep: 1, days: 3}\n");
  EXPECT_EQ(open().history_policy({}, {})->days, 3U);
}

}  // namespace
}  // namespace memfs::testing
