// The middle of a sync: what the remote has comes into the folder, whatever else it changed.
#pragma once

#include <memfs/sync.h>

#include <string>
#include <vector>

#include "libmemfs/git/sync_pending.h"
#include "libmemfs/git/sync_place.h"
#include "libmemfs/git/sync_status.h"

namespace memfs {

// A commit to merge from.
struct Source {
  std::string name;  // "origin/main"
  std::string commit;
};

enum class Landing : std::uint8_t {
  kDone,
  kOpen,       // a person has to decide; the work tree has the markers, nothing else changed
  kOvertaken,  // a file or the branch changed meanwhile: from the start again
};

struct MergeOutcome {
  Landing landing = Landing::kDone;
  bool contains = false;  // HEAD descends from the source now
};

// Merges the folder of `source` into HEAD. Code outside the folder stays as it is: if the source
// changed any, what lands is a commit of memories only, and which commit they came from is
// remembered.
Result<MergeOutcome> merge_source(const SyncPlace& place, const std::string& branch,
                                  const Source& source, const SyncRemote& remote,
                                  const std::vector<TreeConflict>& decided, SyncReport& report);

Result<bool> is_ancestor(const Git& git, const std::string& old, const std::string& young);
Result<std::string> make_commit(const Git& git, const std::string& tree,
                                const std::vector<std::string>& parents, const std::string& message,
                                bool sign);

}  // namespace memfs
