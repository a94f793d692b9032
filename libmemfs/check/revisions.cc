#include "libmemfs/check/revisions.h"

#include <algorithm>
#include <set>

#include "libmemfs/check/problem.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

constexpr std::size_t kNamed = 5;

bool is_doubled(State& state, const Memory& memory) {
  const auto kept = state.kept(memory);
  return kept && std::any_of(kept->begin(), kept->end(), [&](const KeptBytes& bytes) {
           return bytes.revision == memory.revision && bytes.hash != memory.etag;
         });
}

}  // namespace

void check_revisions(StoreInside::Impl& store, const ScopeView& view,
                     std::vector<Problem>& problems) {
  if (view.scope != Scope::kShared || !view.dir) return;
  const auto state_dir = store.open_state();
  if (!state_dir) return;
  State state(*state_dir);
  const auto histories = state.histories();
  if (!histories) return;
  const std::set<std::string> known(histories->begin(), histories->end());
  std::size_t count = 0;
  std::string names;
  for (const Memory& memory : view.catalogue.memories) {
    if (memory.revision == 0 || !known.contains(State::history_of(memory))) continue;
    if (!is_doubled(state, memory)) continue;
    if (count++ >= kNamed) continue;
    names += (names.empty() ? "" : ", ") + escape_for_terminal(memory.ref()) + " (" +
             std::to_string(memory.revision) + ")";
  }
  if (count == 0) return;
  if (count > kNamed) names += ", …";
  problems.push_back(problem_at("revision-twice", view.dir->path(),
                                "a revision number that stands for two contents: " + names,
                                "`mem history REF` shows both; the next write counts on"));
}

}  // namespace memfs
