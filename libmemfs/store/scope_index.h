// The search index of one scope directory: walks the folder and lets the index read what changed.
#pragma once

#include <memfs/memory.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "index/index.h"
#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/store/commit_times.h"
#include "libmemfs/store/walk.h"

namespace memfs {

class ScopeIndex {
 public:
  // `cache`: absolute path of the folder for caches; made when it is missing, done without when it
  // cannot be used. `folder`: absolute path of the scope.
  ScopeIndex(FileSystem& fs, const Clock& clock, const std::string& cache, Scope scope,
             const std::string& folder, unsigned threads);

  // Brings the index in step with the files. Fails only if the scope's own folder cannot be listed.
  Result<void> refresh(Directory& dir);

  // What the last refresh() found. Problems of the walk, and files that could not be read.
  const std::vector<Problem>& problems() const { return problems_; }
  const std::vector<std::string>& leftovers() const { return walk_.leftovers; }
  const index::RefreshReport& report() const { return report_; }
  const std::vector<index::SegmentView>& segments() const { return index_.segments(); }

  // When git's last commits touched the files, if that is known.
  void set_commit_times(std::shared_ptr<const CommitTimes> times) { times_ = std::move(times); }
  std::optional<Instant> committed_at(std::string_view name_rel) const {
    return times_ ? times_->of(name_rel) : std::nullopt;
  }

  Scope scope() const { return scope_; }
  const std::string& folder() const { return folder_; }
  // After damage came to light: the next refresh() makes the index anew.
  void discard() { index_.discard(); }
  // Removes what the caches hold of any scope, in indexes of every version and place: a text may
  // have been elsewhere before. They are made anew when they are needed.
  static Result<void> erase_caches(FileSystem& fs, const std::string& cache);

 private:
  void open_cache();
  index::Loaded load(Directory& dir, std::size_t file, const ContentHash* known);

  FileSystem& fs_;
  const Clock& clock_;  // tells which files changed just now
  std::string cache_, cache_folder_{};
  std::uint64_t cache_inode_ = 0;  // of the folder that is open; 0: none
  std::string cache_note_{};
  Scope scope_;
  std::string folder_;
  unsigned threads_;
  index::Index index_;
  Walk walk_{};
  std::shared_ptr<const CommitTimes> times_{};
  std::vector<Problem> problems_{};
  std::vector<std::pair<std::size_t, Problem>> unreadable_{};
  std::mutex mutex_{};  // of unreadable_
  index::RefreshReport report_{};
};

// The time of the file behind a document.
Instant modified_at(const index::Snapshot& snapshot, index::DocumentId id);
// The memory of a document, without its body; nullopt for a file that is none, whose problem is
// then in `problem`.
std::optional<Memory> memory_of(const index::Snapshot& snapshot, index::DocumentId id,
                                const ScopeIndex& scope, Problem* problem);

}  // namespace memfs
