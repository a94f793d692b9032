// What is there, how large it is and how it is used.
#include <memfs/stats.h>

#include <algorithm>
#include <set>

#include "libmemfs/store/recall_counts.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

constexpr std::size_t kMostUsed = 10;

const std::string& recall_key(const Memory& memory) {
  return memory.id.empty() ? memory.name : memory.id;
}

std::string day_text(std::uint32_t day) {
  return format_instant(Instant(std::chrono::days(day))).substr(0, 10);
}

void count(ScopeStats& stats, const Memory& memory, Instant now) {
  ++stats.by_freshness.at(static_cast<std::size_t>(age_of(memory, now).freshness));
  if (memory.kind == "preference") ++stats.rules;
  if (memory.activation == "pinned") ++stats.pinned;
  if (memory.needs_attention()) ++stats.with_problems;
}

}  // namespace

void Store::Impl::note_recalls(const std::vector<const Memory*>& memories, Recall kind) const {
  if (!layout.settings.count_recalls || services.read_only || memories.empty()) return;
  const auto state_dir = open_state();
  if (!state_dir) return;
  for (const Scope scope : kScopes) {
    std::vector<std::string> keys;
    for (const Memory* memory : memories)
      if (memory->scope == scope) keys.push_back(recall_key(*memory));
    const auto key =
        keys.empty() ? Result<std::string>(make_error(ErrorCode::kNotFound, "")) : key_of(scope);
    if (key) (void)memfs::note_recalls(**state_dir, *key, keys, kind, day_of(now()));
  }
}

void Store::note_returned(const std::vector<const Memory*>& memories) const {
  impl_->note_recalls(memories, Recall::kReturned);
}

void Store::note_read(const Memory& memory) const { impl_->note_recalls({&memory}, Recall::kRead); }

Result<std::vector<Memory>> unused_memories(const Store& store, std::vector<Memory> memories,
                                            Instant now) {
  std::array<RecallCounts, 3> counts;
  for (const Scope scope : kScopes)
    counts.at(static_cast<std::size_t>(scope)) = StoreInside::recalls(store, scope);
  std::erase_if(memories, [&](const Memory& memory) {
    const auto clock = age_clock(memory);
    return !clock || now - *clock <= std::chrono::days(kUnusedDays) ||
           counts.at(static_cast<std::size_t>(memory.scope))
               .contains(recall_hash(recall_key(memory)));
  });
  std::stable_sort(memories.begin(), memories.end(),
                   [](const Memory& a, const Memory& b) { return *age_clock(a) < *age_clock(b); });
  return memories;
}

Result<Stats> stats_of(const Store& store, Instant now) {
  Stats stats;
  MEMFS_ASSIGN(const Listing listing, store.list());
  MEMFS_ASSIGN(const auto archived, store.archived());
  std::set<std::string> histories;
  for (const ScopeFolder& folder : store.layout().scopes) {
    if (!folder.exists) continue;
    ScopeStats scope;
    scope.scope = folder.scope;
    const RecallCounts recalls = StoreInside::recalls(store, folder.scope);
    Catalogue catalogue;
    for (const Memory& memory : listing.memories) {
      if (memory.scope != folder.scope) continue;
      count(scope, memory, now);
      catalogue.memories.push_back(memory);
      histories.insert(State::history_of(memory));
      const auto recall = recalls.find(recall_hash(recall_key(memory)));
      if (recall == recalls.end()) continue;
      ++scope.recalled;
      stats.most_used.push_back({memory, recall->second.returned, recall->second.read,
                                 day_text(recall->second.last_day)});
    }
    scope.usage = usage_of(catalogue, store.layout().settings.budget(folder.scope));
    for (const ArchivedMemory& copy : archived)
      if (copy.memory.scope == folder.scope) ++scope.archived;
    stats.scopes.push_back(scope);
  }
  std::stable_sort(stats.most_used.begin(), stats.most_used.end(),
                   [](const RecalledMemory& a, const RecalledMemory& b) {
                     return a.returned + a.read > b.returned + b.read;
                   });
  if (stats.most_used.size() > kMostUsed) stats.most_used.resize(kMostUsed);
  StoreInside::count_history(store, histories, stats.history_files, stats.history_bytes);
  stats.writes_logged = StoreInside::logged(store);
  return stats;
}

}  // namespace memfs
