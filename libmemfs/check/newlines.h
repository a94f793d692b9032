// Whether git leaves the bytes of shared memories alone.
#pragma once

#include <memfs/memory.h>

#include <vector>

#include "libmemfs/check/scope_view.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

// In a git repository, if no attribute keeps git from changing newlines: then a clone with
// core.autocrlf has other bytes, and so other etags, than the rest of the team.
void check_newlines(const StoreInside::Impl& store, const ScopeView& view,
                    std::vector<Problem>& problems);

}  // namespace memfs
