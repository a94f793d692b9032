// The few Unicode operations that the library needs, over ICU, on UTF-8. The root locale always;
// invalid bytes count as U+FFFD.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace memfs {

std::string to_nfc(std::string_view text);
// Canonical key for comparing names: NFC of the full case folding of the NFC form.
std::string fold_name(std::string_view text);
// Lower case by the root locale's rules.
std::string to_lower(std::string_view text);
// The longest prefix of at most `max_bytes` that ends on a grapheme cluster boundary.
std::string_view cut_graphemes(std::string_view text, std::size_t max_bytes);
// The prefix of at most `max_graphemes` user-perceived characters.
std::string_view take_graphemes(std::string_view text, std::size_t max_graphemes);

// Text of the encoding that Chinese systems use, as UTF-8. nullopt if the bytes are none, or give
// characters that nobody writes: private use, unassigned.
std::optional<std::string> utf8_of_gb18030(std::string_view bytes);

bool is_letter_mark_or_digit(char32_t c);
bool is_white_space(char32_t c);  // Unicode White_Space, and U+200B, U+FEFF
// Columns a terminal needs for the text: wide East Asian characters count 2, marks 0.
std::size_t display_width(std::string_view text);
// The version of the Unicode library, "72.1".
std::string unicode_library_version();

}  // namespace memfs
