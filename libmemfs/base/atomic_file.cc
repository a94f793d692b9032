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
  while (!bytes.empty()) {
    MEMFS_ASSIGN(const std::size_t n, file.write(bytes));
    if (n == 0) return make_error(ErrorCode::kIo, "the file system accepted no bytes");
    bytes.remove_prefix(n);
  }
  if (options.exact_mode) MEMFS_TRY(file.set_mode(*options.exact_mode));
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
  MEMFS_TRY(dir.rename(temporary, rel));
  return CheckedWrite{true, {}, false};
}

}  // namespace

Result<void> create_file(Directory& dir, const std::string& rel, std::string_view bytes,
                         const WriteOptions& options) {
  MEMFS_ASSIGN(const std::string temporary, write_temporary(dir, rel, bytes, options));
  auto moved = dir.rename_exclusive(temporary, rel);
  if (!moved && moved.error().code == ErrorCode::kUnsupported) {
    moved = dir.stat(rel) ? Result<void>(make_error(ErrorCode::kConflict, "the file exists")
                                             .at(join_path(dir.path(), rel)))
                          : dir.rename(temporary, rel);
  }
  if (!moved) {
    (void)dir.remove(temporary);
    return moved;
  }
  return settle(dir, rel, options);
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

Result<CheckedWrite> remove_file(Directory& dir, const std::string& rel,
                                 const std::string& expected_hash) {
  const std::string aside = temporary_name(rel);
  if (auto moved = dir.rename_exclusive(rel, aside); !moved) {
    if (moved.error().code == ErrorCode::kNotFound) return CheckedWrite{false, {}, true};
    if (moved.error().code != ErrorCode::kUnsupported) return std::move(moved).error();
    MEMFS_TRY(dir.rename(rel, aside));
  }
  auto content = dir.read(aside, kAnySize);
  if (content && content_hash(content->bytes) == expected_hash) {
    MEMFS_TRY(dir.remove(aside));
    MEMFS_TRY(dir.sync_directory(parent_of(rel)));
    return CheckedWrite{true, {}, false};
  }
  MEMFS_TRY(dir.rename_exclusive(aside, rel));
  if (!content) return std::move(content).error();
  return CheckedWrite{false, std::move(content->bytes), false};
}

Result<void> make_parents(Directory& dir, const std::string& rel, std::uint32_t mode) {
  for (std::size_t slash = rel.find('/'); slash != std::string::npos;
       slash = rel.find('/', slash + 1)) {
    const std::string step = rel.substr(0, slash);
    if (auto made = dir.make_directory(step, mode); made) {
      MEMFS_TRY(dir.sync_directory(parent_of(step)));
    } else if (made.error().code != ErrorCode::kConflict) {
      return made;
    }
  }
  return {};
}

}  // namespace memfs
