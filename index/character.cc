#include "index/character.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <array>
#include <atomic>

namespace memfs::index {
namespace {

// Symbols that NFKC turns into letters or digits (№, ①, ²) are words.
bool becomes_word(UChar32 c) {
  if (u_hasBinaryProperty(c, UCHAR_CHANGES_WHEN_NFKC_CASEFOLDED) == 0) return false;
  UErrorCode status = U_ZERO_ERROR;
  const auto* nfkc = icu::Normalizer2::getNFKCCasefoldInstance(status);
  if (U_FAILURE(status)) return false;
  icu::UnicodeString decomposed;
  if (nfkc->getDecomposition(c, decomposed) == 0 || decomposed.isEmpty()) return false;
  return u_isalnum(decomposed.char32At(0)) != 0;
}

CharClass class_of_script(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(c, &status)) {
    case USCRIPT_HAN:
      return CharClass::kHan;
    case USCRIPT_HIRAGANA:
      return CharClass::kHiragana;
    case USCRIPT_KATAKANA:
      return CharClass::kKatakana;
    case USCRIPT_HANGUL:
      return CharClass::kHangul;
    case USCRIPT_THAI:
    case USCRIPT_LAO:
      return CharClass::kDictionary;
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return CharClass::kSyllabic;
    default:
      return CharClass::kWord;
  }
}

CharClass look_up(UChar32 c) {
  // ZERO WIDTH SPACE is a boundary; the Hangul fillers are invisible though letters.
  if (c == 0x200B) return CharClass::kOther;
  if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) return CharClass::kInvisible;
  // ʼ is a letter to Unicode and an apostrophe to whoever types it.
  if (plain_sign(static_cast<char32_t>(c)) != static_cast<char32_t>(c)) return CharClass::kOther;
  // The prolonged sound marks and half-width voicing marks go with the kana before them.
  if (c == 0x30FC || c == 0xFF70 || c == 0xFF9E || c == 0xFF9F) return CharClass::kExtend;
  const auto mask = U_GET_GC_MASK(c);
  if ((mask & U_GC_M_MASK) != 0) {
    const CharClass script = class_of_script(c);
    return script == CharClass::kDictionary || script == CharClass::kSyllabic ? script
                                                                              : CharClass::kExtend;
  }
  if ((mask & (U_GC_L_MASK | U_GC_ND_MASK | U_GC_NL_MASK)) != 0) return class_of_script(c);
  if (u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) != 0 ||
      u_hasBinaryProperty(c, UCHAR_REGIONAL_INDICATOR) != 0)
    return CharClass::kEmoji;
  return becomes_word(c) ? CharClass::kWord : CharClass::kOther;
}

}  // namespace

CharClass class_of(char32_t c) {
  if (c < 0x80) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return word ? CharClass::kWord : CharClass::kOther;
  }
  if (c >= 0x4E00 && c <= 0x9FFF) return CharClass::kHan;
  if (c >= 0xAC00 && c <= 0xD7A3) return CharClass::kHangul;
  // What ICU said once; 0: not asked yet.
  static std::array<std::atomic<std::uint8_t>, 0x20000> known;
  if (c >= known.size()) return look_up(static_cast<UChar32>(c));
  auto& entry = known.at(c);
  std::uint8_t value = entry.load(std::memory_order_relaxed);
  if (value == 0) {
    value = static_cast<std::uint8_t>(static_cast<int>(look_up(static_cast<UChar32>(c))) + 1);
    entry.store(value, std::memory_order_relaxed);
  }
  return static_cast<CharClass>(value - 1);
}

char32_t plain_sign(char32_t c) {
  if (c == 0x2019 || c == 0x2018 || c == 0x02BC || c == 0xFF07) return '\'';
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0xFF0D || c == 0xFE63) return '-';
  return c;
}

bool is_upper(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z';
  return u_isUUppercase(static_cast<UChar32>(c)) != 0;
}

bool is_digit(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  return u_isdigit(static_cast<UChar32>(c)) != 0;
}

}  // namespace memfs::index
