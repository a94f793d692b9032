#include <memfs/context.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/store_fixture.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

class CompactIndexTest : public StoreFixture {
 protected:
  CompactIndex index(const CompactIndexRequest& request = {}) {
    return *compact_index(open(), request, parse_date(now)->at);
  }
  // "fact 1" to "fact 400", one a minute; names in an order of their own.
  void plant_400() {
    for (int i = 0; i < 400; ++i) {
      const std::string name = std::to_string(1000 + i * 7 % 400);
      const auto at = parse_date("2026-11-01T00:00:00Z")->at + std::chrono::minutes(i);
      memory->plant("/m/private/" + name + ".md", "---\ntitle: fact " + std::to_string(i + 1) +
                                                      "\nupdated_at: " + format_instant(at) +
                                                      "\n---\n");
    }
  }
};

TEST_F(CompactIndexTest, IsALineForEachThatNamesItAndSaysWhatItIs) {
  memory->plant("/m/private/deploy/rollback.md", "---\ntitle: T\ndescription: How to\n---\nb\n");
  memory->plant("/m/shared/a_b.md", "---\ntitle: Only [a] title\n---\n");
  memory->plant("/m/shared/gone.md", "---\nexpires_at: 2026-01-01\n---\nx\n");
  EXPECT_EQ(index().text,
            "- private/deploy/rollback: How to\n"
            "- shared/a_b: Only \\[a\\] title\n");
  CompactIndexRequest request;
  request.scopes = {Scope::kShared};
  EXPECT_EQ(index(request).entries.size(), 1U);
}

// IX-1: appended at the bottom, cut after so many lines, the newest never loaded, nobody told.
TEST_F(CompactIndexTest, KeepsTheNewestInTheOrderOfNamesAndTellsHowManyMoreThereAre) {
  plant_400();
  CompactIndexRequest request;
  request.lines = 200;
  const CompactIndex half = index(request);
  ASSERT_EQ(half.entries.size(), 200U);
  EXPECT_TRUE(half.text.ends_with("\n200 more: use `mem search`\n")) << half.text;
  for (int i = 201; i <= 400; ++i)
    EXPECT_NE(half.text.find(": fact " + std::to_string(i) + "\n"), std::string::npos) << i;
  EXPECT_TRUE(std::is_sorted(half.entries.begin(), half.entries.end(),
                             [](const auto& a, const auto& b) { return a.ref < b.ref; }));
}

TEST_F(CompactIndexTest, StaysWithinItsBudget) {
  plant_400();
  CompactIndexRequest request;
  for (const std::uint64_t amount : {500U, 501U, 777U, 4000U, 6000U, 100000U}) {
    request.budget = TextBudget{amount, TextBudget::Unit::kBytes};
    const CompactIndex some = index(request);
    EXPECT_LE(some.text.size(), amount);
    EXPECT_EQ(some.entries.size() + some.left_out, 400U);
    // A line more would be too long.
    if (some.left_out > 0) {
      EXPECT_GT(some.text.size() + 30, amount);
    }
    request.budget = TextBudget{amount, TextBudget::Unit::kTokens};
    EXPECT_LE(estimate_tokens(index(request).text), amount);
  }
}

TEST_F(CompactIndexTest, OfTheSameMomentTheFilesTimeTellsWhichIsNewer) {
  const TempDir folder;
  auto time = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char* name : {"c", "a", "b"}) {
    const std::string file = std::string("private/") + name + ".md";
    folder.write(file, "---\nupdated_at: 2026-11-01\n---\nx\n");
    std::filesystem::last_write_time(folder / file, time += std::chrono::milliseconds(5));
  }
  CompactIndexRequest request;
  request.lines = 1;
  const auto store = Store::open(*layout_at(folder.path()));
  const auto some = compact_index(*store, request, SystemClock().now());
  EXPECT_EQ(some->entries.front().ref, "private/b");
}

TEST_F(CompactIndexTest, ADateToComeIsNoReasonToBeFirst) {
  memory->plant("/m/shared/future.md", "---\nupdated_at: 2099-01-01\n---\nx\n");
  memory->plant("/m/shared/now.md", "---\nupdated_at: 2026-11-01\n---\nx\n");
  CompactIndexRequest request;
  request.lines = 1;
  EXPECT_EQ(index(request).entries.front().ref, "shared/now");
}

}  // namespace
}  // namespace memfs::testing
