#include "libmemfs/store/store_watch.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <string_view>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

// With more of them it is as cheap to look at everything.
constexpr std::size_t kManyTouched = 10000;

// After a watch failed: there may be room for it later.
constexpr std::chrono::minutes kRetry{1};

constexpr std::string_view kRepository = ".git";

}  // namespace

bool ScopeWatch::begin(const std::string& folder, Instant now) {
  if (retry_at_ && now < *retry_at_ && path_ == folder) return false;
  retry_at_.reset();
  if (path_ != folder) drop(true);
  path_ = folder;
  touched_.clear();
  all_ = failed_ = false;
  ++walk_;
  FolderWatch* watch = store_.watch();
  auto root = watch == nullptr ? make_error(ErrorCode::kUnsupported, "") : watch->add(folder, true);
  if (!root) {
    drop(true);
    if (root.error().code == ErrorCode::kUnsupported) retry_at_ = now + kRetry;
    return false;
  }
  root_ = *root;
  folders_[root_.number] = {"", walk_, false};
  return true;
}

void ScopeWatch::add(const std::string& rel) {
  const auto added = store_.watch_->add(join_path(path_, rel), rel.empty());
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!added) {
    // What cannot be opened cannot be listed, and the folder above it tells when it can.
    const Error& error = added.error();
    const bool closed = error.code == ErrorCode::kNotFound || error.code == ErrorCode::kRefused ||
                        error.os_error == EACCES;
    if (!closed || rel.empty()) failed_ = true;
    return;
  }
  Folder& folder = folders_[added->number];
  // One folder in two places, or another one by now.
  if (folder.walk == walk_ && folder.rel != rel) failed_ = true;
  if (rel.empty() && added->number != root_.number) failed_ = true;
  folder = {rel, walk_, false};
}

bool ScopeWatch::end(const Walk& walk, Instant now) {
  const std::set<std::string_view> nested(walk.nested.begin(), walk.nested.end());
  for (auto& [number, folder] : folders_) folder.nested = nested.contains(folder.rel);
  links_ = walk.links;
  if (failed_) retry_at_ = now + kRetry;
  if (failed_ || walk.failure) {
    drop(true);
    return false;
  }
  drop(false);
  untold_all_ = untold_all_ || missing_;
  missing_ = false;
  on_ = is_there();
  return on_;
}

// The watches that the last walk did not renew, or all.
void ScopeWatch::drop(bool everything) {
  std::vector<int> numbers;
  for (const auto& [number, folder] : folders_)
    if (everything || folder.walk != walk_) numbers.push_back(number);
  for (const int number : numbers) {
    folders_.erase(number);
    store_.remove(number);
  }
  if (!everything) return;
  untold_all_ = untold_all_ || on_;
  on_ = false;
}

// A folder above may have been renamed, of which nothing is told.
bool ScopeWatch::is_there() const {
  const auto now = store_.fs_.stat(path_);
  return now && now->inode == root_.inode && now->device == root_.device;
}

void ScopeWatch::note_missing() {
  drop(true);
  missing_ = true;
}

bool ScopeWatch::is_sure() {
  store_.drain();
  if (on_ && !is_there()) drop(true);
  return on_;
}

void ScopeWatch::note_all() {
  all_ = untold_all_ = true;
  touched_.clear();
  untold_.clear();
}

void ScopeWatch::note(const FolderEvent& event) {
  const auto at = folders_.find(event.folder);
  if (at == folders_.end()) return;
  const Folder& folder = at->second;
  const bool hidden = event.entry.starts_with('.');
  if (event.entry.empty() || event.entry == kRepository) return note_all();
  if (folder.nested) return;
  if (links_) return note_all();
  if (event.is_folder) {
    if (!hidden) note_all();
    return;
  }
  if (hidden && !event.entry.starts_with(kTemporaryPrefix)) return;
  note_file(join_path(folder.rel, event.entry), event.kind);
}

void ScopeWatch::note_file(const std::string& rel, FolderEvent::Kind kind) {
  const std::string leaf = leaf_of(rel);
  const bool memory = is_memory_file(leaf);
  const bool appeared = kind == FolderEvent::Kind::kAppeared;
  // What is new may be a link, which matters under every name.
  if (!memory && !appeared && !leaf.starts_with('.')) return;
  if (touched_.size() >= kManyTouched || untold_.size() >= kManyTouched) return note_all();
  if (memory && find_invalid_utf8(rel)) return note_all();
  Touched& file = touched_[rel];
  file.appeared = file.appeared || appeared;
  if (!memory || untold_all_ || untold_.contains(rel)) return;
  untold_[rel] = file.told_exists ? *file.told_exists : knows_ && knows_(rel);
}

void ScopeWatch::tell(Scope scope, MemoryChanges& changes) {
  if (untold_all_) changes.any = changes.list = true;
  for (const auto& [rel, existed] : untold_) {
    const bool exists = store_.fs_.stat(join_path(path_, rel)).has_value();
    if (exists != existed) changes.list = true;
    changes.references.push_back(std::string(name_of(scope)) + "/" + memory_name(rel));
    if (const auto file = touched_.find(rel); file != touched_.end())
      file->second.told_exists = exists;
  }
  untold_.clear();
  untold_all_ = false;
}

void StoreWatch::drain() {
  if (!watch_) return;
  const FolderEvents taken = watch_->take();
  for (ScopeWatch& scope : scopes_) {
    if (taken.lost && scope.on_) scope.note_all();
    for (const FolderEvent& event : taken.events) scope.note(event);
  }
}

FolderWatch* StoreWatch::watch() {
  if (!watch_)
    if (auto made = fs_.watch_folders()) watch_ = std::move(*made);
  return watch_.get();
}

void StoreWatch::remove(int number) {
  const bool needed = std::any_of(scopes_.begin(), scopes_.end(), [&](const ScopeWatch& scope) {
    return scope.folders_.contains(number);
  });
  if (watch_ && !needed) watch_->remove(number);
}

}  // namespace memfs
