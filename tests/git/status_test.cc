// Where a clone stands, with real git.
#include <memfs/git_status.h>

#include "tests/support/git_project.h"

namespace memfs::testing {
namespace {

class GitStatusTest : public GitProject {
 protected:
  GitStatus status() {
    Store here = store();
    auto status = git_status(here, {});
    EXPECT_TRUE(status) << status.error().message;
    return status.value_or(GitStatus{});
  }
  static bool says(const GitStatus& status, const std::string& word) {
    for (const std::string& line : status.next)
      if (line.find(word) != std::string::npos) return true;
    return false;
  }
  using Paths = std::vector<std::string>;
};

TEST_F(GitStatusTest, ANewRepositoryHasABranchAndNothingElse) {
  const GitStatus found = status();
  EXPECT_EQ(found.branch, "main");
  EXPECT_EQ(found.upstream, "");
  EXPECT_FALSE(found.ahead);
  EXPECT_TRUE(says(found, "mem git install"));
}

TEST_F(GitStatusTest, NamesTheFilesOfTheSharedFolderAndNoOthers) {
  temp.write("p/other.txt", "x");
  write("staged", memory("aa", "x"));
  write("changed", memory("bb", "x"));
  write("both", memory("cc", "x"));
  write("moved", memory("dd", "a body that is long enough to be known again\n"));
  commit_all();
  write("staged", memory("aa", "y"));
  write("both", memory("cc", "y"));
  git({"add", "-A"});
  git({"mv", ".mem/shared/moved.md", ".mem/shared/to here.md"});
  write("both", memory("cc", "z"));
  write("changed", memory("bb", "z"));
  write("neu", memory("ee", "x"));
  temp.write("p/other.txt", "y");
  const GitStatus found = status();
  EXPECT_EQ(found.staged,
            (Paths{".mem/shared/both.md", ".mem/shared/staged.md", ".mem/shared/to here.md"}));
  EXPECT_EQ(found.changed, (Paths{".mem/shared/both.md", ".mem/shared/changed.md"}));
  EXPECT_EQ(found.untracked, (Paths{".mem/shared/neu.md"}));
  EXPECT_TRUE(says(found, "mem sync"));
}

TEST_F(GitStatusTest, CountsCommitsAgainstTheOneThatIsFollowed) {
  write("a", memory("aa", "x"));
  commit_all();
  git_in("", {"clone", "-q", "--bare", temp / "p", temp / "bare.git"});
  git({"remote", "add", "origin", temp / "bare.git"});
  git({"fetch", "-q"});
  git({"branch", "-q", "-u", "origin/main"});
  ASSERT_TRUE(install_git(posix, layout(), {}));
  commit_all("attributes");
  const GitStatus ahead = status();
  EXPECT_EQ(ahead.upstream, "origin/main");
  EXPECT_EQ(ahead.ahead, 1U);
  EXPECT_EQ(ahead.behind, 0U);
  EXPECT_TRUE(says(ahead, "mem sync"));
  git({"push", "-q", "--no-verify"});
  EXPECT_EQ(status().next, Paths{"nothing is to be done"});
}

TEST_F(GitStatusTest, AConflictIsToldWithTheWayOut) {
  write("a", "# A\n\none\n");
  write("decided", memory("bb", "x"));
  commit_all();
  git({"checkout", "-q", "-b", "other"});
  write("a", "# A\n\ntwo\n");
  commit_all();
  git({"checkout", "-q", "main"});
  write("a", "# A\n\nthree\n");
  write("decided", memory("bb", "x", "merge_conflict:\n  - title: Their title\n"));
  commit_all();
  ASSERT_EQ(run_in(temp / "p", {"merge", "-q", "other"}).exit_code, 1);
  const GitStatus found = status();
  EXPECT_EQ(found.operation, "merge");
  EXPECT_EQ(found.unmerged, (Paths{".mem/shared/a.md"}));
  EXPECT_EQ(found.markers, (Paths{"shared/a"}));
  EXPECT_EQ(found.merge_conflicts, (Paths{"shared/decided"}));
  ASSERT_FALSE(found.next.empty());
  EXPECT_NE(found.next.front().find("mem resolve"), std::string::npos);
  EXPECT_TRUE(says(found, "git commit"));
  EXPECT_FALSE(says(found, "mem sync"));
}

TEST_F(GitStatusTest, ADetachedHeadAndARebaseAreTold) {
  write("a", "# A\n\none\n");
  commit_all();
  git({"checkout", "-q", "-b", "other"});
  write("a", "# A\n\ntwo\n");
  commit_all();
  git({"checkout", "-q", "main"});
  write("a", "# A\n\nthree\n");
  commit_all();
  ASSERT_NE(run_in(temp / "p", {"rebase", "-q", "other"}).exit_code, 0);
  const GitStatus found = status();
  EXPECT_EQ(found.operation, "rebase");
  EXPECT_EQ(found.branch, "");
  EXPECT_TRUE(says(found, "git rebase --continue"));
}

}  // namespace
}  // namespace memfs::testing
