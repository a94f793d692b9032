// Two readings of a block compared in everything they say.
#pragma once

#include "libmemfs/format/yaml_reader.h"

namespace memfs::testing {

inline bool is_same_node(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.quoted != b.quoted || a.flow != b.flow || a.anchored != b.anchored)
    return false;
  if (a.text != b.text || a.offset != b.offset || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!is_same_node(a.items[i], b.items[i])) return false;
  return true;
}

inline bool is_same_block(const YamlBlock& a, const YamlBlock& b) {
  return a.has_alias_or_anchor == b.has_alias_or_anchor && is_same_node(a.root, b.root);
}

}  // namespace memfs::testing
