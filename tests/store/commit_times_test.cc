// What git knows of shared files, with real repositories.
#include <gtest/gtest.h>
#include <memfs/freshness.h>
#include <memfs/store.h>

#include <cstdlib>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/process.h"
#include "libmemfs/format/date.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

class CommitTimesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(project());
    git({"init", "-q"});
  }
  std::string project() const { return home / "project"; }
  void git(const std::vector<std::string>& words) {
    std::vector<std::string> argv = {
        "git", "-C", project(), "-c", "user.name=A", "-c", "user.email=a@example.org"};
    argv.insert(argv.end(), words.begin(), words.end());
    ProcessOptions options;
    options.without = {"GIT_"};
    options.environment = {"HOME=" + home.path(), "GIT_CONFIG_GLOBAL=/dev/null",
                           "GIT_CONFIG_SYSTEM=/dev/null"};
    const auto done = run_process(argv, options);
    ASSERT_TRUE(done);
    ASSERT_EQ(done->exit_code, 0) << done->out;
  }
  void commit(const std::string& date) {
    git({"add", "-A"});
    git({"commit", "-q", "-m", "m", "--date", date});
  }
  void write(const std::string& name, const std::string& bytes) const {
    home.write("project/.mem/shared/" + name, bytes);
  }
  Store open(const std::string& folder = "") const {
    PosixFileSystem fs;
    Environment environment;
    environment.working_directory = folder.empty() ? project() : folder;
    environment.home = home.path();
    Store::Services services;
    services.clock = std::make_shared<FixedClock>(parse_date("2026-11-30T12:00:00Z")->at);
    return *Store::open(*discover_layout(fs, environment), services);
  }
  // "a fresh 2026-11-01T00:00:00Z, b current -"
  static std::string ages(const Store& store) {
    std::string out;
    const auto listing = store.list({Scope::kShared});
    for (const Memory& memory : listing->memories) {
      const Age age = age_of(memory, parse_date("2026-11-30T12:00:00Z")->at);
      out += (out.empty() ? "" : ", ") + memory.name + " " + std::string(name_of(age.freshness)) +
             " " + (memory.committed_at ? format_instant(*memory.committed_at) : "-");
    }
    return out;
  }

  TempDir home;
};

TEST_F(CommitTimesTest, TheLastCommitThatTouchedAFileCountsAndNotTheTimeOfTheCheckout) {
  write("a.md", "one\n");
  write("sub/ü b.md", "two\n");
  commit("2020-01-01T00:00:00Z");
  write("a.md", "one more\n");
  commit("2026-11-01T00:00:00Z");
  write("new.md", "three\n");
  EXPECT_EQ(ages(open()),
            "a fresh 2026-11-01T00:00:00Z, new current -, sub/ü b stale 2020-01-01T00:00:00Z");
}

TEST_F(CommitTimesTest, AnOpenStoreAndAKeptAnswerFollowNewCommitsAndOtherBranches) {
  write("a.md", "one\n");
  write("b.md", "one\n");
  commit("2020-01-01T00:00:00Z");
  const Store store = open();
  EXPECT_EQ(ages(store), "a stale 2020-01-01T00:00:00Z, b stale 2020-01-01T00:00:00Z");
  git({"checkout", "-q", "-b", "topic"});
  write("b.md", "two\n");
  commit("2026-10-01T00:00:00Z");
  const std::string topic = "a stale 2020-01-01T00:00:00Z, b fresh 2026-10-01T00:00:00Z";
  EXPECT_EQ(ages(store), topic);
  EXPECT_EQ(ages(open()), topic);
  git({"checkout", "-q", "-"});
  EXPECT_EQ(ages(store), "a stale 2020-01-01T00:00:00Z, b stale 2020-01-01T00:00:00Z");
  git({"checkout", "-q", "topic"});
  git({"gc", "-q"});  // packed references
  EXPECT_EQ(ages(open()), topic);
}

TEST_F(CommitTimesTest, AWorktreeHasItsOwnHead) {
  write("a.md", "one\n");
  commit("2020-01-01T00:00:00Z");
  git({"worktree", "add", "-q", home / "second"});
  write("a.md", "two\n");
  commit("2026-11-01T00:00:00Z");
  EXPECT_EQ(ages(open()), "a fresh 2026-11-01T00:00:00Z");
  PosixFileSystem fs;
  Environment environment;
  environment.working_directory = home / "second";
  environment.home = home.path();
  EXPECT_EQ(ages(*Store::open(*discover_layout(fs, environment))), "a stale 2020-01-01T00:00:00Z");
}

TEST_F(CommitTimesTest, WithoutCommitsOrWithADamagedCacheNothingIsLost) {
  write("a.md", "one\n");
  EXPECT_EQ(ages(open()), "a current -");
  commit("2026-11-01T00:00:00Z");
  const std::string expected = "a fresh 2026-11-01T00:00:00Z";
  EXPECT_EQ(ages(open()), expected);
  int damaged = 0;
  for (const auto& entry : std::filesystem::directory_iterator(home / ".cache/mem")) {
    if (!entry.path().filename().string().starts_with("commits-")) continue;
    const std::string rel = ".cache/mem/" + entry.path().filename().string();
    const std::string whole = home.read(rel);
    for (const std::size_t at : {0UL, 20UL, 60UL, whole.size() - 12, whole.size() - 1}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
      home.write(rel, bytes);
      EXPECT_EQ(ages(open()), expected) << at;
      ++damaged;
    }
  }
  EXPECT_EQ(damaged, 5);
}

TEST_F(CommitTimesTest, ReadingRunsNoProgramThatTheRepositoryNames) {
  write("a.md", "one\n");
  commit("2020-01-01T00:00:00Z");
  const std::string mark = home / "ran";
  for (const char* setting : {"core.sshCommand", "core.fsmonitor", "gpg.program", "diff.external"})
    git({"config", setting, "sh -c 'touch " + mark + "'"});
  git({"config", "extensions.partialClone", "origin"});
  git({"config", "remote.origin.promisor", "true"});
  git({"config", "remote.origin.url", "ssh://x/y"});
  // A tree that is missing, as in a partial clone.
  const auto tree = run_process({"git", "-C", project(), "rev-parse", "HEAD:.mem"});
  ASSERT_TRUE(tree);
  const std::string name = tree->out.substr(0, 40);
  std::filesystem::remove(project() + "/.git/objects/" + name.substr(0, 2) + "/" + name.substr(2));
  EXPECT_EQ(ages(open()), "a current -");
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(CommitTimesTest, AnAnswerThatGitDidNotGiveIsAskedForAgain) {
  write("a.md", "one\n");
  commit("2026-11-01T00:00:00Z");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const std::string without = ages(open());
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(without, "a current -");
  // As in a hook of another repository.
  ::setenv("GIT_DIR", (home / "elsewhere/.git").c_str(), 1);
  const std::string with = ages(open());
  ::unsetenv("GIT_DIR");
  EXPECT_EQ(with, "a fresh 2026-11-01T00:00:00Z");
}

TEST_F(CommitTimesTest, TheFirstCommitOfAShallowCloneSaysNothingUntilTheRestIsThere) {
  write("a.md", "one\n");
  write("b.md", "one\n");
  commit("2020-01-01T00:00:00Z");
  write("b.md", "two\n");
  commit("2026-11-01T00:00:00Z");
  write("c.md", "three\n");
  commit("2026-11-02T00:00:00Z");
  const std::string shallow = home / "shallow";
  git({"clone", "-q", "--depth", "1", "file://" + project(), shallow});
  EXPECT_EQ(ages(open(shallow)), "a current -, b current -, c current -");
  // The next commit is known, what the first one holds still is not.
  std::filesystem::rename(project(), home / "upstream");
  std::filesystem::rename(shallow, project());
  write("c.md", "four\n");
  commit("2026-11-03T00:00:00Z");
  const Store store = open();
  EXPECT_EQ(ages(store), "a current -, b current -, c fresh 2026-11-03T00:00:00Z");
  git({"fetch", "-q", "--unshallow", "file://" + (home / "upstream")});
  const std::string whole =
      "a stale 2020-01-01T00:00:00Z, b fresh 2026-11-01T00:00:00Z, c fresh 2026-11-03T00:00:00Z";
  EXPECT_EQ(ages(store), whole);
  EXPECT_EQ(ages(open()), whole);
}

TEST_F(CommitTimesTest, AReplacedCommitWithoutParentsTouchesOnlyWhatItChanged) {
  write("a.md", "one\n");
  commit("2020-01-01T00:00:00Z");
  write("b.md", "two\n");
  commit("2026-11-01T00:00:00Z");
  git({"replace", "--graft", "HEAD"});
  EXPECT_EQ(ages(open()), "a stale 2020-01-01T00:00:00Z, b fresh 2026-11-01T00:00:00Z");
  git({"replace", "-d", "HEAD"});
  const auto head = run_process({"git", "-C", project(), "rev-parse", "HEAD"});
  std::filesystem::create_directories(project() + "/.git/info");
  home.write("project/.git/info/grafts", head->out);
  write("c.md", "three\n");
  commit("2026-11-02T00:00:00Z");
  std::filesystem::remove_all(home / ".cache");
  EXPECT_EQ(ages(open()),
            "a stale 2020-01-01T00:00:00Z, b fresh 2026-11-01T00:00:00Z, c fresh "
            "2026-11-02T00:00:00Z");
}

TEST_F(CommitTimesTest, ARenameThatChangesNothingMakesNothingFresh) {
  write("old/a.md", "one\n");
  write("old/b.md", "two\n");
  commit("2020-01-01T00:00:00Z");
  const Store store = open();
  EXPECT_EQ(ages(store), "old/a stale 2020-01-01T00:00:00Z, old/b stale 2020-01-01T00:00:00Z");
  git({"mv", ".mem/shared/old", ".mem/shared/mid"});
  commit("2026-11-01T00:00:00Z");
  git({"mv", ".mem/shared/mid", ".mem/shared/new"});
  write("new/b.md", "quite another text\n");
  commit("2026-11-02T00:00:00Z");
  const std::string expected = "new/a stale 2020-01-01T00:00:00Z, new/b fresh 2026-11-02T00:00:00Z";
  EXPECT_EQ(ages(store), expected);
  std::filesystem::remove_all(home / ".cache");
  EXPECT_EQ(ages(open()), expected) << "asked anew";
}

TEST_F(CommitTimesTest, AnEditCountsOnceItIsCommitted) {
  write("a.md", "one\n");
  commit("2020-01-01T00:00:00Z");
  write("a.md", "two\n");
  EXPECT_EQ(ages(open()), "a stale 2020-01-01T00:00:00Z");
  git({"add", "-A"});
  EXPECT_EQ(ages(open()), "a stale 2020-01-01T00:00:00Z");
  commit("2026-11-01T00:00:00Z");
  EXPECT_EQ(ages(open()), "a fresh 2026-11-01T00:00:00Z");
}

TEST_F(CommitTimesTest, AfterARebaseOrAResetTheTimesAreThoseOfTheNewHistory) {
  write("a.md", "one\n");
  write("b.md", "one\n");
  commit("2020-01-01T00:00:00Z");
  git({"checkout", "-q", "-b", "topic"});
  write("a.md", "two\n");
  commit("2026-10-01T00:00:00Z");
  const Store store = open();
  EXPECT_EQ(ages(store), "a fresh 2026-10-01T00:00:00Z, b stale 2020-01-01T00:00:00Z");
  git({"checkout", "-q", "-"});
  write("b.md", "two\n");
  commit("2026-11-01T00:00:00Z");
  git({"checkout", "-q", "topic"});
  git({"rebase", "-q", "@{-1}"});
  const std::string rebased = "a fresh 2026-10-01T00:00:00Z, b fresh 2026-11-01T00:00:00Z";
  EXPECT_EQ(ages(store), rebased);
  EXPECT_EQ(ages(open()), rebased);
  git({"reset", "-q", "--hard", "HEAD~2"});
  EXPECT_EQ(ages(store), "a stale 2020-01-01T00:00:00Z, b stale 2020-01-01T00:00:00Z");
}

TEST_F(CommitTimesTest, AProjectInASubFolderHasTheTimesOfItsOwnFiles) {
  home.write("project/app/.mem/shared/a.md", "one\n");
  write("a.md", "another\n");
  commit("2020-01-01T00:00:00Z");
  write("a.md", "more of the other\n");
  commit("2026-11-01T00:00:00Z");
  EXPECT_EQ(ages(open(project() + "/app")), "a stale 2020-01-01T00:00:00Z");
}

TEST_F(CommitTimesTest, ARepositoryThatLiesApartIsAskedOnceItKnowsItsWorkTree) {
  write("a.md", "one\n");
  commit("2020-01-01T00:00:00Z");
  std::filesystem::rename(project() + "/.git", home / "apart");
  home.write("project/.git", "gitdir: " + (home / "apart") + "\n");
  EXPECT_EQ(ages(open()), "a current -");  // anyone could have written that file
  git({"config", "core.worktree", project()});
  EXPECT_EQ(ages(open()), "a stale 2020-01-01T00:00:00Z");
}

TEST_F(CommitTimesTest, AProgramThatTakesTooLongIsStoppedAndWhatItSaidStays) {
  ProcessOptions options;
  options.time_limit = std::chrono::milliseconds(50);
  const auto slow = run_process({"sh", "-c", "echo begun; exec sleep 600"}, options);
  ASSERT_TRUE(slow);
  EXPECT_TRUE(slow->stopped);
  options.time_limit = {};
  options.output_limit = 100;
  const auto loud = run_process({"yes"}, options);
  ASSERT_TRUE(loud);
  EXPECT_TRUE(loud->stopped);
  EXPECT_TRUE(loud->out.starts_with("y\ny\n"));
}

}  // namespace
}  // namespace memfs::testing
