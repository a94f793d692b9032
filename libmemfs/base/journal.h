// Intent journal: changes to several files, all of them or none, across a crash.
//
// Before the first file is touched, the whole intent (paths, bytes before and after) is made
// durable as one file in the state directory. The next command that writes finds it there and
// completes or undoes it. A file is touched only if its bytes are one of the two that the journal
// knows; anything else is somebody's later work and stays.
//
// Grammar of a journal file:
//   file    := "mem-journal 1\n" change* "end " content_hash(all before "end") "\n"
//   change  := "change\n" string(root) string(rel) mode optional(before) optional(after)
//   string  := decimal length ":" bytes "\n"
//   mode    := decimal "\n"
//   optional:= "-\n" | string
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct FileChange {
  std::string root;                   // absolute path of the Directory
  std::string rel;                    // file in it
  std::uint32_t mode = 0666;          // for a file that is made
  std::optional<std::string> before;  // nullopt: the file is made by this change
  std::optional<std::string> after;   // nullopt: the file is removed by this change
};

enum class RecoveryOutcome : std::uint8_t { kCompleted, kUndone };

class Journal {
 public:
  // `folder` is the journal's folder inside `state`, made when first needed.
  Journal(FileSystem& fs, std::shared_ptr<Directory> state, std::string folder);

  // Applies the changes in order. REQUIRES: the caller holds the locks of all roots. On a
  // conflict (a file is no longer what `before` says) everything done is undone: kConflict.
  Result<void> run(const std::string& name, const std::vector<FileChange>& changes);

  // Names of journals that a dead process left behind, sorted.
  Result<std::vector<std::string>> pending();
  // Reads one. kCorrupt if it is damaged; it is then left in place.
  Result<std::vector<FileChange>> load(const std::string& name);
  // REQUIRES: the locks of all roots in it are held.
  Result<RecoveryOutcome> recover(const std::string& name);

 private:
  Result<void> apply(const FileChange& change);
  Result<void> redo(const FileChange& change);
  Result<void> undo(const FileChange& change);
  Result<void> clear(const std::string& name);

  FileSystem& fs_;
  std::shared_ptr<Directory> state_;
  std::string folder_;
};

}  // namespace memfs
