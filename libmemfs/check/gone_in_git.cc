#include "libmemfs/check/gone_in_git.h"

#include <set>

#include "libmemfs/store/git_dir.h"
#include "libmemfs/store/git_history.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

// What was checked out then, as it is now; empty if nothing leads there any more.
std::set<std::string> files_of_the_other(const StoreInside::Impl& store, const SeenList& before) {
  if (!before.branch.empty()) return files_at(store.fs(), store.layout, before.branch);
  if (!is_referred_to(store.layout, before.commit)) return {};
  return files_at(store.fs(), store.layout, before.commit);
}

std::set<std::string> deleted_by_commits(const StoreInside::Impl& store) {
  std::set<std::string> rels;
  for (const CommittedFile& file : deleted_files(store.fs(), store.layout))
    if (!file.commit.empty()) rels.insert(file.rel);
  return rels;
}

// Moves out of `lost` what is in `rels`.
std::vector<const SeenMemory*> take(std::vector<const SeenMemory*>& lost,
                                    const std::set<std::string>& rels) {
  std::vector<const SeenMemory*> taken;
  std::erase_if(lost, [&](const SeenMemory* memory) {
    if (!rels.contains(memory->rel)) return false;
    taken.push_back(memory);
    return true;
  });
  return taken;
}

}  // namespace

void note_head(FileSystem& fs, const Layout& layout, SeenList& now) {
  if (layout.git_top.empty()) return;
  now.commit = git_head(fs, layout.git_top, layout.git_common_dir);
  now.branch = git_branch(fs, layout.git_top);
}

std::vector<const SeenMemory*> take_what_git_has(const StoreInside::Impl& store,
                                                 const SeenList& before, const SeenList& now,
                                                 std::vector<const SeenMemory*>& lost) {
  if (lost.empty() || before.commit.empty() || now.commit == before.commit) return {};
  if (before.branch != now.branch) {
    (void)take(lost, files_of_the_other(store, before));
    return {};
  }
  if (!led_to_head(store.layout, before.commit)) return {};
  return take(lost, deleted_by_commits(store));
}

}  // namespace memfs
