#include "libmemfs/check/vanished.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "libmemfs/check/gone_in_git.h"
#include "libmemfs/check/problem.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/seen_list.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

// All that is known to be somewhere, by id and by content.
struct Known {
  std::set<std::string> ids{}, etags{};
  std::set<std::string> live{}, archived{};  // references
  // What had no id and was moved by mem: from its reference to the one that it got.
  std::map<std::string, std::string> moved{};
};

Known known_of(const StoreInside::Impl& store, const std::vector<ScopeView>& views) {
  Known known;
  for (const ScopeView& view : views) {
    for (const Memory& memory : view.catalogue.memories) {
      known.ids.insert(memory.id);
      known.etags.insert(memory.etag);
      known.live.insert(memory.ref());
    }
  }
  const auto archived = store.archived();
  if (archived) {
    for (const ArchivedMemory& copy : *archived) {
      known.ids.insert(copy.memory.id);
      known.archived.insert(copy.memory.ref());
    }
  }
  for (const WriteEntry& entry : store.logged()) {
    if (entry.operation != Operation::kMove || !entry.id.empty()) continue;
    known.moved.erase(entry.ref());  // whatever was there before: so no way leads in a circle
    known.moved[entry.origin] = entry.ref();
  }
  known.ids.erase("");
  return known;
}

std::string after_moves(std::string ref, const Known& known) {
  for (auto next = known.moved.find(ref); next != known.moved.end(); next = known.moved.find(ref))
    ref = next->second;
  return ref;
}

// Where a file of this name is, whatever it holds, or where nobody can tell, nothing vanished.
bool is_gone(const ScopeView& view, const SeenMemory& seen) {
  if (!view.dir) return true;
  const auto stat = view.dir->stat(seen.rel);
  return !stat && stat.error().code == ErrorCode::kNotFound;
}

// Of one whose file is gone.
bool is_lost(const ScopeView& view, const SeenMemory& seen, const Known& known) {
  if (!seen.id.empty()) return !known.ids.contains(seen.id);
  const std::string ref =
      after_moves(std::string(name_of(view.scope)) + "/" + memory_name(seen.rel), known);
  return !known.etags.contains(seen.etag) && !known.live.contains(ref) &&
         !known.archived.contains(ref);
}

// "2 memories are gone since the last check: a, b"
std::string counted_names(const std::vector<const SeenMemory*>& lost, const std::string& one,
                          const std::string& several) {
  constexpr std::size_t kNamed = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, lost.size()); ++i)
    names += (i == 0 ? "" : ", ") + escape_for_terminal(memory_name(lost[i]->rel));
  if (lost.size() > kNamed) names += ", …";
  return std::to_string(lost.size()) + (lost.size() == 1 ? one : several) +
         " since the last check: " + names;
}

// Nothing is lost: git has it, and says who did it.
Problem deletion(const StoreInside::Impl& store, const ScopeView& view,
                 const std::vector<const SeenMemory*>& deleted) {
  Problem problem = problem_at("vanished", store.layout.folder(view.scope).path,
                               counted_names(deleted, " memory was deleted by a commit",
                                             " memories were deleted by commits"),
                               "`mem restore NAME` brings one back, `mem history NAME` tells whose "
                               "it was; this is told once");
  problem.severity = Severity::kInfo;
  return problem;
}

Problem loss(const StoreInside::Impl& store, const ScopeView& view,
             const std::vector<const SeenMemory*>& lost) {
  const bool git = view.scope == Scope::kShared && !store.layout.git_top.empty();
  return problem_at(
      "vanished", store.layout.folder(view.scope).path,
      counted_names(lost, " memory is gone", " memories are gone"),
      std::string("if that was not meant, `mem restore NAME` brings back what mem "
                  "wrote") +
          (git ? ", and git what was committed (`git reflog`, or another branch)" : "") +
          "; this is told once");
}

// The revision that an emptied file had.
void add_revisions(const ScopeView& view, const std::vector<SeenMemory>& seen,
                   std::vector<Problem>& problems) {
  if (!view.dir) return;
  std::unordered_map<std::string, const SeenMemory*> by_path;  // filled for the first that needs it
  for (Problem& problem : problems) {
    if (problem.code != "empty-file" && problem.code != "nul-filled") continue;
    if (by_path.empty())
      for (const SeenMemory& memory : seen)
        by_path.emplace(escape_for_terminal(join_path(view.dir->path(), memory.rel)), &memory);
    const auto found = by_path.find(problem.path);
    if (found == by_path.end()) continue;
    const SeenMemory& before = *found->second;
    const std::string name = escape_for_terminal(memory_name(before.rel));
    problem.message += before.revision == 0
                           ? ": it was a memory at the last check"
                           : ": it was revision " + std::to_string(before.revision);
    problem.hint = "a write may have been lost: move the file away, then `mem restore " + name +
                   "`, or take it from git";
  }
}

// What was seen, parted by what is there now.
struct Compared {
  SeenList now{};                            // all that is there, read or not
  std::vector<const SeenMemory*> missing{};  // of `before`
};

Compared compare(const ScopeView& view, const std::vector<SeenMemory>& before) {
  Compared compared;
  std::unordered_set<std::string> rels;
  for (const Memory& memory : view.catalogue.memories) {
    compared.now.memories.push_back(
        {view.name_rel(memory), memory.id, memory.etag, memory.revision});
    rels.insert(compared.now.memories.back().rel);
  }
  for (const SeenMemory& memory : before) {
    if (rels.contains(memory.rel)) continue;
    if (is_gone(view, memory)) {
      compared.missing.push_back(&memory);
    } else {
      compared.now.memories.push_back(memory);  // emptied, or it cannot be read
    }
  }
  return compared;
}

}  // namespace

void check_vanished(StoreInside::Impl& store, const std::vector<ScopeView>& views, bool remember,
                    std::vector<Problem>& problems) {
  // Where there is nothing to remember no folder is made for it.
  const bool any = std::any_of(views.begin(), views.end(), [](const ScopeView& view) {
    return !view.catalogue.memories.empty();
  });
  auto state_dir = remember && any ? store.open_state() : store.fs().open(store.layout.state);
  if (!state_dir) return;
  std::optional<Known> known;  // asked for only if something is missing
  for (const ScopeView& view : views) {
    const auto before = load_seen(**state_dir, view.key);
    Compared compared = compare(view, before.memories);
    std::vector<const SeenMemory*> lost;
    for (const SeenMemory* memory : compared.missing) {
      if (!known) known = known_of(store, views);
      if (is_lost(view, *memory, *known)) lost.push_back(memory);
    }
    if (view.scope == Scope::kShared) {
      note_head(store.fs(), store.layout, compared.now);
      const auto deleted = take_what_git_has(store, before, compared.now, lost);
      if (!deleted.empty()) problems.push_back(deletion(store, view, deleted));
    }
    if (!lost.empty()) problems.push_back(loss(store, view, lost));
    add_revisions(view, before.memories, problems);
    // Without a place to keep it in, the next loss goes unnoticed: nothing else does.
    if (remember) (void)save_seen(**state_dir, view.key, compared.now);
  }
}

}  // namespace memfs
