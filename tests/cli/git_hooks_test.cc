// The hooks at work: real commits, merges and checkouts with the real executable.
#include "tests/support/git_project.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;

class GitHooksTest : public GitProject {
 protected:
  GitHooksTest() {
    fs::create_directories(temp / "bin");
    fs::create_symlink(MEM_EXECUTABLE, temp / "bin/mem");
    path_ = std::getenv("PATH");
    around.set("PATH", temp / "bin:" + path_);
    fs::remove_all(temp / "p/.mem");
    mem({"init"});
  }
  ProcessOutput mem(std::vector<std::string> words) {
    words.insert(words.begin(), {temp / "bin/mem", "-C", temp / "p"});
    const auto output = run_process(words);
    EXPECT_TRUE(output && output->exit_code == 0) << (output ? output->out : "no mem");
    return output ? *output : ProcessOutput{};
  }
  ProcessOutput try_git(std::vector<std::string> words) {
    return run_in(temp / "p", std::move(words));
  }
  std::string committed(const std::string& name) {
    return git({"show", "HEAD:.mem/shared/" + name + ".md"});
  }
  std::string status() { return git({"status", "--porcelain"}); }
  // A first commit with a memory at revision 3.
  void begin(const std::vector<std::string>& install) {
    mem(install);
    write("a", memory("aa", "one", "", 3));
    git({"add", "-A"});
    git({"commit", "-qm", "first"});
  }

  std::string path_;
};

const std::string kBroken = "---\ntitle: a: b\n---\nx\n";

TEST_F(GitHooksTest, ACommitWithAnErrorIsStoppedUntilItIsMended) {
  mem({"git", "install"});
  write("a", kBroken);
  git({"add", "-A"});
  const ProcessOutput stopped = try_git({"commit", "-qm", "first"});
  EXPECT_EQ(stopped.exit_code, 1);
  EXPECT_NE(stopped.out.find("a.md:2:"), std::string::npos) << stopped.out;
  EXPECT_NE(stopped.out.find("[yaml-colon]"), std::string::npos) << stopped.out;
  EXPECT_EQ(read("a"), kBroken) << "nothing is rewritten";
  EXPECT_EQ(staged("a"), kBroken);
  write("a", memory("aa", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "first"});
  write("b", kBroken);
  git({"add", "-A"});
  git({"commit", "-q", "--no-verify", "-m", "all the same"});
}

TEST_F(GitHooksTest, AHookOfThePersonsRunsAfterIt) {
  temp.write("p/.git/hooks/pre-commit", "#!/bin/sh\necho ran >> \"$HOME/ran\"\nexit 0\n");
  fs::permissions(temp / "p/.git/hooks/pre-commit", fs::perms::owner_all);
  mem({"git", "install"});
  write("a", kBroken);
  git({"add", "-A"});
  EXPECT_EQ(try_git({"commit", "-qm", "x"}).exit_code, 1);
  EXPECT_FALSE(fs::exists(temp / "home/ran"));
  write("a", memory("aa", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "x"});
  EXPECT_EQ(temp.read("home/ran"), "ran\n");
}

TEST_F(GitHooksTest, WhereMemIsAbsentCommitsAndMergesGoOn) {
  begin({"git", "install"});
  around.set("PATH", path_);
  write("b", kBroken);
  git({"add", "-A"});
  git({"commit", "-qm", "x"});
  git({"checkout", "-q", "-b", "other", "HEAD~1"});
  write("c", memory("cc", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "y"});
  git({"merge", "-q", "--no-edit", "main"});
  EXPECT_EQ(status(), "");
}

TEST_F(GitHooksTest, AMemThatIsNotInThePathIsNamedByItsOwn) {
  around.set("PATH", path_);
  const auto installed = run_process({MEM_EXECUTABLE, "-C", temp / "p", "git", "install"});
  ASSERT_TRUE(installed);
  EXPECT_NE(temp.read("p/.git/hooks/pre-commit").find("test -x '/"), std::string::npos);
  write("a", kBroken);
  git({"add", "-A"});
  EXPECT_EQ(try_git({"commit", "-qm", "x"}).exit_code, 1);
}

TEST_F(GitHooksTest, ADamagedSetUpStopsNothing) {
  begin({"git", "install"});
  write("a", memory("aa", "two", "", 4));
  git({"add", "-A"});
  around.set("HOME", "");
  const ProcessOutput done = try_git({"commit", "-qm", "x"});
  EXPECT_EQ(done.exit_code, 0) << done.out;
  EXPECT_NE(done.out.find("not checked"), std::string::npos) << done.out;
}

TEST_F(GitHooksTest, ARootOfThePersonsIsNotWhatAHookLooksAt) {
  begin({"git", "install"});
  around.set("MEM_ROOT", temp / "elsewhere");
  write("b", kBroken);
  git({"add", "-A"});
  EXPECT_EQ(try_git({"commit", "-qm", "x"}).exit_code, 1);
}

TEST_F(GitHooksTest, ASingleFileAndAWorktreeAreCheckedAsTheyAreCommitted) {
  begin({"git", "install"});
  write("b", kBroken);
  write("c", memory("cc", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "only c", "--", ".mem/shared/c.md"});
  EXPECT_EQ(try_git({"commit", "-qm", "b", "--", ".mem/shared/b.md"}).exit_code, 1);
  git({"worktree", "add", "-q", temp / "w"});
  temp.write("w/.mem/shared/d.md", kBroken);
  git_in(temp / "w", {"add", "-A"});
  EXPECT_EQ(run_in(temp / "w", {"commit", "-qm", "x"}).exit_code, 1);
}

TEST_F(GitHooksTest, AProjectBelowTheWorkTreeIsChecked) {
  fs::create_directories(temp / "p/sub");
  fs::rename(temp / "p/.mem", temp / "p/sub/.mem");
  mem({"-C", temp / "p/sub", "git", "install"});
  temp.write("p/sub/.mem/shared/a.md", kBroken);
  git({"add", "-A"});
  EXPECT_EQ(try_git({"commit", "-qm", "x"}).exit_code, 1);
}

// Case 36.
TEST_F(GitHooksTest, AMergeThatGivesASubjectTwoHoldersIsStopped) {
  begin({"git", "install"});
  git({"checkout", "-q", "-b", "other"});
  write("b", memory("bb", "one", "subject_key: db.host\n"));
  git({"add", "-A"});
  git({"commit", "-qm", "b"});
  git({"checkout", "-q", "main"});
  write("c", memory("cc", "two", "subject_key: db.host\n"));
  git({"add", "-A"});
  git({"commit", "-qm", "c"});
  const ProcessOutput merged = try_git({"merge", "--no-edit", "other"});
  EXPECT_NE(merged.exit_code, 0);
  EXPECT_NE(merged.out.find("[subject-clash]"), std::string::npos) << merged.out;
  git({"merge", "--abort"});
}

TEST_F(GitHooksTest, ACheckoutRenewsThePageThatGitIgnores) {
  begin({"git", "install"});
  mem({"index", "--scope", "shared"});
  git({"checkout", "-q", "-b", "other"});
  write("b", memory("bb", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "b"});
  git({"checkout", "-q", "main"});
  EXPECT_EQ(read("INDEX").find("Memory bb"), std::string::npos);
  git({"checkout", "-q", "other"});
  EXPECT_NE(read("INDEX").find("Memory bb"), std::string::npos);
}

TEST_F(GitHooksTest, TheInstalledDriverMergesByKey) {
  begin({"git", "install"});
  git({"checkout", "-q", "-b", "other"});
  write("a", memory("aa", "one", "description: theirs\n", 4));
  git({"commit", "-qam", "theirs"});
  git({"checkout", "-q", "main"});
  write("a", memory("aa", "two", "", 4));
  git({"commit", "-qam", "ours"});
  git({"merge", "-q", "--no-edit", "other"});
  EXPECT_EQ(committed("a"), memory("aa", "two", "description: theirs\n", 5));
}

// A page that is committed: it changes by itself only where a merge of one's own was made.
TEST_F(GitHooksTest, ATrackedPageFollowsAMergeAndNoFastForward) {
  temp.write("p/.mem/config.yaml", "version: 1\nindex: committed\n");
  mem({"init"});
  mem({"index", "--scope", "shared"});
  begin({"git", "install"});
  git({"checkout", "-q", "-b", "other"});
  write("b", memory("bb", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "b"});
  git({"checkout", "-q", "main"});
  git({"merge", "-q", "other"});
  EXPECT_EQ(status(), "") << "the branch moved forward";
  git({"reset", "-q", "--hard", "HEAD~1"});
  write("c", memory("cc", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "c"});
  git({"merge", "-q", "--no-edit", "other"});
  EXPECT_EQ(status(), " M .mem/shared/INDEX.md\n");
  EXPECT_NE(read("INDEX").find("Memory bb"), std::string::npos);
}

class SealHookTest : public GitHooksTest {
 protected:
  SealHookTest() { begin({"git", "install", "--seal"}); }
};

TEST_F(SealHookTest, ACommitOfWhatIsStagedIsSealed) {
  write("a", memory("aa", "two", "", 3));
  git({"add", "-A"});
  git({"commit", "-qm", "x"});
  EXPECT_EQ(committed("a"), memory("aa", "two", "", 4));
  EXPECT_EQ(status(), "");
}

TEST_F(SealHookTest, ACommitOfAllIsSealed) {
  write("a", memory("aa", "two", "", 3));
  const ProcessOutput done = try_git({"commit", "-qam", "x"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_NE(done.out.find("sealed the hand edit of shared/a as revision 4"), std::string::npos)
      << done.out;
  EXPECT_EQ(committed("a"), memory("aa", "two", "", 4));
  EXPECT_EQ(status(), "");
}

TEST_F(SealHookTest, AWorktreeSealsInItsOwnIndex) {
  git({"worktree", "add", "-q", temp / "w"});
  temp.write("w/.mem/shared/a.md", memory("aa", "two", "", 3));
  git_in(temp / "w", {"commit", "-qam", "x"});
  EXPECT_EQ(temp.read("w/.mem/shared/a.md"), memory("aa", "two", "", 4));
  EXPECT_EQ(git_in(temp / "w", {"status", "--porcelain"}), "");
  EXPECT_EQ(read("a"), memory("aa", "one", "", 3));
  EXPECT_EQ(status(), "");
}

TEST_F(SealHookTest, ACommitOfSinglePathsIsLeftAsItIs) {
  write("a", memory("aa", "two", "", 3));
  write("b", memory("bb", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "x", "--", ".mem/shared/a.md"});
  EXPECT_EQ(committed("a"), memory("aa", "two", "", 3));
  EXPECT_EQ(status(), "A  .mem/shared/b.md\n");
}

TEST_F(SealHookTest, WhatGitReplaysKeepsItsRevision) {
  git({"checkout", "-q", "-b", "other"});
  write("a", memory("aa", "two", "", 3));
  git({"commit", "-q", "--no-verify", "-am", "two"});
  git({"checkout", "-q", "main"});
  write("b", memory("bb", "x"));
  git({"add", "-A"});
  git({"commit", "-qm", "b"});
  git({"cherry-pick", "other"});
  EXPECT_EQ(committed("a"), memory("aa", "two", "", 3));
  git({"reset", "-q", "--hard", "HEAD~1"});
  git({"checkout", "-q", "other"});
  git({"rebase", "-q", "main"});
  EXPECT_EQ(committed("a"), memory("aa", "two", "", 3));
  EXPECT_EQ(status(), "");
}

TEST_F(SealHookTest, AnAmendedCommitIsSealedOnce) {
  write("a", memory("aa", "two", "", 3));
  git({"commit", "-qam", "x"});
  git({"commit", "-q", "--amend", "-m", "y"});
  EXPECT_EQ(committed("a"), memory("aa", "two", "", 4));
  write("a", memory("aa", "three", "", 4));
  git({"commit", "-q", "--amend", "-am", "z"});
  EXPECT_EQ(committed("a"), memory("aa", "three", "", 5));
}

}  // namespace
}  // namespace memfs::testing
