#include "libmemfs/guard/hidden_context.h"

#include <algorithm>
#include <string>

#include "libmemfs/base/utf8.h"
#include "libmemfs/guard/characters.h"

namespace memfs {
namespace {

// The character that ends at `end`, or 0 at the start of the text.
char32_t character_before(std::string_view text, std::size_t end) {
  if (end == 0) return 0;
  std::size_t begin = end - 1;
  while (begin > 0 && end - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80)
    --begin;
  std::size_t pos = begin;
  const char32_t c = decode_utf8(text, pos);
  return pos == end ? c : kReplacement;
}

char32_t character_at(std::string_view text, std::size_t pos) {
  return pos < text.size() ? decode_utf8(text, pos) : 0;
}

// A right-to-left character on the same line, near by.
bool is_beside_right_to_left(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kNear = 160;
  const std::string_view before =
      text.substr(begin - std::min(begin, kNear), std::min(begin, kNear));
  const std::string_view after = text.substr(end, kNear);
  const auto any = [](std::string_view part) {
    for (std::size_t pos = 0; pos < part.size();) {
      const char32_t c = decode_utf8(part, pos);
      if (c >= 0x590 && hidden_class(c) == HiddenClass::kNone && is_right_to_left(c)) return true;
    }
    return false;
  };
  return any(before.substr(before.rfind('\n') + 1)) || any(after.substr(0, after.find('\n')));
}

// The isolate or embedding that `c` opens or closes lies between `begin` and `end`: are both on one
// line and near, with no other control between them? Then what they hold reads in its own order and
// nothing else moves. Gives the text between, or nothing.
std::string_view closed_pair(std::string_view text, std::size_t begin, std::size_t end,
                             char32_t c) {
  constexpr std::size_t kNear = 160;
  const bool opens = c == 0x2068 || c == 0x202B;
  const char32_t twin = c == 0x2068 ? 0x2069 : c == 0x2069 ? 0x2068 : c == 0x202B ? 0x202C : 0x202B;
  const std::size_t limit = opens ? std::min(text.size(), end + kNear) : begin;
  std::size_t last = std::string_view::npos;  // end of the control before
  bool fits = false;                          // and it is the twin
  for (std::size_t pos = opens ? end : begin - std::min(begin, kNear); pos < limit;) {
    const std::size_t start = pos;
    const char32_t each = decode_utf8(text, pos);
    const bool control = hidden_class(each) == HiddenClass::kBidi && each != 0x200E &&
                         each != 0x200F && each != 0x61C;
    if (opens && each == twin) return text.substr(end, start - end);
    if (opens && (control || each == '\n')) return {};
    if (control || each == '\n') fits = each == twin, last = pos;
  }
  return fits ? text.substr(last, begin - last) : std::string_view();
}

// U+2068 … U+2069 round a name in whatever script, U+202B … U+202C round a right-to-left one.
bool is_legal_pair(std::string_view text, std::size_t begin, std::size_t end, char32_t c) {
  const bool isolate = c == 0x2068 || c == 0x2069;
  if (!isolate && c != 0x202B && c != 0x202C) return false;
  const std::string_view inside = closed_pair(text, begin, end, c);
  if (inside.empty() || isolate) return !inside.empty();
  for (std::size_t pos = 0; pos < inside.size();) {
    const char32_t each = decode_utf8(inside, pos);
    if (is_letter_or_mark(each)) return each >= 0x590 && is_right_to_left(each);
  }
  return false;
}

// No other hidden character near: page programs leave one word joiner, text cannot hide in it.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kNear = 64;
  const auto none = [](std::string_view part) {
    for (std::size_t pos = 0; pos < part.size();)
      if (hidden_class(decode_utf8(part, pos)) != HiddenClass::kNone) return false;
    return true;
  };
  return none(text.substr(begin - std::min(begin, kNear), std::min(begin, kNear))) &&
         none(text.substr(end, kNear));
}

// "U+3164 (…)": shown beside its number or name.
bool is_named_filler(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kNear = 48;
  const std::size_t from = begin - std::min(begin, kNear);
  const std::string around = ascii_lower(text.substr(from, end + kNear - from));
  return stands_alone(text, begin, end) && (around.find("u+3164") != std::string::npos ||
                                            around.find("hangul filler") != std::string::npos);
}

bool is_legal_zero_width(std::string_view text, std::size_t begin, std::size_t end, char32_t c) {
  const char32_t before = character_before(text, begin);
  const char32_t after = character_at(text, end);
  if (c == 0xFEFF) return begin == 0;
  if (c == 0x200B) return is_unspaced_script(before) || is_unspaced_script(after);
  if (is_joining_script(before) && hidden_class(before) == HiddenClass::kNone) return true;
  // Persian endings after a word in Latin letters.
  if (c == 0x200C) return is_joining_script(after) && is_letter_or_mark(before);
  const bool joins = is_pictograph(before) || is_skin_tone(before) || before == 0xFE0F;
  return joins && (is_pictograph(after) || after == 0x2640 || after == 0x2642);
}

bool is_legal_selector(std::string_view text, std::size_t begin, char32_t c) {
  const char32_t base = character_before(text, begin);
  if (c >= 0xE0100) return is_ideograph(base);
  if (c < 0xFE00) return is_mongolian(base);
  if (c == 0xFE0E || c == 0xFE0F) return is_emoji(base) || is_symbol(base);
  // Standardised variants of symbols, ideographs, and letters of some scripts, none of them Latin.
  return c <= 0xFE02 && base >= 0x2000 && hidden_class(base) == HiddenClass::kNone &&
         (is_symbol(base) || is_ideograph(base) || is_letter_or_mark(base));
}

// Black flag, two letters of a country, up to three of a part of it, cancel tag (UTS #51).
std::size_t end_of_flag(std::string_view text, std::size_t begin) {
  if (character_before(text, begin) != 0x1F3F4) return 0;
  std::size_t count = 0;
  for (std::size_t pos = begin; pos < text.size();) {
    const char32_t c = decode_utf8(text, pos);
    if (c == 0xE007F) return count >= 3 ? pos : 0;
    const bool letter = c >= 0xE0061 && c <= 0xE007A;
    const bool digit = c >= 0xE0030 && c <= 0xE0039;
    if (!letter && (!digit || count < 2)) return 0;
    if (++count > 5) return 0;
  }
  return 0;
}

bool is_legal_filler(std::string_view text, std::size_t begin, std::size_t end, char32_t c) {
  const char32_t before = character_before(text, begin);
  const char32_t after = character_at(text, end);
  const auto holds = [&](auto test) {
    return (hidden_class(before) == HiddenClass::kNone && test(before)) ||
           (hidden_class(after) == HiddenClass::kNone && test(after));
  };
  if (c == 0x3164 && is_named_filler(text, begin, end)) return true;
  return c == 0x180E ? holds(is_mongolian) : holds(is_hangul);
}

bool is_legal_other(std::string_view text, std::size_t begin, std::size_t end, char32_t c) {
  if (c == 0x2060) return stands_alone(text, begin, end);
  const char32_t before = character_before(text, begin);
  if (c == 0x34F) return before >= 0x80 && is_letter_or_mark(before) && before != c;
  if (c == 0x17B4 || c == 0x17B5) return is_khmer(before);
  // Beams and slurs of musical notation.
  return c >= 0x1D173 && c <= 0x1D17A && before >= 0x1D100 && before <= 0x1D1FF;
}

}  // namespace

std::size_t end_of_legal_use(std::string_view text, std::size_t begin, std::size_t end,
                             char32_t c) {
  bool legal = false;
  switch (hidden_class(c)) {
    case HiddenClass::kTag:
      return end_of_flag(text, begin);
    case HiddenClass::kBidi:
      legal = c == 0x200E || c == 0x200F || c == 0x61C ? is_beside_right_to_left(text, begin, end)
                                                       : is_legal_pair(text, begin, end, c);
      break;
    case HiddenClass::kZeroWidth:
      legal = is_legal_zero_width(text, begin, end, c);
      break;
    case HiddenClass::kVariationSelector:
      legal = is_legal_selector(text, begin, c);
      break;
    case HiddenClass::kFiller:
      legal = is_legal_filler(text, begin, end, c);
      break;
    case HiddenClass::kSoftHyphen:
      legal = is_letter_or_mark(character_before(text, begin)) &&
              is_letter_or_mark(character_at(text, end));
      break;
    case HiddenClass::kOther:
      legal = is_legal_other(text, begin, end, c);
      break;
    case HiddenClass::kNone:
      legal = true;
      break;
  }
  return legal ? end : 0;
}

}  // namespace memfs
