#include "libmemfs/lifecycle/duplicate_candidates.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "index/pair_weights.h"
#include "index/query.h"
#include "index/searcher.h"
#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

constexpr std::size_t kLookedAt = 2048;  // bytes of a body
constexpr std::size_t kMostWords = 48;   // different ones of a text whose rarity is looked up
constexpr std::size_t kTitleWords = 4;   // that are searched for
constexpr std::size_t kBodyWords = 4;

// The words of a text as a query has them, each once.
std::vector<index::Clause> clauses_of(std::string_view text) {
  std::vector<index::Clause> clauses;
  std::uint32_t group = 0;
  for (index::Token& token : index::analyze(text, index::Purpose::kQuery)) {
    if (clauses.empty() || token.group != group) {
      clauses.emplace_back();
      clauses.back().text = text.substr(token.begin, token.end - token.begin);
    }
    group = token.group;
    clauses.back().tokens.push_back(std::move(token));
  }
  index::weigh_pairs(text, clauses);
  std::set<std::string> seen;
  std::erase_if(clauses, [&](const index::Clause& clause) {
    return !seen.insert(clause.tokens.front().term).second;
  });
  if (clauses.size() > kMostWords) clauses.resize(kMostWords);
  return clauses;
}

// In how many documents the word stands, in the form that most have.
std::uint64_t documents_with(const index::Snapshot& snapshot, const index::Clause& clause) {
  std::uint64_t most = 0;
  for (const index::Token& token : clause.tokens) {
    std::uint64_t documents = 0;
    for (const index::SegmentView& view : snapshot.segments())
      documents += view.segment->terms().find(token.term).documents;
    if (token.form != index::Form::kPair) most = std::max(most, documents);
  }
  return most;
}

// The best documents for the `count` rarest words of the text.
void search_for(const index::Snapshot& snapshot, std::string_view text, std::size_t count,
                std::vector<index::DocumentId>& found) {
  std::vector<std::pair<std::uint64_t, index::Clause>> words;
  for (index::Clause& clause : clauses_of(text))
    if (const auto documents = documents_with(snapshot, clause); documents > 0)
      words.emplace_back(documents, std::move(clause));
  std::stable_sort(words.begin(), words.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (words.size() > count) words.resize(count);
  index::Query query;
  for (auto& [documents, clause] : words) query.clauses.push_back(std::move(clause));
  if (query.clauses.empty()) return;
  index::SearchOptions options;
  options.limit = kCandidatesEach;
  for (const index::Match& match : index::search(snapshot, query, options))
    if (std::find(found.begin(), found.end(), match.id) == found.end()) found.push_back(match.id);
}

}  // namespace

std::vector<index::DocumentId> duplicate_candidates(const index::Snapshot& snapshot,
                                                    const Statement& statement) {
  std::vector<index::DocumentId> found;
  search_for(snapshot, statement.title, kTitleWords, found);
  search_for(snapshot, statement.description, kTitleWords, found);
  search_for(snapshot, cut_at_char_boundary(statement.body, kLookedAt), kBodyWords, found);
  return found;
}

}  // namespace memfs
