// Reads one YAML block into YamlNodes.
#pragma once

#include <memfs/result.h>

#include <string_view>

#include "libmemfs/format/yaml_node.h"

namespace memfs {

constexpr int kMaxYamlDepth = 32;
constexpr std::size_t kMaxYamlBlock = 65536;  // bytes

struct YamlBlock {
  YamlNode root;  // kNull for an empty block
  bool has_alias_or_anchor = false;
};

// Reads `block`, which must be exactly one document. Aliases stay aliases, nothing is expanded.
// Errors: kInvalid with line and column counted inside the block (1-based), a message in our own
// words and a hint. Details: "code" holds the stable problem code.
Result<YamlBlock> read_yaml(std::string_view block);

// The same by yaml-cpp alone, which is slow. read_yaml() comes here only for blocks that are not
// plain; tests compare the two.
Result<YamlBlock> read_yaml_fully(std::string_view block);

}  // namespace memfs
