#include "libmemfs/git/merge_driver.h"

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/git/git.h"
#include "libmemfs/git/page_merge.h"

namespace memfs {
namespace {

constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 30U;

Result<std::string> read_whole(FileSystem& fs, const std::string& path) {
  MEMFS_ASSIGN(const auto dir, fs.open(parent_of(path)));
  MEMFS_ASSIGN(auto content, dir->read(leaf_of(path), kMaxFile));
  return std::move(content.bytes);
}

// merge.conflictStyle of the repository that git works in. Asked only where there is a conflict.
ConflictStyle style_of_repository(const std::string& folder) {
  const auto style = Git(folder).line({"config", "--get", "merge.conflictStyle"});
  if (style && *style == "diff3") return ConflictStyle::kDiff3;
  if (style && *style == "zdiff3") return ConflictStyle::kZdiff3;
  return ConflictStyle::kMerge;
}

void set_label(std::string& label, const std::string& wish) {
  if (!wish.empty()) label = wish;
}

}  // namespace

MemoryMerge merge_by_name(const std::string& path, const ThreeTexts& files,
                          const ConflictMarkers& markers) {
  const std::string leaf = leaf_of(path);
  if (leaf == "INDEX.md") return merge_pages(files, markers);
  if (leaf.ends_with(".yaml") || leaf.ends_with(".yml")) return merge_yaml(files, markers);
  return merge_memories(files, markers);
}

Result<MemoryMerge> run_merge_driver(FileSystem& fs, const MergeDriverWish& wish) {
  MEMFS_ASSIGN(const std::string base, read_whole(fs, wish.base));
  MEMFS_ASSIGN(const std::string ours, read_whole(fs, wish.ours));
  MEMFS_ASSIGN(const std::string theirs, read_whole(fs, wish.theirs));
  ConflictMarkers markers;
  markers.size = wish.marker_size;
  set_label(markers.ours, wish.our_label);
  set_label(markers.base, wish.base_label);
  set_label(markers.theirs, wish.their_label);
  MemoryMerge merge = merge_by_name(wish.path, {base, ours, theirs}, markers);
  if (merge.conflicts > 0) {
    markers.style = style_of_repository(parent_of(wish.ours));
    if (markers.style != ConflictStyle::kMerge)
      merge = merge_by_name(wish.path, {base, ours, theirs}, markers);
  }
  if (merge.text == ours) return merge;
  WriteOptions options;
  options.durable = false;  // git reads it next and keeps it
  MEMFS_ASSIGN(const auto dir, fs.open(parent_of(wish.ours)));
  MEMFS_TRY(replace_file(*dir, leaf_of(wish.ours), merge.text, options));
  return merge;
}

}  // namespace memfs
