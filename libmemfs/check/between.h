// What is wrong between memories: of one scope or of several.
#pragma once

#include <memfs/memory.h>

#include <set>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"

namespace memfs {

// Ids given twice, subject keys held twice, names that clash under NFC and case folding, names that
// a system cannot have, names that a nearer scope has too. `copies`: paths of those that are known
// to be the copy where an id is given twice.
void check_between(const std::vector<const Memory*>& memories, const std::set<std::string>& copies,
                   Instant now, std::vector<Problem>& problems);

}  // namespace memfs
