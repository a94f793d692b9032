// What a sync must never do, whatever the surroundings, the remote or other people's commits are.
#include <gmock/gmock.h>

#include "tests/git/sync_world.h"
#include "tests/support/git_project.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class SyncSafetyTest : public SyncWorld {
 protected:
  // As somebody without mem does.
  void push(const std::string& who, const std::string& message) const {
    git(who, {"add", "-A", "-f", ".mem/shared"});
    git(who, {"commit", "-q", "-m", message});
    git(who, {"push", "-q"});
  }
};

TEST_F(SyncSafetyTest, ARepositoryThatTheEnvironmentNamesIsLeftAlone) {
  write("anna", "a.md", "x\n");
  {
    Surroundings around;
    around.set("GIT_DIR", temp / "anna/.git");
    around.set("GIT_LITERAL_PATHSPECS", "1");
    EXPECT_THAT(told(sync("anna").committed), ElementsAre("shared/a: added"));
    around.set("GIT_DIR", temp / "ben/.git");
    around.set("GIT_INDEX_FILE", temp / "ben/.git/index");
    write("anna", "b.md", "y\n");
    EXPECT_THAT(told(sync("anna").committed), ElementsAre("shared/b: added"));
  }
  EXPECT_EQ(git("hub.git", {"show", "main:code.c"}), "int main;\n");
  EXPECT_EQ(git("anna", {"status", "--short"}), "");
  EXPECT_EQ(git("ben", {"status", "--short"}), "");
  EXPECT_EQ(git("ben", {"log", "--format=%s"}), "start\n");
}

TEST_F(SyncSafetyTest, NewMemoriesOfAProjectDeepInTheWorkTreeAreFound) {
  for (const char* project : {"p", "packages/application", "some \"packages/of ours/application"}) {
    const std::string top = "anna/" + std::string(project);
    temp.write(top + "/.mem/config.yaml", config);
    git("anna", {"add", "-A"});
    git("anna", {"commit", "-q", "-m", "project"});
    git("anna", {"push", "-q"});
    temp.write(top + "/.mem/shared/deeper/a.md", "x\n");
    temp.write(top + "/.mem/shared/b.md", "y\n");
    EXPECT_THAT(told(sync(top).committed), ElementsAre("shared/b: added", "shared/deeper/a: added"))
        << project;
    std::filesystem::remove(temp / (top + "/.mem/shared/.mem.lock"));
    EXPECT_EQ(git("anna", {"status", "--short"}), "") << project;
  }
}

TEST_F(SyncSafetyTest, AFileThatTakesTheNameOfAFolderLosesNothingInIt) {
  write("ben", "sub/old.md", "old\n");
  sync("ben");
  sync("anna");
  std::filesystem::remove_all(temp / "ben/.mem/shared/sub");
  write("ben", "sub", "a file\n");
  push("ben", "a file");
  write("anna", "sub/mine.md", "mine\n");
  const SyncReport report = sync("anna");
  EXPECT_EQ(read("anna", "sub/mine.md"), "mine\n");
  EXPECT_EQ(read("anna", "sub-2"), "a file\n");
  EXPECT_FALSE(has("anna", "sub/old.md"));
  EXPECT_THAT(told(report.kept),
              ElementsAre("shared/sub-2: others called this file sub, which is a folder here"));
  sync("ben");
  EXPECT_EQ(read("ben", "sub/mine.md"), "mine\n");
  EXPECT_EQ(read("ben", "sub-2"), "a file\n");
}

TEST_F(SyncSafetyTest, AFolderThatTakesTheNameOfAFileLeavesItUnderAnother) {
  write("ben", "sub/theirs.md", "theirs\n");
  sync("ben");
  write("anna", "sub", "a file\n");
  const SyncReport report = sync("anna");
  EXPECT_EQ(read("anna", "sub/theirs.md"), "theirs\n");
  EXPECT_EQ(read("anna", "sub-2"), "a file\n");
  EXPECT_EQ(at_hub("sub-2"), "a file\n");
  EXPECT_THAT(told(report.kept),
              ElementsAre("shared/sub-2: others have a folder called sub; this is yours"));
  EXPECT_THAT(told(report.merged),
              ElementsAre("shared/sub-2: renamed", "shared/sub/theirs: added"));
}

TEST_F(SyncSafetyTest, AnIgnoredFileThatOthersCommitIsKeptBeforeGitReplacesIt) {
  temp.write("anna/.git/info/exclude", "local*.md\n");
  write("anna", "local.md", "precious\n");
  write("ben", "local.md", "theirs\n");
  push("ben", "local");
  EXPECT_THAT(sync("anna").notes, ::testing::Contains(HasSubstr("is in the history")));
  EXPECT_EQ(read("anna", "local.md"), "theirs\n");
  const auto history = open("anna").history("local");
  ASSERT_TRUE(history) << history.error().message;
  const std::string kept = run({"grep", "-rl", "precious", temp / "home-anna/.local/state/mem"});
  EXPECT_THAT(kept, Not(IsEmpty()));
}

TEST_F(SyncSafetyTest, AFolderOfIgnoredFilesIsNotReplacedByAFile) {
  temp.write("anna/.git/info/exclude", "local/\n");
  write("anna", "local/a.md", "precious\n");
  write("ben", "local", "theirs\n");
  push("ben", "local");
  const auto report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_EQ(report.error().path, temp / "anna/.mem/shared/local");
  EXPECT_EQ(read("anna", "local/a.md"), "precious\n");
}

TEST_F(SyncSafetyTest, CodeThatAMergeOverruledIsNotPushedWithTheMemories) {
  git("anna", {"checkout", "-q", "-b", "trial"});
  temp.write("anna/code.c", "int secret;\n");
  git("anna", {"commit", "-q", "-am", "a secret"});
  git("anna", {"checkout", "-q", "main"});
  git("anna", {"commit", "-q", "--allow-empty", "-m", "nothing"});
  git("anna", {"merge", "-q", "-s", "ours", "-m", "not that", "trial"});
  write("anna", "a.md", "x\n");
  const SyncReport report = sync("anna");
  EXPECT_EQ(report.pushed_to, "");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("change other files too")));
}

TEST_F(SyncSafetyTest, ASubmoduleThatOthersMovedOnIsCode) {
  git("ben", {"config", "-f", ".gitmodules", "submodule.lib.path", "lib"});
  git("ben", {"config", "-f", ".gitmodules", "submodule.lib.url", "./lib"});
  git("ben", {"config", "-f", ".gitmodules", "submodule.lib.ignore", "all"});
  const std::string first = git("ben", {"rev-parse", "HEAD"}).substr(0, 40);
  const auto point_to = [&](const std::string& commit) {
    git("ben", {"update-index", "--add", "--cacheinfo", "160000," + commit + ",lib"});
    git("ben", {"add", ".gitmodules"});
    git("ben", {"commit", "-q", "-m", "lib"});
    git("ben", {"push", "-q"});
  };
  point_to(first);
  git("anna", {"pull", "-q"});
  const std::string before = git("anna", {"ls-tree", "HEAD", "lib"});
  write("ben", "a.md", "x\n");
  git("ben", {"add", ".mem/shared"});
  point_to(git("ben", {"rev-parse", "HEAD"}).substr(0, 40));
  EXPECT_THAT(told(sync("anna").merged), ElementsAre("shared/a: added"));
  EXPECT_EQ(git("anna", {"ls-tree", "HEAD", "lib"}), before);
}

TEST_F(SyncSafetyTest, WhatGitSaysStandsInLinesOfItsOwn) {
  temp.write("anna/.git/hooks/pre-commit", "#!/bin/sh\necho one; echo two; exit 1\n");
  std::filesystem::permissions(temp / "anna/.git/hooks/pre-commit",
                               std::filesystem::perms::owner_all);
  write("anna", "a.md", "x\n");
  const auto report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "`git commit` failed: one\ntwo");
}

// Two memories of one subject: the second is Ben's.
class SyncClashTest : public SyncSafetyTest {
 protected:
  static std::string on_host(const std::string& id, const std::string& body) {
    std::string bytes = text(id, "Staging host " + id, body);
    return bytes.insert(bytes.find("created_at"), "subject_key: host.staging\n");
  }
  static std::vector<std::string> codes(const Error& error) {
    std::vector<std::string> codes;
    for (const auto& row : error.rows)
      for (const auto& [key, value] : row.cells)
        if (key == "code") codes.push_back(value);
    return codes;
  }
};

TEST_F(SyncClashTest, ASubjectThatAnotherMemoryHasIsToldBeforeAnythingIsStaged) {
  write("anna", "a.md", on_host("0001aa", "one\n"));
  sync("anna");
  write("anna", "b.md", on_host("0002bb", "two\n"));
  const auto report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_THAT(codes(report.error()), ElementsAre("subject-clash"));
  EXPECT_EQ(git("anna", {"status", "--short"}), "?? .mem/shared/b.md\n");
  EXPECT_FALSE(std::filesystem::exists(temp / "anna/.git/mem-sync-commit"));
}

TEST_F(SyncClashTest, ACopyWithTheSameIdIsToldBeforeAnythingIsStaged) {
  write("anna", "a.md", text("0001aa", "A", "one\n"));
  write("anna", "copy.md", text("0001aa", "A", "one\n"));
  const auto report = try_sync("anna", at_once());
  ASSERT_FALSE(report);
  EXPECT_THAT(codes(report.error()), ElementsAre("duplicate-id", "duplicate-id"));
  remove("anna", "copy.md");
  EXPECT_THAT(told(sync("anna").committed), ElementsAre("shared/a: added"));
}

TEST_F(SyncClashTest, OneThatCameFromTheRemoteStopsNobody) {
  write("anna", "a.md", on_host("0001aa", "one\n"));
  sync("anna");
  write("ben", "b.md", on_host("0002bb", "two\n"));
  sync("ben");
  sync("anna");
  write("anna", "a.md", on_host("0001aa", "one, edited\n"));
  write("anna", "b.md", on_host("0002bb", "two, edited\n"));
  write("anna", "c.md", text("0003cc", "C", "new, and of host.staging\n"));
  EXPECT_EQ(sync("anna").pushed_to, "origin main");
  sync("ben");
  std::filesystem::rename(temp / "ben/.mem/shared/b.md", temp / "ben/.mem/shared/moved.md");
  EXPECT_EQ(sync("ben").pushed_to, "origin main");
  EXPECT_THAT(at_hub("moved.md"), HasSubstr("two, edited"));
}

class DefaultBranchTest : public SyncWorld {
 protected:
  DefaultBranchTest() { config = "version: 1\n"; }
};

TEST_F(DefaultBranchTest, IsTheOneThatTheRemoteHasNowAndNotWhenItWasCloned) {
  git("anna", {"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/dev"});
  write("anna", "a.md", "x\n");
  EXPECT_EQ(sync("anna").pushed_to, "origin mem/anna-main");
}

class OtherHashTest : public SyncWorld {
 protected:
  void SetUp() override {
    ::setenv("GIT_DEFAULT_HASH", "sha256", 1);
    SyncWorld::SetUp();
  }
  void TearDown() override { ::unsetenv("GIT_DEFAULT_HASH"); }
};

TEST_F(OtherHashTest, ARepositoryOfLongerObjectNamesIsSyncedAsWell) {
  write("anna", "a.md", "one\n");
  write("anna", "b.md", "gone soon\n");
  sync("anna");
  sync("ben");
  remove("anna", "b.md");
  sync("anna");
  write("anna", "a.md", "Anna's\n");
  sync("anna");
  write("ben", "a.md", "Ben's\n");
  EXPECT_THAT(told(sync("ben").waiting), ElementsAre(HasSubstr("shared/a")));
  write("ben", "a.md", "both\n");
  EXPECT_THAT(sync("ben").waiting, IsEmpty());
  EXPECT_EQ(at_hub("a.md"), "both\n");
  EXPECT_FALSE(has("ben", "b.md"));
}

}  // namespace
}  // namespace memfs::testing
