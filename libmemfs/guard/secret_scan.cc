#include "libmemfs/guard/secret_scan.h"

#include <algorithm>
#include <deque>

#include "libmemfs/guard/pattern.h"
#include "libmemfs/guard/secret_check.h"
#include "libmemfs/guard/secret_rules.h"

namespace memfs {
namespace {

constexpr int kTriesInOneValue = 3;

const std::deque<Pattern>& patterns() {
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
  const bool named =
      rule.check == SecretCheck::kPassword || rule.check == SecretCheck::kNamedSecret;
  if (!named && begin < done_[index]) return true;
  return begin < tried_[index].end && tried_[index].count >= kTriesInOneValue;
}

void SecretScan::word_at(std::uint16_t index, std::size_t begin) {
  const SecretRule& rule = secret_rules()[index];
  if (is_tried(rule, index, begin) || !is_worth_a_match(rule, text_, begin) ||
      stands_in_marker(text_, begin))
    return;
  const std::size_t from =
      rule.lead == 0 ? begin
                     : std::max(begin - std::min<std::size_t>(begin, rule.lead), done_[index]);
  const std::size_t to = std::min(text_.size(), begin + rule.ahead);
  const Pattern& pattern = patterns()[index];
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
