// Memories that mem wrote and that somebody took the id from.
#pragma once

#include <memfs/memory.h>

#include <string_view>

namespace memfs {

// The file carries mem's own bookkeeping, a revision and a date that only mem writes, and no id.
// Hand-written files and those of other tools never do. `bytes` are those `memory` was read from.
bool lost_its_id(const Memory& memory, std::string_view bytes);

}  // namespace memfs
