#include <memfs/search.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "index/near_spelling.h"
#include "index/query.h"
#include "index/searcher.h"
#include "index/snippet.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/filter.h"
#include "libmemfs/recall/search_limits.h"
#include "libmemfs/recall/search_snapshot.h"
#include "libmemfs/store/catalogue.h"
#include "libmemfs/store/memory_document.h"
#include "libmemfs/store/memory_record.h"
#include "libmemfs/store/store_inside.h"

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

double strength_of(const index::Match& match) {
  double asked = 0;
  double found = 0;
  for (const index::WordFound& word : match.words) {
    asked += word.information;
    found += word.information * word.found;
  }
  return asked > 0 ? found / asked : 1;
}

// Nearer scopes win between otherwise equal memories.
double nearness(Scope scope) {
  switch (scope) {
    case Scope::kPrivate:
      return 1.0;
    case Scope::kShared:
      return 0.98;
    case Scope::kGlobal:
      return 0.96;
  }
  return 1.0;
}

// Knowledge past its window is still found, behind what is as good and newer.
constexpr double kStaleFactor = 0.85;

std::vector<std::string> explain(const index::Match& match, Scope scope, Freshness freshness) {
  std::vector<std::string> lines;
  std::array<char, 160> buffer{};
  for (const index::Factor& factor : match.factors) {
    std::string fields;
    for (const std::string& field : factor.fields) fields += (fields.empty() ? "" : ",") + field;
    std::snprintf(buffer.data(), buffer.size(), " idf %.3f × frequency %.3f → %.3f in ", factor.idf,
                  factor.frequency, factor.score);
    lines.push_back(factor.term + buffer.data() + fields);
  }
  std::snprintf(buffer.data(), buffer.size(),
                "words found %.2f, scope %s × %.2f, %s × %.2f, score %.4f", match.coverage,
                std::string(name_of(scope)).c_str(), nearness(scope),
                std::string(name_of(freshness)).c_str(),
                freshness == Freshness::kStale ? kStaleFactor : 1.0, match.score);
  lines.emplace_back(buffer.data());
  return lines;
}

// A search at work over one snapshot.
class Searcher {
 public:
  Searcher(const StoreSnapshot& here, const index::Query& query, const SearchRequest& request,
           Instant now)
      : here_(here), query_(query), request_(request), now_(now) {
    wants_expired_ =
        request.include_expired ||
        std::any_of(query.filters.begin(), query.filters.end(), [](const index::Filter& f) {
          return f.name == "is" && f.value == "expired" && !f.negated;
        });
    if (wants_expired_) return;
    expired_.resize(here.documents.segments().size());
    for (const index::DocumentId id : here.documents.find_lookup(kExpiresLookup))
      if (record_expired(here.documents.stored(id), now)) expired_[id.segment].add(id.document);
  }

  SearchResult run() {
    SearchResult result;
    std::vector<index::Match> matches =
        query_.clauses.empty() ? everything(result.total) : best(result.total);
    for (const index::Match& match : matches) result.hits.push_back(make_hit(match));
    if (matches.empty()) result.suggestions = suggestions();
    add_problems(result.problems);
    return result;
  }

 private:
  bool accepts(index::DocumentId id) const {
    // Records lie all over the file: few searches look into those of all that match.
    if (!wants_expired_ && expired_[id.segment].contains(id.document)) return false;
    if (query_.filters.empty()) return true;
    if (!is_memory_record(here_.documents.stored(id))) return false;
    Problem ignored;
    const auto memory = here_.memory(id, &ignored);
    return memory &&
           std::all_of(query_.filters.begin(), query_.filters.end(), [&](const index::Filter& f) {
             return fits_filter(*memory, f.name, f.value, now_) != f.negated;
           });
  }

  Scope scope_of(index::DocumentId id) const {
    return here_.scopes[here_.documents.source(id)]->scope();
  }

  bool is_stale(index::DocumentId id) const {
    const ScopeIndex& scope = *here_.scopes[here_.documents.source(id)];
    DatesElsewhere dates;
    if (scope.scope() == Scope::kShared) {
      dates.committed = scope.committed_at(name_of_key(here_.documents.key(id)));
    } else {
      dates.modified = modified_at(here_.documents, id);
    }
    return record_stale(here_.documents.stored(id), dates, now_);
  }

  std::vector<index::Match> best(std::size_t& total) const {
    index::SearchOptions options;
    options.limit = request_.limit;
    options.accepts = [this](index::DocumentId id) { return accepts(id); };
    options.factor = [this](index::DocumentId id) {
      return nearness(scope_of(id)) * (is_stale(id) ? kStaleFactor : 1.0);
    };
    options.explain = true;
    return index::search(here_.documents, query_, options, &total);
  }

  // A query of filters alone: everything that fits, in listing order.
  std::vector<index::Match> everything(std::size_t& total) const {
    std::vector<std::pair<Memory, index::DocumentId>> found;
    const auto& segments = here_.documents.segments();
    for (std::uint32_t segment = 0; segment < segments.size(); ++segment) {
      for (std::uint32_t i = 0; i < segments[segment].segment->document_count(); ++i) {
        const index::DocumentId id{segment, i};
        if (segments[segment].dead.contains(i) || !accepts(id)) continue;
        Problem ignored;
        if (auto memory = here_.memory(id, &ignored)) found.emplace_back(std::move(*memory), id);
      }
    }
    total = found.size();
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return listing_order(a.first, b.first); });
    std::vector<index::Match> matches;
    for (std::size_t i = 0; i < std::min(found.size(), request_.limit); ++i)
      matches.push_back({found[i].second, 0, 1, {}, {}});
    return matches;
  }

  Hit make_hit(const index::Match& match) const {
    Hit hit;
    Problem ignored;
    hit.memory = here_.memory(match.id, &ignored).value_or(Memory{});
    hit.age = age_of(hit.memory, now_);
    hit.score = match.score;
    hit.strength = strength_of(match);
    Directory& folder = *here_.folders[here_.documents.source(match.id)];
    // Gone since the scan: the hit stands without a snippet.
    if (auto whole = load_memory(folder, hit.memory)) hit.memory = std::move(*whole);
    const index::Snippet snippet =
        index::make_snippet(searched_body(hit.memory), query_, request_.snippet_graphemes);
    hit.snippet = snippet.text;
    for (const auto& mark : snippet.highlights) hit.highlights.emplace_back(mark.begin, mark.end);
    if (snippet.hit) {
      const auto before = std::string_view(hit.memory.body).substr(0, snippet.offset);
      hit.line =
          hit.memory.body_line + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    }
    hit.why = match.factors.empty() ? "fits the filters" : why_of(match);
    hit.explanation = explain(match, hit.memory.scope, hit.age.freshness);
    return hit;
  }

  std::vector<std::string> suggestions() const {
    std::vector<std::string> words;
    constexpr std::size_t kEnough = 5;
    for (const index::Clause& clause : query_.clauses) {
      if (words.size() >= kEnough) break;
      if (clause.kind != index::Clause::Kind::kWord || clause.tokens.empty()) continue;
      if (clause.mode == index::Clause::Mode::kMustNot) continue;
      for (std::string& word : index::near_terms(here_.documents, clause.tokens.front().term, 3))
        if (word != clause.tokens.front().term) words.push_back(std::move(word));
    }
    return words;
  }

  void add_problems(std::vector<Problem>& problems) const {
    problems = here_.problems;
    for (const index::DocumentId id : here_.documents.find_lookup(kProblemLookup)) {
      Problem problem;
      auto memory = here_.memory(id, &problem);
      if (!memory) {
        problems.push_back(std::move(problem));
        continue;
      }
      for (Problem& own : memory->problems) problems.push_back(std::move(own));
    }
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem& a, const Problem& b) { return a.path < b.path; });
  }

  const StoreSnapshot& here_;
  const index::Query& query_;
  const SearchRequest& request_;
  Instant now_;
  bool wants_expired_ = false;
  std::vector<index::DocumentSet> expired_{};  // by segment
};

}  // namespace

Result<SearchedSnapshot> search_snapshot(const Store& store, const SearchRequest& request,
                                         Instant now) {
  MEMFS_ASSIGN(const index::Query query, index::parse_query(request.query, is_filter));
  // The second time everything is read anew.
  for (int attempt = 0;; ++attempt) {
    StoreSnapshot here = StoreInside::snapshot(store, request.scopes);
    SearchResult result = Searcher(here, query, request, now).run();
    if (here.documents.damaged() && attempt == 0) {
      StoreInside::discard(here);
      continue;
    }
    result.complete = here.complete;
    result.notes = query.notes;
    result.notes.insert(result.notes.end(), here.notes.begin(), here.notes.end());
    return SearchedSnapshot{std::move(here), std::move(result)};
  }
}

Result<SearchResult> search(const Store& store, const SearchRequest& request, Instant now) {
  MEMFS_ASSIGN(SearchedSnapshot searched, search_snapshot(store, request, now));
  SearchResult& result = searched.result;
  result.weak = std::erase_if(result.hits,
                              [&](const Hit& hit) { return hit.strength < request.min_strength; });
  if (request.guarded) hold_back(store, result);
  if (request.budget) result.no_room = keep_within(*request.budget, result.hits);
  return std::move(result);
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
