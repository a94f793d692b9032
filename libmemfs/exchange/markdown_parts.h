// Texts of memories as parts of a larger markdown text.
#pragma once

#include <memfs/memory.h>

#include <string>
#include <string_view>

namespace memfs {

// One line of plain text as markdown that shows it as it is: signs that begin emphasis, code, links
// or HTML are escaped, control and invisible characters are shown as escapes.
std::string plain_in_markdown(std::string_view text);

// The body in valid UTF-8, lines end with "\n", without blank lines around it, and without a
// heading on top that only repeats the title.
std::string text_below_title(const Memory& memory);

// A text that begins and ends on lines of its own as a part below a heading of level - 1: its
// headings are moved down together so that the highest has `level` (at most 6), and a fence or HTML
// block that it leaves open is closed. What cannot be told for sure is shown as code.
std::string as_part(const std::string& text, int level);

}  // namespace memfs
