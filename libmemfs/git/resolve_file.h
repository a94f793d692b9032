// One memory's file settled, by whatever way its state allows.
#pragma once

#include <memfs/resolve.h>

#include "libmemfs/check/unmerged.h"

namespace memfs {

// `unmerged`: what git holds of a file that it could not merge, so that every marker in it is one;
// nullptr for all other files.
ResolvedFile resolve_file(Store& store, const Memory& listed, const ResolveWish& wish,
                          const UnmergedFile* unmerged);

}  // namespace memfs
