// The last step of a sync: our memories go to the remote, as a commit that changes nothing else.
#pragma once

#include <memfs/sync.h>

#include <string>
#include <vector>

#include "libmemfs/git/sync_merge.h"
#include "libmemfs/git/sync_place.h"
#include "libmemfs/git/sync_status.h"

namespace memfs {

// Where a sync pushes, and what is there.
struct PushTarget {
  std::string branch{};      // on the remote: "main", or "mem/ada-main"
  bool is_proposal = false;  // not the upstream: somebody merges it with a pull request
  std::string tip{};         // what the proposal's branch holds, "" for nothing
  // All branches of the person for this topic begin so: "mem/ada-main".
  std::string stem{};
};

// Whether pushes go to the upstream branch itself, or to one for a pull request; of the latter its
// stem, since which one it is depends on what was fetched.
Result<PushTarget> plan_target(const SyncPlace& place, const SyncRemote& remote);

// The first branch with that stem that is not merged yet, or a new one. REQUIRES: all were fetched.
Result<void> choose_proposal(const SyncPlace& place, const SyncRemote& remote,
                             const std::string& upstream, PushTarget& target);

enum class Pushed : std::uint8_t { kDone, kOvertaken };

// Pushes HEAD's memories. `contained`: tips that HEAD descends from. kOvertaken if somebody was
// faster. Nothing is pushed, and `report` says why, if there is nothing to push or commits of
// the user's own would go along.
Result<Pushed> push_memories(const SyncPlace& place, const SyncRemote& remote,
                             const std::string& upstream, const PushTarget& target,
                             SyncReport& report);

// "Ada Lovelace" → "ada-lovelace"
std::string branch_slug(const std::string& text);
// The first address among what the remote said, "" for none.
std::string url_in(const std::string& said);

}  // namespace memfs
