// For processes that stay.
#pragma once

namespace memfs {

// Gives the system what was freed and the allocator keeps: after work that needed far more memory
// than what follows. Takes milliseconds where there is much of it; nothing with other C libraries
// than glibc.
void give_back_free_memory();

}  // namespace memfs
