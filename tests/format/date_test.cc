#include "libmemfs/format/date.h"

#include <gtest/gtest.h>

namespace memfs {
namespace {

std::string read_back(std::string_view text) {
  const auto date = parse_date(text);
  return date ? format_instant(date->at) + (date->date_only ? " day" : "") : "no date";
}

TEST(Date, ReadsDaysAndInstants) {
  EXPECT_EQ(read_back("2026-03-10"), "2026-03-10T00:00:00Z day");
  EXPECT_EQ(read_back("2026-03-10T12:00:00Z"), "2026-03-10T12:00:00Z");
  EXPECT_EQ(read_back("2026-04-14T10:00:00+02:00"), "2026-04-14T08:00:00Z");
  EXPECT_EQ(read_back("2026-04-14T10:00:00-05:30"), "2026-04-14T15:30:00Z");
  EXPECT_EQ(read_back("2026-04-14 10:00"), "2026-04-14T10:00:00Z") << "no offset means UTC";
  EXPECT_EQ(read_back("2026-04-14t10:00:00.5z"), "2026-04-14T10:00:00Z");
  EXPECT_EQ(read_back("2024-02-29"), "2024-02-29T00:00:00Z day");
  EXPECT_EQ(read_back("9999-12-31"), "9999-12-31T00:00:00Z day");
}

TEST(Date, RefusesWhatIsNoDateAndRollsNothingOver) {
  for (const char* text :
       {"2026-02-30", "2026-13-01", "2026-1-5", "2023-01-010", "10/03/2026", "tomorrow",
        "2026-03-10Z", "", "0000-00-00", "2025-02-29", "2026-03-10T25:00:00Z",
        "2026-03-10T10:00:00+2", "2026-03-10T10:00:00Zx", "2026-03-10T"})
    EXPECT_EQ(read_back(text), "no date") << text;
}

TEST(Date, ADayIsGoodThroughItsLastMillisecondInUtc) {
  EXPECT_EQ(format_instant(last_good_instant(*parse_date("2026-03-10"))), "2026-03-10T23:59:59Z");
  EXPECT_EQ(last_good_instant(*parse_date("2026-03-10T12:00:00Z")),
            parse_date("2026-03-10T12:00:00Z")->at);
}

}  // namespace
}  // namespace memfs
