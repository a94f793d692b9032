#include "libmemfs/base/atomic_file.h"

#include <gtest/gtest.h>

#include "libmemfs/base/hash.h"
#include "tests/support/memory_fs.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override { (void)memory.make_directories("/m", 0755); }
  std::shared_ptr<Directory> dir() { return *faults.fs().open("/m"); }
  // Names in the folder, without locks.
  std::string names() {
    std::string out;
    const auto entries = (*memory.open("/m"))->list("");
    for (const DirEntry& entry : *entries) out += entry.name + " ";
    return out;
  }

  MemoryFs memory;
  FaultFs faults{memory};
};

TEST_F(AtomicFile, ReplacingAFileIsOldOrNewAtEveryKillPoint) {
  const std::string text(1000, 'n');
  int points = 0;
  for (int n = 1;; ++n) {
    memory.plant("/m/a.md", "old");
    faults.arm(n, FaultFs::Mode::kCrash);
    const auto done = replace_file(*dir(), "a.md", text);
    const bool survived = done.has_value();
    memory.crash();
    faults.arm(0, FaultFs::Mode::kCrash);
    const std::string now = memory.bytes_of("/m/a.md");
    EXPECT_TRUE(now == "old" || now == text) << "killed at operation " << n << ": " << now;
    if (survived) {
      EXPECT_EQ(now, text);
      break;
    }
    ++points;
  }
  EXPECT_GE(points, 6) << "create, writes, sync, close, rename, sync of the folder";
}

TEST_F(AtomicFile, AFailedOperationLeavesTheOldFileAndNoLitter) {
  for (int n = 1; n <= 4; ++n) {
    memory.plant("/m/a.md", "old");
    faults.arm(n, FaultFs::Mode::kFailOnce);
    EXPECT_FALSE(replace_file(*dir(), "a.md", "new").has_value()) << n;
    EXPECT_EQ(memory.bytes_of("/m/a.md"), "old");
    EXPECT_EQ(names(), "a.md ");
  }
}

TEST_F(AtomicFile, AFailedSyncIsNeverTriedAgain) {
  int syncs = 0;
  WrappingFs failing(memory, [&](const Operation& op) -> Result<void> {
    if (op.verb != "sync") return {};
    ++syncs;
    return make_error(ErrorCode::kIo, "the disk is gone");
  });
  EXPECT_FALSE(replace_file(**failing.open("/m"), "a.md", "new").has_value());
  EXPECT_EQ(syncs, 1);
}

TEST_F(AtomicFile, SwappingChecksWhatCameOut) {
  memory.plant("/m/a.md", "old");
  const auto done = swap_file(*dir(), "a.md", "new", content_hash("old"));
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->done);
  EXPECT_EQ(memory.bytes_of("/m/a.md"), "new");
  EXPECT_EQ(names(), "a.md ");
}

TEST_F(AtomicFile, AnEditorThatWasFasterKeepsItsFile) {
  memory.plant("/m/a.md", "typed by hand");
  const auto outcome = swap_file(*dir(), "a.md", "new", content_hash("old"));
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->done);
  EXPECT_EQ(outcome->found, "typed by hand");
  EXPECT_EQ(memory.bytes_of("/m/a.md"), "typed by hand");
  EXPECT_EQ(names(), "a.md ");
}

TEST_F(AtomicFile, SwappingAFileThatIsGoneSaysSo) {
  const auto outcome = swap_file(*dir(), "a.md", "new", content_hash("old"));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->missing);
  EXPECT_EQ(names(), "");
}

TEST_F(AtomicFile, WithoutAtomicSwapTheCheckIsMadeBeforeARename) {
  WrappingFs plain(memory, [](const Operation& op) -> Result<void> {
    if (op.verb == "exchange" || op.verb == "rename-exclusive")
      return make_error(ErrorCode::kUnsupported, "not here");
    return {};
  });
  const auto folder = *plain.open("/m");
  memory.plant("/m/a.md", "old");
  EXPECT_TRUE(swap_file(*folder, "a.md", "new", content_hash("old"))->done);
  EXPECT_EQ(memory.bytes_of("/m/a.md"), "new");
  EXPECT_FALSE(swap_file(*folder, "a.md", "newer", content_hash("old"))->done);
  EXPECT_EQ(memory.bytes_of("/m/a.md"), "new");
  EXPECT_EQ(create_file(*folder, "a.md", "x").error().code, ErrorCode::kConflict);
  EXPECT_TRUE(create_file(*folder, "b.md", "x"));
  EXPECT_EQ(names(), "a.md b.md ");
}

TEST_F(AtomicFile, RemovingChecksWhatGoesAway) {
  memory.plant("/m/a.md", "edited");
  EXPECT_FALSE(remove_file(*dir(), "a.md", content_hash("old"))->done);
  EXPECT_EQ(memory.bytes_of("/m/a.md"), "edited");
  EXPECT_TRUE(remove_file(*dir(), "a.md", content_hash("edited"))->done);
  EXPECT_EQ(names(), "");
}

TEST_F(AtomicFile, StagedFilesAreThereAsAWholeOrNotAtEveryKillPoint) {
  const std::string text(1000, 'n');
  int points = 0;
  for (int n = 1;; ++n) {
    memory = MemoryFs();
    (void)memory.make_directories("/m", 0755);
    faults.arm(n, FaultFs::Mode::kCrash);
    bool survived = false;
    {
      const auto folder = dir();
      StagedFiles files(*folder, {}, 0755);
      const bool added = files.add("a.md", text) && files.add("deep/b.md", text);
      const auto done = added ? files.publish() : make_error(ErrorCode::kIo, "not staged");
      survived = done.has_value();
      memory.crash();
    }
    faults.arm(0, FaultFs::Mode::kCrash);
    for (const char* path : {"/m/a.md", "/m/deep/b.md"}) {
      const bool there = memory.exists(path);
      EXPECT_TRUE(there || !survived);
      EXPECT_EQ(memory.bytes_of(path), there ? text : "<no such file>") << "operation " << n;
    }
    if (survived) break;
    ++points;
  }
  EXPECT_GE(points, 12) << "two files, a folder, two syncs, two names";
}

TEST_F(AtomicFile, StagedFilesTellWhoseNameIsTakenAndLeaveNoLitter) {
  memory.plant("/m/a.md", "old");
  const auto folder = dir();
  StagedFiles files(*folder, {}, 0755);
  ASSERT_TRUE(files.add("a.md", "new"));
  ASSERT_TRUE(files.add("b.md", "new"));
  const auto done = files.publish();
  ASSERT_TRUE(done);
  EXPECT_EQ((*done)[0].error().code, ErrorCode::kConflict);
  EXPECT_TRUE((*done)[1]);
  EXPECT_EQ(memory.bytes_of("/m/a.md"), "old");
  EXPECT_EQ(names(), "a.md b.md ");
}

TEST_F(AtomicFile, StagedFilesThatCannotBeSyncedGetNoName) {
  const auto folder = dir();
  StagedFiles files(*folder, {}, 0755);
  ASSERT_TRUE(files.add("a.md", "new"));
  faults.arm(1, FaultFs::Mode::kFailOnce);
  EXPECT_FALSE(files.publish());
  EXPECT_EQ(names(), "");
}

}  // namespace
}  // namespace memfs::testing
