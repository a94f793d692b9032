// One memory's file settled, by whatever way its state allows.
#pragma once

#include <memfs/resolve.h>

#include "libmemfs/merge/settle.h"

namespace memfs {

// `sides`: the two versions that git holds of the file, if it does, and `base` their ancestor.
ResolvedFile resolve_file(Store& store, const Memory& listed, const ResolveWish& wish,
                          const Sides& sides, const std::optional<std::string>& base);

}  // namespace memfs
