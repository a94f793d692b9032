// Many processes at once, with the real executable.
#include <gtest/gtest.h>
#include <memfs/check.h>
#include <memfs/store.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "tests/support/mem_processes.h"

namespace memfs::testing {
namespace {

class Concurrency : public MemProcesses {};

TEST_F(Concurrency, TwoHundredAppendsLoseNothing) {
  ASSERT_EQ(mem({"add", "log", "--body", "start", "--scope", "shared"}), 0);
  std::atomic<int> failed{0};
  in_parallel(200, [&](int i) {
    if (mem({"update", "shared/log", "--append", "line " + std::to_string(i)}) != 0) ++failed;
  });
  EXPECT_EQ(failed, 0);
  const std::string text = temp.read("shared/log.md");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8 + 201 - 1);
  for (int i = 0; i < 200; ++i)
    EXPECT_NE(text.find("\nline " + std::to_string(i) + "\n"), std::string::npos) << i;
  EXPECT_NE(text.find("revision: 201\n"), std::string::npos);
}

TEST_F(Concurrency, FiftyAddsGiveFiftyFilesAndFiftyIndexLines) {
  in_parallel(50, [&](int i) {
    EXPECT_EQ(mem({"add", "fact", "--body", std::to_string(i), "--scope", "shared"}), 0);
  });
  auto store = Store::open(*layout_at(temp.path()));
  EXPECT_EQ(store->list()->memories.size(), 50U);
  const std::string page = temp.read("shared/INDEX.md");
  std::size_t lines = 0;
  for (auto at = page.find("\n- ["); at != std::string::npos; at = page.find("\n- [", at + 1))
    ++lines;
  EXPECT_EQ(lines, 50U);
  EXPECT_TRUE(check_store(*store)->problems.empty());
}

TEST_F(Concurrency, OfManyUpdatesWithTheSameExpectedRevisionExactlyOneWins) {
  ASSERT_EQ(mem({"add", "a", "--body", "b", "--scope", "shared"}), 0);
  std::atomic<int> won{0};
  std::atomic<int> conflicts{0};
  in_parallel(16, [&](int i) {
    const int code =
        mem({"update", "shared/a", "--body", std::to_string(i), "--expected-revision", "1"});
    if (code == 0) ++won;
    if (code == 4) ++conflicts;
  });
  EXPECT_EQ(won, 1);
  EXPECT_EQ(conflicts, 15);
}

// Searches, listings and writes in many processes while files come, go and change: no command
// fails, and when it is quiet every process sees the same as one without a cache.
TEST_F(Concurrency, SearchesStayRightWhileTheFolderChanges) {
  temp.write("shared/fixed.md", "walrus\n");
  std::atomic<int> failed{0};
  in_parallel(160, [&](int i) {
    const std::string name = "f" + std::to_string(i % 20);
    std::error_code ignored;
    switch (i % 8) {
      case 0:
      case 1:
        temp.write("shared/" + name + ".md", "tusk number " + std::to_string(i) + "\n");
        break;
      case 2:
        std::filesystem::rename(temp / ("shared/" + name + ".md"), temp / "shared/moved.md",
                                ignored);
        break;
      case 3:
        std::filesystem::remove(temp / ("shared/" + name + ".md"), ignored);
        break;
      case 4:
        if (mem({"list"}) != 0) ++failed;
        break;
      case 5:
        if (mem({"add", "made", "--body", std::to_string(i), "--scope", "shared"}) != 0) ++failed;
        break;
      default:
        // The one memory that nobody touches is always found.
        if (mem({"search", "walrus"}) != 0) ++failed;
    }
  });
  EXPECT_EQ(failed, 0);
  Layout without = *layout_at(temp.path());
  without.cache.clear();
  const auto expected = Store::open(without)->list();
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto seen = Store::open(*layout_at(temp.path()))->list();
    ASSERT_EQ(seen->memories.size(), expected->memories.size());
    for (std::size_t i = 0; i < seen->memories.size(); ++i) {
      EXPECT_EQ(seen->memories[i].ref(), expected->memories[i].ref());
      EXPECT_EQ(seen->memories[i].etag, expected->memories[i].etag);
    }
  }
}

}  // namespace
}  // namespace memfs::testing
