// Puts a block of lines at the end of a text and takes it out again, byte for byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace memfs::setup {

// What stands before the block for its sake.
struct BlockFootprint {
  bool newline = false;  // the end of the text's last line, which had none
  bool blank = false;    // an empty line
  bool operator==(const BlockFootprint&) const = default;
};

struct BlockInsertion {
  std::string text;
  BlockFootprint footprint{};
};

// "\r\n" if the first line ends so, else "\n".
std::string newline_of(std::string_view text);

// `block`: whole lines that end with newline_of(text).
BlockInsertion append_block(std::string_view text, std::string_view block);
// Takes [begin, end) out, which append_block() put in.
std::string remove_block(std::string_view text, std::size_t begin, std::size_t end,
                         const BlockFootprint& footprint);

}  // namespace memfs::setup
