#include "libmemfs/base/atomic_file.h"

#include <unistd.h>

#include <atomic>
#include <limits>

#include "libmemfs/base/hash.h"

namespace memfs {
namespace {

constexpr std::uint64_t kAnySize = std::numeric_limits<std::uint64_t>::max() / 2;

std::string temporary_name(const std::string& rel) {
  static std::atomic<unsigned> counter{0};
  return join_path(parent_of(rel), std::string(kTemporaryPrefix) + std::to_string(::getpid()) +
                                       "-" + std::to_string(counter++));
}

// Names a fresh temporary file beside `rel`; a leftover of a dead process with our pid is skipped.
Result<std::unique_ptr<WritableFile>> create_temporary(Directory& dir, const std::string& rel,
                                                       std::uint32_t mode, std::string& name) {
  for (int attempt = 0;; ++attempt) {
    name = temporary_name(rel);
    auto file = dir.create(name, mode);
    if (file || file.error().code != ErrorCode::kConflict || attempt == 100) return file;
  }
}

Result<void> fill(WritableFile& file, std::string_view bytes, const WriteOptions& options) {
  // Before the first byte, so that nobody reads what the old file's mode forbids.
  if (options.exact_mode) MEMFS_TRY(file.set_mode(*options.exact_mode));
  while (!bytes.empty()) {
    MEMFS_ASSIGN(const std::size_t n, file.write(bytes));
    if (n == 0) return make_error(ErrorCode::kIo, "the file system accepted no bytes");
    bytes.remove_prefix(n);
  }
  // A failed sync is final: the kernel may have dropped the pages, a second sync would lie.
  if (options.durable) MEMFS_TRY(file.sync());
  return file.close();
}

Result<std::string> write_temporary(Directory& dir, const std::string& rel, std::string_view bytes,
                                    const WriteOptions& options) {
  std::string name;
  MEMFS_ASSIGN(auto file, create_temporary(dir, rel, options.mode, name));
  if (auto filled = fill(*file, bytes, options); !filled) {
    file.reset();
    (void)dir.remove(name);
    Error error = std::move(filled).error();
    error.path = join_path(dir.path(), rel);
    return error;
  }
  return name;
}

Result<void> settle(Directory& dir, const std::string& rel, const WriteOptions& options) {
  if (!options.durable) return {};
  return dir.sync_directory(parent_of(rel));
}

Result<CheckedWrite> not_done(Directory& dir, const std::string& rel) {
  CheckedWrite outcome;
  auto now = dir.read(rel, kAnySize);
  if (now) {
    outcome.found = std::move(now->bytes);
  } else if (now.error().code == ErrorCode::kNotFound) {
    outcome.missing = true;
  } else {
    return std::move(now).error();
  }
  return outcome;
}

// For file systems without an atomic swap: look, then rename.
Result<CheckedWrite> compare_and_rename(Directory& dir, const std::string& temporary,
                                        const std::string& rel, const std::string& expected_hash) {
  auto now = dir.read(rel, kAnySize);
  if (!now || content_hash(now->bytes) != expected_hash) {
    (void)dir.remove(temporary);
    return not_done(dir, rel);
  }
  if (auto moved = dir.rename(temporary, rel); !moved) {
    (void)dir.remove(temporary);
    return std::move(moved).error();
  }
  return CheckedWrite{true, {}, false};
}

}  // namespace

namespace {

// Gives a temporary file its name; removes it if the name is taken or cannot be given.
Result<void> give_name(Directory& dir, const std::string& temporary, const std::string& rel) {
  auto moved = dir.rename_exclusive(temporary, rel);
  if (!moved && moved.error().code == ErrorCode::kUnsupported) {
    const auto there = dir.stat(rel);
    if (there) {
      moved = make_error(ErrorCode::kConflict, "the file exists").at(join_path(dir.path(), rel));
    } else if (there.error().code != ErrorCode::kNotFound) {
      moved = there.error();
    } else {
      moved = dir.rename(temporary, rel);
    }
  }
  if (!moved) (void)dir.remove(temporary);
  return moved;
}

}  // namespace

Result<void> create_file(Directory& dir, const std::string& rel, std::string_view bytes,
                         const WriteOptions& options) {
  MEMFS_ASSIGN(const std::string temporary, write_temporary(dir, rel, bytes, options));
  MEMFS_TRY(give_name(dir, temporary, rel));
  return settle(dir, rel, options);
}

Result<void> write_in_place(Directory& dir, const std::string& rel, std::string_view bytes,
                            std::uint32_t mode) {
  MEMFS_ASSIGN(auto file, dir.create(rel, mode));
  WriteOptions options;
  options.durable = false;
  auto filled = fill(*file, bytes, options);
  if (!filled) (void)dir.remove(rel);
  return filled;
}

Result<void> StagedFiles::add(const std::string& rel, std::string_view bytes) {
  MEMFS_TRY(make_parents(dir_, rel, folder_mode_, false));
  WriteOptions options = options_;
  options.durable = false;
  MEMFS_ASSIGN(std::string temporary, write_temporary(dir_, rel, bytes, options));
  files_.push_back({std::move(temporary), rel});
  bytes_ += bytes.size();
  return {};
}

Result<std::vector<Result<void>>> StagedFiles::publish() {
  std::vector<Result<void>> outcomes;
  if (files_.empty()) return outcomes;
  if (auto synced = dir_.sync_all(); !synced) {
    drop();
    return std::move(synced).error();
  }
  for (const Staged& file : files_) outcomes.push_back(give_name(dir_, file.temporary, file.rel));
  files_.clear();
  bytes_ = 0;
  MEMFS_TRY(dir_.sync_all());
  return outcomes;
}

void StagedFiles::drop() {
  for (const Staged& file : files_) (void)dir_.remove(file.temporary);
  files_.clear();
  bytes_ = 0;
}

Result<void> replace_file(Directory& dir, const std::string& rel, std::string_view bytes,
                          const WriteOptions& options) {
  MEMFS_ASSIGN(const std::string temporary, write_temporary(dir, rel, bytes, options));
  if (auto moved = dir.rename(temporary, rel); !moved) {
    (void)dir.remove(temporary);
    return moved;
  }
  return settle(dir, rel, options);
}

Result<CheckedWrite> swap_file(Directory& dir, const std::string& rel, std::string_view bytes,
                               const std::string& expected_hash, const WriteOptions& options) {
  MEMFS_ASSIGN(const std::string temporary, write_temporary(dir, rel, bytes, options));
  if (auto swapped = dir.exchange(temporary, rel); !swapped) {
    const ErrorCode code = swapped.error().code;
    if (code == ErrorCode::kUnsupported) {
      MEMFS_ASSIGN(CheckedWrite outcome, compare_and_rename(dir, temporary, rel, expected_hash));
      if (outcome.done) MEMFS_TRY(settle(dir, rel, options));
      return outcome;
    }
    (void)dir.remove(temporary);
    if (code == ErrorCode::kNotFound) return not_done(dir, rel);
    return std::move(swapped).error();
  }
  auto came_out = dir.read(temporary, kAnySize);
  if (came_out && content_hash(came_out->bytes) == expected_hash) {
    // From here on the new state stands: a temporary file that stays behind is swept later.
    (void)dir.remove(temporary);
    MEMFS_TRY(settle(dir, rel, options));
    return CheckedWrite{true, {}, false};
  }
  // Someone was faster, or what came out cannot be read: put it back.
  MEMFS_TRY(dir.exchange(temporary, rel));
  const auto ours = dir.read(temporary, kAnySize);
  if (ours && ours->bytes == bytes) (void)dir.remove(temporary);
  // Otherwise a third writer came between the swaps and its bytes stay in the temporary file,
  // where `mem check` finds them.
  if (!came_out) return std::move(came_out).error();
  return CheckedWrite{false, std::move(came_out->bytes), false};
}

namespace {

// Moves `rel` to a fresh name beside it, which is returned.
Result<std::string> move_aside(Directory& dir, const std::string& rel) {
  for (int attempt = 0;; ++attempt) {
    const std::string aside = temporary_name(rel);
    auto moved = dir.rename_exclusive(rel, aside);
    if (!moved && moved.error().code == ErrorCode::kUnsupported) {
      const auto there = dir.stat(aside);
      moved = there || there.error().code != ErrorCode::kNotFound
                  ? Result<void>(make_error(ErrorCode::kConflict, "the name is taken"))
                  : dir.rename(rel, aside);
    }
    if (moved) return aside;
    if (moved.error().code != ErrorCode::kConflict || attempt == 100)
      return std::move(moved).error();
  }
}

// The way back. If another file took the place meanwhile, ours stays aside, where `check` finds it.
void put_back(Directory& dir, const std::string& aside, const std::string& rel) {
  const auto moved = dir.rename_exclusive(aside, rel);
  if (moved || moved.error().code != ErrorCode::kUnsupported) return;
  const auto there = dir.stat(rel);
  if (!there && there.error().code == ErrorCode::kNotFound) (void)dir.rename(aside, rel);
}

}  // namespace

Result<CheckedWrite> remove_file(Directory& dir, const std::string& rel,
                                 const std::string& expected_hash) {
  auto aside = move_aside(dir, rel);
  if (!aside) {
    if (aside.error().code == ErrorCode::kNotFound) return CheckedWrite{false, {}, true};
    return std::move(aside).error();
  }
  auto content = dir.read(*aside, kAnySize);
  if (content && content_hash(content->bytes) == expected_hash) {
    if (auto removed = dir.remove(*aside); !removed) {
      put_back(dir, *aside, rel);
      return std::move(removed).error();
    }
    MEMFS_TRY(dir.sync_directory(parent_of(rel)));
    return CheckedWrite{true, {}, false};
  }
  put_back(dir, *aside, rel);
  if (!content) return std::move(content).error();
  return CheckedWrite{false, std::move(content->bytes), false};
}

Result<void> make_parents(Directory& dir, const std::string& rel, std::uint32_t mode,
                          bool durable) {
  const std::string folder = parent_of(rel);
  if (folder.empty()) return {};
  // The folder itself first: nearly always only the last one is missing, or none.
  auto made = dir.make_directory(folder, mode);
  if (!made && made.error().code == ErrorCode::kNotFound) {
    MEMFS_TRY(make_parents(dir, folder, mode, durable));
    made = dir.make_directory(folder, mode);
  }
  if (!made) return made.error().code == ErrorCode::kConflict ? Result<void>() : made;
  return durable ? dir.sync_directory(parent_of(folder)) : Result<void>();
}

}  // namespace memfs
