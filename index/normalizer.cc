#include "index/normalizer.h"

#include <unicode/brkiter.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <memory>

#include "index/character.h"
#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

// NFKC_Casefold that leaves SARA AM alone: its decomposition hides the word from the dictionary.
const icu::Normalizer2& folding_normalizer() {
  static const icu::UnicodeSet without_sara_am = [] {
    icu::UnicodeSet set(0, 0x10FFFF);
    set.remove(0x0E33).remove(0x0EB3);
    set.freeze();
    return set;
  }();
  static const icu::FilteredNormalizer2 filtered = [] {
    UErrorCode status = U_ZERO_ERROR;
    return icu::FilteredNormalizer2(*icu::Normalizer2::getNFKCCasefoldInstance(status),
                                    without_sara_am);
  }();
  return filtered;
}

std::string normalized(const icu::Normalizer2& normalizer, std::string_view text) {
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode status = U_ZERO_ERROR;
  normalizer.normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())),
                           sink, nullptr, status);
  return U_SUCCESS(status) ? out : std::string(text);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

struct PlainLetter {
  char32_t letter;
  const char* plain;
};

// Letters that no decomposition brings back to the alphabet's base letters (lower case only:
// normal forms are case folded).
constexpr std::array kPlainLetters = {
    PlainLetter{0x0131, "i"}, PlainLetter{0x0142, "l"},  PlainLetter{0x00F8, "o"},
    PlainLetter{0x0111, "d"}, PlainLetter{0x0153, "oe"}, PlainLetter{0x00E6, "ae"},
    PlainLetter{0x00F0, "d"}, PlainLetter{0x00FE, "th"}, PlainLetter{0x0127, "h"},
    PlainLetter{0x0167, "t"}, PlainLetter{0x014B, "n"},  PlainLetter{0x0180, "b"},
    PlainLetter{0x0268, "i"}, PlainLetter{0x0289, "u"},  PlainLetter{0x01B6, "z"}};

bool folds_marks(UChar32 base) {
  UErrorCode status = U_ZERO_ERROR;
  const auto script = uscript_getScript(base, &status);
  return script == USCRIPT_LATIN || script == USCRIPT_GREEK || script == USCRIPT_CYRILLIC;
}

}  // namespace

std::string normal_form(std::string_view word) {
  if (is_ascii(word)) return ascii_lower(word);
  std::string plain;
  for (std::size_t pos = 0; pos < word.size();)
    append_utf8(plain, plain_sign(decode_utf8(word, pos)));
  std::string out = normalized(folding_normalizer(), plain);
  // NIKHAHIT + SARA AA is what SARA AM decomposes to; a tone mark may stand between them.
  replace_all(out, "\u0E4D\u0E32", "\u0E33");
  replace_all(out, "\u0ECD\u0EB2", "\u0EB3");
  return out;
}

std::string without_accents(std::string_view normal) {
  if (is_ascii(normal)) return std::string(normal);
  UErrorCode status = U_ZERO_ERROR;
  const std::string decomposed = normalized(*icu::Normalizer2::getNFDInstance(status), normal);
  std::string out;
  bool drop = false;
  for (std::size_t pos = 0; pos < decomposed.size();) {
    const char32_t c = decode_utf8(decomposed, pos);
    if (u_charType(static_cast<UChar32>(c)) == U_NON_SPACING_MARK) {
      if (!drop) append_utf8(out, c);
      continue;
    }
    drop = folds_marks(static_cast<UChar32>(c));
    const auto plain = std::find_if(kPlainLetters.begin(), kPlainLetters.end(),
                                    [&](const PlainLetter& p) { return p.letter == c; });
    if (plain != kPlainLetters.end()) {
      out += plain->plain;
    } else {
      append_utf8(out, c);
    }
  }
  return normalized(*icu::Normalizer2::getNFCInstance(status), out);
}

std::vector<std::size_t> dictionary_words(std::string_view run) {
  std::vector<std::size_t> ends;
  UErrorCode status = U_ZERO_ERROR;
  thread_local const std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  if (!iterator) return {run.size()};
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, run.data(), static_cast<int64_t>(run.size()), &status);
  iterator->setText(&source, status);
  iterator->first();
  for (auto at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next())
    ends.push_back(static_cast<std::size_t>(at));
  utext_close(&source);
  return ends;
}

}  // namespace memfs::index
