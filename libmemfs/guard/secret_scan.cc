#include "libmemfs/guard/secret_scan.h"

#include <algorithm>
#include <deque>

#include "libmemfs/guard/pattern.h"
#include "libmemfs/guard/secret_check.h"
#include "libmemfs/guard/secret_rules.h"

namespace memfs {
namespace {

constexpr int kTriesInOneValue = 3;

const std::deque<Pattern>& secret_patterns() {
  static const auto* const all = [] {
    auto* made = new std::deque<Pattern>();
    for (const SecretRule& rule : secret_rules()) made->emplace_back(rule.pattern);
    return made;
  }();
  return *all;
}

// Most of the many "://" and "sk" of a text are told apart by a glance at what follows.
bool is_worth_a_match(const SecretRule& rule, std::string_view text, std::size_t begin) {
  if (rule.check == SecretCheck::kUrl) {
    const std::string_view rest = text.substr(begin + 3, 304);
    const auto stop = rest.find_first_of("/@?# \n\"'<>)");
    return stop != std::string_view::npos && rest[stop] == '@';
  }
  if (rule.lead != 0 || begin == 0 || rule.check != SecretCheck::kToken) return true;
  const char before = text[begin - 1];
  return !((before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
           (before >= '0' && before <= '9'));
}

// In what redaction writes: "[redacted: http-authorization]" names no header.
bool stands_in_marker(std::string_view text, std::size_t begin) {
  const std::size_t length = std::min<std::size_t>(begin, 40);
  const std::string_view before = text.substr(begin - length, length);
  const auto open = before.rfind("[redacted: ");
  return open != std::string_view::npos && before.find(']', open) == std::string_view::npos;
}

// Rows of a table for people; they also bound what one word costs.
constexpr std::size_t kMaxRow = 300;
constexpr int kMaxRows = 64;

ByteRange line_at(std::string_view text, std::size_t begin) {
  const std::string_view rest = text.substr(std::min(begin, text.size()), kMaxRow);
  return {begin, begin + std::min(rest.find('\n'), rest.size())};
}

// The beginning of the line in which `at` lies, or npos if it is far.
std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t reach = std::min(at, kMaxRow);
  const auto end = text.substr(at - reach, reach).rfind('\n');
  if (end != std::string_view::npos) return at - reach + end + 1;
  return reach == at ? 0 : std::string_view::npos;
}

bool is_row(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] == '|';
}

bool is_rule(std::string_view line) {
  return is_row(line) && line.find('-') != std::string_view::npos &&
         line.find_first_not_of("|-: \t\r") == std::string_view::npos;
}

bool follows_row(std::string_view text, std::size_t begin) {
  if (begin == 0) return false;
  const std::size_t before = line_begin(text, begin - 1);
  return before == std::string_view::npos || is_row(text.substr(before, begin - before));
}

// The cell behind the bar number `column`, empty if there is none.
ByteRange cell_of(std::string_view text, ByteRange row, std::ptrdiff_t column) {
  std::size_t begin = row.begin;
  for (; column > 0; --column) {
    begin = text.find('|', begin);
    if (begin >= row.end) return {row.end, row.end};
    ++begin;
  }
  std::size_t end = std::min(text.find('|', begin), row.end);
  constexpr std::string_view kAround = " \t\r`*";
  while (begin < end && kAround.find(text[begin]) != std::string_view::npos) ++begin;
  while (end > begin && kAround.find(text[end - 1]) != std::string_view::npos) --end;
  return {begin, end};
}

// If the word at `word` stands in the first row of a markdown table: what the rows below have in
// its column, without blanks and marks of code round it.
std::vector<ByteRange> cells_below(std::string_view text, std::size_t word) {
  std::vector<ByteRange> cells;
  const std::size_t begin = line_begin(text, word);
  if (begin == std::string_view::npos || !is_row(text.substr(begin, word - begin))) return cells;
  ByteRange row = line_at(text, line_at(text, word).end + 1);
  if (row.begin >= text.size() || !is_rule(text.substr(row.begin, row.end - row.begin)) ||
      follows_row(text, begin))
    return cells;
  const auto column = std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                 text.begin() + static_cast<std::ptrdiff_t>(word), '|');
  for (int count = 0; count < kMaxRows && row.end + 1 < text.size(); ++count) {
    row = line_at(text, row.end + 1);
    if (!is_row(text.substr(row.begin, row.end - row.begin))) break;
    if (const ByteRange cell = cell_of(text, row, column); cell.begin < cell.end)
      cells.push_back(cell);
  }
  return cells;
}

}  // namespace

void add_secret_words(KeywordSet& words) {
  std::uint16_t index = 0;
  for (const SecretRule& rule : secret_rules()) {
    for (std::string_view rest = rule.words; !rest.empty();) {
      const std::size_t bar = std::min(rest.find('|'), rest.size());
      words.add(rest.substr(0, bar), index);
      rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
    ++index;
  }
}

SecretScan::SecretScan(std::string_view text, std::size_t limit)
    : text_(text), limit_(limit), done_(secret_rules().size()), tried_(secret_rules().size()) {}

bool SecretScan::is_tried(const SecretRule& rule, std::size_t index, std::size_t begin) const {
  // A name may be the end of the value before it; a token can't.
  const bool named = rule.check >= SecretCheck::kPassword;
  if (!named && begin < done_[index]) return true;
  return begin < tried_[index].end && tried_[index].count >= kTriesInOneValue;
}

// Each of them lies behind what was found so far, and other words may lie before them: they are
// put in order at the end.
void SecretScan::add_column(std::uint16_t index, std::size_t begin) {
  for (ByteRange cell : cells_below(text_, begin)) {
    const std::size_t end = cell.end;
    if (!is_password_cell(text_, cell) || cell.end > end) continue;
    matches_.push_back({index, cell.begin, cell.end, {}});
    ++in_columns_;
  }
}

void SecretScan::word_at(std::uint16_t index, std::size_t begin) {
  const SecretRule& rule = secret_rules()[index];
  if (is_tried(rule, index, begin) || !is_worth_a_match(rule, text_, begin) ||
      stands_in_marker(text_, begin))
    return;
  if (rule.check == SecretCheck::kPassword) add_column(index, begin);
  const std::size_t from =
      rule.lead == 0 ? begin
                     : std::max(begin - std::min<std::size_t>(begin, rule.lead), done_[index]);
  const std::size_t to = std::min(text_.size(), begin + rule.ahead);
  const Pattern& pattern = secret_patterns()[index];
  ByteRange whole;
  ByteRange value;
  const bool matches = rule.lead == 0 ? pattern.match_at(text_, from, to, whole, value)
                                      : pattern.find(text_, from, to, whole, value);
  if (!matches) return;
  const bool found = is_credential(rule.check, text_, whole, value) && value.begin >= done_[index];
  Tried& tried = tried_[index];
  tried.count = begin < tried.end ? tried.count + 1 : 0;
  tried.end = std::max(tried.end, value.end);
  if (!found) return;
  matches_.push_back({index, value.begin, value.end, {}});
  done_[index] = value.end;
}

std::vector<Match> SecretScan::take() {
  resolve_overlaps(matches_, true);
  if (matches_.size() > limit_) matches_.resize(limit_);
  return std::move(matches_);
}

std::vector<Match> find_secrets(std::string_view text, std::size_t limit) {
  static const KeywordSet* const words = [] {
    auto* made = new KeywordSet();
    add_secret_words(*made);
    made->build();
    return made;
  }();
  SecretScan scan(text, limit);
  words->scan(text, [&](std::uint16_t rule, std::size_t begin, std::size_t) {
    scan.word_at(rule, begin);
    return !scan.full();
  });
  return scan.take();
}

}  // namespace memfs
