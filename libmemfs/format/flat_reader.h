// A fast reader for plain front matter: simple keys, one-line values, lists, nested mappings,
// folded text. It gives up on anything else.
#pragma once

#include <optional>
#include <string_view>

#include "libmemfs/format/yaml_reader.h"

namespace memfs {

// The tree that read_yaml_fully() gives for `block`, or nullopt if the block is anything but
// obviously plain. Whatever read_yaml_fully() would object to gives nullopt as well.
std::optional<YamlBlock> read_flat_block(std::string_view block);

}  // namespace memfs
