// The byte spans of a block's top-level entries, for edits that touch nothing else.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/format/yaml_node.h"

namespace memfs {

// One `key: value` of the block. Offsets are bytes in the block.
struct BlockEntry {
  std::string key;
  std::size_t key_begin = 0;
  std::size_t colon = 0;        // the colon behind the key
  std::size_t value_begin = 0;  // first byte of the value; behind the colon if there is none
  std::size_t value_end = 0;    // behind its last byte, without comment and newline
  std::size_t entry_end = 0;    // block style: start of the line behind the entry
  bool block_scalar = false;    // the value is written with | or >
};

struct BlockLayout {
  std::vector<BlockEntry> entries;
  bool flow = false;         // the whole block is written as { … }
  std::size_t flow_end = 0;  // flow: offset of the closing brace
  std::size_t indent = 0;    // block style: columns before each key
};

// REQUIRES: `root` is what read_yaml() gave for `block`. kInvalid for layouts that cannot be
// edited safely (explicit `? key`, keys over several lines).
Result<BlockLayout> layout_of(std::string_view block, const YamlNode& root);

}  // namespace memfs
