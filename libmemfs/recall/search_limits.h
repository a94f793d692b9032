// What of a search's hits goes to a reader that did not ask for all of them.
#pragma once

#include <memfs/search.h>

namespace memfs {

// Takes the text out of hits that the guard keeps out of contexts, and says why in held_back; the
// problems found keep only their codes where their words tell a model what to do.
void hold_back(const Store& store, SearchResult& result);

// Drops hits whose texts do not fit into the budget, but never the first; tells how many.
std::size_t keep_within(const TextBudget& budget, std::vector<Hit>& hits);

}  // namespace memfs
