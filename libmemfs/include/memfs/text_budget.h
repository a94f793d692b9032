// How much text a reader takes: in bytes, or in tokens as language models count them.
#pragma once

#include <memfs/result.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace memfs {

struct TextBudget {
  enum class Unit : std::uint8_t { kBytes, kTokens };
  std::uint64_t amount = 0;
  Unit unit = Unit::kBytes;
  bool operator==(const TextBudget&) const = default;
};

// In less nothing useful fits beside the account of what was left out.
constexpr TextBudget kLeastBytes{500, TextBudget::Unit::kBytes};
constexpr TextBudget kLeastTokens{250, TextBudget::Unit::kTokens};

// "8000", "8k", "8kB", "1MB", "2000tokens", "2ktokens", in any case, with a blank before the unit
// or none. k is 1000, M 1,000,000; a number alone counts bytes. kUsage for anything else, for
// fractions, and for less than kLeastBytes or kLeastTokens.
Result<TextBudget> parse_text_budget(std::string_view text);
// "8000 bytes", "2000 tokens".
std::string spoken(const TextBudget& budget);

// About how many tokens a language model takes for the text, seldom fewer than it really takes:
//   ASCII letters: 4 a token, each word at least 1   digits: 2   other ASCII signs: 2
//   blanks before a word are its own; a run of more of them, or a line's end: 1
//   letters of two bytes (é, ш, ع): 2 a token   of three (字, ไ, 한): 1 each   of four (😀): 2
//   tokens each
// docs/context.md says how it compares with two real tokenizers. No more for a text than for its
// lines together.
std::uint64_t estimate_tokens(std::string_view text);

// The text's size in the unit.
std::uint64_t size_in(TextBudget::Unit unit, std::string_view text);

}  // namespace memfs
