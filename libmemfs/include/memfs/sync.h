// Brings a folder of memories in step with its git remote: commit, fetch, merge, push. Runs the
// user's own git, so that their hooks, credentials and settings apply. docs/git.md tells the rules.
#pragma once

#include <memfs/result.h>
#include <memfs/store.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace memfs {

struct SyncRequest {
  bool push = true;
  bool dry_run = false;  // writes nothing at all, and asks no remote
  // Waits before another try; replaced in tests.
  std::function<void(std::chrono::milliseconds)> pause{};
};

// One memory (or another file of the folder) and what happened to it.
struct SyncItem {
  std::string ref;   // "shared/deploy/rollback"; a path below the folder for what is no memory
  std::string what;  // "added", "updated", "forgotten", or a sentence
  std::string path;  // absolute
};

struct SyncReport {
  std::string branch{};               // the local one
  std::vector<SyncItem> committed{};  // our changes
  std::vector<SyncItem> merged{};     // what came from the remote
  std::vector<SyncItem> kept{};  // decided without a person: an edit kept against a deletion …
  std::vector<SyncItem> undecided{};  // both values are in the file, one under `merge_conflict`
  std::vector<SyncItem> waiting{};    // a person has to decide; nothing was merged or pushed
  std::string pushed_to{};            // "origin mem/ada-main", "" for nothing
  std::string url{};                  // where the remote says a pull request can be opened
  std::vector<std::string> notes{};
  bool dry_run = false;
};

// The shared memories of the store's project. Nothing outside their folder is committed, moved or
// pushed; nothing is forced. kRefused if the repository is in the middle of something, or what
// would be committed has errors (rows "problems"); kIo with git's own words if git failed; kBusy if
// a lock stayed held, or others were faster each time. Whatever fails, doing it again goes on from
// there.
Result<SyncReport> sync_shared(Store& store, const SyncRequest& request = {});

// The person's own memories: $MEM_HOME is a repository of its own, made when it is first synced,
// and `remote` ("" later on) becomes its origin.
Result<SyncReport> sync_personal(Store& store, const std::string& remote,
                                 const SyncRequest& request = {});

// Takes back what waits for a person: the files are as they were committed. What was edited in them
// since is in the history. kNotFound if nothing waits.
Result<SyncReport> abort_sync(Store& store, bool personal = false);

}  // namespace memfs
