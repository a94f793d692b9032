// What is wrong with the links of a memory.
#pragma once

#include <vector>

#include "libmemfs/store/link_lookup.h"

namespace memfs {

// Links that name a memory that is not there, that several memories fit, and that lead from a
// shared memory to one that only this person has. `table`: all memories of the store.
std::vector<Problem> check_links(const LinkingMemory& from, const LinkTable& table);

}  // namespace memfs
