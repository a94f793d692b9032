#include "index/index.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "index/bytes.h"
#include "index/parallel.h"
#include "index/segment_builder.h"
#include "libmemfs/base/file_lock.h"
#include "libmemfs/base/hash.h"

namespace memfs::index {
namespace {

constexpr const char* kManifestName = "manifest";
constexpr const char* kLockName = "lock";
constexpr const char* kNewManifestName = "manifest.new";
constexpr std::uint64_t kMaxSegmentFile = std::uint64_t{1} << 36U;
constexpr std::uint64_t kMaxManifest = std::uint64_t{1} << 30U;
constexpr std::int64_t kRacyNs = 2'000'000'000;

// A stamp that must not be trusted carries this bit in its size.
constexpr std::uint64_t kRacyBit = std::uint64_t{1} << 63U;

// By the time that only the kernel sets, where there is one: an archive may hold files of next
// year.
bool is_racy(const Stamp& stamp, std::int64_t now_ns) {
  return (stamp.ctime_ns != 0 ? stamp.ctime_ns : stamp.mtime_ns) > now_ns - kRacyNs;
}

// REQUIRES: bytes that a writer of ours made.
std::shared_ptr<const Segment> opened(std::string bytes) {
  Segment::Fault fault = Segment::Fault::kNone;
  return Segment::open(bytes_of(std::move(bytes)), fault);
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

// Takes over what the cache directory has, unless this object has the same or newer already.
void Index::load_manifest(RefreshReport& report) {
  if (!cache_ || unusable_) return;
  // Several tries: a writer may remove a segment between our two looks.
  for (int attempt = 0; attempt < 3; ++attempt) {
    auto content = cache_->read(kManifestName, kMaxManifest);
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
      view.segment = views_[static_cast<std::size_t>(same - manifest_.segments.begin())].segment;
    } else {
      auto bytes = cache_->map(segment_file_name(entry.file), kMaxSegmentFile);
      if (!bytes || (*bytes)->view().size() != entry.size || entry.size < kHeader ||
          load<std::uint64_t>((*bytes)->view().data() + kHeader - 8) != entry.check)
        return false;
      Segment::Fault fault = Segment::Fault::kNone;
      view.segment = Segment::open(std::move(*bytes), fault);
      if (!view.segment) return false;
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

Result<void> Index::write_file(const std::string& name, std::string_view bytes) {
  auto file = cache_->create(name, 0600);
  if (!file && file.error().code == ErrorCode::kConflict) {
    // Left over, or something else in our place: it is our folder.
    if (!cache_->remove(name)) (void)cache_->remove_directory(name);
    file = cache_->create(name, 0600);
  }
  if (!file) return std::move(file).error();
  auto done = [&]() -> Result<void> {
    while (!bytes.empty()) {
      MEMFS_ASSIGN(const std::size_t written, (*file)->write(bytes));
      bytes.remove_prefix(written);
    }
    // No sync: after a power cut the checksums tell what is missing, and it is made anew.
    return (*file)->close();
  }();
  if (!done) (void)cache_->remove(name);  // a full disk
  return done;
}

// One writer at a time, and only on top of what it has seen; whoever comes second keeps what it
// knows in memory, and the next refresh() finds out what is still to be written.
void Index::commit(RefreshReport& report) {
  auto lock = cache_->try_lock(kLockName, 0600);
  if (!lock) {
    report.note =
        "the search index in " + cache_->path() + " could not be written: " + lock.error().message;
    return;
  }
  if (!*lock) return;
  const auto content = cache_->read(kManifestName, kMaxManifest);
  const auto current = content ? read_manifest(content->bytes) : std::nullopt;
  if (!unusable_) {
    if (current ? !is_same(*current, manifest_) : manifest_.generation != 0) return;
  } else if (current) {
    // Numbers go on behind those of the index that is given up.
    manifest_.identity = current->identity;
    manifest_.generation = current->generation;
    manifest_.next_file = current->next_file;
  } else {
    start_over();
  }
  merge_small();
  auto written = write_segments();
  if (written) written = write_manifest_file();
  if (!written) {
    report.note = "the search index in " + cache_->path() +
                  " could not be written: " + written.error().message;
    return;
  }
  unusable_ = unwritten_ = false;
  report.written = true;
  remove_unused();
}

Result<void> Index::write_segments() {
  std::vector<std::size_t> fresh;
  const auto write = [&](std::size_t i) -> Result<void> {
    ManifestSegment& entry = manifest_.segments[i];
    const auto bytes = views_[i].segment->bytes();
    entry.file = manifest_.next_file++;
    entry.size = bytes.size();
    entry.check = load<std::uint64_t>(bytes.data() + kHeader - 8);
    fresh.push_back(i);
    return write_file(segment_file_name(entry.file), bytes);
  };
  for (std::size_t i = 0; i < views_.size(); ++i) {
    manifest_.segments[i].dead = views_[i].dead.sorted();
    manifest_.segments[i].stamps = views_[i].stamps;
    if (manifest_.segments[i].file != 0) continue;
    if (auto written = write(i); !written) {
      // Nobody knows these files: the next writer may take their numbers and remove them.
      for (const std::size_t k : fresh) manifest_.segments[k].file = 0;
      return written;
    }
  }
  return {};
}

Result<void> Index::write_manifest_file() {
  Manifest next = manifest_;
  ++next.generation;
  next.owner = owner_;
  MEMFS_TRY(write_file(kNewManifestName, write_manifest(next)));
  auto moved = cache_->rename(kNewManifestName, kManifestName);
  if (!moved) {
    (void)cache_->remove_directory(kManifestName);
    moved = cache_->rename(kNewManifestName, kManifestName);
  }
  MEMFS_TRY(moved);
  manifest_ = std::move(next);
  return {};
}

// Segments of a similar size are merged when there are four of them, so that their number grows
// with the logarithm of the index; a segment that is mostly dead, or whose stamps mostly changed,
// is written anew; one with nothing alive in it goes.
void Index::merge_small() {
  for (std::size_t i = views_.size(); i-- > 0;) {
    if (views_[i].live() > 0) continue;
    views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(i));
    manifest_.segments.erase(manifest_.segments.begin() + static_cast<std::ptrdiff_t>(i));
  }
  constexpr std::size_t kAtOnce = 4;
  constexpr std::size_t kSmallest = 16384;
  constexpr std::size_t kManyStamps = 1000;
  const auto tier_of = [&](const SegmentView& view) {
    std::size_t tier = 0;
    for (std::size_t size = view.segment->size(); size > kSmallest; size /= kAtOnce) ++tier;
    return tier;
  };
  for (bool again = true; again;) {
    again = false;
    std::array<std::vector<std::size_t>, 40> tiers;
    for (std::size_t i = 0; i < views_.size(); ++i) tiers.at(tier_of(views_[i])).push_back(i);
    for (const auto& tier : tiers) {
      if (tier.size() < kAtOnce || !merge(tier)) continue;
      again = true;
      break;
    }
  }
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const std::size_t documents = views_[i].segment->document_count();
    const std::size_t stamps = views_[i].stamps.size();
    if (views_[i].dead.size() * 2 > documents || (stamps > kManyStamps && stamps * 4 > documents))
      (void)merge({i});
  }
  // Big ones first, for find().
  std::vector<std::size_t> order(views_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return views_[a].segment->document_count() > views_[b].segment->document_count();
  });
  std::vector<SegmentView> views;
  std::vector<ManifestSegment> entries;
  for (const std::size_t i : order) {
    views.push_back(std::move(views_[i]));
    entries.push_back(std::move(manifest_.segments[i]));
  }
  views_ = std::move(views);
  manifest_.segments = std::move(entries);
}

// Replaces the named segments by one. Nothing happens if one of them is damaged: the search that
// touches the damage tells.
bool Index::merge(const std::vector<std::size_t>& which) {
  constexpr std::size_t kLargest = std::size_t{1} << 31U;  // offsets have 32 bits
  std::size_t size = 0;
  for (const std::size_t i : which) size += views_[i].segment->size();
  if (size > kLargest) return false;
  std::vector<const SegmentView*> inputs;
  for (const std::size_t i : which) inputs.push_back(&views_[i]);
  auto bytes = merge_segments(fields_, inputs);
  if (!bytes) return false;
  auto merged = opened(std::move(*bytes));
  if (!merged) return false;
  for (std::size_t i = which.size(); i-- > 0;) {
    views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(which[i]));
    manifest_.segments.erase(manifest_.segments.begin() + static_cast<std::ptrdiff_t>(which[i]));
  }
  views_.push_back({std::move(merged), {}, {}, 0});
  manifest_.segments.emplace_back();
  return true;
}

void Index::remove_unused() {
  const auto entries = cache_->list("");
  if (!entries) return;
  std::set<std::string> used;
  for (const ManifestSegment& segment : manifest_.segments)
    used.insert(segment_file_name(segment.file));
  for (const DirEntry& entry : *entries)
    if (entry.name.ends_with(".seg") && !used.contains(entry.name))
      (void)cache_->remove(entry.name);
}

}  // namespace memfs::index
