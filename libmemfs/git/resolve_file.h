// One memory's file settled, by whatever way its state allows.
#pragma once

#include <memfs/resolve.h>

namespace memfs {

// `unmerged`: git holds two versions of the file, so that every marker in it is one.
ResolvedFile resolve_file(Store& store, const Memory& listed, const ResolveWish& wish,
                          bool unmerged);

}  // namespace memfs
