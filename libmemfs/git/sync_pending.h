// What a sync remembers between runs, in the git folder of the work tree.
//
//   mem-sync/waiting        what a person has to decide about
//   mem-sync/<branch hash>  "OURS THEIRS\n": our commit that has all memories of their commit,
//   though
//                           it does not descend from it (the code outside the folder was left
//                           alone)
#pragma once

#include <memfs/result.h>

#include <optional>
#include <string>
#include <vector>

#include "libmemfs/git/sync_place.h"
#include "libmemfs/git/tree_merge.h"

namespace memfs {

struct Waiting {
  std::string theirs{};               // the commit they came from
  std::vector<TreeConflict> files{};  // without texts
};

std::optional<Waiting> read_waiting(const SyncPlace& place);
Result<void> write_waiting(const SyncPlace& place, const Waiting& waiting);
Result<void> drop_waiting(const SyncPlace& place);

// Somebody decided about a waiting file of the repository that `git` works in, whatever the file's
// text is now. Nothing happens if it does not wait.
Result<void> note_decision(FileSystem& fs, const Git& git, const std::string& rel);

struct LastMerge {
  std::string ours, theirs;
};
std::optional<LastMerge> read_last_merge(const SyncPlace& place, const std::string& branch);
Result<void> write_last_merge(const SyncPlace& place, const std::string& branch,
                              const LastMerge& last);

}  // namespace memfs
