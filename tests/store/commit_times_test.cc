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
    const auto done = run_process(argv);
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
  Store open() const {
    PosixFileSystem fs;
    Environment environment;
    environment.working_directory = project();
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
