#include "libmemfs/git/tree_merge.h"

#include <optional>
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

// Only a side that both removed and added files can have renamed one.
bool can_have_renamed(const TreeChanges& side) {
  bool added = false;
  bool removed = false;
  for (const auto& [path, change] : side) {
    added = added || is_added(change);
    removed = removed || is_removed(change);
  }
  return added && removed;
}

std::string id_in(const std::string& path, const std::string& bytes) {
  Problem ignored;
  const auto memory = read_memory({Scope::kShared, path, path}, bytes, &ignored);
  return memory && is_own_id(memory->id) ? memory->id : std::string();
}

// What tells a file of one side: its id, or its bytes.
std::string identity_of(const std::string& path, const TreeEntry& entry, const Blob& blob) {
  if (!entry.is_text_file()) return {};
  const std::string id = is_memory_file(leaf_of(path)) ? id_in(path, blob(entry.object)) : "";
  return id.empty() ? entry.object : id;
}

// By the path before. A name that is taken away and given to one file only.
std::map<std::string, std::string> renames_of(const TreeChanges& side, const Blob& blob) {
  std::map<std::string, std::string> renames;
  if (!can_have_renamed(side)) return renames;
  std::map<std::string, std::vector<std::string>> added;
  std::map<std::string, std::vector<std::string>> removed;
  for (const auto& [path, change] : side) {
    if (is_added(change)) added[identity_of(path, change.after, blob)].push_back(path);
    if (is_removed(change)) removed[identity_of(path, change.before, blob)].push_back(path);
  }
  for (const auto& [identity, paths] : removed) {
    const auto to = added.find(identity);
    if (identity.empty() || to == added.end() || paths.size() != 1 || to->second.size() != 1)
      continue;
    renames[paths.front()] = to->second.front();
  }
  return renames;
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
      : sides_(sides),
        blob_(blob),
        markers_(markers),
        our_renames_(renames_of(sides.ours, blob)),
        their_renames_(renames_of(sides.theirs, blob)) {}

  TreeMerge run() {
    std::set<std::string> renamed_to;
    for (const auto& [from, to] : their_renames_) renamed_to.insert(to);
    for (const auto& [path, change] : sides_.theirs) {
      if (!is_added(change)) {
        merge_changed(path, change.before);
      } else if (!renamed_to.contains(path)) {
        merge_added(path, change.after);
      }
    }
    return std::move(out_);
  }

 private:
  // Where a side has the file that the base has at `path`.
  static Place find(const TreeChanges& side, const std::map<std::string, std::string>& renames,
                    const std::string& path, const TreeEntry& base) {
    const auto change = side.find(path);
    if (change == side.end()) return {path, base};
    if (!is_removed(change->second)) return {path, change->second.after};
    const auto renamed = renames.find(path);
    if (renamed == renames.end()) return {};
    return {renamed->second, side.at(renamed->second).after};
  }

  // Whether our side has put something at a path that the base does not have.
  bool is_taken(const std::string& path) const {
    const auto change = sides_.ours.find(path);
    return change != sides_.ours.end() && !is_removed(change->second);
  }

  void keep(const std::string& path, std::string what) {
    out_.kept.push_back({path, std::move(what)});
  }

  void put(const std::string& path, const TreeEntry& entry, std::string what) {
    MergedFile file;
    file.entry = entry;
    file.what = std::move(what);
    out_.edits[path] = std::move(file);
  }

  void merge_changed(const std::string& path, const TreeEntry& base) {
    const Place ours = find(sides_.ours, our_renames_, path, base);
    const Place theirs = find(sides_.theirs, their_renames_, path, base);
    if (ours.is_there() && theirs.is_there()) return merge_both(path, base, ours, theirs);
    if (theirs.is_there()) {  // ours is gone
      const std::string& name = is_taken(theirs.path) ? path : theirs.path;
      put(name, theirs.entry, "added");
      keep(name, "removed here, changed by others: it stays");
    } else if (ours.is_there()) {
      if (ours.path == path && ours.entry == base) return put(path, {}, "forgotten");
      keep(ours.path, "changed here, removed by others: it stays");
    }
  }

  // Which name stands: one that only one side gave, else theirs, which others know already.
  std::string name_for(const std::string& path, const Place& ours, const Place& theirs) {
    if (ours.path == theirs.path || theirs.path == path) return ours.path;
    if (is_taken(theirs.path)) {
      keep(ours.path, "others call it " + theirs.path + ", which is another file here");
      return ours.path;
    }
    if (ours.path != path) keep(theirs.path, "renamed on both sides, here to " + ours.path);
    return theirs.path;
  }

  void merge_both(const std::string& path, const TreeEntry& base, const Place& ours,
                  const Place& theirs) {
    const std::string name = name_for(path, ours, theirs);
    if (name != ours.path) {
      put(ours.path, {}, "moved to " + name);
      put(name, ours.entry, "moved from " + ours.path);
    }
    merge_contents(name, base, ours, theirs);
  }

  void merge_added(const std::string& path, const TreeEntry& theirs) {
    const auto change = sides_.ours.find(path);
    if (change == sides_.ours.end() || is_removed(change->second))
      return put(path, theirs, "added");
    const TreeEntry& ours = change->second.after;
    const std::string aside = name_aside(path, ours, theirs);
    if (aside.empty()) return merge_contents(path, {}, {path, ours}, {path, theirs});
    put(aside, ours, "renamed");
    put(path, theirs, "added");
    keep(aside, "others gave the name " + path + " to another memory; this is yours");
  }

  // Two memories under one name are two memories: ours goes by a name with the end of its id, as if
  // it had come second. "" if they are not known to be two.
  std::string name_aside(const std::string& path, const TreeEntry& ours,
                         const TreeEntry& theirs) const {
    if (!is_memory_file(leaf_of(path)) || !ours.is_text_file() || !theirs.is_text_file()) return {};
    const std::string our_id = id_in(path, blob_(ours.object));
    const std::string their_id = id_in(path, blob_(theirs.object));
    if (our_id.empty() || their_id.empty() || our_id == their_id) return {};
    const std::string leaf = leaf_of(path);
    std::string aside = join_path(
        parent_of(path), name_with_suffix(leaf.substr(0, leaf.size() - 3), our_id) + ".md");
    return is_taken(aside) || sides_.theirs.contains(aside) ? std::string() : aside;
  }

  void merge_contents(const std::string& name, const TreeEntry& base, const Place& ours,
                      const Place& theirs) {
    const TreeEntry& a = ours.entry;
    const TreeEntry& b = theirs.entry;
    if (a == b || b == base) return;
    if (a == base) return put(name, b, name == ours.path ? "updated" : "moved from " + ours.path);
    OpenConflict open{ours.path, theirs.path, base, a, b};
    const bool text = is_text(a) && is_text(b) && (!base.is_there() || is_text(base));
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

  void merge_texts(const std::string& name, OpenConflict open) {
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
    out_.edits[name] = std::move(file);
  }

  MemoryMerge merge_files(const std::string& name, const OpenConflict& open) const {
    static const std::string nothing;
    const std::string& base = open.base.is_there() ? blob_(open.base.object) : nothing;
    return merge_by_name(name, {base, blob_(open.ours.object), blob_(open.theirs.object)},
                         markers_);
  }

  const TreeSides& sides_;
  const Blob& blob_;
  const ConflictMarkers& markers_;
  std::map<std::string, std::string> our_renames_, their_renames_;
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
    const bool renames = can_have_renamed(*side);
    for (const auto& [path, change] : *side) {
      const bool moved = renames && (is_added(change) || is_removed(change));
      if (!moved && !other.contains(path)) continue;
      collect(change.before, objects);
      collect(change.after, objects);
    }
  }
  // What one side renamed the other may have changed under its old name.
  for (const auto& [path, change] : sides.theirs) {
    if (!sides.ours.contains(path) && !can_have_renamed(sides.ours)) continue;
    collect(change.before, objects);
    collect(change.after, objects);
  }
  return {objects.begin(), objects.end()};
}

TreeMerge merge_trees(const TreeSides& sides, const Blob& blob, const ConflictMarkers& markers) {
  return Merge(sides, blob, markers).run();
}

}  // namespace memfs
