// Memories that say nearly the same, among thousands.
#pragma once

#include <memfs/memory.h>

#include <functional>
#include <vector>

#include "libmemfs/check/fingerprint.h"

namespace memfs {

struct Comparable {
  const Memory* memory = nullptr;  // without its body
  const Fingerprint* print = nullptr;
};

// At most one problem for each memory, which names an earlier one. Bodies count always; a title
// counts between two memories that mem wrote, since pages of other tools are often all called
// "Overview". Takes time in proportion to the number of memories: what very many share brings
// nobody together. `body_of` reads a memory's body.
void check_near_duplicates(const std::vector<Comparable>& memories,
                           const std::function<std::string(const Memory&)>& body_of,
                           std::vector<Problem>& problems);

}  // namespace memfs
