// What a merge left open in one file, and the file after somebody has decided. Pure functions on
// texts: `mem resolve` and the check stand on them.
#pragma once

#include <memfs/merge.h>
#include <memfs/result.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/merge/kept_values.h"

namespace memfs {

// The two files of which git could not make one, as they were committed; none if git knows of no
// conflict. They tell what was text before the merge: an example of a conflict is none.
using Sides = std::vector<std::string>;

// The values under `merge_conflict` and the conflicts between markers in the body: without sides
// those outside of code fences, else all that are in neither side.
std::vector<OpenConflict> open_conflicts(std::string_view file, const Sides& sides = {});

// Whether a file without open conflicts is settled indeed. kInvalid for a block that cannot be
// read, for a `merge_conflict` that is written in another way than a merge does, and, with sides,
// for a marker without the rest of its conflict.
Result<void> check_settled(std::string_view file, const Sides& sides = {});

// A file with markers in its front matter, or with keys that a merge doubled, merged again so that
// it can be read; what is not decided by a rule stays open. nullopt if that is not what is wrong
// with it, or does not help. `base`: the common ancestor, if it is known; else what the markers
// show of it, so that a line which one side alone changed may look like one that both did.
std::optional<MemoryMerge> make_readable(std::string_view file, const Sides& sides = {},
                                         const std::optional<std::string>& base = std::nullopt);

struct Settlement {
  std::string file;
  // kBoth of two memories in one file: the other one.
  std::optional<std::string> other{};
  std::vector<std::string> done{};
};

// The file with one of the two versions. `key`: only of that key ("": of everything open); kBoth:
// of the body both, one behind the other; of a file that holds two memories (see merge_memories
// without a base) each for itself. kInvalid for a file whose front matter cannot be read; kUsage if
// nothing is open, or kBoth makes no sense; kConflict if one key has several other values, or if
// lines of a text look like the markers around it.
Result<Settlement> settle(std::string_view file, Take take, std::string_view key,
                          const Sides& sides = {});

}  // namespace memfs
