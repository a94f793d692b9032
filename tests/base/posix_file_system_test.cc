// What only the real file system has: links, FIFOs, modes, processes.
#include "libmemfs/base/posix_file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;

class PosixFileSystemTest : public ::testing::Test {
 protected:
  TempDir temp;
  PosixFileSystem posix;
  std::shared_ptr<Directory> dir = *posix.open(temp.path());
};

TEST_F(PosixFileSystemTest, DoesNotFollowALinkAtTheEndOrOnTheWay) {
  temp.write("real/x.md", "secret");
  fs::create_symlink("real/x.md", temp / "file.md");
  fs::create_directory_symlink("real", temp / "folder");
  EXPECT_EQ(dir->read("file.md", 100).error().code, ErrorCode::kRefused);
  EXPECT_EQ(dir->read("folder/x.md", 100).error().code, ErrorCode::kRefused);
  EXPECT_FALSE(dir->create("folder/new.md", 0644).has_value());
  EXPECT_FALSE(dir->remove("folder/x.md").has_value());
  EXPECT_EQ(temp.read("real/x.md"), "secret");
}

TEST_F(PosixFileSystemTest, RefusesAFifoAtOnce) {
  ASSERT_EQ(::mkfifo((temp / "p.md").c_str(), 0600), 0);
  EXPECT_EQ(dir->read("p.md", 100).error().code, ErrorCode::kRefused);
}

TEST_F(PosixFileSystemTest, AppendsToNeitherALinkNorAFifo) {
  temp.write("real.md", "secret");
  fs::create_symlink("real.md", temp / "link.md");
  fs::create_symlink("none.md", temp / "dangling.md");
  ASSERT_EQ(::mkfifo((temp / "p.md").c_str(), 0600), 0);
  for (const char* rel : {"link.md", "dangling.md", "p.md"})
    EXPECT_EQ(dir->append(rel, "x", 0600).error().code, ErrorCode::kRefused) << rel;
  EXPECT_EQ(temp.read("real.md"), "secret");
  EXPECT_FALSE(fs::exists(temp / "none.md"));
}

TEST_F(PosixFileSystemTest, NoAppendGetsInBetweenAnothersBytes) {
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'e'; ++c)
    writers.emplace_back([&, c] {
      const auto own = *posix.open(temp.path());
      for (int i = 0; i < 200; ++i) EXPECT_TRUE(own->append("log", std::string(500, c), 0600));
    });
  for (std::thread& writer : writers) writer.join();
  const std::string log = temp.read("log");
  ASSERT_EQ(log.size(), 4U * 200U * 500U);
  for (std::size_t at = 0; at < log.size(); at += 500)
    EXPECT_EQ(log.substr(at, 500), std::string(500, log[at])) << at;
}

TEST_F(PosixFileSystemTest, RefusesToReadAFolder) {
  fs::create_directory(temp / "d.md");
  EXPECT_EQ(dir->read("d.md", 100).error().code, ErrorCode::kRefused);
}

TEST_F(PosixFileSystemTest, ARemovedLockFileDoesNotMakeTwoHolders) {
  auto first = dir->try_lock(".lock", 0600);
  ASSERT_NE(*first, nullptr);
  fs::remove(temp / ".lock");
  // The first holder's inode is no longer the name's: a newcomer gets a lock of its own, and the
  // first one, asking again, sees that it must retake it.
  auto second = dir->try_lock(".lock", 0600);
  EXPECT_NE(*second, nullptr);
  auto third = dir->try_lock(".lock", 0600);
  EXPECT_EQ(*third, nullptr);
}

TEST_F(PosixFileSystemTest, ErrorsCarryPathAndErrno) {
  const auto failed = dir->read("none.md", 100);
  EXPECT_EQ(failed.error().path, temp / "none.md");
  EXPECT_EQ(failed.error().os_error, ENOENT);
}

TEST_F(PosixFileSystemTest, ATmpfsIsVolatile) {
  EXPECT_TRUE(posix.is_volatile("/dev/shm"));
  EXPECT_FALSE(posix.is_volatile("/proc"));
}

}  // namespace
}  // namespace memfs::testing
