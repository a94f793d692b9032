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

// Makes the missing folders on the way to `rel`, durably.
Result<void> make_parents(Directory& dir, const std::string& rel, std::uint32_t mode);

}  // namespace memfs
