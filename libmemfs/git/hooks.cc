// What the hooks do, each in one call.
#include <memfs/git_hooks.h>

#include "libmemfs/git/staged_check.h"
#include "libmemfs/store/index_page.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

bool seals(const Git& git) {
  const auto answer = git.run({"config", "--type=bool", "--get", "mem.seal"});
  return answer && answer->exit_code == 0 && answer->out == "true\n";
}

// Whether INDEX.md of the shared folder follows the files: not one that git tracks, since a file
// that changes by itself stands in the way of the next pull.
bool renews_page(const StoreInside::Impl& store, Directory& dir) {
  if (store.layout.git_top.empty() || store.layout.index_committed || !dir.stat("INDEX.md"))
    return false;
  const StagedShared shared(store.fs(), store.layout, {});
  return !shared.git().holds(
      {"ls-files", "--error-unmatch", "--", join_path(shared.folder(), "INDEX.md")});
}

}  // namespace

Result<CommitCheck> check_commit(Store& store) {
  StoreInside::Impl& inside = StoreInside::of(store);
  CommitCheck check;
  if (inside.layout.git_top.empty()) return check;
  const StagedShared shared(inside.fs(), inside.layout, {});
  if (shared.folder().empty()) return check;
  MEMFS_ASSIGN(const auto files, shared.changed());
  if (files.empty()) return check;
  MEMFS_ASSIGN(check.report, check_staged_files(store, shared, files));
  // What is not committed now is edited again first.
  if (!check.report.problems.empty() || !seals(shared.git())) return check;
  if (const auto sealed = seal_files(store, shared, files, check); !sealed)
    check.unsealed.push_back({{}, {}, sealed.error().message});
  return check;
}

Result<void> refresh_shared(Store& store) {
  StoreInside::Impl& inside = StoreInside::of(store);
  const auto dir = inside.scope_dir(Scope::kShared);
  if (!dir) return {};
  (void)StoreInside::snapshot(store, {Scope::kShared});
  if (!renews_page(inside, **dir)) return {};
  MEMFS_ASSIGN(const Catalogue catalogue, inside.catalogue(Scope::kShared, **dir));
  if (catalogue.memories.size() > kIndexAutoLimit) return {};
  const auto page = inside.renew_index(**dir, Scope::kShared, catalogue, true);
  if (!page || page->current || !page->skipped.empty()) return {};
  MEMFS_TRY(store.refresh_index(Scope::kShared));
  return {};
}

}  // namespace memfs
