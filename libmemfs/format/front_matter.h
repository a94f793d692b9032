// Where the front matter of a file is, and what stands in it.
//
//   file  := [BOM] [ "---" eol block ("---" | "...") [blanks] (eol | end) ] body
//
// Only the first line may open a block and only the first whole line `---` or `...` closes it.
// A blank line right behind the opening line means a horizontal rule, unless the first line of
// text is a key and a closing fence follows.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>

#include <string>
#include <string_view>

#include "libmemfs/format/yaml_reader.h"

namespace memfs {

enum class BlockState : std::uint8_t {
  kEmptyFile,  // nothing but blanks or a BOM, or nothing but NUL bytes
  kNone,       // no block: the whole file is body
  kReadable,
  kBroken,  // there is one and it cannot be read; see FrontMatter::error
};

struct FrontMatter {
  BlockState state = BlockState::kNone;
  std::size_t block_begin = 0;  // bytes of the file between the fences: [begin, end)
  std::size_t block_end = 0;
  std::size_t body_begin = 0;  // for kBroken without a closing fence: behind the BOM
  std::string newline = "\n";  // what a new line in the block ends with
  bool bom = false;
  bool closed_by_dots = false;  // `...` closes the block
  YamlBlock yaml{};             // kReadable
  Error error{};                // kBroken: line and column of the file, "code" in its details
};

// Never fails: what cannot be read is told by `state` and `error`.
FrontMatter read_front_matter(std::string_view file);

// The text between the fences.
inline std::string_view block_of(std::string_view file, const FrontMatter& front) {
  return file.substr(front.block_begin, front.block_end - front.block_begin);
}

}  // namespace memfs
