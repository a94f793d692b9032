#include <gtest/gtest.h>
#include <memfs/freshness.h>

#include "libmemfs/base/clock.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/memory_reader.h"

namespace memfs {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;

const Instant kNow = parse_date("2026-11-30T12:00:00Z")->at;

Memory memory_with(const std::string& block, Scope scope = Scope::kPrivate) {
  Problem empty;
  auto memory =
      read_memory({scope, "a.md", "/m/a.md"}, "---\ntitle: T\n" + block + "---\nbody\n", &empty);
  EXPECT_TRUE(memory) << empty.message;
  memory->modified = kNow - days(2000);
  return *memory;
}

Freshness after(const std::string& block, milliseconds age) {
  const std::string updated = "updated_at: " + format_instant(kNow - age) + "\n";
  return age_of(memory_with(block + updated), kNow).freshness;
}

struct Window {
  const char* block;
  int fresh;
  int stale;
};

class FreshnessWindow : public testing::TestWithParam<Window> {};

TEST_P(FreshnessWindow, IsFreshThenCurrentThenStaleEachLimitIncluded) {
  const auto& [block, fresh, stale] = GetParam();
  const std::chrono::seconds tick(1);
  EXPECT_EQ(after(block, milliseconds(0)), Freshness::kFresh) << block;
  EXPECT_EQ(after(block, days(fresh)), Freshness::kFresh) << block;
  EXPECT_EQ(after(block, days(fresh) + tick), Freshness::kCurrent) << block;
  EXPECT_EQ(after(block, days(stale)), Freshness::kCurrent) << block;
  EXPECT_EQ(after(block, days(stale) + tick), Freshness::kStale) << block;
}

INSTANTIATE_TEST_SUITE_P(ReasonixWindows, FreshnessWindow,
                         testing::Values(Window{"volatility: volatile\n", 7, 30},
                                         Window{"volatility: stable\n", 90, 365},
                                         Window{"type: reference\n", 14, 45},
                                         Window{"type: user\n", 90, 365},
                                         Window{"type: feedback\n", 90, 365},
                                         Window{"type: project\n", 30, 180}, Window{"", 90, 365},
                                         Window{"type: recipe\n", 90, 365},
                                         // The volatility stands above the type.
                                         Window{"type: reference\nvolatility: stable\n", 90, 365},
                                         Window{"type: user\nvolatility: volatile\n", 7, 30}));

TEST(Freshness, WhatIsEvergreenNeverAges) {
  EXPECT_EQ(after("volatility: evergreen\ntype: reference\n", days(20000)), Freshness::kFresh);
}

TEST(Freshness, VerifyingRenewsTheClock) {
  const Memory memory =
      memory_with("volatility: volatile\nupdated_at: 2025-01-01\nlast_verified_at: 2026-11-29\n");
  EXPECT_EQ(age_of(memory, kNow).freshness, Freshness::kFresh);
}

TEST(Freshness, AnOlderVerificationDoesNotHideALaterUpdate) {
  const Memory memory =
      memory_with("volatility: volatile\nupdated_at: 2026-11-29\nlast_verified_at: 2025-01-01\n");
  EXPECT_EQ(age_of(memory, kNow).freshness, Freshness::kFresh);
}

TEST(Freshness, WithoutOtherDatesTheCreationCountsAndThenTheFile) {
  EXPECT_EQ(age_of(memory_with("created_at: 2026-11-29\n"), kNow).freshness, Freshness::kFresh);
  EXPECT_EQ(age_of(memory_with(""), kNow).freshness, Freshness::kStale);
}

TEST(Freshness, TheTimeOfACheckedOutFileSaysNothing) {
  const Memory memory = memory_with("", Scope::kShared);
  EXPECT_FALSE(age_clock(memory));
  EXPECT_EQ(age_of(memory, kNow).freshness, Freshness::kCurrent);
}

TEST(Freshness, TheLastCommitCountsForASharedFileThatPeopleEdit) {
  Memory memory = memory_with("updated_at: 2020-01-01\n", Scope::kShared);
  EXPECT_EQ(age_of(memory, kNow).freshness, Freshness::kStale);
  memory.committed_at = kNow - days(3);
  EXPECT_EQ(age_of(memory, kNow).freshness, Freshness::kFresh);
}

// EX-3: a typing error neither hides a memory nor makes it look new.
TEST(Freshness, OddDatesAreNeitherNowNorTheEnd) {
  for (const char* odd : {"2026-02-30", "2026-13-01", "2026-1-5", "2023-01-010", "10/03/2026",
                          "tomorrow", "2026-03-10Z", "0000-00-00", "''"}) {
    const Memory expiring =
        memory_with("updated_at: 2026-11-29\nexpires_at: " + std::string(odd) + "\n");
    EXPECT_EQ(age_of(expiring, kNow).freshness, Freshness::kFresh) << odd;
    const Memory dated = memory_with("updated_at: " + std::string(odd) + "\n");
    EXPECT_EQ(age_of(dated, kNow).freshness, Freshness::kStale) << odd;
  }
}

// EX-1, and the fault of Reasonix: there a bare date ended at 00:00 of that day.
TEST(Freshness, ReasonixABareExpiryDateIsGoodThroughTheEndOfThatDay) {
  const Memory memory = memory_with("updated_at: 2026-11-29\nexpires_at: 2026-11-30\n");
  EXPECT_EQ(age_of(memory, parse_date("2026-11-30T00:00:00Z")->at).freshness, Freshness::kFresh);
  EXPECT_EQ(age_of(memory, parse_date("2026-11-30T23:59:59Z")->at).freshness, Freshness::kFresh);
  EXPECT_EQ(age_of(memory, parse_date("2026-12-01T00:00:00Z")->at).freshness, Freshness::kExpired);
}

TEST(Freshness, OverdueIsTheTimeSinceTheWindowClosed) {
  const Memory stale = memory_with("volatility: volatile\nupdated_at: 2026-10-21T12:00:00Z\n");
  EXPECT_EQ(age_of(stale, kNow).overdue, days(10));
  const Memory expired = memory_with("expires_at: 2026-11-29T12:00:00Z\n");
  EXPECT_EQ(age_of(expired, kNow).overdue, days(1));
  EXPECT_EQ(age_of(memory_with("updated_at: 2026-11-30\n"), kNow).overdue, milliseconds(0));
}

TEST(Freshness, ADateInTheFutureDoesNotKeepAMemoryFreshForEver) {
  EXPECT_EQ(after("", -days(400)), Freshness::kCurrent);
  EXPECT_FALSE(age_of(memory_with("updated_at: 2999-01-01\n"), kNow).clock);
  // Clocks differ a little.
  EXPECT_EQ(after("", -std::chrono::hours(14)), Freshness::kFresh);
}

TEST(Freshness, DurationsAreSpokenInTheirLargestUnit) {
  EXPECT_EQ(spoken_duration(days(1)), "1 day");
  EXPECT_EQ(spoken_duration(days(29)), "29 days");
  EXPECT_EQ(spoken_duration(days(60)), "2 months");
  EXPECT_EQ(spoken_duration(days(400)), "1 year");
  EXPECT_EQ(spoken_duration(std::chrono::seconds(30)), "moments");
}

}  // namespace
}  // namespace memfs
