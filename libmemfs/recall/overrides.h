// Which memory stands in for which: a nearer one for farther ones of the same id, name or subject.
#pragma once

#include <memfs/memory.h>
#include <memfs/store.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "libmemfs/store/store_inside.h"

namespace memfs {

class Overrides {
 public:
  // `memories`: nearer scopes first; those that cannot be read stand in for nobody. They stay where
  // they are as long as this is used.
  Overrides(const Store& store, const std::vector<Memory>& memories);

  // The number of the nearest memory that stands in for the one with this number.
  std::optional<std::size_t> nearer(std::size_t number) const;

 private:
  bool stands_in(const Memory& nearer, const Memory& memory) const;
  bool is_held_back(const Memory& memory) const;

  const Store& store_;
  const std::vector<Memory>& memories_;
  // By "name:…", "id:…" and "subject:…".
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_{};
  mutable std::map<std::string, bool> held_back_{};  // by reference
};

// The memories and all others by whose id, name or subject one of them is known, in the order of a
// listing: among them Overrides decides of each as it would among all.
std::vector<Memory> with_namesakes(const StoreSnapshot& here, std::vector<Memory> memories);

bool is_always_shown(const Memory& memory);  // a rule, or pinned
bool is_unreadable(const Memory& memory);    // nobody can tell what it is

}  // namespace memfs
