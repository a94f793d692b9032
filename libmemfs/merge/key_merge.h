// Front matter merged key by key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmemfs/merge/keyed_text.h"

namespace memfs {

struct BlockMerge {
  std::string block;  // with revisions at the higher of both
  std::vector<std::string> undecided{};
  std::vector<std::string> notes{};
};

// REQUIRES: ours and theirs are kKeys or kNone; a base of another kind counts as one without keys.
// nullopt if the merged block does not read as meant.
// `related`: the files have a common ancestor, so they are one memory.
std::optional<BlockMerge> merge_keys(const KeyedText& base, const KeyedText& ours,
                                     const KeyedText& theirs, bool related);

}  // namespace memfs
