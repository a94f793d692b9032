// One short line for each memory, for agents: what to write, and which memories to take if not all
// fit.
#pragma once

#include <memfs/context.h>
#include <memfs/memory.h>

#include <cstddef>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"

namespace memfs {

// What the line says; `text` is plain, on one line, without hidden characters. Never what tells a
// model what to do, if the memory is shared.
IndexEntry index_entry(const Memory& memory);

// "- shared/deploy/rollback: How to roll back", as markdown, with newline.
std::string compact_line(const IndexEntry& entry);

// Numbers of `memories`, the newest first: by the date of their last change, then the file's time.
// A date to come says nothing, and of two that are equal the earlier in the list is the newer.
std::vector<std::size_t> newest_first(const std::vector<Memory>& memories, Instant now);

// What `mem show` takes, on one line: scope and name. A shared name that tells a model what to do
// is not repeated to it; the id stands for it, or if there is none a hint where it is named.
std::string shown_reference(const Memory& memory);

// Problems quote names and values. Of those of shared files, which may come from anybody, one that
// tells a model what to do keeps its code only.
void hide_instructions(std::vector<Problem>& problems, const Layout& layout);

}  // namespace memfs
