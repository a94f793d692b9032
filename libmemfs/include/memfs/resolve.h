// Settles what a merge left open: values under `merge_conflict`, markers, keys that a merge
// doubled, subjects and ids that two files hold, and files that one side edited and the other
// deleted. docs/git.md, "Settling conflicts".
#pragma once

#include <memfs/merge.h>
#include <memfs/result.h>
#include <memfs/store.h>

#include <string>
#include <vector>

namespace memfs {

struct ResolveWish {
  // References of memories, "subject:KEY" or an id that several files have; none: everything.
  std::vector<std::string> references{};
  Take take = Take::kNothing;
  std::string key{};   // only this key of the front matter
  std::string keep{};  // of a subject or id that several hold: who is to keep it
  bool dry_run = false;
  Consent consent{};
};

struct ResolvedFile {
  std::string ref{}, path{};
  std::vector<std::string> done{};   // sentences: "made the front matter readable"
  std::vector<OpenConflict> open{};  // what is still to be decided
  std::string problem{};             // why nothing could be done, if so
  std::string other_ref{};           // kBoth: where the other memory went
  bool written = false;
  bool staged = false;  // git was told that the conflict is over
};

struct ResolveReport {
  std::vector<ResolvedFile> files{};
  bool settled() const;  // nothing is open, and nothing failed
};

// kNotFound for a reference that fits nothing; kUsage for a choice that cannot be made. Single
// files that cannot be settled do not stop the others. Old bytes are in the history before new ones
// land.
Result<ResolveReport> resolve_conflicts(Store& store, const ResolveWish& wish);

}  // namespace memfs
