// What is odd about a scope's folder and the bookkeeping, apart from the memories' texts.
#pragma once

#include <memfs/memory.h>

#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/check/scope_view.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

// Left-over temporary files, INDEX.md, permissions, keys that nobody knows.
void check_folder(StoreInside::Impl& store, const ScopeView& view, std::vector<Problem>& problems);

// Operations that were cut off, and records of such that cannot be read.
Result<void> check_journal(StoreInside::Impl& store, std::vector<Problem>& problems);

// Dates that lie in the future.
void check_dates(const Memory& memory, Instant now, std::vector<Problem>& problems);

}  // namespace memfs
