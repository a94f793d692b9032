#include "libmemfs/check/fingerprint.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

constexpr std::size_t kLookedAt = 32768;  // bytes of a body, as near_duplicate.h looks at
constexpr std::size_t kSmallest = 6;
constexpr std::uint32_t kFewest = 5;   // words that are no coincidence
constexpr std::size_t kBeginning = 5;  // bytes of a word of a title: endings do not count

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte >= 0x80;
}

// The first byte of a character of a script without blanks between its words: from U+3000 on.
bool begins_character(char c) { return static_cast<unsigned char>(c) >= 0xE3; }

std::size_t end_of_word(std::string_view text, std::size_t begin) {
  std::size_t at = begin + 1;
  if (begins_character(text[begin])) {
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) ++at;
    return at;
  }
  while (at < text.size() && is_word_byte(text[at]) && !begins_character(text[at])) ++at;
  return at;
}

// Calls `use(word)` for each word.
template <typename Use>
void for_each_word(std::string_view text, const Use& use) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_byte(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(text, at);
    use(text.substr(at, end - at));
    at = end;
  }
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  return (a ^ (b + 0x9E3779B97F4A7C15ULL + (a << 6U) + (a >> 2U))) * 0xFF51AFD7ED558CCDULL;
}

// Drops the largest when there are too many.
void keep_smallest(std::vector<std::uint64_t>& smallest, std::uint64_t hash) {
  if (smallest.size() == kSmallest && hash >= smallest.back()) return;
  const auto place = std::lower_bound(smallest.begin(), smallest.end(), hash);
  if (place != smallest.end() && *place == hash) return;
  smallest.insert(place, hash);
  if (smallest.size() > kSmallest) smallest.pop_back();
}

void add_body(std::string_view body, Fingerprint& print) {
  std::array<std::uint64_t, 2> before{};
  std::uint64_t all = 0;
  for_each_word(ascii_lower(body), [&](std::string_view word) {
    const std::uint64_t hash = hash64(word);
    all = mixed(all, hash);
    if (++print.words >= 3) keep_smallest(print.smallest, mixed(mixed(before[0], before[1]), hash));
    before = {before[1], hash};
  });
  if (print.words >= kFewest) print.body = all;
}

std::uint64_t title_hash(std::string_view title) {
  std::vector<std::string> words;
  for_each_word(ascii_lower(title), [&](std::string_view word) {
    static constexpr std::array kSilent = {std::string_view("a"), std::string_view("an"),
                                           std::string_view("the")};
    if (std::find(kSilent.begin(), kSilent.end(), word) == kSilent.end())
      words.emplace_back(word.substr(0, kBeginning));
  });
  std::sort(words.begin(), words.end());
  std::uint64_t all = 0;
  for (const std::string& word : words) all = mixed(all, hash64(word));
  return all;
}

}  // namespace

Fingerprint fingerprint_of(const Memory& memory) {
  Fingerprint print;
  add_body(cut_at_char_boundary(memory.body, kLookedAt), print);
  if (memory.has_title) print.title = title_hash(memory.title);
  return print;
}

}  // namespace memfs
