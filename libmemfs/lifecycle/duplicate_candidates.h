// Which documents of an index may say nearly the same as a statement: a few searches for its rarest
// words, never a walk over all. The caller loads these and compares (near_duplicate.h).
#pragma once

#include <cstddef>
#include <vector>

#include "index/snapshot.h"
#include "libmemfs/lifecycle/near_duplicate.h"

namespace memfs {

constexpr std::size_t kCandidatesEach = 20;

// At most kCandidatesEach for the title, the description and the body each, without repeats; those
// of the title first, best first. Words that no document has are passed over, so that a slip of
// the pen hides nothing. Of a body the first words are looked at.
std::vector<index::DocumentId> duplicate_candidates(const index::Snapshot& snapshot,
                                                    const Statement& statement);

}  // namespace memfs
