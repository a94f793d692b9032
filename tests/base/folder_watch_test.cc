// What a watch tells of folders on the real file system.
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <filesystem>

#include "libmemfs/base/posix_file_system.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;
using Kind = FolderEvent::Kind;

class FolderWatchTest : public ::testing::Test {
 protected:
  static std::unique_ptr<FolderWatch> make_watch() {
    PosixFileSystem files;
    return std::move(*files.watch_folders());
  }
  int add(const std::string& rel) { return watch_->add(temp_ / rel, false)->number; }

  static bool has(const FolderEvents& told, int folder, const std::string& entry, Kind kind) {
    return std::any_of(told.events.begin(), told.events.end(), [&](const FolderEvent& event) {
      return event.folder == folder && event.entry == entry && event.kind == kind;
    });
  }
  bool is_readable() const {
    struct pollfd poll = {watch_->descriptor(), POLLIN, 0};
    return ::poll(&poll, 1, 0) == 1;
  }

  TempDir temp_;
  std::unique_ptr<FolderWatch> watch_ = make_watch();
};

TEST_F(FolderWatchTest, AWriteInPlaceIsToldAtOnce) {
  temp_.write("a/x.md", "1");
  const int folder = add("a");
  EXPECT_FALSE(is_readable());
  temp_.write("a/x.md", "2");
  EXPECT_TRUE(is_readable());
  EXPECT_TRUE(has(watch_->take(), folder, "x.md", Kind::kChanged));
  EXPECT_FALSE(is_readable());
  EXPECT_TRUE(watch_->take().events.empty());
}

TEST_F(FolderWatchTest, WhatComesAndGoesIsToldWithItsName) {
  temp_.write("a/old.md", "1");
  temp_.write("b/y.md", "1");
  const int a = add("a");
  const int b = add("b");
  fs::rename(temp_ / "a/old.md", temp_ / "b/new.md");
  fs::remove(temp_ / "b/y.md");
  fs::create_directory(temp_ / "a/folder");
  const FolderEvents told = watch_->take();
  EXPECT_TRUE(has(told, a, "old.md", Kind::kVanished));
  EXPECT_TRUE(has(told, b, "new.md", Kind::kAppeared));
  EXPECT_TRUE(has(told, b, "y.md", Kind::kVanished));
  EXPECT_TRUE(has(told, a, "folder", Kind::kAppeared));
  EXPECT_TRUE(told.events.back().is_folder);
}

TEST_F(FolderWatchTest, ModeAndTimesAreToldAndReadingIsNot) {
  temp_.write("a/x.md", "1");
  const int folder = add("a");
  (void)temp_.read("a/x.md");
  EXPECT_TRUE(watch_->take().events.empty());
  fs::permissions(temp_ / "a/x.md", fs::perms::owner_read);
  EXPECT_TRUE(has(watch_->take(), folder, "x.md", Kind::kChanged));
}

TEST_F(FolderWatchTest, AFolderKeepsItsNumberWhereverItIs) {
  temp_.write("a/x.md", "1");
  const int number = add("a");
  fs::rename(temp_ / "a", temp_ / "b");
  EXPECT_TRUE(has(watch_->take(), number, "", Kind::kVanished));
  EXPECT_EQ(add("b"), number);
}

TEST_F(FolderWatchTest, ALinkIsFollowedOnlyIfThatIsWanted) {
  fs::create_directory(temp_ / "a");
  fs::create_directory_symlink("a", temp_ / "link");
  EXPECT_FALSE(watch_->add(temp_ / "link", false));
  EXPECT_EQ(watch_->add(temp_ / "link", true)->number, add("a"));
}

TEST_F(FolderWatchTest, AFolderThatIsNotThereIsNotFound) {
  EXPECT_EQ(watch_->add(temp_ / "none", false).error().code, ErrorCode::kNotFound);
}

TEST_F(FolderWatchTest, ChangesOfAFolderThatIsNoLongerWatchedAreNotTold) {
  fs::create_directory(temp_ / "a");
  const int number = add("a");
  watch_->remove(number);
  (void)watch_->take();
  temp_.write("a/x.md", "1");
  EXPECT_TRUE(watch_->take().events.empty());
}

TEST_F(FolderWatchTest, AFileSystemOfUnknownKindIsNotWatched) {
  EXPECT_EQ(watch_->add("/proc", false).error().code, ErrorCode::kUnsupported);
}

TEST_F(FolderWatchTest, MoreThanTheSystemKeepsIsToldAsLost) {
  fs::create_directory(temp_ / "a");
  (void)add("a");
  int most = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
  ASSERT_GT(most, 0);
  if (most > 100000) GTEST_SKIP() << "this system keeps " << most << " events";
  // Two by turns, since equal ones in a row are told as one.
  std::ofstream x(temp_ / "a/x.md");
  std::ofstream y(temp_ / "a/y.md");
  for (int i = 0; i < most; ++i) (i % 2 == 0 ? x : y) << "1" << std::flush;
  EXPECT_TRUE(watch_->take().lost);
  y << "1" << std::flush;
  EXPECT_FALSE(watch_->take().lost);
}

}  // namespace
}  // namespace memfs::testing
