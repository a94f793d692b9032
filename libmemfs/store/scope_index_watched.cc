// How the index of a scope keeps in step without a walk: it looks again at the files about which
// its watch was told something. Whatever is unusual, a link, a folder, a file that cannot be read,
// is left to the walk, so that there is one place which knows how to deal with it.
#include <algorithm>
#include <chrono>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/free_memory.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/scope_index.h"

namespace memfs {
namespace {

// What no watch tells of (see folder_watch.h) is seen after this long.
constexpr std::chrono::minutes kLookAgain{1};

constexpr std::size_t kManyFiles = 5000;

// In memory, while another process writes the cache.
constexpr std::size_t kManySegments = 16;

}  // namespace

void ScopeIndex::set_watch(ScopeWatch* watch) {
  if (watch_ == watch) return;
  watch_ = watch;
  looked_at_.reset();
  if (watch_ != nullptr)
    watch_->set_knows([this](const std::string& rel) { return index_.knows(rel); });
}

Result<void> ScopeIndex::look_at_all_watched(Directory& dir) {
  looked_at_.reset();
  const Instant now = clock_.now();
  if (!watch_->begin(folder_, now)) return look_at_all(dir, {});
  // Opened after its watch began, so that both are the same folder.
  const auto opened = fs_.open(folder_);
  auto looked =
      look_at_all(opened ? **opened : dir, [this](const std::string& rel) { watch_->add(rel); });
  // A file that has a name elsewhere can be changed without a word.
  if (watch_->end(walk_, now) && looked && !walk_.hard_links) looked_at_ = now;
  // The index was made: the process stays, and never needs as much again.
  if (looked && report_.read >= kManyFiles) give_back_free_memory();
  return looked;
}

void ScopeIndex::begin_to_watch() {
  if (watch_ == nullptr || watch_->is_sure()) return;
  looked_at_.reset();
  if (!fs_.stat(folder_)) return watch_->note_missing();
  const Instant now = clock_.now();
  if (!watch_->begin(folder_, now)) return;
  const auto opened = fs_.open(folder_);
  if (!opened) return;
  const Walk walk =
      walk_scope(**opened, threads_, [this](const std::string& rel) { watch_->add(rel); });
  (void)watch_->end(walk, now);
}

bool ScopeIndex::has_cache_as_before() const {
  if (cache_folder_.empty()) return true;
  const auto there = fs_.stat(cache_folder_);
  if ((there ? there->inode : 0) != cache_inode_) return false;
  switch (index_.state_of_cache()) {
    case index::Index::CacheState::kOwn:
      return true;
    case index::Index::CacheState::kGoneOn:
      return index_.unwritten_segments() < kManySegments;
    case index::Index::CacheState::kReplaced:
      return false;
  }
  return false;
}

bool ScopeIndex::look_at_touched(Directory& dir) {
  const Instant now = clock_.now();
  if (!looked_at_ || now < *looked_at_ || now - *looked_at_ >= kLookAgain) return false;
  if (!watch_->is_sure() || watch_->all() || !has_cache_as_before()) return false;
  report_ = {};
  report_.note = cache_note_;
  const auto& touched = watch_->touched();
  if (touched.empty()) return true;
  std::vector<std::string> gone;
  for (const auto& [rel, file] : touched)
    if (!take_touched(dir, rel, file.appeared, gone)) return false;
  std::deque<std::string> no_links;
  const auto files = entries_of_walk(no_links);
  report_ = index_.update(
      files, gone,
      [&](std::size_t file, const ContentHash* known) { return load(dir, file, known); },
      std::chrono::nanoseconds(now.time_since_epoch()).count());
  if (report_.note.empty()) report_.note = cache_note_;
  walk_.files.clear();
  walk_.names = {};
  watch_->looked();
  return unreadable_.empty();
}

bool ScopeIndex::take_touched(Directory& dir, const std::string& rel, bool appeared,
                              std::vector<std::string>& gone) {
  const std::string leaf = leaf_of(rel);
  const auto stat = dir.stat(rel);
  if (!stat && stat.error().code != ErrorCode::kNotFound) return false;
  if (stat && stat->kind == FileKind::kSymlink) return false;
  if (leaf.starts_with(kTemporaryPrefix)) {
    note_leftover(rel, stat && stat->kind == FileKind::kRegular);
    return true;
  }
  if (!is_memory_file(leaf)) return true;
  if (has_problem(rel)) return false;
  if (!stat) {
    gone.push_back(rel);
    return true;
  }
  // A change of what nobody knows: its name may be spelt otherwise in the listing.
  if (stat->kind != FileKind::kRegular || stat->links > 1) return false;
  if (!appeared && !index_.knows(rel)) return false;
  walk_.files.push_back({walk_.names.keep({}, rel), {}, {}});
  return true;
}

// What the walk, or reading, found odd about it.
bool ScopeIndex::has_problem(const std::string& rel) const {
  const std::string path = escape_for_terminal(join_path(folder_, rel));
  return std::any_of(problems_.begin(), problems_.end(),
                     [&](const Problem& problem) { return problem.path == path; });
}

void ScopeIndex::note_leftover(const std::string& rel, bool there) {
  std::erase(walk_.leftovers, rel);
  if (there) walk_.leftovers.push_back(rel);
}

}  // namespace memfs
