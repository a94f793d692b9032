// Of what is gone from the shared folder: what git still has, so that nobody lost it.
#pragma once

#include <vector>

#include "libmemfs/store/seen_list.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

// Where HEAD is, for the next check.
void note_head(FileSystem& fs, const Layout& layout, SeenList& now);

// Takes out of `lost` what the branch of the last check still has, now that another one is checked
// out, and what commits deleted that came since on the same one; gives the latter. What a reset
// took stays lost.
std::vector<const SeenMemory*> take_what_git_has(const StoreInside::Impl& store,
                                                 const SeenList& before, const SeenList& now,
                                                 std::vector<const SeenMemory*>& lost);

}  // namespace memfs
