#include "libmemfs/guard/characters.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

bool is_in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

UScriptCode script_of(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(c), &status);
}

bool has_script(char32_t c, std::initializer_list<UScriptCode> scripts) {
  return std::find(scripts.begin(), scripts.end(), script_of(c)) != scripts.end();
}

bool has(char32_t c, UProperty property) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), property) != 0;
}

bool has_category(char32_t c, std::uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & mask) != 0;
}

}  // namespace

HiddenClass hidden_class(char32_t c) {
  if (c == 0xAD) return HiddenClass::kSoftHyphen;
  // Most texts that are not ASCII lie between these.
  if (c < 0x34F || is_in(c, 0x2070, 0x3163) || is_in(c, 0x3165, 0xFDFF)) return HiddenClass::kNone;
  if (is_in(c, 0x200B, 0x200D) || c == 0xFEFF) return HiddenClass::kZeroWidth;
  if (c == 0x61C || is_in(c, 0x200E, 0x200F) || is_in(c, 0x202A, 0x202E) ||
      is_in(c, 0x2066, 0x2069))
    return HiddenClass::kBidi;
  if (is_in(c, 0xFE00, 0xFE0F) || is_in(c, 0xE0100, 0xE01EF) || is_in(c, 0x180B, 0x180D) ||
      c == 0x180F)
    return HiddenClass::kVariationSelector;
  if (is_in(c, 0xE0000, 0xE007F)) return HiddenClass::kTag;
  if (c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 || c == 0x180E)
    return HiddenClass::kFiller;
  if (is_in(c, 0xFFF9, 0xFFFB) || has(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
    return HiddenClass::kOther;
  return HiddenClass::kNone;
}

bool is_letter_or_mark(char32_t c) { return has_category(c, U_GC_L_MASK | U_GC_M_MASK); }

bool is_right_to_left(char32_t c) {
  const UCharDirection direction = u_charDirection(static_cast<UChar32>(c));
  return direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC ||
         direction == U_ARABIC_NUMBER;
}

bool is_joining_script(char32_t c) {
  return has_script(
      c, {USCRIPT_ARABIC, USCRIPT_SYRIAC, USCRIPT_NKO, USCRIPT_MONGOLIAN, USCRIPT_DEVANAGARI,
          USCRIPT_BENGALI, USCRIPT_GURMUKHI, USCRIPT_GUJARATI, USCRIPT_ORIYA, USCRIPT_TAMIL,
          USCRIPT_TELUGU, USCRIPT_KANNADA, USCRIPT_MALAYALAM, USCRIPT_SINHALA, USCRIPT_MYANMAR,
          USCRIPT_KHMER, USCRIPT_TIBETAN, USCRIPT_BALINESE, USCRIPT_JAVANESE});
}

bool is_unspaced_script(char32_t c) {
  return has_script(c, {USCRIPT_THAI, USCRIPT_LAO, USCRIPT_KHMER, USCRIPT_MYANMAR, USCRIPT_TIBETAN,
                        USCRIPT_BALINESE, USCRIPT_JAVANESE, USCRIPT_NEW_TAI_LUE});
}

bool is_emoji(char32_t c) { return has(c, UCHAR_EMOJI); }
bool is_pictograph(char32_t c) { return has(c, UCHAR_EXTENDED_PICTOGRAPHIC); }
bool is_skin_tone(char32_t c) { return is_in(c, 0x1F3FB, 0x1F3FF); }
bool is_ideograph(char32_t c) { return has(c, UCHAR_IDEOGRAPHIC); }
bool is_symbol(char32_t c) { return c >= 0x80 && has_category(c, U_GC_S_MASK); }
bool is_hangul(char32_t c) { return has_script(c, {USCRIPT_HANGUL}); }
bool is_mongolian(char32_t c) { return has_script(c, {USCRIPT_MONGOLIAN}); }
bool is_khmer(char32_t c) { return has_script(c, {USCRIPT_KHMER}); }

char latin_lookalike(char32_t c) {
  constexpr std::u32string_view kThese = U"аеоросухіјѕԁһӏαοερντικАЕОРСХІЈЅВНМТКΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
  constexpr std::string_view kThose = "aeopocyxijsdhlaoepvtikaeopcxijsbhmtkabezhikmnoptyx";
  static_assert(kThese.size() == kThose.size());
  if (!is_in(c, 0x370, 0x52F)) return 0;
  const auto at = kThese.find(c);
  return at == std::u32string_view::npos ? '\0' : kThose[at];
}

bool is_dressed_letter(char32_t c) {
  return is_in(c, 0xFF21, 0xFF3A) || is_in(c, 0xFF41, 0xFF5A) || is_in(c, 0x1D400, 0x1D6A5) ||
         is_in(c, 0x24B6, 0x24E9) || is_in(c, 0x249C, 0x24B5) || is_in(c, 0x1F110, 0x1F189) ||
         is_in(c, 0x2100, 0x214E) || is_in(c, 0x1D2C, 0x1D6A) || is_in(c, 0x2090, 0x209C);
}

void append_folded(std::string& out, char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  static const icu::Normalizer2* const folding = icu::Normalizer2::getNFKCCasefoldInstance(status);
  // Kana and Hangul keep their composed form: their marks are not accents.
  const bool composed = is_in(c, 0x3040, 0x30FF) || is_in(c, 0xAC00, 0xD7A3);
  icu::UnicodeString mapped;
  if (folding == nullptr || composed || c < 0x80 ||
      folding->getDecomposition(static_cast<UChar32>(c), mapped) == 0) {
    append_utf8(out, c >= 'A' && c <= 'Z' ? c + 32 : c);
    return;
  }
  for (int32_t at = 0; at < mapped.length(); at = mapped.moveIndex32(at, 1)) {
    const auto each = static_cast<char32_t>(mapped.char32At(at));
    if (!is_in(each, 0x300, 0x36F)) append_utf8(out, each);
  }
}

}  // namespace memfs
