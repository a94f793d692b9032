// The first step of a sync: the changes of memories, and nothing else, as a commit that names them.
#pragma once

#include <memfs/sync.h>

#include <string>
#include <vector>

#include "libmemfs/git/sync_place.h"
#include "libmemfs/git/sync_status.h"

namespace memfs {

// Commits what the folder holds and `report` tells it. Whatever the user has staged elsewhere stays
// staged. kRefused (rows "problems") if a changed file has errors. With `dry_run` it only tells.
Result<void> commit_memories(const SyncPlace& place, const SyncStatus& status, bool dry_run,
                             SyncReport& report);

// "Memories: add release-branch, update deploy/rollback", an empty line, and all of them.
std::string commit_message(const std::vector<SyncItem>& items);

}  // namespace memfs
