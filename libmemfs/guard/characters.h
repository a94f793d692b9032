// Properties of single characters that the guard asks for, over ICU.
#pragma once

#include <cstdint>
#include <string>

namespace memfs {

enum class HiddenClass : std::uint8_t {
  kNone,               // seen, or white space
  kTag,                // U+E0000 … U+E007F
  kBidi,               // marks, embeddings, overrides and isolates
  kZeroWidth,          // U+200B … U+200D, U+FEFF
  kVariationSelector,  // U+FE00 …, U+E0100 …, Mongolian
  kFiller,             // Hangul fillers, U+180E
  kSoftHyphen,
  kOther,  // every other default-ignorable character, interlinear annotation
};
HiddenClass hidden_class(char32_t c);

bool is_letter_or_mark(char32_t c);
bool is_right_to_left(char32_t c);
// Scripts in which U+200C and U+200D choose between forms of letters.
bool is_joining_script(char32_t c);
// Scripts that are written without blanks, where U+200B marks a place to break a line.
bool is_unspaced_script(char32_t c);
bool is_emoji(char32_t c);       // may be followed by U+FE0E or U+FE0F
bool is_pictograph(char32_t c);  // may stand in a sequence joined by U+200D
bool is_skin_tone(char32_t c);
bool is_ideograph(char32_t c);
bool is_symbol(char32_t c);
bool is_hangul(char32_t c);
bool is_mongolian(char32_t c);
bool is_khmer(char32_t c);

// The Latin letter that a Cyrillic or Greek one looks like, small, or 0.
char latin_lookalike(char32_t c);
// Does the character stand for ASCII letters (full-width, mathematical, circled ones)?
bool is_dressed_letter(char32_t c);
// Adds the character as NFKC_Casefold gives it, without accents of Latin and Cyrillic letters.
void append_folded(std::string& out, char32_t c);

}  // namespace memfs
