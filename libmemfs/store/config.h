// The project's configuration, `.mem/config.yaml`: committed, hence untrusted. It can name where
// the shared memories lie inside the project and whether INDEX.md is committed, nothing else.
#pragma once

#include <memfs/memory.h>

#include <string>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct ProjectConfig {
  std::string shared = ".mem/shared";  // relative to the project
  bool index_committed = false;
  std::vector<Problem> problems{};
};

// A missing file is the default configuration; what is wrong in it is a problem and the default
// holds.
ProjectConfig read_project_config(FileSystem& fs, const std::string& project_root);

// Whether `rel` is a path below `root` and stays there once links are resolved; what does not exist
// yet is no link. REQUIRES: `root` has no links.
bool stays_inside(FileSystem& fs, const std::string& root, std::string rel);

// $MEM_HOME/config.yaml, the person's own. No key of it exists yet but `version`.
std::vector<Problem> read_user_config(FileSystem& fs, const std::string& mem_home);

}  // namespace memfs
