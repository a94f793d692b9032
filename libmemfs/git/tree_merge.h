// What two sides made of one folder of memories, merged: which files the result has. Texts that
// both sides changed go through memfs/merge.h; what happened to files is decided here. Pure, no
// git.
//
// git's own merge follows renames by likeness: two short memories are alike enough for one's edit
// to land in the other. Here a memory is the same if its id is, or, without one, if its bytes are.
#pragma once

#include <memfs/merge.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "libmemfs/git/objects.h"

namespace memfs {

struct MergedFile {
  TreeEntry entry{};  // of a side; with `text` only its mode counts
  bool is_new_text = false;
  std::string text{};
  std::string what{};  // seen from our side: "added", "updated", "forgotten"
};

struct TreeNote {
  std::string path;
  std::string what;
};

// A file that a person has to decide about.
struct TreeConflict {
  std::string path;          // where our side has it
  std::string their_path{};  // where theirs has it
  std::string base_path{};   // where both had it, "" for nowhere
  TreeEntry base, ours, theirs;
  bool is_text = true;      // else there is no text with markers, and ours stands
  bool is_decided = false;  // by a person, and not merged yet since something else waits
  std::string text{};       // with markers
};

struct TreeMerge {
  std::map<std::string, MergedFile> edits{};  // of our tree; an entry that is not there: removed
  std::vector<TreeNote> kept{};               // decided here, and worth telling
  std::vector<TreeNote> undecided{};          // values kept as data in the front matter
  std::vector<TreeNote> notes{};              // of the texts' merge
  std::vector<TreeConflict> open{};
};

struct TreeSides {
  TreeChanges ours, theirs;  // from the base to each
};

// The blobs that merge_trees() will ask for.
std::vector<std::string> blobs_needed(const TreeSides& sides);

// `blob` gives the bytes of an object among those needed.
TreeMerge merge_trees(const TreeSides& sides,
                      const std::function<const std::string&(const std::string&)>& blob,
                      const ConflictMarkers& markers);

}  // namespace memfs
