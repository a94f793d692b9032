// What a scope may hold: every way in, and every edge of a limit.
#include <gtest/gtest.h>

#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {
namespace {

class BudgetTest : public StoreFixture {
 protected:
  void limit(const std::string& budget) {
    memory->plant("/m/config.yaml", "version: 1\nbudget:\n  shared: {" + budget + "}\n");
  }
  static Change body(const std::string& text) {
    Change change;
    change.body = {BodyEdit::Kind::kSet, text, {}};
    return change;
  }
  static std::string detail(const Error& error, const std::string& key) {
    for (const auto& [name, value] : error.details)
      if (name == key) return value;
    return "";
  }
  // That the write was refused for this limit, and changed nothing.
  template <typename Write>
  void expect_full(const std::string& limit_of, Write write) {
    const auto before = files_below(*memory, "/m/shared");
    const auto refused = write();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kRefused) << refused.error().message;
    EXPECT_EQ(detail(refused.error(), "reason"), "budget");
    EXPECT_EQ(detail(refused.error(), "limit_of"), limit_of);
    EXPECT_EQ(files_below(*memory, "/m/shared"), before);
  }
  static bool is_warned(const WriteResult& result) {
    for (const std::string& warning : result.warnings)
      if (warning.find("% full") != std::string::npos) return true;
    return false;
  }
};

// newt: the cap is the curator: usage, the full list and what to do.
TEST_F(BudgetTest, WhatDoesNotFitIsRefusedWithUsageEntriesAndWhatToDo) {
  limit("characters: 20");
  ASSERT_TRUE(open().create(wish("Alpha", "0123456789")));
  now = "2026-12-02T09:00:00Z";
  ASSERT_TRUE(open().create(wish("Beta", "abcdefg")));
  const auto refused = open().create(wish("Gamma", "four"));
  ASSERT_FALSE(refused);
  const Error& error = refused.error();
  EXPECT_EQ(error.message, "shared would hold 21 of 20 characters, and nothing was saved");
  EXPECT_NE(error.hint.find("forget"), std::string::npos);
  EXPECT_EQ(detail(error, "used"), "17");
  EXPECT_EQ(detail(error, "limit"), "20");
  EXPECT_EQ(detail(error, "percent"), "85");
  ASSERT_EQ(error.rows.size(), 2U);
  EXPECT_EQ(error.rows[0].cells[0].second, "shared/alpha") << "the oldest first";
}

TEST_F(BudgetTest, ExactlyTheLimitFits) {
  limit("characters: 10");
  const auto full = open().create(wish("A", "0123456789"));
  ASSERT_TRUE(full);
  EXPECT_EQ(full->usage.percent(), 100U);
  expect_full("characters", [&] { return open().create(wish("B", "x")); });
  ASSERT_TRUE(open().update("a", body("012345678")));
  EXPECT_TRUE(open().create(wish("B", "x")));
}

TEST_F(BudgetTest, CharactersAreCodePointsOfTheBody) {
  limit("characters: 4");
  const auto made = open().create(wish("A long title counts nothing", "记忆字"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->usage.used, 3U);
  EXPECT_TRUE(open().create(wish("B", "é")));
  expect_full("characters", [&] { return open().create(wish("C", "é")); });
}

// newt has no soft warning.
TEST_F(BudgetTest, FromEightyFivePercentAWriteThatGrowsIsWarned) {
  limit("characters: 100");
  EXPECT_FALSE(is_warned(*open().create(wish("A", std::string(84, 'a')))));
  const auto grown = open().update("a", append(""));
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->usage.percent(), 85U);
  EXPECT_TRUE(is_warned(*grown));
  EXPECT_FALSE(is_warned(*open().update("a", set("type", "user")))) << "it does not grow";
}

TEST_F(BudgetTest, AScopeThatGrewByHandTakesWhatShrinksAndWhatStays) {
  limit("characters: 10, entries: 1");
  memory->plant("/m/shared/a.md", std::string(30, 'a'));
  memory->plant("/m/shared/b.md", std::string(30, 'b'));
  EXPECT_TRUE(open().update("a", body(std::string(29, 'a')))) << "still over, but less";
  EXPECT_TRUE(open().update("a", set("type", "user")));
  EXPECT_TRUE(open().verify("a"));
  expect_full("characters", [&] { return open().update("a", append("more")); });
  expect_full("characters", [&] { return open().create(wish("C", "c")); });
  EXPECT_TRUE(open().forget("b"));
  expect_full("characters", [&] { return open().recover("b"); });
  EXPECT_TRUE(open().forget("a", true));
}

TEST_F(BudgetTest, PinningCountsWhatIsPinned) {
  limit("pinned: 10");
  ASSERT_TRUE(open().create(wish("A", "12345678")));
  ASSERT_TRUE(open().create(wish("B", "abc")));
  ASSERT_TRUE(open().update("a", set("activation", "pinned")));
  expect_full("pinned characters", [&] { return open().update("b", set("activation", "pinned")); });
  expect_full("pinned characters", [&] { return open().update("a", append("xyz")); });
  const auto error = open().update("b", set("activation", "pinned")).error();
  ASSERT_EQ(error.rows.size(), 1U) << "only what is pinned can make room";
  EXPECT_EQ(error.rows[0].cells[0].second, "shared/a");
  ASSERT_TRUE(open().update("a", set("activation", "relevant")));
  EXPECT_TRUE(open().update("b", set("activation", "pinned")));
}

TEST_F(BudgetTest, EveryWayIntoAFullScopeIsCounted) {
  ASSERT_TRUE(open().create(wish("A", "1234567890\n")));
  ASSERT_TRUE(open().update("a", body("12345\n")));
  ASSERT_TRUE(open().create(wish("B", "abcd\n")));
  ASSERT_TRUE(open().forget("b"));
  ASSERT_TRUE(open().create(wish("C", "efgh\n", Scope::kPrivate)));
  limit("characters: 9");
  expect_full("characters", [&] { return open().recover("b"); });
  expect_full("characters", [&] { return open().move({.from = "c", .to = "shared"}); });
  expect_full("characters", [&] { return open().restore("a", "1"); });
  const auto read = open().read("a");
  expect_full("characters", [&] {
    return open().edit("a", *open().read_bytes(read->memory) + "more\n", read->memory.etag);
  });
  EXPECT_TRUE(memory->exists("/m/private/c.md"));
  EXPECT_EQ(open().archived()->size(), 1U);
}

TEST_F(BudgetTest, EntriesAreLimitedToo) {
  limit("entries: 2");
  ASSERT_TRUE(open().create(wish("A", "a\n")));
  const auto second = open().create(wish("B", "b\n"));
  EXPECT_TRUE(is_warned(*second));
  expect_full("memories", [&] { return open().create(wish("C", "c\n")); });
  EXPECT_TRUE(open().update("a", append(std::string(1000, 'a'))));
  EXPECT_TRUE(open().create(wish("C", "c\n", Scope::kGlobal))) << "another scope";
}

TEST_F(BudgetTest, ALimitOfNothingHoldsNothing) {
  limit("characters: 0");
  expect_full("characters", [&] { return open().create(wish("A", "a")); });
  EXPECT_TRUE(open().create(wish("Only a title", "")));
  limit("entries: 0, pinned: 0");
  expect_full("memories", [&] { return open().create(wish("B", "")); });
  expect_full("pinned characters", [&] {
    Change change = set("activation", "pinned");
    change.body = {BodyEdit::Kind::kSet, "b", {}};
    return open().update("only-a-title", change);
  });
}

// newt: an exact duplicate is a no-op, also where nothing fits any more.
TEST_F(BudgetTest, TheSameAgainIsNoWriteInAFullScope) {
  limit("entries: 1");
  ASSERT_TRUE(open().create(wish("A", "a\n")));
  const auto same = open().create(wish("A", "a\n"));
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(same->duplicate);
  EXPECT_EQ(same->usage.entries, 1U);
}

TEST_F(BudgetTest, ANumberThatIsNoneIsAProblemAndTheDefaultHolds) {
  memory->plant("/m/config.yaml", "version: 1\nbudget:\n  shared: {characters: -1, entris: 2}\n");
  const Layout layout = memory_layout(*memory);
  EXPECT_EQ(layout.notes.size(), 2U);
  EXPECT_EQ(layout.settings.budget(Scope::kShared), Budget{});
}

}  // namespace
}  // namespace memfs::testing
