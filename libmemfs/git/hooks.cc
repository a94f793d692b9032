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

// Whether the newest commit is a merge that was made here, and not one that came from elsewhere.
bool merged_here(const Git& git) {
  if (!git.holds({"rev-parse", "-q", "--verify", "HEAD^2"})) return false;
  const auto how = git.line({"log", "-g", "-1", "--format=%gs", "HEAD", "--"});
  return how && !how->empty() && !how->ends_with("Fast-forward");
}

// Whether INDEX.md of the shared folder follows the files. One that git tracks does so after a
// merge that made a new one, and that the person goes on with; else a file that changes by itself
// would stand in the way of the next pull.
bool renews_page(const StoreInside::Impl& store, Directory& dir, bool merged) {
  if (store.layout.git_top.empty() || !dir.stat("INDEX.md")) return false;
  const StagedShared shared(store.fs(), store.layout, {});
  const bool tracked =
      store.layout.index_committed || shared.git().holds({"ls-files", "--error-unmatch", "--",
                                                          join_path(shared.folder(), "INDEX.md")});
  return !tracked || (merged && merged_here(shared.git()));
}

}  // namespace

Result<CommitCheck> check_commit(Store& store, const std::vector<std::string>& environment) {
  StoreInside::Impl& inside = StoreInside::of(store);
  CommitCheck check;
  if (inside.layout.git_top.empty()) return check;
  const StagedShared shared(inside.fs(), inside.layout, environment);
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

Result<void> refresh_shared(Store& store, bool merged) {
  StoreInside::Impl& inside = StoreInside::of(store);
  const auto dir = inside.scope_dir(Scope::kShared);
  if (!dir) return {};
  (void)StoreInside::snapshot(store, {Scope::kShared});
  if (!renews_page(inside, **dir, merged)) return {};
  MEMFS_ASSIGN(const Catalogue catalogue, inside.catalogue(Scope::kShared, **dir));
  if (catalogue.memories.size() > kIndexAutoLimit) return {};
  const auto page = inside.renew_index(**dir, Scope::kShared, catalogue, true);
  if (!page || page->current || !page->skipped.empty()) return {};
  MEMFS_TRY(store.refresh_index(Scope::kShared));
  return {};
}

}  // namespace memfs
