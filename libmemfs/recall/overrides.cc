#include "libmemfs/recall/overrides.h"

#include <algorithm>

#include "libmemfs/base/unicode.h"

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

}  // namespace

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
