// The walk over a scope directory: which files are memories, and what is odd about the rest.
#pragma once

#include <memfs/memory.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"
#include "libmemfs/base/file_system.h"

namespace memfs {

struct WalkedFile {
  std::string_view name_rel{};  // where it stands in the scope: gives the name
  std::string_view target{};    // where the link at `name_rel` ends; empty if it is no link
  index::Stamp stamp{};         // of the file itself
  // The file to read and write.
  std::string_view file_rel() const { return target.empty() ? name_rel : target; }
};

// Texts that stay where they are, without a heap block each.
class NamePool {
 public:
  std::string_view keep(std::string_view folder, std::string_view name);
  void take(NamePool&& other);

 private:
  std::vector<std::unique_ptr<char[]>> pages_;
  std::size_t used_ = 0;
  std::size_t size_ = 0;  // of the last page
};

struct Walk {
  std::vector<WalkedFile> files;       // in no order
  NamePool names{};                    // of files
  std::vector<std::string> leftovers;  // our temporary files that a dead process left behind
  std::vector<Problem> problems;
  std::optional<Error> failure{};     // the scope's own folder could not be listed
  bool links = false;                 // there are symbolic links
  bool hard_links = false;            // a file has names elsewhere, or several here
  std::vector<std::string> nested{};  // repositories of their own
};

// Told of each folder before anything in it is looked at ("" is the scope's own), also of those on
// the way of a link; from several threads.
using FolderHook = std::function<void(const std::string& rel)>;

// Dot-files, dot-folders, pages and nested git repositories are no memories. Links are followed
// inside the scope only, to regular files, and never through a linked folder. The folders, and the
// files of large ones, are shared out between up to `threads` threads.
Walk walk_scope(Directory& dir, unsigned threads, const FolderHook& before = {});

// Where the link at `rel` ends: a path in the same root. kRefused if it leads out, loops, or ends
// at something that is no regular file.
Result<std::string> resolve_link(Directory& dir, const std::string& rel,
                                 const FolderHook& before = {});

}  // namespace memfs
