// What a sync works on: a folder in a repository, and how its memories are looked at. The folder of
// shared memories and a person's whole home differ in nothing else.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>
#include <memfs/sync.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libmemfs/base/file_system.h"
#include "libmemfs/git/git.h"

namespace memfs {

using Locks = std::vector<std::unique_ptr<HeldLock>>;

struct SyncPlace {
  Git git;                // in the top folder of the work tree
  std::string top{};      // that folder, absolute
  std::string folder{};   // the synced folder below it; "" for all of it
  std::string git_dir{};  // of this work tree, absolute
  FileSystem* fs = nullptr;
  bool personal = false;
  bool push_direct = false;  // also to the remote's default branch
  bool index_committed = false;

  // All scopes in the folder, with interrupted operations finished.
  std::function<Result<Locks>()> lock{};
  // "shared/deploy/rollback" for a path below the folder.
  std::function<std::string(const std::string& rel)> ref_of{};
  // Errors that must not be committed.
  std::function<std::vector<Problem>(const std::string& rel, const std::string& bytes)> errors_in{};
  // Errors between memories that a commit of the index in this environment brings.
  std::function<Result<std::vector<Problem>>(const std::vector<std::string>& environment)>
      errors_staged{};
  // Keeps bytes of a file that is about to be replaced. REQUIRES: the locks.
  std::function<Result<void>(const std::string& rel, const std::string& bytes)> keep{};
  // Renews INDEX.md where it is committed; takes the locks itself.
  std::function<Result<void>()> renew_page{};

  std::string absolute(const std::string& rel) const {
    return join_path(join_path(top, folder), rel);
  }
  // "HEAD:.mem/shared"
  std::string tree_in(const std::string& commit) const { return commit + ":" + folder; }
  // The folder, and everything else, as git's commands take them. Not for `git add`: it compares
  // what is excluded wrongly if that is shorter than what all else begins with.
  std::vector<std::string> inside() const;
  std::vector<std::string> outside() const;
  SyncItem item(const std::string& rel, std::string what) const {
    return {ref_of(rel), std::move(what), absolute(rel)};
  }
};

// Words and then these.
std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more);

// The place of the store's shared memories. Refuses, with the cure, what cannot be synced at all.
Result<SyncPlace> shared_place(Store& store);
// $MEM_HOME, made a repository if it is none and `make` says so.
Result<SyncPlace> personal_place(Store& store, const std::string& remote, bool make);

// What both need.
Result<void> keep_in_history(Store& store, Scope scope, const std::string& rel,
                             const std::string& path, const std::string& bytes);
std::vector<Problem> errors_in_file(Store& store, Scope scope, const std::string& rel,
                                    const std::string& path, const std::string& bytes);
// kBusy if an operation on files below `folder` was cut off and could not be finished.
Result<void> refuse_half_written(Store& store, const std::string& folder);

}  // namespace memfs
