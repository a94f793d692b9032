// What git runs for each memory that both sides changed: `mem git merge-driver %O %A %B %L %P`.
#pragma once

#include <memfs/merge.h>
#include <memfs/result.h>

#include <string>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct MergeDriverWish {
  std::string base, ours, theirs;  // paths of git's temporary files; the result goes to `ours`
  std::size_t marker_size = 7;
  std::string path{};  // in the repository: tells memories from INDEX.md and YAML files
  // Of the sides, for markers; "": ours, base, theirs.
  std::string our_label{}, base_label{}, their_label{};
};

// Writes the result to wish.ours, all paths being absolute. kIo if a file cannot be read or
// written; then nothing is changed.
Result<MemoryMerge> run_merge_driver(FileSystem& fs, const MergeDriverWish& wish);

// One file merged as what its name says: a memory (any text without front matter likewise), a YAML
// file, or INDEX.md.
MemoryMerge merge_by_name(const std::string& path, const ThreeTexts& files,
                          const ConflictMarkers& markers);

}  // namespace memfs
