#include <memfs/search.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "index/query.h"
#include "index/searcher.h"
#include "index/snippet.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/filter.h"
#include "libmemfs/recall/index_documents.h"

namespace memfs {
namespace {

std::string why_of(const index::Match& match) {
  std::string terms;
  std::set<std::string> seen_terms;
  std::vector<std::string> fields;
  for (const index::Factor& factor : match.factors) {
    if (seen_terms.insert(factor.term).second) terms += (terms.empty() ? "" : ", ") + factor.term;
    for (const std::string& field : factor.fields)
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  }
  std::string where;
  for (const std::string& field : fields) where += (where.empty() ? "" : ", ") + field;
  return terms + " in " + where;
}

std::vector<std::string> explain(const index::Match& match, Scope scope) {
  std::vector<std::string> lines;
  std::array<char, 160> buffer{};
  for (const index::Factor& factor : match.factors) {
    std::string fields;
    for (const std::string& field : factor.fields) fields += (fields.empty() ? "" : ",") + field;
    std::snprintf(buffer.data(), buffer.size(), " idf %.3f × frequency %.3f → %.3f in ", factor.idf,
                  factor.frequency, factor.score);
    lines.push_back(factor.term + buffer.data() + fields);
  }
  std::snprintf(buffer.data(), buffer.size(), "words found %.2f, scope %s × %.2f, score %.4f",
                match.coverage, std::string(name_of(scope)).c_str(), nearness(scope), match.score);
  lines.emplace_back(buffer.data());
  return lines;
}

Hit make_hit(const Memory& memory, const index::Match& match, const index::Query& query,
             std::size_t graphemes) {
  Hit hit;
  hit.memory = memory;
  hit.score = match.score;
  const index::Snippet snippet = index::make_snippet(searched_body(memory), query, graphemes);
  hit.snippet = snippet.text;
  for (const auto& mark : snippet.highlights) hit.highlights.emplace_back(mark.begin, mark.end);
  if (snippet.hit) {
    const auto before = std::string_view(memory.body).substr(0, snippet.offset);
    hit.line = memory.body_line + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  }
  hit.why = match.factors.empty() ? "fits the filters" : why_of(match);
  hit.explanation = explain(match, memory.scope);
  return hit;
}

// A query of filters alone: everything that fits, in listing order.
std::vector<index::Match> everything(std::size_t count,
                                     const std::function<bool(std::uint32_t)>& accepts) {
  std::vector<index::Match> matches;
  for (std::uint32_t i = 0; i < count; ++i)
    if (accepts(i)) matches.push_back({i, 0, 1, {}});
  return matches;
}

}  // namespace

Result<SearchResult> search(const Store& store, const SearchRequest& request, Instant now) {
  MEMFS_ASSIGN(const index::Query query, index::parse_query(request.query, is_filter));
  MEMFS_ASSIGN(Listing listing, store.list(request.scopes));
  const auto& memories = listing.memories;
  const bool wants_expired =
      request.include_expired ||
      std::any_of(query.filters.begin(), query.filters.end(), [](const index::Filter& f) {
        return f.name == "is" && f.value == "expired" && !f.negated;
      });
  const auto accepts = [&](std::uint32_t document) {
    const Memory& memory = memories[document];
    if (!wants_expired && is_expired(memory, now)) return false;
    return std::all_of(query.filters.begin(), query.filters.end(), [&](const index::Filter& f) {
      return fits_filter(memory, f.name, f.value, now) != f.negated;
    });
  };
  std::vector<index::Match> matches;
  if (query.clauses.empty()) {
    matches = everything(memories.size(), accepts);
  } else {
    matches = index::search(build_index(memories, query.terms()), query, accepts);
    for (index::Match& match : matches) match.score *= nearness(memories[match.document].scope);
    // Memories are listed by scope and name: their number breaks ties the same way everywhere.
    std::sort(matches.begin(), matches.end(), [](const index::Match& a, const index::Match& b) {
      return a.score != b.score ? a.score > b.score : a.document < b.document;
    });
  }
  SearchResult result;
  result.total = matches.size();
  result.notes = query.notes;
  result.problems = std::move(listing.problems);
  for (std::size_t i = 0; i < std::min(matches.size(), request.limit); ++i)
    result.hits.push_back(
        make_hit(memories[matches[i].document], matches[i], query, request.snippet_graphemes));
  return result;
}

Result<std::vector<Memory>> filter_memories(std::vector<Memory> memories,
                                            const std::vector<std::string>& filters, Instant now) {
  for (const std::string& word : filters) {
    const bool negated = word.starts_with('-');
    const std::string filter = word.substr(negated ? 1 : 0);
    const auto colon = filter.find(':');
    const std::string name = filter.substr(0, colon);
    const std::string value = colon == std::string::npos ? "" : filter.substr(colon + 1);
    if (colon == std::string::npos || !is_filter(name, value)) {
      return make_error(ErrorCode::kUsage, "not a filter: " + escape_for_terminal(word))
          .with_hint(
              "filters are type: kind: scope: tag: subject: volatility: activation: is: in: "
              "source: before: after:; words are for `mem search`");
    }
    std::erase_if(memories, [&](const Memory& memory) {
      return fits_filter(memory, name, value, now) == negated;
    });
  }
  return memories;
}

}  // namespace memfs
