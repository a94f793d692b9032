// What is wrong with the links of a memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "libmemfs/store/link_lookup.h"

namespace memfs {

// "broken-link" for each that names a memory that is not there, "ambiguous-link" for those that
// others fit as well, "private-link" where a shared memory leads to one that only this person has.
// `exists` tells whether there is a file with that absolute path, although it is no memory.
std::vector<Problem> link_problems(const LinkingMemory& from, const LinkTable& table,
                                   const ScopeFolders& folders,
                                   const std::function<bool(const std::string&)>& exists);

}  // namespace memfs
