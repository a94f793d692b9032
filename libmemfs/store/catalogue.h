// All memories of a scope as they are on disk at one moment.
#pragma once

#include <memfs/memory.h>
#include <memfs/store.h>

#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/store/walk.h"

namespace memfs {

struct Catalogue {
  std::vector<Memory> memories;   // sorted by name under folding, then bytewise
  std::vector<Problem> problems;  // of the folder and of files that are no memories
  std::vector<std::string> leftovers;
};

// Reads every file of the scope on up to `threads` threads. Never fails for single files.
Result<Catalogue> load_catalogue(Directory& dir, Scope scope, unsigned threads);

// Reads one file of a scope. kInvalid if it is empty or NUL-filled.
Result<Memory> load_memory(Directory& dir, Scope scope, const WalkedFile& file);

// Finds the one memory that a reference means in `memories`.
// kNotFound with "candidate" details; kConflict if it fits several. With `for_write`, a bare name
// that several scopes have is a conflict, too; for reading the nearest scope wins.
Result<Found> resolve(const std::vector<Memory>& memories, std::string_view reference,
                      bool for_write);

// What is wrong between memories: ids given twice, subject keys held twice, names that clash
// under NFC and case folding, names a system cannot have.
std::vector<Problem> cross_check(const std::vector<Memory>& memories, Instant now);

}  // namespace memfs
