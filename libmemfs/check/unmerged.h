// What git holds two versions of after a merge that was not finished.
#pragma once

#include <memfs/layout.h>

#include <string>
#include <vector>

namespace memfs {

struct UnmergedFile {
  std::string rel;  // in the shared folder
  bool has_base = false, has_ours = false, has_theirs = false;
  // One side edited the file, the other deleted it.
  bool edit_and_deletion() const { return has_base && has_ours != has_theirs; }
};

// Of the layout's shared folder; none outside git.
std::vector<UnmergedFile> unmerged_files(const Layout& layout);

// What is open although no file shows it: an edit against a deletion.
void check_unmerged(const Layout& layout, std::vector<Problem>& problems);

}  // namespace memfs
