// FolderWatch over inotify(7).
#pragma once

#include <memory>

#include "libmemfs/base/folder_watch.h"

namespace memfs {

// kUnsupported if the system has no instances left.
Result<std::unique_ptr<FolderWatch>> make_inotify_watch();

}  // namespace memfs
