#include "libmemfs/base/unicode.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>

#include <algorithm>
#include <memory>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

icu::UnicodeString from_utf8(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
}

std::string to_utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

icu::UnicodeString nfc(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* normalizer = icu::Normalizer2::getNFCInstance(status);
  icu::UnicodeString out = normalizer->normalize(text, status);
  return U_SUCCESS(status) ? out : text;
}

// Calls `stop(boundary offset)` at each grapheme boundary until it returns true.
template <typename Stop>
void walk_graphemes(std::string_view text, Stop stop) {
  UErrorCode status = U_ZERO_ERROR;
  thread_local const std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  if (!iterator) return;
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, text.data(), static_cast<int64_t>(text.size()), &status);
  iterator->setText(&source, status);
  iterator->first();
  for (int32_t at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next())
    if (stop(static_cast<std::size_t>(at))) break;
  utext_close(&source);
}

}  // namespace

std::string to_nfc(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  return to_utf8(nfc(from_utf8(text)));
}

std::string fold_name(std::string_view text) {
  if (is_ascii(text)) return ascii_lower(text);
  return to_utf8(nfc(nfc(from_utf8(text)).foldCase(U_FOLD_CASE_DEFAULT)));
}

std::string to_lower(std::string_view text) {
  return to_utf8(from_utf8(text).toLower(icu::Locale::getRoot()));
}

std::string_view cut_graphemes(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = 0;
  walk_graphemes(text, [&](std::size_t at) {
    if (at > max_bytes) return true;
    end = at;
    return false;
  });
  return text.substr(0, end);
}

std::string_view take_graphemes(std::string_view text, std::size_t max_graphemes) {
  if (text.size() <= max_graphemes) return text;
  std::size_t count = 0;
  std::size_t end = 0;
  walk_graphemes(text, [&](std::size_t at) {
    if (count == max_graphemes) return true;
    ++count;
    end = at;
    return false;
  });
  return text.substr(0, end);
}

std::optional<std::string> utf8_of_gb18030(std::string_view bytes) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open("gb18030", &status),
                                                                     &ucnv_close);
  if (U_FAILURE(status)) return std::nullopt;
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  // No sequence gives more units than it has bytes.
  const auto size = static_cast<int32_t>(bytes.size());
  icu::UnicodeString text;
  char16_t* const units = text.getBuffer(size + 1);
  if (units == nullptr) return std::nullopt;
  const int32_t length =
      ucnv_toUChars(converter.get(), units, size + 1, bytes.data(), size, &status);
  text.releaseBuffer(U_SUCCESS(status) ? length : 0);
  if (U_FAILURE(status)) return std::nullopt;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const auto kind = u_charType(text.char32At(at));
    if (kind == U_PRIVATE_USE_CHAR || kind == U_UNASSIGNED) return std::nullopt;
  }
  return to_utf8(text);
}

bool is_letter_mark_or_digit(char32_t c) {
  const auto mask = U_GET_GC_MASK(static_cast<UChar32>(c));
  return (mask & (U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK)) != 0;
}

bool is_white_space(char32_t c) {
  return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0 || c == 0x200B || c == 0xFEFF;
}

std::size_t display_width(std::string_view text) {
  if (is_ascii(text)) return text.size();
  std::size_t width = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const auto c = static_cast<UChar32>(decode_utf8(text, pos));
    const auto mask = U_GET_GC_MASK(c);
    if ((mask & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK)) != 0) continue;
    const int east_asian = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    width += east_asian == U_EA_WIDE || east_asian == U_EA_FULLWIDTH ? 2 : 1;
  }
  return width;
}

std::string unicode_library_version() {
  UVersionInfo version;
  u_getVersion(version);
  return std::to_string(version[0]) + "." + std::to_string(version[1]);
}

}  // namespace memfs
