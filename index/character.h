// What a code point is to the analyser.
#pragma once

#include <cstdint>

namespace memfs::index {

enum class CharClass : std::uint8_t {
  kOther,  // separates words
  kWord,   // letters, digits and marks of alphabetic scripts
  kHan,
  kHiragana,
  kKatakana,
  kHangul,
  kDictionary,  // Thai, Lao: words are found by dictionary
  kSyllabic,    // Khmer, Burmese
  kInvisible,   // default-ignorable: disappears inside words
  kExtend,      // marks and joiners that belong to what stands before them
  kEmoji,
};

CharClass class_of(char32_t c);
// Scripts that are written without blanks and indexed in pairs of characters.
constexpr bool is_pair_script(CharClass c) {
  return c == CharClass::kHan || c == CharClass::kHiragana || c == CharClass::kKatakana ||
         c == CharClass::kHangul || c == CharClass::kSyllabic;
}
// Unified Han, Kana and Hangul syllables, which normalising leaves alone.
constexpr bool is_normal_as_it_is(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3041 && c <= 0x3096) ||
         (c >= 0x30A1 && c <= 0x30FA) || c == 0x30FC || (c >= 0xAC00 && c <= 0xD7A3);
}
// Apostrophes (' ’ ʼ ＇) and dashes as their ASCII form, all else unchanged.
char32_t plain_sign(char32_t c);
bool is_upper(char32_t c);
bool is_digit(char32_t c);

}  // namespace memfs::index
