#include <memfs/text_budget.h>

#include <charconv>
#include <optional>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

enum class Sign : std::uint8_t { kLetter, kDigit, kBlank, kLineEnd, kMark, kTwo, kThree, kFour };

bool is_ascii_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

Sign sign_of(char32_t c) {
  if (c >= 0x10000) return Sign::kFour;
  if (c >= 0x800) return Sign::kThree;
  if (c >= 0x80) return Sign::kTwo;
  const char ascii = static_cast<char>(c);
  if (is_ascii_letter(ascii)) return Sign::kLetter;
  if (ascii >= '0' && ascii <= '9') return Sign::kDigit;
  if (ascii == ' ' || ascii == '\t') return Sign::kBlank;
  return ascii == '\n' || ascii == '\r' ? Sign::kLineEnd : Sign::kMark;
}

// Tokens of `count` characters of one sort in a row.
std::uint64_t tokens_of(Sign sign, std::uint64_t count) {
  switch (sign) {
    case Sign::kLetter:
      return (count + 3) / 4;
    case Sign::kDigit:
    case Sign::kMark:
    case Sign::kTwo:
      return (count + 1) / 2;
    case Sign::kBlank:
      return count > 1 ? 1 : 0;
    case Sign::kLineEnd:
      return 1;
    case Sign::kThree:
      return count;
    case Sign::kFour:
      return count * 2;
  }
  return count;
}

Error not_a_budget(std::string_view text) {
  return make_error(ErrorCode::kUsage, "not a size: " + escape_for_terminal(text))
      .with_hint("a whole number of bytes or tokens, such as 8000, 8k, 1MB, 2000tokens, 2ktokens");
}

// What stands behind the number: 1, 1000 or 1,000,000 of bytes or tokens.
struct Measure {
  std::uint64_t factor = 1;
  TextBudget::Unit unit = TextBudget::Unit::kBytes;
};

std::optional<Measure> measure_of(std::string_view suffix) {
  Measure measure;
  std::string word = ascii_lower(trim(suffix));
  const bool thousands = word.starts_with('k');
  // Not the b of bytes.
  if (thousands || word.starts_with('m')) {
    measure.factor = thousands ? 1'000 : 1'000'000;
    word = trim(std::string_view(word).substr(1));
  }
  if (word == "tokens" || word == "token" || word == "t") {
    measure.unit = TextBudget::Unit::kTokens;
  } else if (!word.empty() && word != "b" && word != "bytes" && word != "byte") {
    return std::nullopt;
  }
  return measure;
}

}  // namespace

std::uint64_t estimate_tokens(std::string_view text) {
  std::uint64_t tokens = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Sign sign = sign_of(decode_utf8(text, at));
    std::uint64_t count = 1;
    for (std::size_t next = at; next < text.size(); at = next, ++count)
      if (sign_of(decode_utf8(text, next)) != sign) break;
    tokens += tokens_of(sign, count);
  }
  return tokens;
}

std::uint64_t size_in(TextBudget::Unit unit, std::string_view text) {
  return unit == TextBudget::Unit::kBytes ? text.size() : estimate_tokens(text);
}

std::string spoken(const TextBudget& budget) {
  return std::to_string(budget.amount) +
         (budget.unit == TextBudget::Unit::kBytes ? " bytes" : " tokens");
}

Result<TextBudget> parse_text_budget(std::string_view text) {
  const std::string_view whole = trim(text);
  TextBudget budget;
  const char* end = whole.data() + whole.size();
  const auto number = std::from_chars(whole.data(), end, budget.amount);
  if (number.ec != std::errc{}) return not_a_budget(text);
  const auto measure = measure_of({number.ptr, static_cast<std::size_t>(end - number.ptr)});
  if (!measure || budget.amount > UINT64_MAX / 2 / measure->factor) return not_a_budget(text);
  budget.amount *= measure->factor;
  budget.unit = measure->unit;
  const TextBudget& least = budget.unit == TextBudget::Unit::kBytes ? kLeastBytes : kLeastTokens;
  if (budget.amount >= least.amount) return budget;
  return make_error(ErrorCode::kUsage, spoken(budget) + " are too few")
      .with_hint("at least " + spoken(least) +
                 ", so that there is room to say what was left out and how to get it");
}

}  // namespace memfs
