// Where a character without shape is part of correct writing.
#pragma once

#include <cstddef>
#include <string_view>

namespace memfs {

// `c`, of a hidden class, is text[begin, end). If a script, an emoji or a hyphenation needs it
// there, the end of the sequence that it belongs to, else 0.
std::size_t end_of_legal_use(std::string_view text, std::size_t begin, std::size_t end, char32_t c);

}  // namespace memfs
