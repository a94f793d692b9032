#include "libmemfs/git/sync_conflict.h"

#include <algorithm>
#include <map>
#include <set>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

std::string in_repository(const SyncPlace& place, const std::string& rel) {
  return join_path(place.folder, rel);
}

std::string line_of(const SyncPlace& place, const std::string& rel, const TreeEntry& entry,
                    int stage) {
  if (!entry.is_there()) return {};
  return entry.mode + " " + entry.object + " " + std::to_string(stage) + "\t" +
         in_repository(place, rel) + '\0';
}

std::string removal_of(const SyncPlace& place, const TreeConflict& file) {
  return "0 " + no_object_like(file.ours.object) + "\t" + in_repository(place, file.path) + '\0';
}

Result<std::map<std::string, std::string>> our_texts(const SyncPlace& place,
                                                     const std::vector<TreeConflict>& files) {
  std::vector<std::string> objects;
  for (const TreeConflict& file : files)
    if (file.ours.is_text_file()) objects.push_back(file.ours.object);
  return read_blobs(place.git, objects);
}

// nullopt if there is no file.
Result<std::optional<std::string>> text_here(Directory& dir, const std::string& rel) {
  auto content = dir.read(rel, kMaxFile);
  if (content) return std::optional(std::move(content->bytes));
  if (content.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  return std::move(content).error();
}

// What is in the file now is in the history first.
Result<bool> put_text(const SyncPlace& place, Directory& dir, const std::string& rel,
                      const std::optional<std::string>& before, const std::string& after) {
  if (before == after) return true;
  if (!before) {
    MEMFS_TRY(make_parents(dir, rel, place.personal ? 0700 : 0777));
    MEMFS_TRY(create_file(dir, rel, after));
    return true;
  }
  MEMFS_TRY(place.keep(rel, *before));
  WriteOptions options;
  if (const auto content = dir.read(rel, kMaxFile)) options.exact_mode = content->stat.mode;
  MEMFS_ASSIGN(const CheckedWrite outcome,
               swap_file(dir, rel, after, content_hash(*before), options));
  return outcome.done;
}

bool has_line(const std::string& text, const std::string& start) {
  return text.starts_with(start) || text.find("\n" + start) != std::string::npos;
}

bool has_markers(const SyncPlace& place, const std::string& rel, const std::string& text) {
  if (!is_memory_file(leaf_of(rel)))
    return has_line(text, "<<<<<<< ") && has_line(text, ">>>>>>> ");
  const auto problems = place.errors_in(rel, text);
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& p) { return p.code == "conflict-marker"; });
}

enum class Progress : std::uint8_t { kWaits, kDecided, kTakenBack };

Progress state_of(const SyncPlace& place, const TreeConflict& file,
                  const std::optional<std::string>& text, const std::string& ours, bool unmerged) {
  if (file.is_decided) return Progress::kDecided;
  if (!file.is_text) return unmerged ? Progress::kWaits : Progress::kDecided;
  if (!text) return Progress::kDecided;
  if (has_markers(place, file.path, *text)) return Progress::kWaits;
  // As if nothing had been merged: `git checkout` or `git reset --hard` took the conflict away, and
  // nobody looked at theirs.
  if (*text == ours && !unmerged) return Progress::kTakenBack;
  return Progress::kDecided;
}

// The state of each waiting file.
Result<std::vector<Progress>> states_of(const SyncPlace& place, const Waiting& waiting,
                                        const SyncStatus& status) {
  MEMFS_ASSIGN(const auto ours, our_texts(place, waiting.files));
  MEMFS_ASSIGN(const auto dir, place.fs->open(join_path(place.top, place.folder)));
  const std::set<std::string> unmerged(status.unmerged.begin(), status.unmerged.end());
  std::vector<Progress> states;
  for (const TreeConflict& file : waiting.files) {
    MEMFS_ASSIGN(const auto text, text_here(*dir, file.path));
    const auto our = ours.find(file.ours.object);
    states.push_back(state_of(place, file, text, our == ours.end() ? "" : our->second,
                              unmerged.contains(file.path)));
  }
  return states;
}

void report_waiting(const SyncPlace& place, const TreeConflict& file, SyncReport& report) {
  report.waiting.push_back(place.item(
      file.path, file.is_text ? "changed on both sides in the same place"
                              : "changed on both sides, and no text: `git add` says which stays"));
}

// A file that is open again was decided in vain.
std::vector<TreeConflict> open_and_decided(std::vector<TreeConflict> files,
                                           const std::vector<TreeConflict>& decided) {
  const std::size_t open = files.size();
  for (const TreeConflict& file : decided) {
    const bool again = std::any_of(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(open),
                                   [&](const auto& other) { return other.path == file.path; });
    if (again) continue;
    files.push_back(file);
    files.back().is_decided = true;
  }
  return files;
}

}  // namespace

Result<bool> show_conflicts(const SyncPlace& place, const std::string& theirs,
                            const std::vector<TreeConflict>& open,
                            const std::vector<TreeConflict>& decided, SyncReport& report) {
  MEMFS_ASSIGN(const auto ours, our_texts(place, open));
  MEMFS_ASSIGN(const Locks locks, place.lock());
  MEMFS_ASSIGN(const auto dir, place.fs->open(join_path(place.top, place.folder)));
  for (const TreeConflict& file : open) {
    if (!file.is_text) continue;
    MEMFS_ASSIGN(const auto text, text_here(*dir, file.path));
    const auto our = ours.find(file.ours.object);
    if (!text || our == ours.end() || *text != our->second) return false;
  }
  MEMFS_TRY(write_waiting(place, {theirs, open_and_decided(open, decided)}));
  std::string index;
  for (const TreeConflict& file : open) {
    if (file.is_text) {
      MEMFS_ASSIGN(const bool done, put_text(place, *dir, file.path,
                                             ours.find(file.ours.object)->second, file.text));
      if (!done) return false;
    }
    index += removal_of(place, file) + line_of(place, file.path, file.base, 1) +
             line_of(place, file.path, file.ours, 2) + line_of(place, file.path, file.theirs, 3);
    report_waiting(place, file, report);
  }
  MEMFS_TRY(place.git.output({"update-index", "-z", "--index-info"}, std::move(index)));
  return true;
}

Result<std::vector<TreeConflict>> decided_files(const SyncPlace& place, const Waiting& waiting,
                                                const SyncStatus& status, SyncReport& report) {
  MEMFS_ASSIGN(const auto states, states_of(place, waiting, status));
  std::vector<TreeConflict> decided;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] == Progress::kWaits) report_waiting(place, waiting.files[i], report);
    if (states[i] == Progress::kDecided) decided.push_back(waiting.files[i]);
  }
  return decided;
}

Result<void> take_back(const SyncPlace& place, const Waiting& waiting, const SyncStatus& status,
                       SyncReport& report) {
  MEMFS_ASSIGN(const auto states, states_of(place, waiting, status));
  MEMFS_ASSIGN(const auto ours, our_texts(place, waiting.files));
  const std::set<std::string> unmerged(status.unmerged.begin(), status.unmerged.end());
  MEMFS_ASSIGN(const Locks locks, place.lock());
  MEMFS_ASSIGN(const auto dir, place.fs->open(join_path(place.top, place.folder)));
  std::string index;
  Waiting still{waiting.theirs, {}};
  for (std::size_t i = 0; i < states.size(); ++i) {
    const TreeConflict& file = waiting.files[i];
    if (file.is_decided) still.files.push_back(file);
    // What was decided and is in the index, or committed, is the user's.
    if (states[i] != Progress::kWaits && !unmerged.contains(file.path)) continue;
    if (file.is_text) {
      MEMFS_ASSIGN(const auto before, text_here(*dir, file.path));
      MEMFS_ASSIGN(const bool done,
                   put_text(place, *dir, file.path, before, ours.find(file.ours.object)->second));
      if (!done)
        return make_error(ErrorCode::kConflict, "the file changed while it was being written")
            .at(place.absolute(file.path))
            .with_hint("repeat it");
    }
    index += removal_of(place, file) + line_of(place, file.path, file.ours, 0);
    report.kept.push_back(place.item(file.path, "as it was committed"));
  }
  if (!index.empty())
    MEMFS_TRY(place.git.output({"update-index", "-z", "--index-info"}, std::move(index)));
  return still.files.empty() ? drop_waiting(place) : write_waiting(place, still);
}

}  // namespace memfs
