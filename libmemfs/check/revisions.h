// Revision numbers that stand for more than one content.
#pragma once

#include <memfs/memory.h>

#include <vector>

#include "libmemfs/check/scope_view.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

// One note for the shared scope: memories whose present number this machine knows with another
// content, because two branches counted up alike, or somebody edited the file by hand.
void check_revisions(StoreInside::Impl& store, const ScopeView& view,
                     std::vector<Problem>& problems);

}  // namespace memfs
