// All memories of a scope as they are on disk at one moment.
#pragma once

#include <memfs/memory.h>
#include <memfs/store.h>

#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/store/scope_index.h"

namespace memfs {

struct Catalogue {
  std::vector<Memory> memories;   // without bodies; sorted by name under folding, then bytewise
  std::vector<Problem> problems;  // of the folder and of files that are no memories
  std::vector<std::string> leftovers;
};

// The catalogue that a scope's index gives after it was brought in step with the files. Never fails
// for single files.
Result<Catalogue> load_catalogue(ScopeIndex& index, Directory& dir);

// Reads one memory's file, with its body. kNotFound if it is gone, kInvalid if it is empty or
// NUL-filled.
Result<Memory> load_memory(Directory& dir, const Memory& listed);

// The same of bytes that were read already.
Result<Memory> memory_from(const Directory& dir, const Memory& listed, const FileContent& content);

// Finds the one memory that a reference means in `memories`, which are sorted by scope and name.
// kNotFound with "candidate" details; kConflict if it fits several. With `for_write`, a bare name
// that several scopes have, or that is the id of another memory, is a conflict, too; for reading
// the nearest scope wins.
Result<Found> resolve(const std::vector<Memory>& memories, std::string_view reference,
                      bool for_write, Instant now);
// The documents among which resolve() finds the same as among all, as long as it finds anything.
std::vector<index::DocumentId> candidates_of(const index::Snapshot& snapshot,
                                             std::string_view reference);

// The order of a listing: scope, name under folding, path on disk.
bool listing_order(const Memory& a, const Memory& b);
void sort_memories(std::vector<Memory>& memories);

}  // namespace memfs
