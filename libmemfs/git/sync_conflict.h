// Conflicts that a person has to decide: shown in the work tree and to git, looked at again, taken
// back. See sync_merge.h.
#pragma once

#include <memfs/sync.h>

#include <string>
#include <vector>

#include "libmemfs/git/sync_pending.h"
#include "libmemfs/git/sync_place.h"
#include "libmemfs/git/sync_status.h"

namespace memfs {

// Writes the texts with markers, gives git the three versions of each file, and remembers what
// waits, and what of it was decided before. False if a file is not as it was committed: nothing is
// written then.
Result<bool> show_conflicts(const SyncPlace& place, const std::string& theirs,
                            const std::vector<TreeConflict>& open,
                            const std::vector<TreeConflict>& decided, SyncReport& report);

// What of the waiting files a person has decided; what not yet goes to `report`.
Result<std::vector<TreeConflict>> decided_files(const SyncPlace& place, const Waiting& waiting,
                                                const SyncStatus& status, SyncReport& report);

// The files that still wait are again as in the last commit, in the work tree and for git.
Result<void> take_back(const SyncPlace& place, const Waiting& waiting, const SyncStatus& status,
                       SyncReport& report);

}  // namespace memfs
