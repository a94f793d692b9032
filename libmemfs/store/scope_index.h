// The search index of one scope directory: walks the folder and lets the index read what changed;
// with a watch it walks once, and then looks at what the watch tells.
#pragma once

#include <memfs/memory.h>

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "index/index.h"
#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/store/commit_times.h"
#include "libmemfs/store/store_watch.h"
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

  // From now on the folder is watched; nullptr: no more.
  void set_watch(ScopeWatch* watch);
  // Only begins to watch, if that is still to do, so that changes are told.
  void begin_to_watch();

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
  void discard() {
    index_.discard();
    looked_at_.reset();
  }
  // Removes what the caches hold of any scope, in indexes of every version and place: a text may
  // have been elsewhere before. They are made anew when they are needed.
  static Result<void> erase_caches(FileSystem& fs, const std::string& cache);

 private:
  void open_cache();
  bool has_cache_as_before() const;
  Result<void> look_at_all(Directory& dir, const FolderHook& before);
  Result<void> look_at_all_watched(Directory& dir);
  // False if that is not enough: everything is to be looked at.
  bool look_at_touched(Directory& dir);
  // Puts what `rel` is now into walk_.files or `gone`.
  bool take_touched(Directory& dir, const std::string& rel, bool appeared,
                    std::vector<std::string>& gone);
  bool has_problem(const std::string& rel) const;
  void note_leftover(const std::string& rel, bool there);
  std::vector<index::FileEntry> entries_of_walk(std::deque<std::string>& link_keys) const;
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
  ScopeWatch* watch_ = nullptr;
  std::optional<Instant> looked_at_{};  // everything, and what changed since then is told
};

// The time of the file behind a document.
Instant modified_at(const index::Snapshot& snapshot, index::DocumentId id);
// The memory of a document, without its body; nullopt for a file that is none, whose problem is
// then in `problem`.
std::optional<Memory> memory_of(const index::Snapshot& snapshot, index::DocumentId id,
                                const ScopeIndex& scope, Problem* problem);

}  // namespace memfs
