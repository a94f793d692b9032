// Intent journal: changes to several files, all of them or none, across a crash.
//
// Before the first file is touched, the whole intent (paths, bytes before and after) is made
// durable as one file in the state directory. The next command that writes finds it there and
// completes or undoes it. A file is touched only if its bytes are one of the two that the journal
// knows; anything else is somebody's later work and stays.
//
// Grammar of a journal file:
//   file    := "mem-journal 1\n" (change | rename)* "end " content_hash(all before "end") "\n"
//   change  := "change\n" string(root) string(rel) mode optional(before) optional(after)
//   rename  := "rename\n" string(root) string(rel) mode string(from)
//   string  := decimal length ":" bytes "\n"
//   mode    := decimal "\n"
//   optional:= "-\n" | string
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct FileChange {
  std::string root;                   // absolute path of the Directory
  std::string rel;                    // file in it
  std::uint32_t mode = 0666;          // for a file that is made
  std::optional<std::string> before;  // nullopt: the file is made by this change
  std::optional<std::string> after;   // nullopt: the file is removed by this change
  // Not empty: the file that has this name gets the name `rel`, with whatever bytes it has;
  // `before` and `after` are nullopt. `mode` is for folders that are made on the way.
  std::string from{};
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
  Result<void> rename(Directory& dir, const FileChange& change, bool back);
  // Makes the renames durable: first where the files are now, then where they were. No folder is
  // both (see rename()), and nothing else may make one of them durable before.
  Result<void> sync_renames();
  Result<void> clear(const std::string& name);

  FileSystem& fs_;
  std::shared_ptr<Directory> state_;
  std::string folder_;
  using Folder = std::pair<std::string, std::string>;  // root, path in it
  std::set<Folder> entered_{}, left_{};                // by renames that are not synced yet
};

}  // namespace memfs
