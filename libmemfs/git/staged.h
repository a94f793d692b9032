// What git's index holds of the shared folder: the files that the next commit adds or changes, and
// what blobs say. Nothing here looks at the work tree.
#pragma once

#include <memfs/layout.h>
#include <memfs/memory.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/base/file_system.h"
#include "libmemfs/git/git.h"

namespace memfs {

struct StagedFile {
  std::string path{};  // as git knows it
  std::string mode{};  // "100644"
  std::string blob{};
  std::string before{};  // the blob of HEAD; empty: it had none
};

// A file of the index. `rel`: its path in the shared folder.
struct IndexedFile {
  std::string path{}, rel{}, blob{};
};

class StagedShared {
 public:
  // `environment`: "NAME=value", as for Git.
  StagedShared(FileSystem& fs, const Layout& layout, std::vector<std::string> environment);

  const Git& git() const { return git_; }
  // Of the shared folder, as git knows it.
  const std::string& folder() const { return folder_; }
  std::string rel_of(const std::string& path) const { return path.substr(folder_.size() + 1); }

  // Memories, by path. Deleted and unmerged files and links are none of them.
  Result<std::vector<StagedFile>> changed() const;
  // Those that it takes away; without a blob.
  Result<std::vector<StagedFile>> removed() const;
  // The memories of the index in which one of the words occurs, wherever it does; all of them if
  // the words are many.
  Result<std::vector<IndexedFile>> with_words(const std::vector<std::string>& words) const;
  // The bytes of each blob that there is.
  Result<std::map<std::string, std::string>> blobs(const std::vector<std::string>& names) const;
  // As it would be in the work tree. nullopt for a file that is no memory; `empty` then says so.
  std::optional<Memory> read(const std::string& path, std::string_view bytes,
                             Problem* empty = nullptr) const;

 private:
  bool is_memory(std::string_view path) const;
  Result<std::vector<IndexedFile>> entries(const std::vector<std::string>& paths) const;

  const Layout& layout_;
  Git git_;
  std::string folder_;
};

}  // namespace memfs
