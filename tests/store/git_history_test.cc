// Git's commits behind history, diff and restore of shared memories, with real repositories.
#include <gtest/gtest.h>
#include <memfs/store.h>

#include "tests/support/git_world.h"

namespace memfs::testing {
namespace {

class GitHistoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world.clone("ada");
    world.git("ada", {"checkout", "-q", "-B", "main"});
    world.write("ada", "../.gitattributes", "# none\n");
    std::filesystem::create_directories(world.at("ada") + "/.mem/shared");
  }
  // "3 by ada: subject, 2 add [now]": labels, what a write of ours told, and what git tells.
  static std::string listed(const Store& store, const std::string& reference) {
    const auto history = store.history(reference);
    if (!history) return history.error().message;
    std::string text;
    for (const Revision& revision : history->revisions) {
      text += (text.empty() ? "" : ", ") + revision.label;
      if (revision.operation) text += " " + std::string(name_of(*revision.operation));
      if (!revision.author.empty()) text += " by " + revision.author + ": " + revision.subject;
      if (revision.current) text += " [now]";
    }
    return text;
  }
  static std::string body_of(const Store& store, const std::string& reference,
                             const std::string& label) {
    const auto text = store.revision(reference, label);
    return text ? text->memory.body : text.error().message;
  }

  GitWorld world;
};

TEST_F(GitHistoryTest, WhatOthersCommittedIsListedReadComparedAndRestored) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  const std::string first = world.commit("ada", 1, "Tell the branch");
  world.write("ada", "a.md", memory_text("a", 2, "two"));
  world.commit("ada", 2, "It moved");
  world.push("ada");
  world.clone("bob");
  Store store = world.open("bob");
  EXPECT_EQ(listed(store, "a"), "2 by ada: It moved [now], 1 by ada: Tell the branch");
  const auto history = store.history("a");
  EXPECT_EQ(history->revisions[1].commit, first);
  EXPECT_EQ(format_instant(history->revisions[1].at.value()), "2026-11-01T00:00:00Z");
  EXPECT_EQ(history->revisions[1].size, memory_text("a", 1, "one").size());
  for (const std::string& label : {std::string("1"), first, first.substr(0, 7)})
    EXPECT_EQ(body_of(store, "a", label), "one\n") << label;
  EXPECT_EQ(body_of(store, "a", first.substr(0, 6)),
            "shared/a has no revision " + first.substr(0, 6));
  const auto diff = store.diff("a", "", "");
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_NE(diff->text.find("-one\n+two\n"), std::string::npos) << diff->text;
  const auto back = store.restore("a", first);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->memory.revision, 3U);
  ASSERT_TRUE(back->restored);
  EXPECT_EQ(back->restored->author, "ada");
  EXPECT_EQ(world.read("bob", "a.md").substr(world.read("bob", "a.md").size() - 4), "one\n");
  EXPECT_EQ(listed(store, "a"), "3 restore [now], 2 by ada: It moved, 1 by ada: Tell the branch");
}

TEST_F(GitHistoryTest, AStateThatIsKeptHereAndInACommitIsOneAndBothTellOfIt) {
  Store store = world.open("ada");
  NewMemory wish;
  wish.scope = Scope::kShared;
  wish.fields = {{"title", "Branch"}};
  wish.body = "one\n";
  ASSERT_TRUE(store.create(wish));
  const std::string first = world.commit("ada", 1, "First");
  Change change;
  change.body = {BodyEdit::Kind::kSet, "two\n"};
  ASSERT_TRUE(store.update("branch", change));
  EXPECT_EQ(listed(store, "branch"), "2 update [now], 1 add by ada: First");
  world.commit("ada", 2, "Second");
  EXPECT_EQ(listed(store, "branch"), "2 update by ada: Second [now], 1 add by ada: First");
  const std::string path = world.at("ada") + "/.mem/shared/branch.md";
  std::ofstream(path, std::ios::app) << "typed\n";
  const auto history = store.history("branch");
  ASSERT_EQ(history->revisions.size(), 3U);
  EXPECT_EQ(history->revisions[0].operation, memfs::Operation::kByHand);
  EXPECT_EQ(history->revisions[0].commit, "");
  EXPECT_TRUE(history->revisions[0].current);
  // Committed, nobody knows any more that it was by hand.
  world.commit("ada", 3, "Third");
  EXPECT_FALSE(store.history("branch")->revisions[0].operation);
  // A state that came back is one, with the newest commit that has it.
  world.git("ada", {"revert", "--no-edit", "HEAD"}, 4);
  EXPECT_EQ(store.history("branch")->revisions.size(), 3U);
  EXPECT_EQ(store.history("branch")->revisions[0].commit, world.head("ada"));
}

TEST_F(GitHistoryTest, HistoryReachesThroughRenamesAndATextThatOnlyMovedStaysItsAuthors) {
  const std::string text = memory_text("a", 1, "one\ntwo\nthree\nfour\nfive\nsix");
  world.write("ada", "a.md", text);
  world.commit("ada", 1, "Made");
  std::filesystem::create_directories(world.at("ada") + "/.mem/shared/sub");
  world.git("ada", {"mv", ".mem/shared/a.md", ".mem/shared/sub/[b] ü*.md"});
  world.commit("ada", 2, "Moved");
  EXPECT_EQ(listed(world.open("ada"), "[b] ü*"), "1 by ada: Made [now]");
  world.write("ada", "sub/[b] ü*.md", memory_text("a", 2, "one\ntwo\nthree\nfour\nfive\n6"));
  world.commit("ada", 3, "Changed");
  EXPECT_EQ(listed(world.open("ada"), "[b] ü*"), "2 by ada: Changed [now], 1 by ada: Made");
}

TEST_F(GitHistoryTest, BothSidesOfAMergeAreStatesAlsoTheOneThatWasOverruled) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  world.commit("ada", 1, "Made");
  world.git("ada", {"checkout", "-q", "-b", "topic"});
  world.write("ada", "a.md", memory_text("a", 2, "theirs"));
  const std::string theirs = world.commit("ada", 2, "Theirs");
  world.git("ada", {"checkout", "-q", "main"});
  world.write("ada", "a.md", memory_text("a", 2, "ours"));
  world.commit("ada", 3, "Ours");
  world.git("ada", {"merge", "-q", "-s", "ours", "--no-edit", "topic"}, 4);
  const Store store = world.open("ada");
  const auto history = store.history("a");
  ASSERT_EQ(history->revisions.size(), 3U);
  EXPECT_EQ(history->revisions[1].commit, theirs);
  EXPECT_TRUE(history->revisions[1].label.starts_with("2-")) << history->revisions[1].label;
  EXPECT_EQ(body_of(store, "a", history->revisions[1].label), "theirs\n");
  EXPECT_EQ(store.revision("a", "2").error().code, ErrorCode::kConflict);
  // And a text that only the merge has.
  world.git("ada", {"reset", "-q", "--hard", "HEAD~1"});
  world.try_git("ada", {"merge", "-q", "topic"});
  world.write("ada", "a.md", memory_text("a", 3, "both"));
  world.commit("ada", 5, "Merged");
  EXPECT_TRUE(listed(store, "a").starts_with("3 by ada: Merged [now], 2-"));
}

TEST_F(GitHistoryTest, AnotherMemoryAtTheSamePathOrOfTheSameWordsIsNotItsPast) {
  const std::string body = "a long text that is\nthe same for both\nbut for the id\nand nothing";
  world.write("ada", "a.md", memory_text("a", 7, body));
  world.commit("ada", 1, "First");
  world.write("ada", "b.md", memory_text("b", 1, body));
  world.commit("ada", 2, "Like it");
  world.write("ada", "c.md", "by hand\n" + body);
  world.write("ada", "d.md", "by hand, too\n" + body);
  world.commit("ada", 3, "By hand");
  world.write("ada", "e.md", "by hand, too\n" + body);
  world.commit("ada", 4, "Copied");
  world.remove("ada", "a.md");
  world.commit("ada", 5, "Gone");
  world.write("ada", "a.md", memory_text("c", 2, "new"));
  world.commit("ada", 6, "Another");
  const Store store = world.open("ada");
  EXPECT_EQ(listed(store, "shared/a"), "2 by ada: Another [now]");
  EXPECT_EQ(listed(store, "b"), "1 by ada: Like it [now]");
  EXPECT_EQ(listed(store, "d"), "0 by ada: By hand [now]");
  EXPECT_EQ(listed(store, "e"), "0 by ada: Copied [now]");
}

TEST_F(GitHistoryTest, AMemoryThatAColleagueDeletedComesBackByNameIdOrSubject) {
  world.write("ada", "sub/a.md", memory_text("abcdef", 1, "one", "subject_key: x.y\n"));
  world.commit("ada", 1, "Made");
  world.write("ada", "sub/a.md", memory_text("abcdef", 4, "last", "subject_key: x.y\n"));
  const std::string last = world.commit("ada", 2, "Last");
  world.remove("ada", "sub");
  const std::string gone = world.commit("ada", 3, "No more");
  world.push("ada");
  int clones = 0;
  for (const std::string& reference : {std::string("shared/sub/a"), std::string("a"),
                                       std::string("abcdef"), std::string("subject:x.y")}) {
    const std::string who = "bob" + std::to_string(++clones);
    world.clone(who);
    Store store = world.open(who);
    EXPECT_TRUE(listed(store, reference).starts_with("4 by ada: Last, 1")) << reference;
    const auto back = store.recover(reference);
    ASSERT_TRUE(back) << reference << ": " << back.error().message;
    EXPECT_EQ(back->ref(), "shared/sub/a");
    EXPECT_NE(world.read(who, "sub/a.md").find("revision: 5\n---\nlast\n"), std::string::npos);
    EXPECT_EQ(back->restored->commit, last);
    EXPECT_EQ(back->deletion->commit, gone);
    EXPECT_EQ(back->deletion->author, "ada");
  }
  world.clone("bob");
  Store store = world.open("bob");
  const auto older = store.restore("a", "1");
  ASSERT_TRUE(older) << older.error().message;
  EXPECT_EQ(older->memory.body, "one\n");
  EXPECT_EQ(older->memory.revision, 5U);
}

TEST_F(GitHistoryTest, WhatCameAndWentOnABranchThatWasMergedComesBack) {
  world.write("ada", "a.md", "one\n");
  world.commit("ada", 1, "Made");
  world.git("ada", {"checkout", "-q", "-b", "topic"});
  world.write("ada", "b.md", "two\n");
  world.commit("ada", 2, "Tried");
  world.remove("ada", "b.md");
  world.commit("ada", 3, "Left");
  world.git("ada", {"checkout", "-q", "main"});
  world.git("ada", {"merge", "-q", "--no-ff", "--no-edit", "topic"}, 4);
  Store store = world.open("ada");
  ASSERT_TRUE(store.recover("b"));
  EXPECT_EQ(world.read("ada", "b.md"), "two\n");
}

TEST_F(GitHistoryTest, WhatOneEditedAndAnotherDeletedComesBackWithTheEdit) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  world.commit("ada", 1, "Made");
  world.git("ada", {"checkout", "-q", "-b", "topic"});
  world.write("ada", "a.md", memory_text("a", 2, "edited"));
  const std::string edit = world.commit("ada", 3, "Edited");
  world.git("ada", {"checkout", "-q", "main"});
  world.remove("ada", "a.md");
  world.commit("ada", 2, "No more");
  EXPECT_EQ(world.try_git("ada", {"merge", "-q", "topic"}).exit_code, 1);
  world.git("ada", {"rm", "-q", ".mem/shared/a.md"});
  world.commit("ada", 4, "Still no more");
  const auto back = world.open("ada").recover("a");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->memory.body, "edited\n");
  EXPECT_EQ(back->restored->commit, edit);
}

TEST_F(GitHistoryTest, OfSeveralThatWereDeletedOneMustBeNamed) {
  for (const std::string id : {"first0", "second"}) {
    world.write("ada", "a.md", memory_text(id, 1, id));
    world.commit("ada", 1, "Made");
    world.remove("ada", "a.md");
    world.commit("ada", 2, "No more");
  }
  Store store = world.open("bob", world.at("ada"));
  const auto both = store.recover("a");
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, ErrorCode::kConflict);
  EXPECT_NE(both.error().hint.find("second (deleted by ada)"), std::string::npos);
  EXPECT_NE(both.error().hint.find("first0 (deleted by ada)"), std::string::npos);
  const auto first = store.recover("first0");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->memory.body, "first0\n");
  // The name is taken now.
  const auto second = store.recover("second");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "its name is taken by shared/a");
  EXPECT_EQ(store.recover("a").error().code, ErrorCode::kNotFound);
}

TEST_F(GitHistoryTest, WhatComesBackFromGitIsAskedLikeAnyWrite) {
  world.write("ada", "a.md", memory_text("a", 1, "one", "subject_key: x.y\n"));
  world.write("ada", "b.md", "by hand\n");
  world.commit("ada", 1, "Made");
  world.remove("ada", "a.md");
  world.remove("ada", "b.md");
  world.write("ada", "c.md", memory_text("c", 1, "two", "subject_key: x.y\n"));
  world.commit("ada", 2, "No more");
  Store store = world.open("ada");
  const auto held = store.recover("a");
  ASSERT_FALSE(held);
  EXPECT_EQ(held.error().code, ErrorCode::kConflict);
  EXPECT_FALSE(std::filesystem::exists(world.at("ada") + "/.mem/shared/a.md"));
  // What was written by hand comes back as it was.
  ASSERT_TRUE(store.recover("b"));
  EXPECT_EQ(world.read("ada", "b.md"), "by hand\n");
}

TEST_F(GitHistoryTest, AFileThatIsGoneFromTheWorkTreeAloneComesBackFromHead) {
  world.write("ada", "a.md", memory_text("a", 3, "one"));
  world.commit("ada", 1, "Made");
  world.remove("ada", "");
  Store store = world.open("ada");
  const auto back = store.recover("a");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->deletion->commit, "");
  EXPECT_EQ(back->memory.revision, 4U);
  // What was staged is in no commit: git's own ways bring it back.
  world.git("ada", {"checkout", "-q", "."});
  world.write("ada", "a.md", memory_text("a", 9, "staged"));
  world.write("ada", "b.md", memory_text("b", 1, "staged"));
  world.git("ada", {"add", "-A"});
  world.remove("ada", "a.md");
  world.remove("ada", "b.md");
  Store other = world.open("carl", world.at("ada"));
  EXPECT_EQ(other.recover("b").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(other.recover("a").value().memory.body, "one\n");
  world.git("ada", {"rm", "-qf", ".mem/shared/a.md"});
  const auto staged = world.open("bob", world.at("ada")).recover("a");
  ASSERT_TRUE(staged) << staged.error().message;
  EXPECT_EQ(staged->memory.body, "one\n");
}

TEST_F(GitHistoryTest, GitKnowsWhatCameAfterTheLastStateThatWasSeenHere) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  world.commit("ada", 1, "Made");
  Store store = world.open("ada");
  Change change;
  change.body = {BodyEdit::Kind::kSet, "mine\n"};
  ASSERT_TRUE(store.update("a", change));
  world.commit("ada", 2, "Mine");
  world.push("ada");
  world.clone("bob");
  world.write("bob", "a.md", memory_text("a", 3, "bob's"));
  world.commit("bob", 3, "Bob's");
  world.remove("bob", "a.md");
  world.commit("bob", 4, "No more");
  world.push("bob");
  world.git("ada", {"pull", "-q", "origin", "main"});
  const auto back = store.recover("a");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->memory.body, "bob's\n");
  EXPECT_EQ(back->memory.revision, 4U);
  // But not after one that no commit has.
  world.commit("ada", 5, "Again");
  change.body.text = "never committed\n";
  ASSERT_TRUE(store.update("a", change));
  world.remove("ada", "a.md");
  world.commit("ada", 6, "Gone");
  const auto again = store.recover("a");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->memory.body, "never committed\n");
}

TEST_F(GitHistoryTest, TheFirstCommitOfAShallowCloneIsNobodysWork) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  world.commit("ada", 1, "Made");
  world.write("ada", "b.md", "other\n");
  world.commit("ada", 2, "Other");
  world.push("ada");
  world.clone("bob", {"--depth", "1"});
  const auto history = world.open("bob").history("a");
  ASSERT_EQ(history->revisions.size(), 1U);
  EXPECT_EQ(history->revisions[0].author, "");
  EXPECT_EQ(history->revisions[0].commit, world.head("bob"));
}

TEST_F(GitHistoryTest, WhereGitChangesNewlinesAStateIsStillOne) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  world.commit("ada", 1, "Made");
  world.write("ada", "a.md", memory_text("a", 2, "two"));
  world.commit("ada", 2, "Changed");
  world.push("ada");
  world.clone("bob", {"-c", "core.autocrlf=true"});
  ASSERT_NE(world.read("bob", "a.md").find("two\r\n"), std::string::npos);
  const Store store = world.open("bob");
  EXPECT_EQ(listed(store, "a"), "2 by ada: Changed [now], 1 by ada: Made");
  EXPECT_EQ(body_of(store, "a", "2"), "two\r\n");
}

TEST_F(GitHistoryTest, SettingsOfTheRepositoryChangeNoAnswerAndRunNothing) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  world.write("ada", "b.md", "two\n");
  world.commit("ada", 1, "Made");
  world.remove("ada", "b.md");
  world.commit("ada", 2, "No more");
  world.write("ada", "c.md", "three\n");
  world.commit("ada", 3, "Made");
  const std::string mark = world.world / "ran";
  for (const auto& [key, value] : {std::pair("log.showRoot", "false"),
                                   {"log.follow", "true"},
                                   {"diff.relative", "true"},
                                   {"diff.renames", "copies"},
                                   {"core.quotePath", "true"},
                                   {"format.pretty", "oneline"},
                                   {"log.showSignature", "true"},
                                   {"core.abbrev", "4"},
                                   {"i18n.logOutputEncoding", "latin1"}})
    world.git("ada", {"config", key, value});
  world.write("ada", "../.gitattributes", "*.md filter=f diff=f\n");
  for (const char* key : {"filter.f.clean", "filter.f.smudge", "diff.f.textconv", "diff.f.command",
                          "diff.external", "core.fsmonitor", "gpg.program"})
    world.git("ada", {"config", key, "sh -c 'touch " + mark + "; cat'"});
  std::filesystem::remove(mark);
  world.remove("ada", "c.md");
  Store store = world.open("ada");
  EXPECT_EQ(listed(store, "a"), "1 by ada: Made [now]");
  EXPECT_EQ(listed(store, "b"), "0 by ada: Made");
  ASSERT_TRUE(store.recover("b"));
  ASSERT_TRUE(store.recover("c"));
  EXPECT_EQ(format_instant(store.list()->memories[0].committed_at.value()), "2026-11-01T00:00:00Z");
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(GitHistoryTest, OfAVeryLongHistoryTheNewest500StatesAreListed) {
  std::string commits;
  for (int i = 1; i <= 510; ++i) {
    const std::string text = memory_text("a", i, "state " + std::to_string(i));
    commits += "commit refs/heads/main\ncommitter Ada <a@example.org> " +
               std::to_string(1700000000 + i) + " +0000\ndata 1\nm\n" +
               "M 100644 inline .mem/shared/a.md\ndata " + std::to_string(text.size()) + "\n" +
               text + "\n";
  }
  EXPECT_EQ(world.try_git("ada", {"fast-import", "--quiet", "--force"}, 1, commits).exit_code, 0);
  world.git("ada", {"reset", "-q", "--hard"});
  const Store store = world.open("ada");
  const auto history = store.history("a");
  ASSERT_TRUE(history);
  EXPECT_EQ(history->revisions.size(), 500U);
  EXPECT_EQ(history->revisions.back().label, "11");
  EXPECT_EQ(body_of(store, "a", "11"), "state 11\n");
  const auto older = store.revision("a", "10");
  ASSERT_FALSE(older);
  EXPECT_TRUE(older.error().hint.ends_with(", …")) << older.error().hint;
}

TEST_F(GitHistoryTest, AWorktreeHasTheHistoryOfItsOwnHead) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  world.commit("ada", 1, "Made");
  const std::string second = world.world / "second";
  world.git("ada", {"worktree", "add", "-q", second});
  world.write("ada", "a.md", memory_text("a", 2, "two"));
  world.commit("ada", 2, "Changed");
  EXPECT_EQ(listed(world.open("bob", second), "a"), "1 by ada: Made [now]");
  EXPECT_EQ(listed(world.open("ada"), "a"), "2 by ada: Changed [now], 1 by ada: Made");
}

TEST_F(GitHistoryTest, AProjectInASubFolderHasTheHistoryOfItsOwnFiles) {
  world.write("ada", "a.md", "another\n");
  world.write("ada", "../../app/.mem/shared/a.md", "one\n");
  world.commit("ada", 1, "Made");
  world.write("ada", "../../app/.mem/shared/b.md", "two\n");
  world.remove("ada", "../../app/.mem/shared/a.md");
  world.commit("ada", 2, "Changed");
  Store store = world.open("ada", world.at("ada") + "/app");
  EXPECT_EQ(listed(store, "b"), "0 by ada: Changed [now]");
  ASSERT_TRUE(store.recover("a"));
  EXPECT_EQ(world.read("ada", "../../app/.mem/shared/a.md"), "one\n");
}

TEST_F(GitHistoryTest, WhereGitDoesNotAnswerHistoryIsWhatIsKept) {
  world.write("ada", "a.md", memory_text("a", 1, "one"));
  EXPECT_EQ(listed(world.open("ada"), "a"), "1 by-hand [now]");
  world.commit("ada", 1, "Made");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(world.at("ada") + "/.git/objects"))
    if (entry.is_regular_file()) std::filesystem::remove(entry.path());
  Store store = world.open("ada");
  EXPECT_EQ(listed(store, "a"), "1 by-hand [now]");
  EXPECT_EQ(store.recover("b").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace memfs::testing
