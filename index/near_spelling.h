// Words of the index that are spelt nearly like another one, for queries that find nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/snapshot.h"

namespace memfs::index {

// At most `limit` terms whose edit distance to `term` is at most one for up to five letters, two
// for longer ones; the nearest first, then those that more documents have. The first letter is
// taken to be right. Empty for terms of less than three letters.
std::vector<std::string> near_terms(const Snapshot& snapshot, std::string_view term,
                                    std::size_t limit);

}  // namespace memfs::index
