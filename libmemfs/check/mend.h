// `mem check --fix`: what can be mended without losing anything. Every old byte is kept in the
// history first, every write is in the log, and a second run finds nothing left to do.
#pragma once

#include <memfs/check.h>

#include <set>
#include <string>

#include "libmemfs/store/store_inside.h"

namespace memfs {

// Finishes interrupted operations, then in each scope, under its lock: keeps and removes left-over
// temporary files, gives copies an id of their own and memories that lost theirs a new one, quotes
// values that were certainly meant as text, renews INDEX.md. What cannot be done is a problem of
// the report and stops nothing else.
void mend_store(StoreInside::Impl& store, CheckReport& report);

// Gives each of these memories (paths) an id of its own, one revision on.
void give_new_ids(StoreInside::Impl& store, const std::set<std::string>& paths,
                  CheckReport& report);

}  // namespace memfs
