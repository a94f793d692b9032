// The configuration files. Both carry `version: 1`; what is wrong in them is a problem, never an
// error, and the default holds in its place.
//
// The project's, `.mem/config.yaml`, is committed, hence untrusted: it can name where the shared
// memories lie inside the project, whether INDEX.md is committed, the budget of the shared scope,
// and exceptions from the guard for the project's own writes. The person's, `config.yaml` in
// $MEM_HOME or in the folder given by --root, can set everything and wins.
#pragma once

#include <memfs/memory.h>
#include <memfs/settings.h>

#include <string>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct ProjectConfig {
  std::string shared = ".mem/shared";  // relative to the project
  bool index_committed = false;
  std::vector<Problem> problems{};
};

// The settings that are the project's to make go to `settings`.
ProjectConfig read_project_config(FileSystem& fs, const std::string& project_root,
                                  Settings& settings);

// `folder`/config.yaml, the person's own. Returns its problems.
std::vector<Problem> read_own_config(FileSystem& fs, const std::string& folder, Settings& settings);

// Whether `rel` is a path below `root` and stays there once links are resolved; what does not exist
// yet is no link. REQUIRES: `root` has no links.
bool stays_inside(FileSystem& fs, const std::string& root, std::string rel);

}  // namespace memfs
