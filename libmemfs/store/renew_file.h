// Files of a project that mem writes for git, put anew.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>

#include "libmemfs/base/file_system.h"

namespace memfs {

// Puts `wanted` in the place of `old`, which was read from `rel`, with its mode. False, and nothing
// changed, if somebody was faster.
Result<bool> renew_file(Directory& project, const std::string& rel, const FileContent& old,
                        std::string_view wanted);

}  // namespace memfs
