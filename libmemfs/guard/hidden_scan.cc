#include "libmemfs/guard/hidden_scan.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "libmemfs/base/utf8.h"
#include "libmemfs/guard/hidden_context.h"
#include "libmemfs/guard/hidden_message.h"

namespace memfs {
namespace {

constexpr std::array kHiddenRules = {
    HiddenRule{"tag-characters", "tag characters outside a flag: text for machines only",
               HiddenClass::kTag},
    HiddenRule{"bidi-control", "controls that make text read in another order than it has",
               HiddenClass::kBidi},
    HiddenRule{"zero-width", "zero-width blanks and joiners that no script or emoji needs",
               HiddenClass::kZeroWidth},
    HiddenRule{"variation-selector", "variation selectors with nothing to vary, or in a row",
               HiddenClass::kVariationSelector},
    HiddenRule{"blank-filler", "letters without shape, such as the Hangul fillers",
               HiddenClass::kFiller},
    HiddenRule{"soft-hyphen", "soft hyphens outside a word or in a row", HiddenClass::kSoftHyphen},
    HiddenRule{"invisible-character", "every other character without shape", HiddenClass::kOther},
};

std::uint16_t rule_of(HiddenClass hidden) {
  const auto* const found =
      std::find_if(kHiddenRules.begin(), kHiddenRules.end(),
                   [&](const HiddenRule& rule) { return rule.hidden_class == hidden; });
  return static_cast<std::uint16_t>(found - kHiddenRules.begin());
}

// The next byte that is not ASCII, from `pos` on.
std::size_t skip_ascii(std::string_view text, std::size_t pos) {
  std::uint64_t eight = 0;
  while (pos + sizeof eight <= text.size()) {
    std::memcpy(&eight, text.data() + pos, sizeof eight);
    if ((eight & 0x8080808080808080U) != 0) break;
    pos += sizeof eight;
  }
  while (pos < text.size() && (static_cast<unsigned char>(text[pos]) & 0x80U) == 0) ++pos;
  return pos;
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A letter that looks Latin beside one that is.
bool stands_in_latin_word(std::string_view text, std::size_t begin, std::size_t end) {
  return (begin > 0 && is_ascii_letter(text[begin - 1])) ||
         (end < text.size() && is_ascii_letter(text[end]));
}

}  // namespace

std::span<const HiddenRule> hidden_rules() { return kHiddenRules; }

std::vector<Match> find_hidden(std::string_view text, std::size_t limit,
                               const std::function<void(std::size_t, std::size_t)>& disguise) {
  std::vector<Match> found;
  for (std::size_t pos = skip_ascii(text, 0); pos < text.size(); pos = skip_ascii(text, pos)) {
    const std::size_t begin = pos;
    const char32_t c = decode_utf8(text, pos);
    const HiddenClass hidden = hidden_class(c);
    if (hidden == HiddenClass::kNone) {
      if (is_dressed_letter(c) ||
          (latin_lookalike(c) != 0 && stands_in_latin_word(text, begin, pos)))
        disguise(begin, pos);
      continue;
    }
    disguise(begin, pos);
    if (found.size() >= limit && found.back().end != begin) continue;
    if (const std::size_t legal = end_of_legal_use(text, begin, pos, c); legal > 0) {
      pos = legal;
      continue;
    }
    const std::uint16_t rule = rule_of(hidden);
    if (!found.empty() && found.back().end == begin && found.back().rule == rule)
      found.back().end = pos;
    else if (found.size() < limit)
      found.push_back({rule, begin, pos, {}});
  }
  for (Match& match : found)
    match.detail = describe_hidden(text.substr(match.begin, match.end - match.begin));
  return found;
}

}  // namespace memfs
