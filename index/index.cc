#include "index/index.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <utility>

#include "index/bytes.h"
#include "index/index_files.h"
#include "index/parallel.h"
#include "index/segment_builder.h"
#include "libmemfs/base/file_lock.h"
#include "libmemfs/base/hash.h"

namespace memfs::index {
namespace {

constexpr std::int64_t kRacyNs = 2'000'000'000;

// A stamp that must not be trusted carries this bit in its size.
constexpr std::uint64_t kRacyBit = std::uint64_t{1} << 63U;

// By the time that only the kernel sets, where there is one: an archive may hold files of next
// year.
bool is_racy(const Stamp& stamp, std::int64_t now_ns) {
  return (stamp.ctime_ns != 0 ? stamp.ctime_ns : stamp.mtime_ns) > now_ns - kRacyNs;
}

std::shared_ptr<const Segment> seal(SegmentBuilder& builder) {
  std::vector<SegmentBuilder> parts;
  parts.push_back(std::move(builder));
  return opened(SegmentBuilder::finish(parts));
}

Stamp marked(Stamp stamp, bool racy) {
  if (racy) stamp.size |= kRacyBit;
  return stamp;
}

}  // namespace

struct Index::Changes {
  struct Candidate {
    std::size_t file = 0;
    std::optional<DocumentId> old{};
  };
  std::vector<Candidate> candidates;  // files to look into, sorted by key
  std::vector<DocumentId> gone;
  std::vector<std::pair<DocumentId, Stamp>> stamps;
  std::vector<std::shared_ptr<const Segment>> segments{};  // of what is new
};

Index::Index(std::shared_ptr<Directory> cache, std::vector<FieldSpec> fields, unsigned threads,
             std::uint64_t owner)
    : cache_(std::move(cache)),
      fields_(std::move(fields)),
      threads_(std::max(threads, 1U)),
      owner_(owner) {}

void Index::discard() {
  views_.clear();
  manifest_.segments.clear();
  unusable_ = true;
}

// What is in memory, as an index that no cache has yet.
void Index::start_over() {
  manifest_.identity = std::uint64_t{std::random_device{}()} << 32U | std::random_device{}();
  manifest_.generation = 0;
  manifest_.next_file = 1;
  for (ManifestSegment& segment : manifest_.segments) segment.file = 0;
  unwritten_ = !views_.empty();
}

void Index::set_cache(std::shared_ptr<Directory> cache) { cache_ = std::move(cache); }

Result<void> Index::erase() {
  discard();
  unusable_ = unwritten_ = false;
  manifest_ = {};
  if (!cache_) return {};
  MEMFS_ASSIGN(const auto lock, acquire_lock(*cache_, kLockName, 0600, LockWait{}));
  // An empty index of a later generation: whoever analysed files before now finds it and gives up
  // what it knows.
  const auto content = cache_->read(kManifestName, kMaxManifest);
  const auto current = content ? read_manifest(content->bytes) : std::nullopt;
  if (current) {
    owner_ = current->owner;
    manifest_.identity = current->identity;
    manifest_.generation = current->generation;
    manifest_.next_file = current->next_file;
  } else {
    start_over();
  }
  MEMFS_TRY(write_manifest_file());
  unwritten_ = false;
  MEMFS_ASSIGN(const auto entries, cache_->list(""));
  for (const DirEntry& entry : entries) {
    if (!entry.name.ends_with(".seg")) continue;
    auto removed = cache_->remove(entry.name);
    if (!removed && removed.error().code != ErrorCode::kNotFound) return removed;
  }
  return {};
}

void Index::prefetch() {
  if (manifest_.generation > 0) return;  // it was there before
  RefreshReport early;
  load_manifest(early);
  early_note_ = std::move(early.note);  // for refresh() to tell
  for (const SegmentView& view : views_) view.segment->prefetch();
}

RefreshReport Index::refresh(const std::vector<FileEntry>& files, const Loader& loader,
                             std::int64_t now_ns) {
  RefreshReport report;
  report.note = std::exchange(early_note_, {});
  load_manifest(report);
  report.complete = views_.empty();
  Changes changes = compare(files);
  read_files(files, loader, now_ns, changes, report);
  const bool nothing = changes.segments.empty() && changes.gone.empty() && changes.stamps.empty();
  if (nothing && !unusable_ && !unwritten_) {
    report.written = cache_ != nullptr && manifest_.generation > 0;
    return report;
  }
  report.removed = changes.gone.size();
  apply(changes);
  unwritten_ = true;
  if (cache_) commit(report);
  return report;
}

RefreshReport Index::update(const std::vector<FileEntry>& files,
                            const std::vector<std::string>& gone, const Loader& loader,
                            std::int64_t now_ns) {
  RefreshReport report;
  Changes changes;
  for (std::size_t i = 0; i < files.size(); ++i)
    changes.candidates.push_back({i, find(files[i].key)});
  for (const std::string& key : gone)
    if (const auto known = find(key)) changes.gone.push_back(*known);
  read_files(files, loader, now_ns, changes, report);
  if (changes.segments.empty() && changes.gone.empty() && changes.stamps.empty()) return report;
  report.removed = changes.gone.size();
  apply(changes);
  unwritten_ = true;
  // A write costs more than all of this; others read these few files themselves until then.
  constexpr unsigned kUpdatesAtOnce = 8;
  constexpr std::size_t kManyFiles = 64;
  if (++unwritten_updates_ < kUpdatesAtOnce && report.read < kManyFiles) return report;
  unwritten_updates_ = 0;
  if (cache_) commit(report);
  return report;
}

Index::CacheState Index::state_of_cache() const {
  if (!cache_) return CacheState::kOwn;
  const auto content = cache_->read(kManifestName, kMaxManifest);
  if ((content ? hash64(content->bytes) : 0) == seen_) return CacheState::kOwn;
  const auto theirs = content ? read_manifest(content->bytes) : std::nullopt;
  if (!theirs || theirs->identity != manifest_.identity) return CacheState::kReplaced;
  // Numbers of files are not given twice, so that nothing of before is left once it was erased.
  const auto kept = [&](const ManifestSegment& mine) {
    return mine.file != 0 && std::any_of(theirs->segments.begin(), theirs->segments.end(),
                                         [&](const auto& one) { return one.file == mine.file; });
  };
  const bool any = std::any_of(manifest_.segments.begin(), manifest_.segments.end(), kept);
  return any ? CacheState::kGoneOn : CacheState::kReplaced;
}

std::size_t Index::unwritten_segments() const {
  return static_cast<std::size_t>(
      std::count_if(manifest_.segments.begin(), manifest_.segments.end(),
                    [](const ManifestSegment& segment) { return segment.file == 0; }));
}

// Takes over what the cache directory has, unless this object has the same or newer already.
void Index::load_manifest(RefreshReport& report) {
  if (!cache_ || unusable_) return;
  // Several tries: a writer may remove a segment between our two looks.
  for (int attempt = 0; attempt < 3; ++attempt) {
    auto content = cache_->read(kManifestName, kMaxManifest);
    seen_ = content ? hash64(content->bytes) : 0;
    if (!content) {
      // Somebody removed the cache: what is in memory is as good as before.
      if (content.error().code == ErrorCode::kNotFound) return start_over();
      report.note = "the search index in " + cache_->path() + ": " + content.error().message;
      return;
    }
    auto manifest = read_manifest(content->bytes);
    // One that was erased may have no owner.
    if (!manifest || (manifest->owner != owner_ && !manifest->segments.empty())) break;
    if (is_same(*manifest, manifest_) && manifest->generation > 0) return;
    if (open_segments(*manifest)) return;
  }
  unusable_ = true;
  views_.clear();
  manifest_.segments.clear();
  report.note = "the search index in " + cache_->path() +
                " was damaged, of another version or of another folder, and is made anew";
}

bool Index::open_segments(const Manifest& manifest) {
  std::vector<SegmentView> views;
  for (const ManifestSegment& entry : manifest.segments) {
    const auto same = std::find_if(manifest_.segments.begin(), manifest_.segments.end(),
                                   [&](const ManifestSegment& mine) {
                                     return mine.file == entry.file && mine.file != 0 &&
                                            mine.size == entry.size && mine.check == entry.check;
                                   });
    SegmentView view;
    if (same != manifest_.segments.end()) {
      const auto place = static_cast<std::size_t>(same - manifest_.segments.begin());
      view.segment = views_[place].segment;
      view.mapped = views_[place].mapped;
    } else {
      auto bytes = cache_->map(segment_file_name(entry.file), kMaxSegmentFile);
      if (!bytes || (*bytes)->view().size() != entry.size || entry.size < kHeader ||
          load<std::uint64_t>((*bytes)->view().data() + kHeader - 8) != entry.check)
        return false;
      Segment::Fault fault = Segment::Fault::kNone;
      view.segment = Segment::open(std::move(*bytes), fault);
      if (!view.segment) return false;
      view.mapped = true;
    }
    for (const std::uint32_t document : entry.dead)
      if (document >= view.segment->document_count() || !view.dead.add(document)) return false;
    if (!entry.stamps.empty() && entry.stamps.back().document >= view.segment->document_count())
      return false;
    view.stamps = entry.stamps;
    views.push_back(std::move(view));
  }
  views_ = std::move(views);
  manifest_ = manifest;
  unwritten_ = false;
  return true;
}

// The big segments come first, and most documents are in them.
std::optional<DocumentId> Index::find(std::string_view key) const {
  for (std::uint32_t i = 0; i < views_.size(); ++i) {
    const auto document = views_[i].segment->find_key(key);
    if (document && !views_[i].dead.contains(*document)) return DocumentId{i, *document};
  }
  return std::nullopt;
}

Index::Changes Index::compare(const std::vector<FileEntry>& files) const {
  Changes changes;
  std::vector<std::vector<std::atomic<std::uint8_t>>> seen;
  for (const SegmentView& view : views_) seen.emplace_back(view.segment->document_count());
  constexpr std::size_t kWorthAThread = 2000;
  const std::size_t parts = files.size() < kWorthAThread ? 1 : threads_;
  std::vector<std::vector<Changes::Candidate>> found(parts);
  in_parts(files.size(), parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto known = find(files[i].key);
      if (known) {
        seen[known->segment][known->document].store(1, std::memory_order_relaxed);
        if (views_[known->segment].stamp(known->document) == files[i].stamp) continue;
      }
      found[part].push_back({i, known});
    }
  });
  for (auto& part : found)
    changes.candidates.insert(changes.candidates.end(), part.begin(), part.end());
  std::sort(changes.candidates.begin(), changes.candidates.end(),
            [&](const auto& a, const auto& b) { return files[a.file].key < files[b.file].key; });
  for (std::uint32_t i = 0; i < views_.size(); ++i) {
    for (std::uint32_t document = 0; document < seen[i].size(); ++document)
      if (seen[i][document].load(std::memory_order_relaxed) == 0 &&
          !views_[i].dead.contains(document))
        changes.gone.push_back({i, document});
  }
  return changes;
}

// Reads the candidates, each thread into a builder of its own.
void Index::read_files(const std::vector<FileEntry>& files, const Loader& loader,
                       std::int64_t now_ns, Changes& changes, RefreshReport& report) {
  const auto& candidates = changes.candidates;
  report.read = candidates.size();
  if (candidates.empty()) return;
  constexpr std::size_t kWorthAThread = 32;
  const std::size_t parts = candidates.size() < kWorthAThread ? 1 : threads_;
  std::vector<SegmentBuilder> builders;
  for (std::size_t part = 0; part < parts; ++part) builders.emplace_back(fields_);
  std::vector<Changes> out(parts);
  std::vector<std::vector<std::shared_ptr<const Segment>>> full(parts);
  // Some files at a time, so that a folder of long ones does not keep one thread busy alone.
  constexpr std::size_t kAtOnce = 16;
  std::atomic<std::size_t> next{0};
  in_parts(parts, parts, [&](std::size_t part, std::size_t, std::size_t) {
    std::size_t i = candidates.size();
    for (std::size_t end = i;; ++i) {
      if (i >= end) {
        i = next.fetch_add(kAtOnce);
        end = std::min(i + kAtOnce, candidates.size());
        if (i >= end) break;
      }
      const Changes::Candidate& candidate = candidates[i];
      std::optional<ContentHash> hash;
      if (candidate.old)
        hash = views_[candidate.old->segment].segment->hash(candidate.old->document);
      Loaded loaded = loader(candidate.file, hash ? &*hash : nullptr);
      const Stamp stamp = marked(loaded.stamp, is_racy(loaded.stamp, now_ns));
      if (loaded.state == Loaded::State::kSame) {
        if (views_[candidate.old->segment].stamp(candidate.old->document) != stamp)
          out[part].stamps.emplace_back(*candidate.old, stamp);
        continue;
      }
      if (candidate.old) out[part].gone.push_back(*candidate.old);
      if (loaded.state == Loaded::State::kGone) continue;
      loaded.document.key = files[candidate.file].key;
      loaded.document.stamp = stamp;
      builders[part].add(std::move(loaded.document));
      if (!builders[part].is_full()) continue;
      full[part].push_back(seal(builders[part]));
      builders[part] = SegmentBuilder(fields_);
    }
  });
  std::size_t left = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    left += builders[part].document_count();
    changes.gone.insert(changes.gone.end(), out[part].gone.begin(), out[part].gone.end());
    changes.stamps.insert(changes.stamps.end(), out[part].stamps.begin(), out[part].stamps.end());
    changes.segments.insert(changes.segments.end(), full[part].begin(), full[part].end());
  }
  if (left > 0) changes.segments.push_back(opened(SegmentBuilder::finish(builders)));
  for (const auto& segment : changes.segments) report.changed += segment->document_count();
}

void Index::apply(Changes& changes) {
  for (const DocumentId id : changes.gone) views_[id.segment].dead.add(id.document);
  std::vector<bool> touched(views_.size());
  for (const auto& [id, stamp] : changes.stamps) {
    views_[id.segment].stamps.push_back({id.document, stamp});
    touched[id.segment] = true;
  }
  for (std::size_t i = 0; i < touched.size(); ++i) {
    if (!touched[i]) continue;
    auto& stamps = views_[i].stamps;
    std::stable_sort(stamps.begin(), stamps.end(), [](const StampChange& a, const StampChange& b) {
      return a.document < b.document;
    });
    // The later one counts.
    std::vector<StampChange> kept;
    for (const StampChange& change : stamps) {
      if (!kept.empty() && kept.back().document == change.document) kept.pop_back();
      kept.push_back(change);
    }
    stamps = std::move(kept);
  }
  for (auto& segment : changes.segments) {
    views_.push_back({std::move(segment), {}, {}, 0});
    manifest_.segments.emplace_back();
  }
}

}  // namespace memfs::index
