// Memories that are gone since the last check, by other means than mem: a git reset, a sync
// client, a slip of the hand. Told once, while the reflog, the trash or the history still has them.
#pragma once

#include <memfs/memory.h>

#include <vector>

#include "libmemfs/check/scope_view.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

// One problem for each scope that lost some; the revision that an emptied file had is added to its
// problem. With `remember` what is there now is kept for the next check, if the state directory can
// be written.
void check_vanished(StoreInside::Impl& store, const std::vector<ScopeView>& views, bool remember,
                    std::vector<Problem>& problems);

}  // namespace memfs
