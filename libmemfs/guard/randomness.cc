#include "libmemfs/guard/randomness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return is_lower(c) || is_upper(c); }
bool is_alnum(char c) { return is_alpha(c) || is_digit(c); }

template <typename Test>
std::size_t count(std::string_view value, Test test) {
  return static_cast<std::size_t>(std::count_if(value.begin(), value.end(), test));
}

// What manuals put where a credential belongs, and no generator gives.
constexpr std::array<std::string_view, 24> kStandIns = {
    "example", "sample", "placeholder", "changeme", "change-me", "change_me", "your",     "replace",
    "insert",  "dummy",  "xxxx",        "****",     "...",       "redacted",  "foobar",   "invalid",
    "<",       ">",      "${",          "{{",       "}}",        "$(",        "deadbeef", "…"};
// Words that stand in prefixes of tokens too.
constexpr std::array<std::string_view, 12> kNames = {"password", "passwd", "passw0rd", "p@ssw0rd",
                                                     "p@ssword", "secret", "token",    "test",
                                                     "default",  "apikey", "api_key",  "%s"};

template <std::size_t kCount>
bool holds_any(std::string_view value, const std::array<std::string_view, kCount>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return value.find(word) != std::string_view::npos;
  });
}

// "12345678", "abcdefgh": as many characters, each the next of the one before.
bool has_sequence(std::string_view value, std::size_t length) {
  std::size_t run = 1;
  for (std::size_t at = 1; at < value.size(); ++at) {
    run =
        value[at] == value[at - 1] + 1 || (value[at] == '0' && value[at - 1] == '9') ? run + 1 : 1;
    if (run >= length) return true;
  }
  return false;
}

bool has_repeats(std::string_view value, std::size_t length) {
  std::size_t run = 1;
  for (std::size_t at = 1; at < value.size(); ++at) {
    run = value[at] == value[at - 1] ? run + 1 : 1;
    if (run >= length) return true;
  }
  return false;
}

// A run of letters that can be spoken: a vowel in it and never more than three consonants in a row.
bool is_word(std::string_view letters) {
  if (letters.size() < 4) return false;
  std::size_t vowels = 0;
  std::size_t consonants = 0;
  for (const char c : ascii_lower(letters)) {
    const bool vowel = std::string_view("aeiouy").find(c) != std::string_view::npos;
    vowels += vowel ? 1 : 0;
    consonants = vowel ? 0 : consonants + 1;
    if (consonants > 3) return false;
  }
  return vowels > 0;
}

// End of the run of letters at `at`: small ones with one capital before them, or capitals.
std::size_t run_end(std::string_view value, std::size_t at) {
  std::size_t end = at + 1;
  if (is_upper(value[at]) && end < value.size() && is_upper(value[end])) {
    while (end < value.size() && is_upper(value[end])) ++end;
  } else {
    while (end < value.size() && is_lower(value[end])) ++end;
  }
  return end;
}

// Letters that belong to words.
std::size_t letters_in_words(std::string_view value) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < value.size();) {
    if (!is_alpha(value[at])) {
      ++at;
      continue;
    }
    const std::size_t end = run_end(value, at);
    if (is_word(value.substr(at, end - at))) letters += end - at;
    at = end;
  }
  return letters;
}

// How often letter and digit change, or a capital follows a small letter.
std::size_t changes(std::string_view value) {
  std::size_t result = 0;
  for (std::size_t at = 1; at < value.size(); ++at) {
    const char before = value[at - 1];
    const char c = value[at];
    if (!is_alnum(before) || !is_alnum(c)) continue;
    if (is_digit(before) != is_digit(c) || (is_lower(before) && is_upper(c))) ++result;
  }
  return result;
}

bool has_extension(std::string_view value) {
  const auto dot = value.rfind('.');
  if (dot == std::string_view::npos || value.size() - dot > 6 || value.size() - dot < 3)
    return false;
  return std::all_of(value.begin() + static_cast<std::ptrdiff_t>(dot) + 1, value.end(), is_lower);
}

}  // namespace

double entropy(std::string_view value) {
  std::array<std::size_t, 256> counts{};
  for (const char c : value) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  const auto size = static_cast<double>(value.size());
  for (const std::size_t n : counts) {
    if (n == 0) continue;
    const double share = static_cast<double>(n) / size;
    bits -= share * std::log2(share);
  }
  return bits;
}

bool is_placeholder(std::string_view value) {
  const std::string lower = ascii_lower(value);
  return value.empty() || holds_any(lower, kStandIns) || has_sequence(lower, 7) ||
         has_repeats(lower, 5);
}

bool is_named_placeholder(std::string_view value) {
  return is_placeholder(value) || holds_any(ascii_lower(value), kNames);
}

bool reads_as_words(std::string_view value) {
  return letters_in_words(value) * 10 > count(value, is_alpha) * 6;
}

bool is_hex(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

bool is_uuid(std::string_view value) {
  if (value.size() != 36) return false;
  for (std::size_t at = 0; at < value.size(); ++at) {
    const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
    if (dash ? value[at] != '-' : !is_hex(value.substr(at, 1))) return false;
  }
  return true;
}

bool looks_random(std::string_view value) {
  const std::size_t letters = count(value, is_alpha);
  const std::size_t digits = count(value, is_digit);
  if (letters == 0 || digits == 0 || letters + digits < value.size() * 4 / 5) return false;
  if (entropy(value) < (is_hex(value) ? 2.9 : 3.3)) return false;
  return !reads_as_words(value) && changes(value) * 8 >= value.size();
}

bool looks_like_code(std::string_view value) {
  constexpr std::string_view kNever = "()[]{}<>;,|\\";
  if (value.find_first_of(kNever) != std::string_view::npos) return true;
  if (value.find("::") != std::string_view::npos || value.find("->") != std::string_view::npos ||
      value.find("://") != std::string_view::npos || value.find("..") != std::string_view::npos)
    return true;
  if (std::string_view("$%@&!./~:*-_").find(value.front()) != std::string_view::npos) return true;
  if (value.starts_with("sha") && value.find_first_of(":-") < 8) return true;
  return has_extension(value) || is_uuid(value);
}

namespace {

// Signs that names, paths and versions do without.
bool is_sign(char c) { return std::string_view("!#$%^&*?+~=@").find(c) != std::string_view::npos; }

// How often digits begin.
std::size_t digit_runs(std::string_view value) {
  std::size_t runs = 0;
  for (std::size_t at = 0; at < value.size(); ++at)
    if (is_digit(value[at]) && (at == 0 || !is_digit(value[at - 1]))) ++runs;
  return runs;
}

// "kQ7mzRt4", and "hunter2butlonger9X" although it can be spoken.
bool mixes_both_cases(std::string_view value) {
  if (count(value, is_lower) == 0 || count(value, is_upper) == 0 || digit_runs(value) < 2)
    return false;
  if (value.find_first_of("-_./:") != std::string_view::npos) return false;
  return value.size() >= 16 || (!reads_as_words(value) && changes(value) * 3 >= value.size());
}

// "Ujtk3QLYSC7xR2": no name changes so often, whatever its runs of letters look like.
bool changes_all_the_time(std::string_view value) {
  return digit_runs(value) >= 3 && changes(value) * 5 >= value.size() * 2;
}

}  // namespace

bool looks_like_password(std::string_view value) {
  if (value.size() < 8) return false;
  const std::size_t digits = count(value, is_digit);
  const std::size_t lower = count(value, is_lower);
  const std::size_t upper = count(value, is_upper);
  if (digits == 0 || lower + upper == 0) return false;
  if (count(value, is_sign) > 0 || mixes_both_cases(value)) return true;
  if (lower > 0 && upper > 0 && changes_all_the_time(value)) return true;
  return looks_random(value) && (digits > 1 || (lower > 1 && upper > 1));
}

bool is_mixed_password(std::string_view value) {
  if (!looks_like_password(value)) return false;
  // "invalid password ip=10.0.0.1": the next of several fields.
  if (const auto gives = value.find('=');
      gives != std::string_view::npos &&
      std::all_of(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(gives), is_alpha))
    return false;
  const std::size_t kinds =
      (count(value, is_digit) > 0 ? 1U : 0U) + (count(value, is_lower) > 0 ? 1U : 0U) +
      (count(value, is_upper) > 0 ? 1U : 0U) + (count(value, is_sign) > 0 ? 1U : 0U);
  if (value.find('/') != std::string_view::npos) return kinds >= 3 && looks_random(value);
  return kinds == 4 || (kinds == 3 && (!reads_as_words(value) || changes_all_the_time(value)));
}

}  // namespace memfs
