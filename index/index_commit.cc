// How an index is written: segments and manifest, merges, what is left over.
#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "index/bytes.h"
#include "index/index.h"
#include "index/index_files.h"
#include "libmemfs/base/hash.h"

namespace memfs::index {

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
  if ((content ? hash64(content->bytes) : 0) != seen_) {
    unusable_ = false;  // what is there now is another one
    return;
  }
  if (unusable_) {
    // Numbers go on behind those of the index that is given up, if they can be read.
    const auto current = content ? read_manifest(content->bytes) : std::nullopt;
    if (current) {
      manifest_.identity = current->identity;
      manifest_.generation = current->generation;
      manifest_.next_file = current->next_file;
    } else {
      start_over();
    }
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
  map_large();
}

// A segment that was made here stands in memory of our own. Once it is in a file the file's pages
// take its place, which the system can take back and other processes share.
void Index::map_large() {
  constexpr std::size_t kLarge = std::size_t{1} << 20U;  // a smaller one is not worth the calls
  for (std::size_t i = 0; i < views_.size(); ++i) {
    SegmentView& view = views_[i];
    const ManifestSegment& entry = manifest_.segments[i];
    if (view.mapped || entry.file == 0 || view.segment->size() < kLarge) continue;
    auto bytes = cache_->map(segment_file_name(entry.file), kMaxSegmentFile);
    if (!bytes || (*bytes)->view().size() != entry.size) continue;
    Segment::Fault fault = Segment::Fault::kNone;
    auto segment = Segment::open(std::move(*bytes), fault);
    if (!segment) continue;
    view.segment = std::move(segment);
    view.mapped = true;
  }
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
  const std::string bytes = write_manifest(next);
  MEMFS_TRY(write_file(kNewManifestName, bytes));
  auto moved = cache_->rename(kNewManifestName, kManifestName);
  if (!moved) {
    (void)cache_->remove_directory(kManifestName);
    moved = cache_->rename(kNewManifestName, kManifestName);
  }
  MEMFS_TRY(moved);
  seen_ = hash64(bytes);
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
  if (size > kLargest && which.size() > 1) return false;
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
