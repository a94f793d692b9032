// `mem sync` of shared memories, with real repositories.
#include <gmock/gmock.h>

#include "libmemfs/git/sync_commit.h"
#include "tests/git/sync_world.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using SyncTest = SyncWorld;

TEST_F(SyncTest, WhatTwoWroteMeetsInBothAndNothingElseMoves) {
  write("anna", "a.md", "From Anna.\n");
  write("ben", "b.md", "From Ben.\n");
  temp.write("ben/code.c", "int dirty;\n");
  EXPECT_EQ(sync("anna").pushed_to, "origin main");
  const SyncReport ben = sync("ben");
  EXPECT_THAT(told(ben.committed), ElementsAre("shared/b: added"));
  EXPECT_THAT(told(ben.merged), ElementsAre("shared/a: added"));
  sync("anna");
  EXPECT_EQ(read("anna", "b.md"), "From Ben.\n");
  EXPECT_EQ(read("ben", "a.md"), "From Anna.\n");
  EXPECT_EQ(temp.read("ben/code.c"), "int dirty;\n");
  EXPECT_EQ(git("ben", {"status", "--short"}), " M code.c\n");
  EXPECT_EQ(git("anna", {"rev-parse", "HEAD"}), git("ben", {"rev-parse", "HEAD"}));
}

TEST_F(SyncTest, ASecondSyncFindsNothingToDo) {
  write("anna", "a.md", "x\n");
  sync("anna");
  const std::string head = git("anna", {"rev-parse", "HEAD"});
  const SyncReport again = sync("anna");
  EXPECT_THAT(again.committed, IsEmpty());
  EXPECT_EQ(again.pushed_to, "");
  EXPECT_EQ(git("anna", {"rev-parse", "HEAD"}), head);
}

TEST_F(SyncTest, WhatIsStagedElsewhereStaysStagedAndIsNotCommitted) {
  temp.write("anna/code.c", "int staged;\n");
  git("anna", {"add", "code.c"});
  temp.write("anna/code.c", "int later;\n");
  write("anna", "a.md", "x\n");
  sync("anna");
  EXPECT_EQ(git("anna", {"show", "--name-only", "--format=", "HEAD"}), ".mem/shared/a.md\n");
  EXPECT_EQ(git("anna", {"status", "--short"}), "MM code.c\n");
  EXPECT_EQ(git("anna", {"show", ":code.c"}), "int staged;\n");
  EXPECT_EQ(git("hub.git", {"show", "main:code.c"}), "int main;\n");
  EXPECT_FALSE(std::filesystem::exists(temp / "anna/.git/mem-sync-commit"));
}

TEST_F(SyncTest, TemporaryFilesAndLocksAreNeverCommitted) {
  std::filesystem::remove(temp / "anna/.mem/.gitignore");
  write("anna", "a.md", "x\n");
  write("anna", ".mem-tmp-1", "half\n");
  write("anna", "sub/.mem.lock", "");
  git("anna", {"init", "-q", temp / "anna/.mem/shared/nested"});
  write("anna", "nested/n.md", "x\n");
  const SyncReport report = sync("anna");
  EXPECT_EQ(git("anna", {"show", "--name-only", "--format=", "HEAD"}), ".mem/shared/a.md\n");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("nested/ is a repository of its own")));
}

TEST_F(SyncTest, TheMessageNamesTheMemories) {
  write("anna", "old.md", text("0001aa", "Old", "A text of some length about the old way.\n"));
  sync("anna");
  std::filesystem::rename(temp / "anna/.mem/shared/old.md", temp / "anna/.mem/shared/new.md");
  write("anna", "deploy/rollback.md", "x\n");
  sync("anna");
  EXPECT_EQ(git("anna", {"log", "-1", "--format=%B"}),
            "Memories: add deploy/rollback, move old to new\n\n"
            "- shared/deploy/rollback: added\n- shared/new: moved from shared/old\n\n");
}

TEST(SyncMessage, ALongSubjectIsCutAndCounted) {
  std::vector<SyncItem> items;
  for (int i = 0; i < 30; ++i) items.push_back({"shared/memory-" + std::to_string(i), "added", ""});
  const std::string message = commit_message(items);
  const std::string subject = message.substr(0, message.find('\n'));
  EXPECT_LE(subject.size(), 72U);
  EXPECT_EQ(subject, "Memories: add memory-0, add memory-1, add memory-2 and 27 more");
  EXPECT_THAT(message, HasSubstr("- shared/memory-29: added\n"));
}

TEST_F(SyncTest, CodeThatOthersPushedStaysOutAndTheNextPullIsAFastForward) {
  temp.write("anna/code.c", "int annas;\n");
  git("anna", {"commit", "-q", "-am", "code"});
  git("anna", {"push", "-q"});
  write("anna", "a.md", "From Anna.\n");
  sync("anna");
  write("ben", "b.md", "From Ben.\n");
  sync("ben");
  EXPECT_EQ(read("ben", "a.md"), "From Anna.\n");
  EXPECT_EQ(temp.read("ben/code.c"), "int main;\n") << "a sync moves no code";
  EXPECT_EQ(git("ben", {"status", "--short"}), "");
  EXPECT_EQ(at_hub("b.md"), "From Ben.\n");
  EXPECT_EQ(git("hub.git", {"show", "main:code.c"}), "int annas;\n");
  git("ben", {"pull", "-q", "--ff-only"});
  EXPECT_EQ(temp.read("ben/code.c"), "int annas;\n");
}

TEST_F(SyncTest, MemoriesThatWereMergedWithoutTheCodeAreNotMergedAgain) {
  write("anna", "a.md", "one\n");
  temp.write("anna/code.c", "int annas;\n");
  git("anna", {"add", "-A"});
  git("anna", {"commit", "-q", "-m", "both"});
  git("anna", {"push", "-q"});
  SyncRequest local = at_once();
  local.push = false;
  EXPECT_THAT(told(sync("ben", local).merged), ElementsAre("shared/a: added"));
  // Both changed it since the common commit of the branches, but Ben knew Anna's when he wrote.
  write("ben", "a.md", "two\n");
  const SyncReport again = sync("ben", local);
  EXPECT_THAT(again.waiting, IsEmpty());
  EXPECT_THAT(again.merged, IsEmpty());
  EXPECT_EQ(read("ben", "a.md"), "two\n");
}

TEST_F(SyncTest, CommitsOfCodeAreTheUsersToPush) {
  temp.write("anna/code.c", "int annas;\n");
  git("anna", {"commit", "-q", "-am", "code"});
  write("anna", "a.md", "x\n");
  const SyncReport report = sync("anna");
  EXPECT_EQ(report.pushed_to, "");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("change other files too")));
  EXPECT_EQ(git("hub.git", {"show", "main:code.c"}), "int main;\n");
  git("anna", {"push", "-q"});
  write("anna", "b.md", "x\n");
  EXPECT_EQ(sync("anna").pushed_to, "origin main");
}

TEST_F(SyncTest, WhoeverIsFasterIsMergedAndThePushTriedAgain) {
  write("anna", "a.md", "x\n");
  SyncRequest local = at_once();
  local.push = false;
  sync("anna", local);
  // Anna pushes while Ben does.
  temp.write("ben/.git/hooks/pre-push",
             "#!/bin/sh\n[ -e \"$HOME/once\" ] && exit 0\n"
             "touch \"$HOME/once\"\ngit -C \"$HOME/anna\" push -q\n");
  std::filesystem::permissions(temp / "ben/.git/hooks/pre-push", std::filesystem::perms::owner_all);
  write("ben", "b.md", "y\n");
  int pauses = 0;
  SyncRequest counted;
  counted.pause = [&](std::chrono::milliseconds wait) {
    ++pauses;
    EXPECT_GT(wait.count(), 0);
  };
  EXPECT_EQ(sync("ben", counted).pushed_to, "origin main");
  EXPECT_EQ(pauses, 1);
  EXPECT_EQ(at_hub("a.md"), "x\n");
  EXPECT_EQ(at_hub("b.md"), "y\n");
}

TEST_F(SyncTest, OthersWhoAreAlwaysFasterEndItWithEverythingCommitted) {
  temp.write("ben/.git/hooks/pre-push",
             "#!/bin/sh\ncd \"$HOME/anna\" && git commit -q --allow-empty -m x && git push -q\n");
  std::filesystem::permissions(temp / "ben/.git/hooks/pre-push", std::filesystem::perms::owner_all);
  write("ben", "b.md", "y\n");
  const auto report = try_sync("ben", at_once());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kBusy);
  EXPECT_EQ(git("ben", {"show", "HEAD:.mem/shared/b.md"}), "y\n");
}

TEST_F(SyncTest, ADryRunWritesNothing) {
  write("anna", "a.md", "x\n");
  const std::string index = temp.read("anna/.git/index");
  const std::string refs = git("anna", {"for-each-ref"});
  SyncRequest dry = at_once();
  dry.dry_run = true;
  const SyncReport report = sync("anna", dry);
  EXPECT_THAT(told(report.committed), ElementsAre("shared/a: added"));
  EXPECT_TRUE(report.dry_run);
  EXPECT_EQ(temp.read("anna/.git/index"), index);
  EXPECT_EQ(git("anna", {"for-each-ref"}), refs);
  EXPECT_EQ(git("anna", {"status", "--short"}), "?? .mem/shared/\n");
}

TEST_F(SyncTest, WithoutARemoteItOnlyCommitsAndSaysSo) {
  git("anna", {"remote", "remove", "origin"});
  write("anna", "a.md", "x\n");
  const SyncReport report = sync("anna");
  EXPECT_THAT(told(report.committed), ElementsAre("shared/a: added"));
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("git remote add origin URL")));
  EXPECT_EQ(git("anna", {"status", "--short"}), "");
}

TEST_F(SyncTest, ABranchThatTheRemoteDoesNotHaveIsNotMadeThere) {
  git("anna", {"switch", "-q", "-c", "topic"});
  write("anna", "a.md", "x\n");
  const SyncReport report = sync("anna");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("`git push -u origin topic` makes it")));
  EXPECT_EQ(git("hub.git", {"branch", "--list", "topic"}), "");
}

TEST_F(SyncTest, ACredentialIsRefusedBeforeAnythingIsStaged) {
  write("anna", "a.md", "fine\n");
  write("anna", "key.md",
        std::string("The token is ghp_") + "aB3dE5gH7jK9mN1pQ2" + "rS4tU6vW8xY0zA2cD4\n");
  const auto report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_THAT(report.error().path, HasSubstr("shared/key.md"));
  EXPECT_EQ(report.error().line, 1);
  EXPECT_EQ(git("anna", {"status", "--short"}), "?? .mem/shared/\n");
}

TEST_F(SyncTest, NothingBeginsInTheMiddleOfSomethingElse) {
  temp.write("anna/.git/MERGE_HEAD", git("anna", {"rev-parse", "HEAD"}));
  auto report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("a merge is going on"));
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  std::filesystem::remove(temp / "anna/.git/MERGE_HEAD");
  git("anna", {"switch", "-q", "--detach"});
  report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("detached"));
}

TEST_F(SyncTest, AFolderThatGitIgnoresIsRefused) {
  temp.write("anna/.gitignore", "shared/\n");
  write("anna", "a.md", "x\n");
  const auto report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("git ignores the folder"));
  EXPECT_THAT(report.error().hint, HasSubstr("git check-ignore"));
}

TEST_F(SyncTest, ARefusalOfTheUsersHookIsToldAndTheNextSyncGoesOn) {
  temp.write("anna/.git/hooks/pre-commit", "#!/bin/sh\necho 'not on Mondays' >&2\nexit 1\n");
  std::filesystem::permissions(temp / "anna/.git/hooks/pre-commit",
                               std::filesystem::perms::owner_all);
  write("anna", "a.md", "x\n");
  const auto report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kIo);
  EXPECT_THAT(report.error().message, HasSubstr("not on Mondays"));
  std::filesystem::remove(temp / "anna/.git/hooks/pre-commit");
  EXPECT_EQ(sync("anna").pushed_to, "origin main");
}

TEST_F(SyncTest, ACommittedIndexPageIsMadeAnewAndNeverInConflict) {
  for (const char* who : {"anna", "ben"}) {
    temp.write(std::string(who) + "/.mem/config.yaml", config + "index: committed\n");
    temp.write(std::string(who) + "/.mem/.gitignore", ".mem.lock\n.mem-tmp-*\n");
  }
  git("anna", {"commit", "-q", "-am", "index"});
  git("anna", {"push", "-q"});
  git("ben", {"checkout", "-q", "."});
  git("ben", {"pull", "-q"});
  write("anna", "a.md", "# From Anna\n");
  write("ben", "b.md", "# From Ben\n");
  sync("anna");
  EXPECT_THAT(sync("ben").waiting, IsEmpty());
  sync("anna");
  const std::string page = read("anna", "INDEX.md");
  EXPECT_THAT(page, HasSubstr("(a.md)"));
  EXPECT_THAT(page, HasSubstr("(b.md)"));
  EXPECT_EQ(read("ben", "INDEX.md"), page);
  EXPECT_EQ(at_hub("INDEX.md"), page);
}

}  // namespace
}  // namespace memfs::testing
