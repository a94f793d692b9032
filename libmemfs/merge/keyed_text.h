// A memory file cut into what the merge works with: the fences, the keys of the block with the
// comments above each, and the body. Put together again in the same order it is the same file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/format/yaml_node.h"

namespace memfs {

// One key with its value, as whole lines.
struct KeyedEntry {
  std::string key;
  std::string leading;      // comments and blank lines between the entry above and this one
  std::string raw;          // "title: x # why\n", or several lines
  YamlNode value;           // offsets mean nothing here
  bool text_block = false;  // the value is written with | or >
};

enum class BlockKind : std::uint8_t {
  kNone,    // no block
  kKeys,    // entries can be taken one by one
  kOpaque,  // can be read, but only as a whole: braces, anchors, `? key`
  kBroken,  // cannot be read
};

struct KeyedText {
  BlockKind kind = BlockKind::kNone;
  std::string_view opening;  // BOM and fence with its newline; "" without a block
  std::string_view block;
  std::string_view closing;  // the closing fence with its newline
  std::string_view body;
  std::vector<KeyedEntry> entries{};  // kKeys
  std::string trailing{};             // kKeys: lines below the last entry
  std::string_view newline = "\n";

  const KeyedEntry* find(std::string_view key) const;
};

// The views point into `file`. With `bare` the whole file is the block, as in a YAML file.
KeyedText cut_keys(std::string_view file, bool bare = false);

// The value of one entry that stands alone, with its key: what `raw` reads as; kNull if it cannot
// be read.
YamlNode read_entry(std::string_view raw);

// The comments of an entry, "# why", as they stand in it.
std::vector<std::string> comments_in(const KeyedEntry& entry);

}  // namespace memfs
