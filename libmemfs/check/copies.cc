#include "libmemfs/check/copies.h"

#include <algorithm>
#include <map>
#include <optional>

#include "libmemfs/store/git_question.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

using Group = std::vector<const Memory*>;

// The files of the shared folder that git knows, by their path in it; nullopt where it cannot be
// asked.
std::optional<std::set<std::string>> tracked_files(const Layout& layout) {
  if (layout.git_top.empty()) return std::nullopt;
  const auto answer = ask_git(layout.folder(Scope::kShared).path, {"ls-files", "-z", "--", "."});
  if (!answer || answer->stopped || answer->exit_code != 0) return std::nullopt;
  std::set<std::string> files;
  std::string_view rest = answer->out;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\0'), rest.size());
    files.emplace(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return files;
}

// The one of the group that `is_original` holds for; nullptr for none or several.
template <typename Test>
const Memory* only_one(const Group& group, const Test& is_original) {
  const Memory* found = nullptr;
  for (const Memory* memory : group) {
    if (!is_original(*memory)) continue;
    if (found != nullptr) return nullptr;
    found = memory;
  }
  return found;
}

class Originals {
 public:
  explicit Originals(const StoreInside::Impl& store)
      : tracked_(tracked_files(store.layout)), entries_(store.logged()) {}

  const Memory* of(const Group& group) const {
    const auto is_tracked = [&](const Memory& memory) {
      return memory.scope == Scope::kShared && tracked_ && tracked_->contains(memory.rel);
    };
    if (std::any_of(group.begin(), group.end(),
                    [&](const Memory* memory) { return is_tracked(*memory); }))
      return only_one(group, is_tracked);
    const auto last =
        std::find_if(entries_.rbegin(), entries_.rend(), [&](const WriteEntry& entry) {
          // Nor does it tell who is who that a value was quoted.
          return entry.id == group.front()->id && entry.operation != Operation::kByHand &&
                 entry.operation != Operation::kFix;
        });
    if (last == entries_.rend()) return nullptr;
    return only_one(group, [&](const Memory& memory) { return memory.ref() == last->ref(); });
  }

 private:
  std::optional<std::set<std::string>> tracked_;
  std::vector<WriteEntry> entries_;
};

}  // namespace

std::set<std::string> find_copies(const StoreInside::Impl& store, const Group& memories) {
  std::map<std::string, Group> groups;
  for (const Memory* memory : memories)
    if (!memory->id.empty()) groups[memory->id].push_back(memory);
  std::erase_if(groups, [](const auto& entry) { return entry.second.size() < 2; });
  std::set<std::string> copies;
  if (groups.empty()) return copies;
  const Originals originals(store);
  for (const auto& [id, group] : groups) {
    const Memory* original = originals.of(group);
    for (const Memory* memory : group)
      if (original != nullptr && memory != original) copies.insert(memory->path);
  }
  return copies;
}

}  // namespace memfs
