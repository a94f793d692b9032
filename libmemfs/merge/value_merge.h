// One key that both sides changed: what it is to be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmemfs/merge/kept_values.h"
#include "libmemfs/merge/keyed_text.h"

namespace memfs {

// The entries of one key; nullptr where a side has none.
struct ThreeEntries {
  const KeyedEntry* base;
  const KeyedEntry* ours;
  const KeyedEntry* theirs;
};

struct MergedValue {
  std::string raw;                    // the entry; "" if the key is gone
  std::optional<std::string> kept{};  // the entry that gave way and is not lost …
  bool undecided = false;             // … because somebody has to choose
  std::string note{};
  std::string alias{};  // a second id: another name of the memory from now on
};

// REQUIRES: both sides differ from the base and from each other. `related`: the files have a common
// ancestor, so they are one memory.
MergedValue merge_value(const ThreeEntries& entries, bool related);

// The list of names in an entry with one more; "" if it holds no such list.
std::string with_name(const KeyedEntry& entry, const std::string& name);

}  // namespace memfs
