// The state of the repository that a sync begins with, from as few questions as possible.
#pragma once

#include <memfs/merge.h>
#include <memfs/result.h>

#include <string>
#include <vector>

#include "libmemfs/git/sync_place.h"

namespace memfs {

// A file below the synced folder that is not as in the last commit.
struct ChangedFile {
  std::string rel;   // below the folder
  std::string what;  // "added", "updated", "forgotten"
};

struct SyncStatus {
  std::string head{};    // "" before the first commit
  std::string branch{};  // "main"
  std::vector<ChangedFile> changed{};
  std::vector<std::string> unmerged{};      // below the folder
  std::vector<std::string> repositories{};  // nested ones, from the top
  std::vector<std::string> ignored{};       // memories that git ignores, below the folder
};

// kRefused on a detached HEAD, in the middle of a merge or the like, and where the folder is
// ignored. `only_look`: git does not even refresh what it knows of files' times.
Result<SyncStatus> read_status(const SyncPlace& place, bool only_look);

// Where to fetch from and push to.
struct SyncRemote {
  std::string name{};       // "" for none
  std::string push_name{};  // mostly the same
  std::string branch{};     // the upstream branch there
  std::string why_none{};
  bool sign = false;                            // commit.gpgSign
  ConflictStyle style = ConflictStyle::kMerge;  // merge.conflictStyle
  // "refs/remotes/origin/main"
  std::string tracking(const std::string& of) const { return "refs/remotes/" + name + "/" + of; }
};
Result<SyncRemote> read_remote(const SyncPlace& place, const std::string& branch);

}  // namespace memfs
