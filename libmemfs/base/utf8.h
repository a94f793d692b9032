// UTF-8 as bytes: validation, decoding, and making stored text safe to show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace memfs {

constexpr char32_t kReplacement = 0xFFFD;
constexpr auto kNowhere = std::string_view::npos;  // what find() says of what a text has not

// Decodes the code point at `pos` and moves `pos` behind it. An invalid byte gives kReplacement
// and moves by one, so that a loop always ends. REQUIRES pos < text.size().
char32_t decode_utf8(std::string_view text, std::size_t& pos);
void append_utf8(std::string& out, char32_t code_point);

// Offset of the first byte that is not part of valid UTF-8 (RFC 3629: no surrogates, no overlong
// forms, at most U+10FFFF).
std::optional<std::size_t> find_invalid_utf8(std::string_view text);
// Invalid bytes become U+FFFD.
std::string to_valid_utf8(std::string_view text);
// Characters that format or fill without being seen: soft hyphen, zero-width and bidi controls, tag
// characters, Hangul fillers. The joiners U+200C and U+200D, which scripts and emoji need, are not
// among them.
bool is_invisible(char32_t c);
// For terminals: control characters, bidi overrides and other invisible formatting characters,
// and invalid bytes are shown as \n, \xNN or \u{NNNN}. With `keep_lines`, LF and tab pass.
std::string escape_for_terminal(std::string_view text, bool keep_lines = false);
// "U+00A0" style name of a code point.
std::string code_point_name(char32_t code_point);

// The signs of ASCII that are neither letters nor digits: those that markdown can escape.
bool is_ascii_punctuation(char c);

// ASCII-only helpers: they do not depend on a locale and leave other bytes alone.
std::string ascii_lower(std::string_view text);
// At most `max_bytes`, never in the middle of a character.
std::string_view cut_at_char_boundary(std::string_view text, std::size_t max_bytes);
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// The text behind such a mark, if it begins with one.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}
std::string_view trim(std::string_view text);  // blanks, tabs, CR and LF

}  // namespace memfs
