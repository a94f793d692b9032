// Search over the scopes of a store. The query language is described in docs/search.md.
#pragma once

#include <memfs/freshness.h>
#include <memfs/memory.h>
#include <memfs/result.h>
#include <memfs/store.h>
#include <memfs/text_budget.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace memfs {

struct SearchRequest {
  std::string query;
  std::size_t limit = 10;
  std::vector<Scope> scopes{};   // all usable ones by default
  bool include_expired = false;  // also by the filter is:expired
  std::size_t snippet_graphemes = 160;
  // For who did not ask, such as a model's turn: weaker hits are left out, see kStrongEnough.
  double min_strength = 0;
  // Of titles, descriptions and snippets together; what does not fit is left out, but for the first
  // hit.
  std::optional<TextBudget> budget{};
  // For a reader that takes text for instructions: of a shared memory that the guard holds back
  // from contexts neither title nor text is in the hit, see Hit::held_back.
  bool guarded = false;
};

struct Hit {
  Memory memory;
  Age age;
  double score = 0;
  // The share of what the query asks for that the memory has, each word by its rarity; 1 for a
  // query of filters alone.
  double strength = 1;
  int line = 1;         // of the first hit in the file, 1-based
  std::string snippet;  // original text of the body
  std::vector<std::pair<std::size_t, std::size_t>> highlights;  // bytes [begin, end) of snippet
  std::string why;                                              // "release, branch in title, body"
  std::vector<std::string> explanation;                         // every factor, a line each
  std::vector<Finding> held_back{};                             // why the hit has no text
};

struct SearchResult {
  std::vector<Hit> hits;           // best first; equal scores by scope, then name
  std::size_t total = 0;           // memories that match
  std::size_t weak = 0;            // hits left out by min_strength
  std::size_t no_room = 0;         // hits left out by the request's budget
  bool complete = true;            // false: a scope could not be read, so there may be more
  std::vector<Problem> problems;   // of the folder: files that could not be read whole
  std::vector<std::string> notes;  // how the query was taken, and what is wrong with the index
  std::vector<std::string>
      suggestions;  // words spelt nearly like those asked for, if nothing is found
};

// A hit of less strength answers the query by accident: it is shown to who looks for it, not put
// before who did not ask. Of public collections in seven languages it keeps what is relevant and
// lets few others in; docs/context.md has the figures.
constexpr double kStrongEnough = 0.4;

// kUsage for a query with nothing to look for. Always of the files as they are now.
Result<SearchResult> search(const Store& store, const SearchRequest& request,
                            std::chrono::sys_time<std::chrono::milliseconds> now);

// The memories that fit filters such as "type:project" or "tag:git" (all of them), as `mem list`
// takes them. kUsage for a word that is no filter.
Result<std::vector<Memory>> filter_memories(std::vector<Memory> memories,
                                            const std::vector<std::string>& filters,
                                            std::chrono::sys_time<std::chrono::milliseconds> now);

}  // namespace memfs
