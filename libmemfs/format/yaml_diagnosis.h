// What is wrong with a block, in words that tell a person what to change.
//
// yaml-cpp accepts several things that lose data silently (an unclosed quote, a missing blank
// after a colon, a key given twice) and describes others by its own state. These checks run
// before and after it. Positions are 1-based inside the block; every error carries its stable
// code in the detail "code".
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>

#include "libmemfs/format/yaml_node.h"

namespace memfs {

// Size, NUL, invalid UTF-8, conflict markers, old Mac newlines: found on the bytes.
Result<void> check_yaml_bytes(std::string_view block);

// The parser's message at 0-based (line, column) in our words.
Error explain_yaml_failure(std::string_view block, const std::string& message, int line,
                           int column);

// What the parser let through: not a mapping, keys given twice, keys without a colon, unclosed
// quotes, invisible characters in keys.
Result<void> check_yaml_tree(std::string_view block, const YamlNode& root);

// End of the quoted scalar that starts at `open` (offset behind its closing quote), or npos.
std::size_t end_of_quoted(std::string_view text, std::size_t open);

// 1-based line and byte column of an offset.
struct Position {
  int line = 1;
  int column = 1;
};
Position position_of(std::string_view text, std::size_t offset);

}  // namespace memfs
