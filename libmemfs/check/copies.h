// Which of several files with one id is the copy.
#pragma once

#include <memfs/memory.h>

#include <set>
#include <string>
#include <vector>

#include "libmemfs/store/store_inside.h"

namespace memfs {

// Paths of the memories that are certainly copies: of those with one id git knows exactly one, or,
// where git knows none of them, mem's log says where it was written. Where neither tells there are
// none: a person has to say.
std::set<std::string> find_copies(const StoreInside::Impl& store,
                                  const std::vector<const Memory*>& memories);

}  // namespace memfs
