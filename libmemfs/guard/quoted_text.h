// Is a passage set apart from the text around it: in code, in a block quote, between quotation
// marks? Then a text speaks of it rather than says it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "libmemfs/guard/pattern.h"

namespace memfs {

// For each of `passages`, which come in order. A line-by-line reading of markdown that knows
// fences, block quotes, code spans and quotation marks within a paragraph.
std::vector<bool> are_quoted(std::string_view text, const std::vector<ByteRange>& passages);

}  // namespace memfs
