// How a memory becomes a document of the index: its fields and their weights.
#pragma once

#include <memfs/memory.h>

#include <string_view>
#include <vector>

#include "index/memory_index.h"

namespace memfs {

// Weights of the fields; docs/search.md gives the reasons.
std::vector<index::FieldSpec> search_fields();

// Nearer scopes win between otherwise equal memories: a factor of the score.
double nearness(Scope scope);

// The part of a body that is searched.
std::string_view searched_body(const Memory& memory);

// One document per memory, in order; built in parts, one per core.
index::MemoryIndex build_index(const std::vector<Memory>& memories, const index::TermFilter& terms);

}  // namespace memfs
