// A block of ours between two marks in a file that is somebody else's: CLAUDE.md, AGENTS.md, …
//
//   <!-- mem:begin … -->
//   what mem writes
//   <!-- mem:end -->
//
// A mark stands at the beginning of its line and has the line for itself; an indented one, as in an
// example, is text. Lines end with LF, CRLF or CR.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>

namespace memfs {

// `text` with `content` (lines that end with "\n", without marks of its own) between the marks, all
// other bytes as they are. The block takes the newlines of the line on which it begins; without
// marks a block is put at the end, behind an empty line.
// kInvalid with path, line and cure if the marks are not one pair in order, or if the text is not
// one of bytes (NUL, as UTF-16 has).
Result<std::string> with_block(std::string_view text, std::string_view content,
                               const std::string& path);

// `text` such that no line of it can be a mark, wherever it is put.
std::string without_marks(std::string_view text);

}  // namespace memfs
