#include "libmemfs/git/tree_merge.h"

#include <algorithm>
#include <set>

#include "libmemfs/base/file_system.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/git/merge_driver.h"

namespace memfs {
namespace {

using Blob = std::function<const std::string&(const std::string&)>;

bool is_added(const TreeChange& change) { return !change.before.is_there(); }
bool is_removed(const TreeChange& change) { return !change.after.is_there(); }

std::string id_in(const std::string& path, const std::string& bytes) {
  Problem ignored;
  const auto memory = read_memory({Scope::kShared, path, path}, bytes, &ignored);
  return memory && is_own_id(memory->id) ? memory->id : std::string();
}

std::string id_of(const std::string& path, const TreeEntry& entry, const Blob& blob) {
  const bool memory = entry.is_text_file() && is_memory_file(leaf_of(path));
  return memory ? id_in(path, blob(entry.object)) : std::string();
}

// What one side did to the files of the base. A path whose file gave way to another memory is in
// `gone` and in `made`.
struct Side {
  TreeChanges changed{};
  std::map<std::string, TreeEntry> gone{}, made{};
  std::map<std::string, std::string> renames{};  // of `gone` to `made`
};

// A memory is known by its id, another file by its bytes.
std::string identity_of(const std::string& path, const TreeEntry& entry, const Blob& blob) {
  if (!entry.is_text_file()) return {};
  const std::string id = id_of(path, entry, blob);
  return id.empty() ? entry.object : id;
}

// What is gone once and made once.
void find_renames(Side& side, const Blob& blob) {
  if (side.gone.empty() || side.made.empty()) return;
  std::map<std::string, std::vector<std::string>> made;
  std::map<std::string, std::vector<std::string>> gone;
  for (const auto& [path, entry] : side.made) made[identity_of(path, entry, blob)].push_back(path);
  for (const auto& [path, entry] : side.gone) gone[identity_of(path, entry, blob)].push_back(path);
  for (const auto& [identity, paths] : gone) {
    const auto to = made.find(identity);
    if (identity.empty() || to == made.end() || paths.size() != 1 || to->second.size() != 1)
      continue;
    side.renames[paths.front()] = to->second.front();
  }
}

Side side_of(const TreeChanges& changes, const Blob& blob) {
  Side side;
  for (const auto& [path, change] : changes) {
    const bool kept = !is_added(change) && !is_removed(change);
    const std::string before = kept ? id_of(path, change.before, blob) : "";
    const std::string after = kept ? id_of(path, change.after, blob) : "";
    if (kept && (before.empty() || after.empty() || before == after)) {
      side.changed[path] = change;
      continue;
    }
    if (!is_added(change)) side.gone[path] = change.before;
    if (!is_removed(change)) side.made[path] = change.after;
  }
  find_renames(side, blob);
  return side;
}

// A file as one side has it now.
struct Place {
  std::string path{};
  TreeEntry entry{};
  bool is_there() const { return entry.is_there(); }
};

class Merge {
 public:
  Merge(const TreeSides& sides, const Blob& blob, const ConflictMarkers& markers)
      : blob_(blob),
        markers_(markers),
        ours_(side_of(sides.ours, blob)),
        theirs_(side_of(sides.theirs, blob)) {}

  TreeMerge run() {
    for (const auto& [path, change] : theirs_.changed) merge_changed(path, change.before);
    for (const auto& [path, entry] : theirs_.gone) merge_changed(path, entry);
    std::set<std::string> renamed_to;
    for (const auto& [from, to] : theirs_.renames) renamed_to.insert(to);
    for (const auto& [path, entry] : theirs_.made)
      if (!renamed_to.contains(path)) merge_added(path, entry);
    settle();
    std::stable_sort(out_.kept.begin(), out_.kept.end(),
                     [](const TreeNote& a, const TreeNote& b) { return a.path < b.path; });
    return std::move(out_);
  }

 private:
  struct Placed {
    std::string path;
    MergedFile file;
  };

  // Where a side has the file that the base has at `path`.
  static Place find(const Side& side, const std::string& path, const TreeEntry& base) {
    if (const auto at = side.changed.find(path); at != side.changed.end())
      return {path, at->second.after};
    if (!side.gone.contains(path)) return {path, base};
    const auto renamed = side.renames.find(path);
    if (renamed == side.renames.end()) return {};
    return {renamed->second, side.made.at(renamed->second)};
  }

  void keep(const std::string& path, std::string what) {
    out_.kept.push_back({path, std::move(what)});
  }

  void take_away(const std::string& path, std::string what) { removed_[path] = std::move(what); }

  void put(const std::string& path, const TreeEntry& entry, std::string what) {
    MergedFile file;
    file.entry = entry;
    file.what = std::move(what);
    placed_.push_back({path, std::move(file)});
  }

  void merge_changed(const std::string& path, const TreeEntry& base) {
    const Place ours = find(ours_, path, base);
    const Place theirs = find(theirs_, path, base);
    if (ours.is_there()) here_[ours.path] = ours.entry;
    if (ours.is_there() && theirs.is_there()) return merge_both(path, base, ours, theirs);
    if (theirs.is_there()) {
      put(theirs.path, theirs.entry, "added");
      keep(theirs.path, "removed here, changed by others: it stays");
    } else if (ours.is_there()) {
      if (ours.path == path && ours.entry == base) return take_away(path, "forgotten");
      keep(ours.path, "changed here, removed by others: it stays");
    }
  }

  // Which name stands: one that only one side gave, else theirs, which others know already.
  std::string name_for(const std::string& path, const Place& ours, const Place& theirs) {
    if (ours.path == theirs.path || theirs.path == path) return ours.path;
    if (ours.path != path) keep(theirs.path, "renamed on both sides, here to " + ours.path);
    return theirs.path;
  }

  void merge_both(const std::string& path, const TreeEntry& base, const Place& ours,
                  const Place& theirs) {
    const std::string name = name_for(path, ours, theirs);
    const std::size_t before = placed_.size();
    merge_contents(name, {path, base}, ours, theirs);
    const bool moved = name != ours.path;
    if (moved && placed_.size() == before) put(name, ours.entry, "moved from " + ours.path);
    if (placed_.size() > before)
      take_away(ours.path, moved ? "moved to " + name : placed_.back().file.what);
  }

  void merge_added(const std::string& path, const TreeEntry& theirs) {
    const auto ours = ours_.made.find(path);
    if (ours == ours_.made.end()) return put(path, theirs, "added");
    const std::string our_id = id_of(path, ours->second, blob_);
    const std::string their_id = id_of(path, theirs, blob_);
    here_[path] = ours->second;
    if (!our_id.empty() && !their_id.empty() && our_id != their_id)
      return put(path, theirs, "added");
    const std::size_t before = placed_.size();
    merge_contents(path, {}, {path, ours->second}, {path, theirs});
    if (placed_.size() > before) take_away(path, placed_.back().file.what);
  }

  // Everything is where it is to be, but for two files of one name, or a file and a folder of one:
  // what others know by it keeps it, and a file gives way to a folder.
  void settle() {
    for (const auto& [path, entry] : ours_.made) here_.emplace(path, entry);
    for (const auto& [path, change] : ours_.changed) here_.emplace(path, change.after);
    for (const auto& [path, what] : removed_) {
      here_.erase(path);
      MergedFile nothing;
      nothing.what = what;
      out_.edits[path] = std::move(nothing);
    }
    for (Placed& placed : placed_) {
      if (here_.contains(placed.path))
        move_aside(placed.path, "others gave the name " + placed.path + " to another file");
      for (std::string folder = parent_of(placed.path); !folder.empty(); folder = parent_of(folder))
        if (here_.contains(folder)) move_aside(folder, "others have a folder called " + folder);
      if (has_files_below(placed.path)) {
        const std::string aside = name_aside(placed.path, placed.file.entry);
        keep(aside, "others called this file " + placed.path + ", which is a folder here");
        placed.path = aside;
      }
      here_[placed.path] = placed.file.entry;
      out_.edits[placed.path] = std::move(placed.file);
    }
  }

  void move_aside(const std::string& path, const std::string& why) {
    const TreeEntry entry = here_.at(path);
    const std::string aside = name_aside(path, entry);
    keep(aside, why + "; this is yours");
    MergedFile moved = out_.edits.contains(path) ? out_.edits[path] : MergedFile{};
    if (moved.what.empty()) moved.entry = entry;
    moved.what = "renamed";
    here_.erase(path);
    MergedFile nothing;
    nothing.what = "moved to " + aside;
    out_.edits[path] = std::move(nothing);
    here_[aside] = entry;
    out_.edits[aside] = std::move(moved);
  }

  // Only files that a side made or changed can be left in what is a file for others.
  bool has_files_below(const std::string& path) const {
    const auto next = here_.lower_bound(path + "/");
    return next != here_.end() && next->first.starts_with(path + "/");
  }

  // With the end of the id, as if it had come second; or a number.
  std::string name_aside(const std::string& path, const TreeEntry& entry) const {
    const std::string leaf = leaf_of(path);
    const auto dot = std::min(leaf.rfind('.'), leaf.size());
    const std::string id = entry.object.empty() ? "" : id_of(path, entry, blob_);
    std::string name =
        id.empty() ? leaf.substr(0, dot) + "-2" : name_with_suffix(leaf.substr(0, dot), id);
    const auto whole = [&] { return join_path(parent_of(path), name + leaf.substr(dot)); };
    while (here_.contains(whole()) || theirs_.made.contains(whole())) name += "-2";
    return whole();
  }

  void merge_contents(const std::string& name, const Place& base, const Place& ours,
                      const Place& theirs) {
    const TreeEntry& a = ours.entry;
    const TreeEntry& b = theirs.entry;
    if (a == b || b == base.entry) return;
    if (a == base.entry)
      return put(name, b, name == ours.path ? "updated" : "moved from " + ours.path);
    TreeConflict open{ours.path, theirs.path, base.path, base.entry, a, b};
    const bool text = is_text(a) && is_text(b) && (!base.is_there() || is_text(base.entry));
    if (!text) {
      open.is_text = false;
      out_.open.push_back(std::move(open));
      return;
    }
    merge_texts(name, std::move(open));
  }

  bool is_text(const TreeEntry& entry) const {
    return entry.is_text_file() && blob_(entry.object).find('\0') == std::string::npos;
  }

  void merge_texts(const std::string& name, TreeConflict open) {
    MemoryMerge merged = merge_files(name, open);
    for (std::string& note : merged.notes) out_.notes.push_back({name, std::move(note)});
    if (merged.conflicts > 0) {
      open.text = std::move(merged.text);
      out_.open.push_back(std::move(open));
      return;
    }
    for (const std::string& key : merged.undecided) out_.undecided.push_back({name, key});
    MergedFile file;
    // A mode that one side changed.
    file.entry.mode = open.ours.mode == open.base.mode ? open.theirs.mode : open.ours.mode;
    file.is_new_text = true;
    file.text = std::move(merged.text);
    file.what = name == open.path ? "merged" : "moved from " + open.path + ", and merged";
    placed_.push_back({name, std::move(file)});
  }

  MemoryMerge merge_files(const std::string& name, const TreeConflict& open) const {
    static const std::string nothing;
    const std::string& base = open.base.is_there() ? blob_(open.base.object) : nothing;
    return merge_by_name(name, {base, blob_(open.ours.object), blob_(open.theirs.object)},
                         markers_);
  }

  const Blob& blob_;
  const ConflictMarkers& markers_;
  Side ours_, theirs_;
  std::map<std::string, TreeEntry> here_{};       // our files at the paths that matter
  std::map<std::string, std::string> removed_{};  // of our paths, and why
  std::vector<Placed> placed_{};
  TreeMerge out_{};
};

void collect(const TreeEntry& entry, std::set<std::string>& objects) {
  if (entry.is_text_file()) objects.insert(entry.object);
}

}  // namespace

std::vector<std::string> blobs_needed(const TreeSides& sides) {
  std::set<std::string> objects;
  for (const TreeChanges* side : {&sides.ours, &sides.theirs}) {
    const TreeChanges& other = side == &sides.ours ? sides.theirs : sides.ours;
    const bool only_adds = std::all_of(side->begin(), side->end(),
                                       [](const auto& change) { return is_added(change.second); });
    for (const auto& [path, change] : *side) {
      const bool has_identity = !only_adds && is_memory_file(leaf_of(path));
      // What one side renamed the other may have changed under its old name.
      if (!has_identity && !other.contains(path) && is_added(change)) continue;
      collect(change.before, objects);
      collect(change.after, objects);
    }
  }
  return {objects.begin(), objects.end()};
}

TreeMerge merge_trees(const TreeSides& sides, const Blob& blob, const ConflictMarkers& markers) {
  return Merge(sides, blob, markers).run();
}

}  // namespace memfs
