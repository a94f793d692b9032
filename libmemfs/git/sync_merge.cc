#include "libmemfs/git/sync_merge.h"

#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/git/sync_conflict.h"

namespace memfs {
namespace {

// "" if they have nothing in common.
Result<std::string> merge_base(const Git& git, const std::string& a, const std::string& b) {
  MEMFS_ASSIGN(auto said, git.run({"merge-base", a, b}));
  if (said.exit_code == 1) return std::string();
  if (said.exit_code != 0) {
    return make_error(ErrorCode::kIo, "`git merge-base` failed: " + words_of_git(said.err))
        .at(git.folder());
  }
  return std::string(trim(said.out));
}

// The two commits, their folders, and where the merge starts from.
struct TwoSides {
  std::string ours, our_tree, theirs, their_tree;
  std::string base;       // the commit that both descend from, "" for none
  std::string base_tree;  // the folder to compare with
};

// Memories that were merged while the code was not are not merged a second time.
Result<std::string> base_commit_of(const SyncPlace& place, const TwoSides& sides,
                                   const std::optional<LastMerge>& last) {
  if (!last) return sides.base;
  MEMFS_ASSIGN(const bool ours, is_ancestor(place.git, last->ours, sides.ours));
  MEMFS_ASSIGN(const bool theirs, is_ancestor(place.git, last->theirs, sides.theirs));
  if (!ours || !theirs) return sides.base;
  if (sides.base.empty()) return last->theirs;
  // Somebody may have merged it all by hand since.
  MEMFS_ASSIGN(const bool older, is_ancestor(place.git, last->theirs, sides.base));
  return older ? sides.base : last->theirs;
}

// A repository that no machine of this person began, with other things in it than a host puts into
// a new one: nobody knows who reads it.
Result<void> refuse_foreign_home(const SyncPlace& place, const TwoSides& sides,
                                 const Source& source) {
  MEMFS_ASSIGN(const std::string listed,
               place.git.output({"ls-tree", "-z", "--name-only", sides.theirs}));
  const auto names = split_nul(listed);
  const auto other = std::find_if(names.begin(), names.end(), [](const std::string& name) {
    return !name.starts_with("README") && !name.starts_with("LICENSE") && name != ".gitignore" &&
           name != ".gitattributes";
  });
  if (other == names.end()) return {};
  const std::string marks[] = {sides.theirs + ":.gitignore", sides.theirs + ":.gitattributes"};
  for (const std::string& mark : marks) {
    MEMFS_ASSIGN(const auto said, place.git.run({"cat-file", "blob", mark}));
    if (said.out.find("Written by `mem sync`") != std::string::npos) return {};
  }
  return make_error(ErrorCode::kRefused, source.name + " holds other things than your memories, " +
                                             escape_for_terminal(*other) + " for one")
      .at(place.top)
      .with_hint("`git -C " + place.top +
                 " remote set-url origin URL`, of an empty repository that only you can read");
}

Result<void> refuse_strangers(const SyncPlace& place, const TwoSides& sides, const Source& source) {
  if (!sides.base.empty()) return {};
  if (place.personal) return refuse_foreign_home(place, sides, source);
  return make_error(ErrorCode::kRefused, "the branch has no history in common with " + source.name)
      .at(place.top)
      .with_hint("is this the right remote? `git remote -v` shows it");
}

Result<TwoSides> find_sides(const SyncPlace& place, const std::string& branch,
                            const Source& source) {
  MEMFS_ASSIGN(const auto found,
               resolve_objects(place.git, {"HEAD", place.tree_in("HEAD"), source.commit,
                                           place.tree_in(source.commit)}));
  TwoSides sides{found[0], found[1], found[2], found[3], {}, {}};
  MEMFS_ASSIGN(sides.base, merge_base(place.git, sides.ours, sides.theirs));
  MEMFS_TRY(refuse_strangers(place, sides, source));
  if (sides.base == sides.theirs) return sides;
  const auto last = read_last_merge(place, branch + " " + source.name);
  MEMFS_ASSIGN(const std::string base, base_commit_of(place, sides, last));
  if (base.empty()) return sides;
  MEMFS_ASSIGN(const auto tree, resolve_objects(place.git, {place.tree_in(base)}));
  sides.base_tree = tree.front();
  return sides;
}

std::string merge_index(const SyncPlace& place) {
  return join_path(place.git_dir, "mem-sync-merge");
}

void drop_merge_index(const SyncPlace& place) {
  if (const auto dir = place.fs->open(place.git_dir)) (void)(*dir)->remove("mem-sync-merge");
}

// What a person decided took theirs into account: it is a change of theirs.
Result<std::string> base_with(const SyncPlace& place, const std::string& base,
                              const std::vector<TreeConflict>& decided) {
  if (decided.empty()) return base;
  std::map<std::string, TreeEntry> edits;
  for (const TreeConflict& file : decided)
    if (!file.base_path.empty()) edits[file.base_path] = {};
  for (const TreeConflict& file : decided) edits[file.their_path] = file.theirs;
  auto tree = edit_tree(place.git, base, edits, merge_index(place));
  drop_merge_index(place);
  return tree;
}

ConflictMarkers markers_for(const Source& source, const SyncRemote& remote) {
  ConflictMarkers markers;
  markers.style = remote.style;
  markers.ours = "yours";
  markers.theirs = source.name;
  return markers;
}

Result<TreeMerge> merge_folders(const SyncPlace& place, const TwoSides& sides,
                                const ConflictMarkers& markers,
                                const std::vector<TreeConflict>& decided) {
  TreeSides changes;
  MEMFS_ASSIGN(const std::string base, base_with(place, sides.base_tree, decided));
  MEMFS_ASSIGN(changes.theirs, diff_trees(place.git, base, sides.their_tree));
  if (changes.theirs.empty()) return TreeMerge{};
  MEMFS_ASSIGN(changes.ours, diff_trees(place.git, base, sides.our_tree));
  MEMFS_ASSIGN(const auto blobs, read_blobs(place.git, blobs_needed(changes)));
  const auto blob = [&](const std::string& object) -> const std::string& {
    static const std::string nothing;
    const auto at = blobs.find(object);
    return at == blobs.end() ? nothing : at->second;
  };
  return merge_trees(changes, blob, markers);
}

Result<std::string> tree_of(const SyncPlace& place, const TwoSides& sides, const TreeMerge& merge) {
  if (merge.edits.empty()) return sides.our_tree;
  std::map<std::string, TreeEntry> entries;
  for (const auto& [path, file] : merge.edits) {
    entries[path] = file.entry;
    if (!file.is_new_text) continue;
    MEMFS_ASSIGN(entries[path].object, write_blob(place.git, file.text));
  }
  auto tree = edit_tree(place.git, sides.our_tree, entries, merge_index(place));
  drop_merge_index(place);
  return tree;
}

std::string message_of(const std::string& subject, const TreeMerge& merge, const SyncPlace& place) {
  constexpr std::size_t kLines = 500;
  std::string text = subject + "\n\n";
  std::size_t lines = 0;
  for (const auto& [path, file] : merge.edits) {
    if (file.what.starts_with("moved to ") || ++lines > kLines) continue;
    text += "- " + escape_for_terminal(place.ref_of(path)) + ": " + escape_for_terminal(file.what) +
            "\n";
  }
  return text;
}

// Whether the source changed nothing but memories since the two parted.
Result<bool> is_of_memories(const SyncPlace& place, const TwoSides& sides) {
  if (place.folder.empty()) return true;
  MEMFS_ASSIGN(const auto said,
               place.git.run(with({"diff", "--quiet", "--no-ext-diff", "--ignore-submodules=none",
                                   sides.base, sides.theirs},
                                  place.outside())));
  return said.exit_code == 0;
}

struct Landed {
  std::string commit;
  bool contains = false;
};

Result<Landed> commit_to_land(const SyncPlace& place, const TwoSides& sides, const Source& source,
                              const TreeMerge& merge, bool sign) {
  MEMFS_ASSIGN(const std::string folder, tree_of(place, sides, merge));
  MEMFS_ASSIGN(const bool memories, is_of_memories(place, sides));
  if (memories && sides.ours == sides.base && folder == sides.their_tree)
    return Landed{sides.theirs, true};
  if (!memories && folder == sides.our_tree) return Landed{sides.ours, false};
  MEMFS_ASSIGN(const std::string tree,
               put_folder(place.git, sides.ours + "^{tree}", place.folder, folder));
  std::vector<std::string> parents = {sides.ours};
  if (memories) parents.push_back(sides.theirs);
  const std::string subject = (memories ? "Merge memories of " : "Memories of ") + source.name;
  MEMFS_ASSIGN(std::string commit,
               make_commit(place.git, tree, parents, message_of(subject, merge, place), sign));
  return Landed{std::move(commit), memories};
}

// git overwrites files that it ignores and that others commit all the same. Their bytes are kept
// first. REQUIRES: the locks.
Result<void> keep_ignored(const SyncPlace& place, const TreeMerge& merge, SyncReport& report) {
  MEMFS_ASSIGN(const auto dir, place.fs->open(join_path(place.top, place.folder)));
  std::vector<std::string> there;
  std::vector<std::string> names;
  for (const auto& [path, file] : merge.edits) {
    const bool comes = file.is_new_text || file.entry.is_there();
    if (!comes || file.what == "updated" || file.what == "merged" || !dir->stat(path)) continue;
    there.push_back(path);
    names.push_back("HEAD:" + join_path(place.folder, path));
  }
  if (there.empty()) return {};
  MEMFS_ASSIGN(const auto known, resolve_objects(place.git, names));
  for (std::size_t i = 0; i < there.size(); ++i) {
    const std::string& path = there[i];
    const auto inside = dir->list(path);  // of a folder
    if (!known[i].empty() || (inside && inside->empty())) continue;
    auto content = dir->read(path, kMaxFile);
    if (!content)
      return make_error(ErrorCode::kRefused,
                        "others have a file of this name, and the one here cannot be kept: " +
                            content.error().message)
          .at(place.absolute(path))
          .with_hint("move it away; then `mem sync`");
    MEMFS_TRY(place.keep(path, content->bytes));
    report.notes.push_back(place.ref_of(path) +
                           ": git ignored the file that was here; its text is in the history");
  }
  return {};
}

// Whether the branch and the folder are as they were, so that git has another reason to refuse.
Result<bool> is_unchanged(const SyncPlace& place, const std::string& head) {
  MEMFS_ASSIGN(const auto now, resolve_objects(place.git, {"HEAD"}));
  if (now.front() != head) return false;
  MEMFS_ASSIGN(const SyncStatus status, read_status(place, true));
  return status.changed.empty();
}

// Moves the branch and the folder's files while nobody writes them. The user's hook runs once the
// locks are free: it may want them. False if something changed meanwhile.
Result<bool> move_to(const SyncPlace& place, const TwoSides& sides, const TreeMerge& merge,
                     const std::string& commit, SyncReport& report) {
  {
    MEMFS_ASSIGN(const Locks locks, place.lock());
    MEMFS_TRY(keep_ignored(place, merge, report));
    const Git git = place.git.with({"GIT_REFLOG_ACTION=mem sync"});
    MEMFS_ASSIGN(const auto moved, git.run({"-c", "core.hooksPath=/dev/null", "merge", "-q",
                                            "--ff-only", "--no-verify-signatures", commit}));
    if (moved.exit_code != 0) {
      MEMFS_ASSIGN(const bool unchanged, is_unchanged(place, sides.ours));
      const bool busy = moved.err.find(".lock'") != std::string::npos;
      if (!unchanged || busy) return false;
      return make_error(ErrorCode::kIo,
                        "git cannot bring the merged files in: " + words_of_git(moved.err))
          .at(place.top)
          .with_hint("nothing is lost; once the cause is gone, `mem sync` goes on");
    }
  }
  MEMFS_TRY(place.git.run({"hook", "run", "--ignore-missing", "post-merge", "--", "0"}));
  return true;
}

void tell(const SyncPlace& place, const TreeMerge& merge, SyncReport& report) {
  for (const auto& [path, file] : merge.edits)
    if (!file.what.starts_with("moved to ")) report.merged.push_back(place.item(path, file.what));
  for (const TreeNote& note : merge.kept) report.kept.push_back(place.item(note.path, note.what));
  for (const TreeNote& note : merge.undecided)
    report.undecided.push_back(place.item(note.path, note.what));
  for (const TreeNote& note : merge.notes)
    report.notes.push_back(place.ref_of(note.path) + ": " + note.what);
}

}  // namespace

Result<bool> is_ancestor(const Git& git, const std::string& old, const std::string& young) {
  if (old == young) return true;
  MEMFS_ASSIGN(const auto said, git.run({"merge-base", "--is-ancestor", old, young}));
  return said.exit_code == 0;  // an object that is gone is nobody's ancestor
}

Result<std::string> make_commit(const Git& git, const std::string& tree,
                                const std::vector<std::string>& parents, const std::string& message,
                                bool sign) {
  std::vector<std::string> words = {"commit-tree", tree};
  for (const std::string& parent : parents) {
    words.emplace_back("-p");
    words.push_back(parent);
  }
  if (sign) words.emplace_back("-S");
  MEMFS_ASSIGN(std::string commit, git.output(words, message));
  commit.resize(commit.find('\n'));
  return commit;
}

Result<MergeOutcome> merge_source(const SyncPlace& place, const std::string& branch,
                                  const Source& source, const SyncRemote& remote,
                                  const std::vector<TreeConflict>& decided, SyncReport& report) {
  MEMFS_ASSIGN(const TwoSides sides, find_sides(place, branch, source));
  if (sides.base == sides.theirs) return MergeOutcome{Landing::kDone, true};
  MEMFS_ASSIGN(TreeMerge merge, merge_folders(place, sides, markers_for(source, remote), decided));
  if (!merge.open.empty()) {
    MEMFS_ASSIGN(const bool shown,
                 show_conflicts(place, sides.theirs, merge.open, decided, report));
    return MergeOutcome{shown ? Landing::kOpen : Landing::kOvertaken, false};
  }
  MEMFS_ASSIGN(const Landed landed, commit_to_land(place, sides, source, merge, remote.sign));
  if (landed.commit != sides.ours) {
    MEMFS_ASSIGN(const bool moved, move_to(place, sides, merge, landed.commit, report));
    if (!moved) return MergeOutcome{Landing::kOvertaken, false};
  }
  if (!landed.contains)
    MEMFS_TRY(write_last_merge(place, branch + " " + source.name, {landed.commit, sides.theirs}));
  tell(place, merge, report);
  return MergeOutcome{Landing::kDone, landed.contains};
}

}  // namespace memfs
