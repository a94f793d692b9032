#include "libmemfs/recall/search_limits.h"

#include <algorithm>

#include "libmemfs/recall/compact_index.h"

namespace memfs {
namespace {

void take_text_out(Hit& hit, std::vector<Finding> why) {
  hit.held_back = std::move(why);
  hit.memory.title.clear();
  hit.memory.description.clear();
  hit.memory.body.clear();
  hit.memory.tags.clear();
  hit.memory.keywords.clear();
  hit.snippet.clear();
  hit.highlights.clear();
}

std::uint64_t size_of(const Hit& hit, TextBudget::Unit unit) {
  return size_in(unit, hit.memory.title) + size_in(unit, hit.memory.description) +
         size_in(unit, hit.snippet);
}

}  // namespace

void hold_back(const Store& store, SearchResult& result) {
  std::erase_if(result.hits, [&](Hit& hit) {
    if (hit.memory.scope != Scope::kShared) return false;
    auto admission = store.admit(hit.memory, true);
    if (!admission) return true;  // gone since it was found, or not to be read: nobody can tell
    if (!admission->held_back.empty()) take_text_out(hit, std::move(admission->held_back));
    return false;
  });
  hide_instructions(result.problems, store.layout());
}

std::size_t keep_within(const TextBudget& budget, std::vector<Hit>& hits) {
  const std::size_t before = hits.size();
  std::uint64_t used = 0;
  bool first = true;
  std::erase_if(hits, [&](const Hit& hit) {
    const std::uint64_t size = size_of(hit, budget.unit);
    const bool fits = first || used + size <= budget.amount;
    first = false;
    if (fits) used += size;
    return !fits;
  });
  return before - hits.size();
}

}  // namespace memfs
