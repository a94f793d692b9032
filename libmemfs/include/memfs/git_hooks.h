// What git's hooks call: a look at what is about to be committed, and a refresh of what follows the
// files. See docs/git.md, "What the hooks do".
#pragma once

#include <memfs/check.h>
#include <memfs/store.h>

#include <string>
#include <vector>

namespace memfs {

// Errors, as check_store() would report them, of the shared memories that the next commit adds or
// changes, read from git's index and not from the work tree: files that cannot be read, conflict
// markers, credentials that were not there before, ids and subjects that another memory of the
// index has. Nothing is written. `environment`, "NAME=value": how git is to be run, GIT_INDEX_FILE
// say, which a hook has to pass on. One call of git if nothing of the shared folder is staged.
Result<CheckReport> check_staged(Store& store, const std::vector<std::string>& environment = {});

// A memory whose hand edit got a revision of its own.
struct SealedMemory {
  std::string ref, path;
  std::uint64_t revision = 0;  // that it has now
};
// One that was not sealed although it was edited under an unchanged revision; without a name: all.
struct UnsealedMemory {
  std::string ref, path, why;
};

struct CommitCheck {
  CheckReport report;
  std::vector<SealedMemory> sealed{};
  std::vector<UnsealedMemory> unsealed{};
};

// The pre-commit hook: check_staged(), and if there are no errors and the clone's `mem.seal` is
// true, hand edits are sealed: a staged file that differs from that of each parent and has still
// the revision that the newest of them has, gets the next one, in the index and, through the store,
// in the work tree; if the file there is not what is staged, neither. Never during a rebase, a
// cherry-pick, a revert or `git am`, nor in a commit of single paths, whose index is not the one
// that stays.
Result<CommitCheck> check_commit(Store& store, const std::vector<std::string>& environment = {});

// After git changed files: brings the search index of shared memories up to date, and INDEX.md if
// there is one. A page that git tracks only if a merge was just made (`merged`) that is more than
// the branch moving forward.
Result<void> refresh_shared(Store& store, bool merged = false);

}  // namespace memfs
