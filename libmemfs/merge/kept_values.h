// What a merge could not decide, as data: under the key `merge_conflict` stand the values that the
// other side gave to keys whose present value stayed.
//
//   merge_conflict:
//     - title: Their title
//     - metadata:
//         type: x
//
// Each item is the entry as the other side wrote it, indented; an item without a value says that
// the other side had removed the key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/format/field_table.h"
#include "libmemfs/format/yaml_node.h"

namespace memfs {

constexpr std::string_view kKeptKey = kMergeConflictKey;

struct KeptValue {
  std::string key;
  std::string raw;  // the entry as whole lines, not indented
  YamlNode value;
  int line = 0;  // of the item, counted in the entry `merge_conflict`, from 0
};

// The values of an entry with that key; nullopt if it is not written as above.
std::optional<std::vector<KeptValue>> parse_kept(std::string_view entry);

// The entry, or "" for no values. REQUIRES: each `raw` ends with a newline.
std::string render_kept(const std::vector<KeptValue>& values, std::string_view newline);

}  // namespace memfs
