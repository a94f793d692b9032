// $MEM_HOME/projects/<name>-<id>/project.yaml: which places a private store belongs to.
#pragma once

#include <memfs/layout.h>

#include <string>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

// The records of all projects below `mem_home`, sorted by folder. Of a damaged one only id
// and folder are known.
std::vector<KnownProject> read_project_records(FileSystem& fs, const std::string& mem_home);

// Makes the project's folder if needed and writes its record.
Result<void> write_project_record(FileSystem& fs, const KnownProject& project);

}  // namespace memfs
