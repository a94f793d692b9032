// Whole-file writes that are either the old or the new state, whatever happens in between.
//
// Each writes a temporary dot-file beside the target (".mem-tmp-…", ignored by every reader),
// makes it durable and moves it in. On any failure the target is untouched and the temporary
// file is removed if that is still possible. One exception: if the very last step, the sync of the
// folder, fails, the error is reported although the new file is in place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

constexpr std::string_view kTemporaryPrefix = ".mem-tmp-";

struct WriteOptions {
  std::uint32_t mode = 0666;                  // for a new file, subject to the umask
  std::optional<std::uint32_t> exact_mode{};  // set on the file whatever the umask says
  bool durable = true;                        // sync the file before and the folder after the move
};

// What a checked write found in place of what its caller had read.
struct CheckedWrite {
  bool done = false;
  std::string found{};  // if not done: the bytes that stood there instead (empty if none)
  bool missing = false;
};

// kConflict if `rel` exists.
Result<void> create_file(Directory& dir, const std::string& rel, std::string_view bytes,
                         const WriteOptions& options = {});

// Makes the file in place, without a temporary one and without a sync: for what nobody reads before
// the caller has synced everything. kConflict if `rel` exists.
Result<void> write_in_place(Directory& dir, const std::string& rel, std::string_view bytes,
                            std::uint32_t mode);

// Replaces whatever stands there, or makes the file.
Result<void> replace_file(Directory& dir, const std::string& rel, std::string_view bytes,
                          const WriteOptions& options = {});

// Replaces the file only if its bytes hash to `expected_hash`: swaps the new file in, looks at
// what came out and swaps back if an editor or git was faster. Nobody's bytes are lost: on
// `done == false` the other writer's file is in place again. Where the file system cannot swap,
// the check is made right before a plain rename.
Result<CheckedWrite> swap_file(Directory& dir, const std::string& rel, std::string_view bytes,
                               const std::string& expected_hash, const WriteOptions& options = {});

// Removes the file only if its bytes hash to `expected_hash` (moved aside, looked at, unlinked).
Result<CheckedWrite> remove_file(Directory& dir, const std::string& rel,
                                 const std::string& expected_hash);

// Makes the missing folders on the way to `rel`; with `durable`, each of them is so before anything
// is put into it.
Result<void> make_parents(Directory& dir, const std::string& rel, std::uint32_t mode,
                          bool durable = true);

// Many new files that become durable together: one sync for all of them, and only then do they get
// their names, so that after a crash each of them is there as a whole or is not there at all.
class StagedFiles {
 public:
  // `options.durable` is not looked at.
  StagedFiles(Directory& dir, WriteOptions options, std::uint32_t folder_mode)
      : dir_(dir), options_(options), folder_mode_(folder_mode) {}
  // Removes what was not published.
  ~StagedFiles() { drop(); }
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  // Writes a temporary file beside `rel`, whose folders are made. Nothing is durable yet.
  Result<void> add(const std::string& rel, std::string_view bytes);
  std::size_t count() const { return files_.size(); }
  std::size_t bytes() const { return bytes_; }

  // What became of each file, in the order of add(): kConflict where the name exists by now. Fails
  // as a whole, and nothing is there, if the first sync does; if the last one does, the files have
  // their names and may lose them in a crash. Empty afterwards.
  Result<std::vector<Result<void>>> publish();
  // Removes what is staged.
  void drop();

 private:
  struct Staged {
    std::string temporary, rel;
  };
  Directory& dir_;
  WriteOptions options_;
  std::uint32_t folder_mode_;
  std::vector<Staged> files_{};
  std::size_t bytes_ = 0;
};

}  // namespace memfs
