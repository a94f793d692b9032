#include "libmemfs/store/scope_index.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/memory_document.h"
#include "libmemfs/store/memory_record.h"

namespace memfs {
namespace {

const std::string kIndexPrefix = "index-";

// All that the content of an index depends on, so that an old server and a new command do not undo
// each other's work: its format, the analyser, the fields and the record.
std::string version_name() {
  std::string fields = std::to_string(kRecordRevision);
  for (const index::FieldSpec& field : search_fields())
    fields += " " + field.name + " " + std::to_string(field.weight) + " " +
              std::to_string(field.length_influence);
  return std::to_string(index::kFormatVersion) + "-" + index::analysis_version() + "-" +
         short_hash(fields).substr(0, 8);
}

std::int64_t nanoseconds_of(Instant at) {
  return std::chrono::nanoseconds(at.time_since_epoch()).count();
}

index::Stamp stamp_of(const FileStat& stat) {
  return {stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode};
}

}  // namespace

ScopeIndex::ScopeIndex(FileSystem& fs, const Clock& clock, const std::string& cache, Scope scope,
                       const std::string& folder, unsigned threads)
    : fs_(fs),
      clock_(clock),
      cache_(cache),
      scope_(scope),
      folder_(folder),
      threads_(threads),
      index_(nullptr, search_fields(), threads,
             hash64(std::string(name_of(scope)) + ":" + folder)) {
  if (cache_.empty()) return;
  cache_folder_ = join_path(join_path(cache_, kIndexPrefix + version_name()),
                            std::string(name_of(scope)) + "-" + short_hash(folder));
}

// The cache may be deleted, and made anew by others, at any time.
void ScopeIndex::open_cache() {
  if (cache_folder_.empty()) return;
  const auto there = fs_.stat(cache_folder_);
  if (there && cache_inode_ != 0 && there->inode == cache_inode_) return;
  cache_note_.clear();
  cache_inode_ = 0;
  index_.set_cache(nullptr);
  auto opened = there ? Result<void>() : fs_.make_directories(cache_folder_, 0700);
  auto dir = opened ? fs_.open(cache_folder_) : Result<std::shared_ptr<Directory>>(opened.error());
  const auto stat = fs_.stat(cache_folder_);
  if (!dir || !stat) {
    cache_note_ = "the search index cannot be kept in " + cache_folder_ +
                  ", so each search reads everything: " +
                  (dir ? std::string("the cache is gone again") : dir.error().message);
    return;
  }
  cache_inode_ = stat->inode;
  index_.set_cache(std::move(*dir));
}

Result<void> ScopeIndex::erase_caches(FileSystem& fs, const std::string& cache) {
  const auto top = fs.open(cache);
  if (!top) return {};
  MEMFS_ASSIGN(const auto versions, (*top)->list(""));
  for (const DirEntry& version : versions) {
    if (!version.name.starts_with(kIndexPrefix) || version.kind != FileKind::kDirectory) continue;
    auto scopes = (*top)->list(version.name);
    if (!scopes) continue;
    for (const DirEntry& scope : *scopes) {
      if (scope.kind != FileKind::kDirectory) continue;
      auto dir = fs.open(join_path(join_path(cache, version.name), scope.name));
      if (!dir) continue;
      auto erased = index::Index(*dir, search_fields()).erase();
      if (erased || erased.error().code == ErrorCode::kNotFound) continue;
      if (erased.error().hint.empty() || erased.error().code == ErrorCode::kIo)
        erased.error().hint = "the search index in " + (*dir)->path() +
                              " holds the text, too: remove that folder and try again";
      return erased;
    }
  }
  return {};
}

Result<void> ScopeIndex::refresh(Directory& dir) {
  if (watch_ == nullptr) return look_at_all(dir, {});
  if (look_at_touched(dir)) return {};
  return look_at_all_watched(dir);
}

Result<void> ScopeIndex::look_at_all(Directory& dir, const FolderHook& before) {
  open_cache();
  index_.prefetch();
  const std::int64_t began = nanoseconds_of(clock_.now());
  walk_ = walk_scope(dir, threads_, before);
  // An incomplete listing must not look like an empty folder.
  if (walk_.failure) return *walk_.failure;
  std::deque<std::string> link_keys;  // stay where they are
  const auto files = entries_of_walk(link_keys);
  unreadable_.clear();
  report_ = index_.refresh(
      files, [&](std::size_t file, const ContentHash* known) { return load(dir, file, known); },
      began);
  if (report_.note.empty()) report_.note = cache_note_;
  problems_ = std::move(walk_.problems);
  std::sort(unreadable_.begin(), unreadable_.end(),
            [](const auto& a, const auto& b) { return a.second.path < b.second.path; });
  for (const auto& [file, problem] : unreadable_) problems_.push_back(problem);
  walk_.files.clear();
  walk_.names = {};
  return {};
}

std::vector<index::FileEntry> ScopeIndex::entries_of_walk(
    std::deque<std::string>& link_keys) const {
  std::vector<index::FileEntry> files;
  files.reserve(walk_.files.size());
  for (const WalkedFile& file : walk_.files) {
    std::string_view key = file.name_rel;
    if (!file.target.empty()) key = link_keys.emplace_back(file_key(file.name_rel, file.target));
    files.push_back({key, file.stamp});
  }
  return files;
}

index::Loaded ScopeIndex::load(Directory& dir, std::size_t number, const ContentHash* known) {
  const WalkedFile& file = walk_.files[number];
  index::Loaded loaded;
  const std::string name_rel(file.name_rel);
  auto content = dir.read(std::string(file.file_rel()), kMaxFile);
  if (!content) {
    if (content.error().code == ErrorCode::kNotFound) return loaded;
    Problem problem;
    problem.code = "unreadable";
    problem.severity = Severity::kError;
    problem.path = escape_for_terminal(join_path(dir.path(), file.name_rel));
    problem.message = content.error().message;
    problem.hint = content.error().hint;
    const std::lock_guard<std::mutex> lock(mutex_);
    unreadable_.emplace_back(number, std::move(problem));
    return loaded;
  }
  loaded.stamp = stamp_of(content->stat);
  const ContentHash hash = hash128(content->bytes);
  if (known != nullptr && *known == hash) {
    loaded.state = index::Loaded::State::kSame;
    return loaded;
  }
  loaded.state = index::Loaded::State::kRead;
  Problem empty;
  auto memory =
      read_memory({scope_, name_rel, join_path(dir.path(), name_rel)}, content->bytes, &empty);
  loaded.document = memory ? document_of(std::move(*memory)) : document_of(empty);
  loaded.document.hash = hash;
  return loaded;
}

Instant modified_at(const index::Snapshot& snapshot, index::DocumentId id) {
  return Instant(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(snapshot.stamp(id).mtime_ns)));
}

std::optional<Memory> memory_of(const index::Snapshot& snapshot, index::DocumentId id,
                                const ScopeIndex& scope, Problem* problem) {
  const auto& segment = *snapshot.segments()[id.segment].segment;
  RecordPlace place{scope.scope(), scope.folder(), snapshot.key(id), {}, segment.hash(id.document)};
  place.modified = modified_at(snapshot, id);
  auto memory = read_record(snapshot.stored(id), place, problem);
  if (problem->code == kDamagedRecord) segment.report_damage();
  if (memory) memory->committed_at = scope.committed_at(name_of_key(place.key));
  return memory;
}

}  // namespace memfs
