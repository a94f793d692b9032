// What every FileSystem promises: one suite, run on the real one and on the one in memory.
#include <gtest/gtest.h>

#include "libmemfs/base/posix_file_system.h"
#include "tests/support/memory_fs.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

struct PosixMaker {
  TempDir temp;
  PosixFileSystem fs;
  std::string root() const { return temp.path(); }
};

struct MemoryMaker {
  MemoryFs fs;
  MemoryMaker() { (void)fs.make_directories("/m", 0755); }
  static std::string root() { return "/m"; }
};

void put(Directory& dir, const std::string& rel, std::string_view bytes) {
  auto file = dir.create(rel, 0644);
  ASSERT_TRUE(file) << file.error().message;
  while (!bytes.empty()) {
    auto n = (*file)->write(bytes);
    ASSERT_TRUE(n);
    bytes.remove_prefix(*n);
  }
  ASSERT_TRUE((*file)->sync());
  ASSERT_TRUE((*file)->close());
}

template <typename Maker>
class FileSystemContract : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = maker.fs.open(maker.root());
    ASSERT_TRUE(opened);
    dir = *opened;
  }
  std::string read(const std::string& rel) {
    auto content = dir->read(rel, 1 << 20);
    return content ? content->bytes : std::string("<") + name_of(content.error().code) + ">";
  }
  ErrorCode code(const auto& result) {
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::kUsage : result.error().code;
  }

  Maker maker;
  std::shared_ptr<Directory> dir;
};

using Makers = ::testing::Types<PosixMaker, MemoryMaker>;
TYPED_TEST_SUITE(FileSystemContract, Makers);

TYPED_TEST(FileSystemContract, ReadsWhatWasWrittenThoughWritesAreShort) {
  const std::string long_text(100000, 'x');
  put(*this->dir, "a.md", long_text);
  EXPECT_EQ(this->read("a.md"), long_text);
  EXPECT_EQ(this->dir->stat("a.md")->size, long_text.size());
  EXPECT_EQ(this->dir->stat("a.md")->kind, FileKind::kRegular);
}

TYPED_TEST(FileSystemContract, CreateNeverReplaces) {
  put(*this->dir, "a.md", "old");
  EXPECT_EQ(this->code(this->dir->create("a.md", 0644)), ErrorCode::kConflict);
  EXPECT_EQ(this->read("a.md"), "old");
}

TYPED_TEST(FileSystemContract, AppendMakesTheFileAndThenAddsToIt) {
  ASSERT_TRUE(this->dir->append("log", "one\n", 0600));
  EXPECT_EQ(this->dir->stat("log")->mode, 0600U);
  ASSERT_TRUE(this->dir->append("log", std::string(1000, 'x'), 0600));
  ASSERT_TRUE(this->dir->append("log", "", 0600));
  EXPECT_EQ(this->read("log"), "one\n" + std::string(1000, 'x'));
}

TYPED_TEST(FileSystemContract, AppendRefusesWhatIsNoFile) {
  ASSERT_TRUE(this->dir->make_directory("d", 0755));
  EXPECT_EQ(this->code(this->dir->append("d", "x", 0600)), ErrorCode::kRefused);
  EXPECT_EQ(this->code(this->dir->append("no/such", "x", 0600)), ErrorCode::kNotFound);
  for (const char* rel : {"../x", "/etc/x", "", "a//b"})
    EXPECT_EQ(this->code(this->dir->append(rel, "x", 0600)), ErrorCode::kRefused) << rel;
}

TYPED_TEST(FileSystemContract, AMissingFileIsNotFound) {
  EXPECT_EQ(this->code(this->dir->read("no.md", 10)), ErrorCode::kNotFound);
  EXPECT_EQ(this->code(this->dir->stat("no.md")), ErrorCode::kNotFound);
  EXPECT_EQ(this->code(this->dir->stat("no/such.md")), ErrorCode::kNotFound);
  EXPECT_EQ(this->code(this->dir->remove("no.md")), ErrorCode::kNotFound);
  EXPECT_EQ(this->code(this->dir->list("no")), ErrorCode::kNotFound);
}

TYPED_TEST(FileSystemContract, PathsThatLeadOutAreRefused) {
  for (const char* rel : {"../x", "/etc/passwd", "a/../../x", "", ".", "a//b", "a/./b"}) {
    EXPECT_EQ(this->code(this->dir->read(rel, 10)), ErrorCode::kRefused) << rel;
    EXPECT_EQ(this->code(this->dir->create(rel, 0644)), ErrorCode::kRefused) << rel;
    EXPECT_EQ(this->code(this->dir->remove(rel)), ErrorCode::kRefused) << rel;
  }
}

TYPED_TEST(FileSystemContract, RenameReplacesAndExclusiveRenameDoesNot) {
  put(*this->dir, "a", "1");
  put(*this->dir, "b", "2");
  EXPECT_EQ(this->code(this->dir->rename_exclusive("a", "b")), ErrorCode::kConflict);
  EXPECT_EQ(this->read("b"), "2");
  EXPECT_TRUE(this->dir->rename("a", "b"));
  EXPECT_EQ(this->read("b"), "1");
  EXPECT_TRUE(this->dir->rename_exclusive("b", "c"));
  EXPECT_EQ(this->read("c"), "1");
}

TYPED_TEST(FileSystemContract, ExchangeSwapsTwoNames) {
  put(*this->dir, "a", "1");
  put(*this->dir, "b", "2");
  ASSERT_TRUE(this->dir->exchange("a", "b"));
  EXPECT_EQ(this->read("a") + this->read("b"), "21");
  EXPECT_EQ(this->code(this->dir->exchange("a", "none")), ErrorCode::kNotFound);
}

TYPED_TEST(FileSystemContract, FoldersAreMadeListedAndRemovedWhenEmpty) {
  ASSERT_TRUE(this->dir->make_directory("d", 0755));
  EXPECT_EQ(this->code(this->dir->make_directory("d", 0755)), ErrorCode::kConflict);
  put(*this->dir, "d/x", "1");
  auto entries = this->dir->list("d");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(entries->front().name, "x");
  EXPECT_EQ(this->code(this->dir->remove_directory("d")), ErrorCode::kConflict);
  ASSERT_TRUE(this->dir->remove("d/x"));
  EXPECT_TRUE(this->dir->remove_directory("d"));
  EXPECT_TRUE(this->dir->sync_directory(""));
  EXPECT_TRUE(this->dir->sync_all());
}

TYPED_TEST(FileSystemContract, AFileOverTheLimitIsRefusedUnread) {
  put(*this->dir, "big", std::string(100, 'x'));
  EXPECT_EQ(this->code(this->dir->read("big", 99)), ErrorCode::kInvalid);
  EXPECT_TRUE(this->dir->read("big", 100));
}

TYPED_TEST(FileSystemContract, ALockExcludesASecondHolderUntilItIsReleased) {
  auto first = this->dir->try_lock(".lock", 0600);
  ASSERT_TRUE(first);
  ASSERT_NE(*first, nullptr);
  auto second = this->dir->try_lock(".lock", 0600);
  ASSERT_TRUE(second);
  EXPECT_EQ(*second, nullptr);
  first->reset();
  auto third = this->dir->try_lock(".lock", 0600);
  ASSERT_TRUE(third);
  EXPECT_NE(*third, nullptr);
}

TYPED_TEST(FileSystemContract, OpeningAMissingFolderIsNotFound) {
  EXPECT_EQ(this->code(this->maker.fs.open(this->maker.root() + "/none")), ErrorCode::kNotFound);
  ASSERT_TRUE(this->maker.fs.make_directories(this->maker.root() + "/p/q/r", 0700));
  EXPECT_TRUE(this->maker.fs.open(this->maker.root() + "/p/q/r"));
  EXPECT_TRUE(this->maker.fs.make_directories(this->maker.root() + "/p/q/r", 0700));
}

}  // namespace
}  // namespace memfs::testing
