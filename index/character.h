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
// Apostrophes (' ’ ʼ ＇) and dashes as their ASCII form, all else unchanged.
char32_t plain_sign(char32_t c);
bool is_upper(char32_t c);
bool is_digit(char32_t c);

}  // namespace memfs::index
