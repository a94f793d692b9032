// Dates in front matter.
#pragma once

#include <optional>
#include <string_view>

#include "libmemfs/base/clock.h"

namespace memfs {

struct ParsedDate {
  Instant at;  // for a bare date its first instant, UTC
  bool date_only = false;
};

// RFC 3339 date-time (section 5.6; "T", "t" or one blank between, seconds optional, no offset
// means UTC) or YYYY-MM-DD. Days that do not exist are no dates: nothing rolls over.
std::optional<ParsedDate> parse_date(std::string_view text);

// The last instant at which something "good until" the date is still good: for a bare date the
// last millisecond of that day in UTC.
Instant last_good_instant(const ParsedDate& date);

}  // namespace memfs
