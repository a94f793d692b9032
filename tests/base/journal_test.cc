#include "libmemfs/base/journal.h"

#include <gtest/gtest.h>

#include "tests/support/memory_fs.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

// A move: the file appears in /b and disappears from /a.
class JournalTest : public ::testing::Test {
 protected:
  void SetUp() override { reset(); }
  void reset() {
    for (const char* folder : {"/a", "/b", "/state"}) (void)memory.make_directories(folder, 0755);
    memory.plant("/a/x.md", "old");
    if (memory.exists("/b/x.md")) (void)(*memory.open("/b"))->remove("x.md");
    (void)(*memory.open("/b"))->sync_directory("");
  }
  Journal journal(FileSystem& fs) { return {fs, *fs.open("/state"), "journal"}; }
  std::vector<FileChange> move() {
    return {{"/b", "x.md", 0600, std::nullopt, "new"}, {"/a", "x.md", 0600, "old", std::nullopt}};
  }

  MemoryFs memory;
  FaultFs faults{memory};
};

TEST_F(JournalTest, AppliesAllChangesAndForgetsThem) {
  ASSERT_TRUE(journal(memory).run("m", move()));
  EXPECT_EQ(memory.bytes_of("/b/x.md"), "new");
  EXPECT_FALSE(memory.exists("/a/x.md"));
  EXPECT_TRUE(journal(memory).pending()->empty());
}

TEST_F(JournalTest, ARenameAmongOtherChangesIsWholeOrHasNotHappened) {
  const std::vector<FileChange> changes = {
      {"/a", "sub/y.md", 0755, std::nullopt, std::nullopt, "x.md"},
      {"/b", "link.md", 0600, "to x", "to y"}};
  int points = 0;
  for (int n = 1;; ++n) {
    reset();
    memory.plant("/b/link.md", "to x");
    if (memory.exists("/a/sub/y.md")) (void)(*memory.open("/a"))->remove("sub/y.md");
    (void)(*memory.open("/a"))->sync_directory("sub");
    const auto inode = memory.stat("/a/x.md")->inode;
    faults.arm(n, FaultFs::Mode::kCrash);
    const bool survived = journal(faults.fs()).run("m", changes).has_value();
    faults.arm(0, FaultFs::Mode::kCrash);
    memory.crash();
    auto after = journal(memory);
    const auto pending = after.pending();
    for (const std::string& name : *pending) EXPECT_TRUE(after.recover(name)) << n;
    const bool renamed = !memory.exists("/a/x.md") && memory.exists("/a/sub/y.md") &&
                         memory.stat("/a/sub/y.md")->inode == inode &&
                         memory.bytes_of("/b/link.md") == "to y";
    const bool untouched = memory.bytes_of("/a/x.md") == "old" && !memory.exists("/a/sub/y.md") &&
                           memory.bytes_of("/b/link.md") == "to x";
    EXPECT_TRUE(renamed || untouched) << "killed at operation " << n;
    if (survived) {
      EXPECT_TRUE(renamed);
      break;
    }
    ++points;
  }
  EXPECT_GE(points, 12);
}

TEST_F(JournalTest, ARenamedFileIsNotLostByAWriteInItsOldFolder) {
  int points = 0;
  for (int n = 1;; ++n) {
    MemoryFs fresh;
    (void)fresh.make_directories("/state", 0755);
    fresh.plant("/a/old/x.md", "x");
    fresh.plant("/a/new/other.md", "y");
    fresh.plant("/a/old/link.md", "to x");
    FaultFs failing{fresh};
    failing.arm(n, FaultFs::Mode::kCrash);
    const bool survived =
        journal(failing.fs())
            .run("m", {{"/a", "new/x.md", 0755, std::nullopt, std::nullopt, "old/x.md"},
                       {"/a", "old/link.md", 0600, "to x", "to y"}})
            .has_value();
    failing.arm(0, FaultFs::Mode::kCrash);
    fresh.crash();
    EXPECT_TRUE(fresh.exists("/a/old/x.md") || fresh.exists("/a/new/x.md"))
        << "killed at operation " << n;
    if (survived) break;
    ++points;
  }
  EXPECT_GE(points, 15);
}

// What makes the old folder durable must not come before the new one is: the file would be in
// neither after a crash.
TEST_F(JournalTest, AFileThatIsRenamedIsInOneOfItsFoldersWhateverElseIsWritten) {
  const std::vector<FileChange> changes = {
      {"/a", "new/x.md", 0755, std::nullopt, std::nullopt, "old/x.md"},
      {"/a", "old/y.md", 0755, std::nullopt, std::nullopt, "new/y.md"},
      {"/a", "old/deep/z.md", 0755, std::nullopt, std::nullopt, "z.md"},
      {"/a", "old/link.md", 0600, "to x", "to y"},
      {"/a", "new/link.md", 0600, "to x", "to y"}};
  for (int n = 1;; ++n) {
    MemoryFs fresh;
    (void)fresh.make_directories("/state", 0755);
    for (const char* file : {"/a/old/x.md", "/a/new/y.md", "/a/z.md"}) fresh.plant(file, file);
    for (const char* file : {"/a/old/link.md", "/a/new/link.md"}) fresh.plant(file, "to x");
    FaultFs failing{fresh};
    failing.arm(n, FaultFs::Mode::kCrash);
    const bool survived = journal(failing.fs()).run("m", changes).has_value();
    failing.arm(0, FaultFs::Mode::kCrash);
    fresh.crash();
    auto after = journal(fresh);
    const auto pending = after.pending();
    for (const std::string& name : *pending) EXPECT_TRUE(after.recover(name)) << n;
    const bool moved = fresh.exists("/a/new/x.md");
    EXPECT_EQ(fresh.exists("/a/old/x.md"), !moved) << n;
    EXPECT_EQ(fresh.exists("/a/old/y.md"), moved) << n;
    EXPECT_EQ(fresh.exists("/a/new/y.md"), !moved) << n;
    EXPECT_EQ(fresh.exists("/a/old/deep/z.md"), moved) << n;
    EXPECT_EQ(fresh.exists("/a/z.md"), !moved) << n;
    EXPECT_EQ(fresh.bytes_of("/a/old/link.md"), moved ? "to y" : "to x") << n;
    EXPECT_EQ(fresh.bytes_of("/a/new/link.md"), moved ? "to y" : "to x") << n;
    if (survived) {
      EXPECT_TRUE(moved);
      EXPECT_GE(n, 25);
      break;
    }
  }
}

TEST_F(JournalTest, ARenameIsUndoneWithTheRestIfAnotherFileChangedMeanwhile) {
  memory.plant("/b/link.md", "somebody else's");
  const auto run =
      journal(memory).run("m", {{"/a", "sub/y.md", 0755, std::nullopt, std::nullopt, "x.md"},
                                {"/b", "link.md", 0600, "to x", "to y"}});
  EXPECT_EQ(run.error().code, ErrorCode::kConflict);
  EXPECT_EQ(memory.bytes_of("/a/x.md"), "old");
  EXPECT_FALSE(memory.exists("/a/sub/y.md"));
  EXPECT_TRUE(journal(memory).pending()->empty());
}

TEST_F(JournalTest, AfterAKillAtAnyPointTheMoveIsWholeOrHasNotHappened) {
  int points = 0;
  for (int n = 1;; ++n) {
    reset();
    faults.arm(n, FaultFs::Mode::kCrash);
    const bool survived = journal(faults.fs()).run("m", move()).has_value();
    faults.arm(0, FaultFs::Mode::kCrash);
    memory.crash();
    auto after = journal(memory);
    const auto pending = after.pending();
    for (const std::string& name : *pending) EXPECT_TRUE(after.recover(name)) << n;
    const bool moved = memory.bytes_of("/b/x.md") == "new" && !memory.exists("/a/x.md");
    const bool untouched = memory.bytes_of("/a/x.md") == "old" && !memory.exists("/b/x.md");
    EXPECT_TRUE(moved || untouched) << "killed at operation " << n;
    EXPECT_TRUE(after.pending()->empty());
    if (survived) {
      EXPECT_TRUE(moved);
      break;
    }
    ++points;
  }
  EXPECT_GE(points, 15);
}

TEST_F(JournalTest, AConflictUndoesWhatWasDone) {
  memory.plant("/a/x.md", "edited by hand");
  const auto done = journal(memory).run("m", move());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
  EXPECT_EQ(memory.bytes_of("/a/x.md"), "edited by hand");
  EXPECT_FALSE(memory.exists("/b/x.md"));
  EXPECT_TRUE(journal(memory).pending()->empty());
}

TEST_F(JournalTest, AFileEditedAfterTheKillIsKeptAndSoIsWhatWasMadeOfIt) {
  int met = 0;
  for (int n = 1; n < 40; ++n) {
    reset();
    faults.arm(n, FaultFs::Mode::kCrash);
    const bool survived = journal(faults.fs()).run("m", move()).has_value();
    faults.arm(0, FaultFs::Mode::kCrash);
    memory.crash();
    auto after = journal(memory);
    if (survived || after.pending()->empty() || !memory.exists("/a/x.md")) continue;
    memory.plant("/a/x.md", "edited by hand");
    const bool half_done = memory.bytes_of("/b/x.md") == "new";
    const auto outcome = after.recover("m");
    ASSERT_TRUE(outcome);
    EXPECT_EQ(memory.bytes_of("/a/x.md"), "edited by hand");
    EXPECT_EQ(memory.exists("/b/x.md"), half_done);
    if (half_done) ++met;
  }
  EXPECT_GT(met, 0) << "no kill fell between the two changes";
}

TEST_F(JournalTest, AFailureAtAnyPointLosesNothing) {
  for (int n = 1; n < 40; ++n) {
    reset();
    faults.arm(n, FaultFs::Mode::kFailOnce);
    const bool done = journal(faults.fs()).run("m", move()).has_value();
    faults.arm(0, FaultFs::Mode::kFailOnce);
    auto after = journal(memory);
    const auto pending = after.pending();
    for (const std::string& name : *pending) EXPECT_TRUE(after.recover(name)) << n;
    const bool moved = memory.bytes_of("/b/x.md") == "new" && !memory.exists("/a/x.md");
    const bool untouched = memory.bytes_of("/a/x.md") == "old" && !memory.exists("/b/x.md");
    EXPECT_TRUE(moved || untouched) << "failed at operation " << n;
    if (done) {
      EXPECT_TRUE(moved) << n;
    }
  }
}

TEST_F(JournalTest, AStrangerInThePlaceOfAMovedFileDoesNotBringTheMoveBack) {
  ASSERT_TRUE(journal(memory).run("m", move()));
  // As if the journal had not been cleared.
  WrappingFs keeper(memory, [](const Operation& op) -> Result<void> {
    if (op.verb == "remove" && op.path.find("journal") != std::string::npos)
      return make_error(ErrorCode::kIo, "killed");
    return {};
  });
  reset();
  EXPECT_FALSE(journal(keeper).run("m", move()).has_value());
  memory.plant("/a/x.md", "a newcomer");
  auto after = journal(memory);
  EXPECT_TRUE(after.recover("m"));
  EXPECT_EQ(memory.bytes_of("/b/x.md"), "new");
  EXPECT_EQ(memory.bytes_of("/a/x.md"), "a newcomer");
}

TEST_F(JournalTest, ADamagedJournalIsReportedAndLeftAlone) {
  memory.plant("/state/journal/m", "mem-journal 1\nchange\n9999999:x");
  auto damaged = journal(memory);
  EXPECT_EQ(damaged.recover("m").error().code, ErrorCode::kCorrupt);
  EXPECT_TRUE(memory.exists("/state/journal/m"));
  EXPECT_EQ(memory.bytes_of("/a/x.md"), "old");
}

}  // namespace
}  // namespace memfs::testing
