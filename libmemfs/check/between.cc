#include "libmemfs/check/between.h"

#include <functional>
#include <map>

#include "libmemfs/base/unicode.h"
#include "libmemfs/check/problem.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

using Group = std::vector<const Memory*>;

// Those that have the same key, in the order of the listing; none for an empty key.
std::map<std::string, Group> groups_by(const Group& memories,
                                       const std::function<std::string(const Memory&)>& key_of) {
  std::map<std::string, Group> groups;
  for (const Memory* memory : memories)
    if (std::string key = key_of(*memory); !key.empty()) groups[std::move(key)].push_back(memory);
  std::erase_if(groups, [](const auto& entry) { return entry.second.size() < 2; });
  return groups;
}

// Another one of the group.
const Memory& other_than(const Memory* memory, const Group& group) {
  return memory == group.front() ? *group[1] : *group.front();
}

void check_ids(const Group& memories, const std::set<std::string>& copies,
               std::vector<Problem>& problems) {
  for (const auto& [id, group] : groups_by(memories, [](const Memory& m) { return m.id; })) {
    for (const Memory* memory : group) {
      const bool copy = copies.contains(memory->path);
      problems.push_back(problem_of(
          *memory, "duplicate-id",
          "the id " + escape_for_terminal(id) + " is also in " + other_than(memory, group).ref(),
          copy ? "this is the copy: `mem check --fix` gives it an id of its own"
               : "remove the id from the copy, or the copy"));
    }
  }
}

void check_subjects(const Group& memories, Instant now, std::vector<Problem>& problems) {
  const auto key_of = [&](const Memory& m) {
    if (m.subject_key.empty() || is_expired(m, now)) return std::string();
    return std::string(name_of(m.scope)) + ":" + m.subject_key;
  };
  for (const auto& [key, group] : groups_by(memories, key_of))
    for (const Memory* memory : group)
      problems.push_back(problem_of(*memory, "subject-clash",
                                    "the subject " + memory->subject_key + " is also held by " +
                                        other_than(memory, group).ref(),
                                    "keep one: forget the other, or clear its subject_key"));
}

// Folded names, once for both checks of names.
struct Named {
  const Memory* memory;
  std::string folded;
};

void check_names(const std::vector<Named>& names, std::vector<Problem>& problems) {
  std::map<std::string, Group> by_name;
  for (const Named& named : names) by_name[named.folded].push_back(named.memory);
  for (const auto& [name, group] : by_name) {
    std::map<Scope, const Memory*> first;  // of each scope
    for (const Memory* memory : group) {
      const auto [before, fresh] = first.emplace(memory->scope, memory);
      if (!fresh)
        problems.push_back(
            problem_of(*memory, "name-clash",
                       "differs only in case or accents' form from " + before->second->ref(),
                       "rename one of the two files"));
    }
    const Memory& nearest = *first.begin()->second;
    for (const auto& [scope, memory] : first)
      if (memory != &nearest)
        problems.push_back(
            problem_of(*memory, "shadowed",
                       "`" + escape_for_terminal(memory->name) + "` alone reads " + nearest.ref(),
                       "write " + memory->ref() + " where this one is meant"));
  }
}

void check_portable(const Memory& memory, std::vector<Problem>& problems) {
  std::string_view rest = memory.rel;
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const std::string part(rest.substr(0, slash));
    if (!is_valid_everywhere(part))
      problems.push_back(problem_of(
          memory, "name-unportable",
          "Windows cannot have a file called " + escape_for_terminal(part), "rename it"));
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
}

}  // namespace

void check_between(const Group& memories, const std::set<std::string>& copies, Instant now,
                   std::vector<Problem>& problems) {
  check_ids(memories, copies, problems);
  check_subjects(memories, now, problems);
  std::vector<Named> names;
  names.reserve(memories.size());
  for (const Memory* memory : memories) names.push_back({memory, fold_name(memory->name)});
  check_names(names, problems);
  for (const Memory* memory : memories) check_portable(*memory, problems);
}

}  // namespace memfs
