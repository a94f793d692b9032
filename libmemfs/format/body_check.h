// What is odd about a memory's text, whatever its front matter says.
#pragma once

#include <memfs/memory.h>

#include <string>
#include <string_view>

#include "libmemfs/format/memory_reader.h"

namespace memfs {

// A problem of a whole file.
Problem file_problem(const FileId& file, std::string code, Severity severity, std::string message,
                     std::string hint);

// `...` in the middle of a block ends it, and the keys below become text.
void check_dots(Memory& memory, const FileId& file);

// NUL bytes, invalid UTF-8, conflict markers, control characters, great length. `bytes`: the file.
void check_body(Memory& memory, const FileId& file, std::string_view bytes);

}  // namespace memfs
