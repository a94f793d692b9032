// Objects of a repository by the hundred: each function runs one git for all that it is asked.
#pragma once

#include <memfs/result.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/git/git.h"

namespace memfs {

// What stands at a path of a tree. No object: nothing does.
struct TreeEntry {
  std::string mode{};  // "100644"
  std::string object{};
  bool is_there() const { return !object.empty(); }
  bool is_text_file() const { return mode.starts_with("100"); }
  bool operator==(const TreeEntry&) const = default;
};

struct TreeChange {
  TreeEntry before, after;
};
using TreeChanges = std::map<std::string, TreeChange>;  // by path

// What git takes for no object, in the hash of the repository that has this one.
std::string no_object_like(const std::string& object);

// The full names of objects ("HEAD", "HEAD:docs"); "" for those that are not there.
Result<std::vector<std::string>> resolve_objects(const Git& git,
                                                 const std::vector<std::string>& names);

// The bytes of blobs, by their names.
Result<std::map<std::string, std::string>> read_blobs(const Git& git,
                                                      const std::vector<std::string>& objects);
Result<std::string> write_blob(const Git& git, std::string bytes);

// What differs between two trees, folders gone into. "" is the empty tree.
Result<TreeChanges> diff_trees(const Git& git, const std::string& from, const std::string& to);

// `tree` ("" for the empty one) with these entries, or without those that are not there.
// `scratch`: the path of an index file that is made and left behind.
Result<std::string> edit_tree(const Git& git, const std::string& tree,
                              const std::map<std::string, TreeEntry>& edits,
                              const std::string& scratch);

// `tree` with the folder `rel` replaced by the tree `folder`; "" for `rel` gives `folder` itself.
Result<std::string> put_folder(const Git& git, const std::string& tree, std::string_view rel,
                               const std::string& folder);

}  // namespace memfs
