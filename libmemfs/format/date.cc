#include "libmemfs/format/date.h"

namespace memfs {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// Reads fixed-width fields from the front of a text; `ok` turns false at the first misfit.
class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  int digits(std::size_t count) {
    if (text_.size() < count) return fail();
    int value = 0;
    for (const char c : text_.substr(0, count)) {
      if (c < '0' || c > '9') return fail();
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(count);
    return value;
  }
  void sign(char expected) {
    if (!take(expected)) fail();
  }
  bool take(char expected) {
    if (text_.empty() || text_.front() != expected) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Any number of digits after a decimal point, as milliseconds.
  milliseconds fraction() {
    int value = 0;
    int count = 0;
    for (; !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; ++count) {
      if (count < 3) value = value * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
    }
    if (count == 0) fail();
    for (; count < 3; ++count) value *= 10;
    return milliseconds(value);
  }
  int fail() {
    ok = false;
    text_ = {};
    return 0;
  }
  bool at_end() const { return text_.empty(); }

  bool ok = true;

 private:
  std::string_view text_;
};

std::optional<milliseconds> parse_offset(Fields& fields) {
  if (fields.at_end() || fields.take('Z') || fields.take('z')) return milliseconds(0);
  const bool east = fields.take('+');
  if (!east) fields.sign('-');
  const int h = fields.digits(2);
  fields.sign(':');
  const int m = fields.digits(2);
  if (!fields.ok || h > 23 || m > 59) return std::nullopt;
  const milliseconds offset = hours(h) + minutes(m);
  return east ? offset : -offset;
}

}  // namespace

std::optional<ParsedDate> parse_date(std::string_view text) {
  Fields fields(text);
  const int year = fields.digits(4);
  fields.sign('-');
  const int month = fields.digits(2);
  fields.sign('-');
  const int day = fields.digits(2);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!fields.ok || !date.ok()) return std::nullopt;
  const Instant midnight = std::chrono::sys_days(date);
  if (fields.at_end()) return ParsedDate{midnight, true};
  if (!fields.take('T') && !fields.take('t') && !fields.take(' ')) return std::nullopt;
  const int h = fields.digits(2);
  fields.sign(':');
  const int m = fields.digits(2);
  const int s = fields.take(':') ? fields.digits(2) : 0;
  const milliseconds fraction = fields.take('.') ? fields.fraction() : milliseconds(0);
  const auto offset = parse_offset(fields);
  // Second 60 is a leap second (RFC 3339, 5.7): it counts as the next minute's first.
  if (!fields.ok || !offset || !fields.at_end() || h > 23 || m > 59 || s > 60) return std::nullopt;
  return ParsedDate{midnight + hours(h) + minutes(m) + seconds(s) + fraction - *offset, false};
}

Instant last_good_instant(const ParsedDate& date) {
  if (!date.date_only) return date.at;
  return date.at + std::chrono::days(1) - milliseconds(1);
}

}  // namespace memfs
