// How a memory becomes a document of the search index: its fields, their weights, and the words
// by which it can be looked up.
#pragma once

#include <memfs/memory.h>

#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"

namespace memfs {

// Weights of the fields; docs/search.md gives the reasons.
std::vector<index::FieldSpec> search_fields();

// The part of a body that is searched.
std::string_view searched_body(const Memory& memory);

// Texts, record and look-up words; the caller adds what it knows of the file.
index::Document document_of(Memory memory);
// A file that is no memory, remembered so that it is not read each time.
index::Document document_of(const Problem& problem);

// Look-up words: each says what it is the word of.
std::string id_tail_lookup(std::string_view id);  // by the last characters, see kShortestTail
std::string name_lookup(std::string_view name);   // under case folding
std::string leaf_lookup(std::string_view name);
std::string alias_lookup(std::string_view alias);  // under case folding
std::string title_lookup(std::string_view title);  // under case folding
// Memories with a link that one of its words, see link_table.h, may lead somewhere.
std::string link_lookup(std::string_view word);
std::string subject_lookup(std::string_view subject);
extern const std::string kProblemLookup;  // all files that have a problem
extern const std::string kExpiresLookup;  // all memories that expire one day

constexpr std::size_t kShortestTail = 6;

}  // namespace memfs
