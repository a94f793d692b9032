// The walk over a scope directory: which files are memories, and what is odd about the rest.
#pragma once

#include <memfs/memory.h>

#include <optional>
#include <string>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct WalkedFile {
  std::string name_rel;  // where it stands in the scope: gives the name
  std::string file_rel;  // the file to read and write: another one if `name_rel` is a link
};

struct Walk {
  std::vector<WalkedFile> files;       // sorted by name_rel, bytewise
  std::vector<std::string> leftovers;  // our temporary files that a dead process left behind
  std::vector<Problem> problems;
  std::optional<Error> failure{};  // the scope's own folder could not be listed
};

// Dot-files, dot-folders, pages and nested git repositories are no memories. Links are followed
// inside the scope only, to regular files, and never through a linked folder.
Walk walk_scope(Directory& dir);

// Where the link at `rel` ends: a path in the same root. kRefused if it leads out, loops, or ends
// at something that is no regular file.
Result<std::string> resolve_link(Directory& dir, const std::string& rel);

}  // namespace memfs
