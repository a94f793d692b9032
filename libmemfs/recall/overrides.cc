#include "libmemfs/recall/overrides.h"

#include <algorithm>
#include <unordered_set>

#include "libmemfs/base/unicode.h"
#include "libmemfs/store/catalogue.h"
#include "libmemfs/store/memory_document.h"

namespace memfs {
namespace {

bool is_a_rule(const Memory& memory) { return memory.kind == "preference"; }

// By what a memory is known.
std::vector<std::string> names_of(const Memory& memory) {
  std::vector<std::string> names = {"name:" + fold_name(memory.name)};
  if (!memory.id.empty()) names.push_back("id:" + memory.id);
  if (!memory.subject_key.empty()) names.push_back("subject:" + memory.subject_key);
  return names;
}

// The words by which the index finds them; it may find others as well.
std::vector<std::string> lookups_of(const Memory& memory) {
  std::vector<std::string> words = {name_lookup(memory.name)};
  if (!memory.id.empty()) words.push_back(id_tail_lookup(memory.id));
  if (!memory.subject_key.empty()) words.push_back(subject_lookup(memory.subject_key));
  return words;
}

}  // namespace

std::vector<Memory> with_namesakes(const StoreSnapshot& here, std::vector<Memory> memories) {
  std::unordered_set<std::string> paths;
  for (const Memory& memory : memories) paths.insert(memory.path);
  std::unordered_set<std::string> asked;
  // Whoever is found is asked for in turn: what stands in for one may be replaced itself.
  for (std::size_t i = 0; i < memories.size(); ++i) {
    for (const std::string& word : lookups_of(memories[i])) {
      if (!asked.insert(word).second) continue;
      for (const index::DocumentId id : here.documents.find_lookup(word)) {
        Problem ignored;
        auto other = here.memory(id, &ignored);
        if (other && paths.insert(other->path).second) memories.push_back(std::move(*other));
      }
    }
  }
  sort_memories(memories);
  return memories;
}

bool is_always_shown(const Memory& memory) {
  return is_a_rule(memory) || memory.activation == "pinned";
}

bool is_unreadable(const Memory& memory) {
  return std::any_of(memory.problems.begin(), memory.problems.end(),
                     [](const Problem& p) { return p.blocks_writes && p.key.empty(); });
}

Overrides::Overrides(const Store& store, const std::vector<Memory>& memories)
    : store_(store), memories_(memories) {
  for (std::size_t i = 0; i < memories.size(); ++i) {
    // Those of the farthest scope stand in for nobody.
    if (memories[i].scope == memories.back().scope) break;
    if (is_unreadable(memories[i])) continue;
    for (std::string& name : names_of(memories[i])) by_name_[std::move(name)].push_back(i);
  }
}

std::optional<std::size_t> Overrides::nearer(std::size_t number) const {
  const Memory& memory = memories_[number];
  std::optional<std::size_t> nearest;
  if (by_name_.empty() || memory.scope == memories_.front().scope) return nearest;
  for (const std::string& name : names_of(memory)) {
    const auto known = by_name_.find(name);
    if (known == by_name_.end()) continue;
    for (const std::size_t other : known->second)
      if ((!nearest || other < *nearest) && stands_in(memories_[other], memory)) nearest = other;
  }
  return nearest;
}

bool Overrides::stands_in(const Memory& nearer, const Memory& memory) const {
  if (nearer.scope >= memory.scope) return false;
  // What anybody may commit does not silence what the person told every agent, and a plain note is
  // no other rule.
  if (is_a_rule(memory) && (nearer.scope == Scope::kShared || !is_always_shown(nearer)))
    return false;
  // A team's plain note does not take the place of what the person pinned.
  if (is_always_shown(memory) && nearer.scope == Scope::kShared && !is_always_shown(nearer))
    return false;
  return nearer.scope != Scope::kShared || !is_held_back(nearer);
}

bool Overrides::is_held_back(const Memory& memory) const {
  const auto [known, is_new] = held_back_.emplace(memory.ref(), true);
  if (is_new) {
    const auto admission = store_.admit(memory, true);
    known->second = !admission || !admission->held_back.empty();
  }
  return known->second;
}

}  // namespace memfs
