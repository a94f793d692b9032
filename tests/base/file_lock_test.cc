#include "libmemfs/base/file_lock.h"

#include <gtest/gtest.h>

#include "tests/support/memory_fs.h"

namespace memfs::testing {
namespace {

TEST(FileLock, WaitsABoundedTimeAndNeverSteals) {
  MemoryFs memory;
  (void)memory.make_directories("/m", 0755);
  const auto dir = *memory.open("/m");
  LockWait wait;
  wait.limit = std::chrono::milliseconds(500);
  std::chrono::milliseconds waited{0};
  wait.pause = [&](std::chrono::milliseconds nap) { waited += nap; };
  const auto held = acquire_lock(*dir, ".lock", 0600, wait);
  ASSERT_TRUE(held);
  EXPECT_EQ(waited.count(), 0);
  const auto second = acquire_lock(*dir, ".lock", 0600, wait);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_GE(waited.count(), 500);
  EXPECT_LT(waited.count(), 600);
}

TEST(FileLock, ALockThatIsReleasedMeanwhileIsTaken) {
  MemoryFs memory;
  (void)memory.make_directories("/m", 0755);
  const auto dir = *memory.open("/m");
  auto held = *dir->try_lock(".lock", 0600);
  LockWait wait;
  int naps = 0;
  wait.pause = [&](std::chrono::milliseconds) {
    if (++naps == 3) held.reset();
  };
  EXPECT_TRUE(acquire_lock(*dir, ".lock", 0600, wait));
  EXPECT_EQ(naps, 3);
}

}  // namespace
}  // namespace memfs::testing
