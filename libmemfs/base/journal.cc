#include "libmemfs/base/journal.h"

#include <algorithm>
#include <charconv>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"

namespace memfs {
namespace {

constexpr std::string_view kMagic = "mem-journal 1\n";

void put_string(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
  out += '\n';
}

void put_optional(std::string& out, const std::optional<std::string>& text) {
  if (text) {
    put_string(out, *text);
  } else {
    out += "-\n";
  }
}

std::string encode(const std::vector<FileChange>& changes) {
  std::string out(kMagic);
  for (const FileChange& change : changes) {
    out += change.from.empty() ? "change\n" : "rename\n";
    put_string(out, change.root);
    put_string(out, change.rel);
    out += std::to_string(change.mode) + "\n";
    if (!change.from.empty()) {
      put_string(out, change.from);
      continue;
    }
    put_optional(out, change.before);
    put_optional(out, change.after);
  }
  const std::string hash = content_hash(out);
  return out + "end " + hash + "\n";
}

// Reads the grammar from the front of `rest`; every member returns false on damage.
class Decoder {
 public:
  explicit Decoder(std::string_view rest) : rest_(rest) {}

  bool word(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  bool number(std::uint64_t& value, char end) {
    const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (parsed.ec != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest_.data()));
    return word(std::string_view(&end, 1));
  }
  bool string(std::string& out) {
    std::uint64_t size = 0;
    if (!number(size, ':') || size > rest_.size()) return false;
    out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word("\n");
  }
  bool optional(std::optional<std::string>& out) {
    if (word("-\n")) return true;
    return string(out.emplace());
  }
  bool change(FileChange& out) {
    const bool renames = word("rename\n");
    if (!renames && !word("change\n")) return false;
    std::uint64_t mode = 0;
    if (!string(out.root) || !string(out.rel) || !number(mode, '\n')) return false;
    out.mode = static_cast<std::uint32_t>(mode);
    if (renames) return string(out.from) && !out.from.empty();
    return optional(out.before) && optional(out.after);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool decode(std::string_view bytes, std::vector<FileChange>& changes) {
  constexpr std::size_t kTrailer = 4 + 32 + 1;  // "end " hash "\n"
  if (bytes.size() < kMagic.size() + kTrailer) return false;
  const auto payload = bytes.substr(0, bytes.size() - kTrailer);
  if (bytes.substr(payload.size()) != "end " + content_hash(payload) + "\n") return false;
  Decoder decoder(payload);
  if (!decoder.word(kMagic)) return false;
  while (!decoder.at_end()) {
    FileChange& change = changes.emplace_back();
    if (!decoder.change(change)) return false;
  }
  return true;
}

// kBoth: a crash let a file have its old name and its new one.
enum class Side : std::uint8_t { kBefore, kAfter, kBoth, kForeign };

Result<Side> side_of_rename(Directory& dir, const FileChange& change) {
  const auto there = dir.stat(change.rel);
  const auto here = dir.stat(change.from);
  for (const auto* stat : {&there, &here})
    if (!*stat && stat->error().code != ErrorCode::kNotFound) return Side::kForeign;
  if (!there && !here) return Side::kForeign;
  if (!there) return Side::kBefore;
  if (!here) return Side::kAfter;
  return there->inode == here->inode ? Side::kBoth : Side::kForeign;
}

Result<Side> side_of(Directory& dir, const FileChange& change) {
  if (!change.from.empty()) return side_of_rename(dir, change);
  auto now = dir.read(change.rel, kAnySize);
  if (!now && now.error().code != ErrorCode::kNotFound) return Side::kForeign;
  std::optional<std::string> bytes;
  if (now) bytes = std::move(now->bytes);
  if (bytes == change.after) return Side::kAfter;
  return bytes == change.before ? Side::kBefore : Side::kForeign;
}

// Brings the file from `from` to `to`; kConflict if it is not at `from`.
Result<void> bring(Directory& dir, const FileChange& change, const std::optional<std::string>& from,
                   const std::optional<std::string>& to) {
  WriteOptions options;
  options.mode = change.mode;
  if (!from && to) {
    MEMFS_TRY(make_parents(dir, change.rel, (change.mode & 077U) == 0 ? 0700 : 0777));
    return create_file(dir, change.rel, *to, options);
  }
  CheckedWrite outcome;
  if (to) {
    if (const auto stat = dir.stat(change.rel)) options.exact_mode = stat->mode;
    MEMFS_ASSIGN(outcome, swap_file(dir, change.rel, *to, content_hash(*from), options));
  } else if (from) {
    MEMFS_ASSIGN(outcome, remove_file(dir, change.rel, content_hash(*from)));
  } else {
    return {};
  }
  if (outcome.done) return {};
  return make_error(ErrorCode::kConflict, "the file changed while it was being written")
      .at(join_path(dir.path(), change.rel))
      .with_hint("look at the file and try again");
}

}  // namespace

Journal::Journal(FileSystem& fs, std::shared_ptr<Directory> state, std::string folder)
    : fs_(fs), state_(std::move(state)), folder_(std::move(folder)) {}

Result<void> Journal::run(const std::string& name, const std::vector<FileChange>& changes) {
  const std::string rel = join_path(folder_, name);
  MEMFS_TRY(make_parents(*state_, rel, 0700));
  WriteOptions options;
  options.mode = 0600;
  if (auto written = create_file(*state_, rel, encode(changes), options); !written) {
    (void)state_->remove(rel);  // an intent that was not acknowledged must not be found later
    return written;
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto applied = apply(changes[i]);
    if (applied && i + 1 == changes.size()) applied = sync_renames();
    if (applied) continue;
    // The failing one, too: it may have taken effect before it failed. What cannot be undone now
    // stays in the journal.
    for (std::size_t k = i + 1; k-- > 0;) MEMFS_TRY(undo(changes[k]));
    MEMFS_TRY(sync_renames());
    MEMFS_TRY(clear(name));
    return applied;
  }
  return clear(name);
}

Result<std::vector<std::string>> Journal::pending() {
  std::vector<std::string> names;
  auto entries = state_->list(folder_);
  if (!entries) {
    if (entries.error().code == ErrorCode::kNotFound) return names;
    return std::move(entries).error();
  }
  for (const DirEntry& entry : *entries)
    if (!entry.name.starts_with('.')) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<FileChange>> Journal::load(const std::string& name) {
  MEMFS_ASSIGN(const FileContent content, state_->read(join_path(folder_, name), kAnySize));
  std::vector<FileChange> changes;
  if (decode(content.bytes, changes)) return changes;
  return make_error(ErrorCode::kCorrupt, "the journal is damaged and was left alone")
      .at(join_path(state_->path(), join_path(folder_, name)))
      .with_hint("look at the files that it names, then remove it");
}

Result<RecoveryOutcome> Journal::recover(const std::string& name) {
  MEMFS_ASSIGN(const auto changes, load(name));
  bool foreign = false;
  bool unfinished = false;
  bool removals_intact = true;
  for (const FileChange& change : changes) {
    MEMFS_ASSIGN(const auto dir, fs_.open(change.root));
    MEMFS_ASSIGN(const Side side, side_of(*dir, change));
    foreign = foreign || side == Side::kForeign;
    unfinished = unfinished || side == Side::kBefore;
    const bool removes = change.from.empty() && !change.after;
    removals_intact = removals_intact && (!removes || side == Side::kBefore);
  }
  // A stranger's bytes in an unfinished operation: go back. Otherwise go on to the end. A file that
  // was made stays if what it was made from is no longer in place: both are kept.
  const bool go_back = foreign && unfinished;
  for (const FileChange& change : changes) {
    const bool makes = change.from.empty() && !change.before;
    const bool keep = go_back && makes && !removals_intact;
    if (!keep) MEMFS_TRY(go_back ? undo(change) : redo(change));
  }
  MEMFS_TRY(sync_renames());
  MEMFS_TRY(clear(name));
  return go_back ? RecoveryOutcome::kUndone : RecoveryOutcome::kCompleted;
}

Result<void> Journal::apply(const FileChange& change) {
  MEMFS_ASSIGN(const auto dir, fs_.open(change.root));
  MEMFS_ASSIGN(const Side side, side_of(*dir, change));
  if (side == Side::kAfter) return {};
  if (side == Side::kBefore && !change.from.empty()) return rename(*dir, change, false);
  MEMFS_TRY(sync_renames());
  if (side == Side::kBefore) return bring(*dir, change, change.before, change.after);
  return make_error(ErrorCode::kConflict, "the file changed while it was being written")
      .at(join_path(change.root, change.rel))
      .with_hint("look at the file and try again");
}

Result<void> Journal::redo(const FileChange& change) {
  MEMFS_ASSIGN(const auto dir, fs_.open(change.root));
  MEMFS_ASSIGN(const Side side, side_of(*dir, change));
  if (side != Side::kBefore && side != Side::kBoth) return {};
  if (!change.from.empty() && side == Side::kBefore) return rename(*dir, change, false);
  MEMFS_TRY(sync_renames());
  if (side == Side::kBoth) return dir->remove(change.from);
  return bring(*dir, change, change.before, change.after);
}

Result<void> Journal::undo(const FileChange& change) {
  MEMFS_ASSIGN(const auto dir, fs_.open(change.root));
  MEMFS_ASSIGN(const Side side, side_of(*dir, change));
  if (side != Side::kAfter && side != Side::kBoth) return {};
  if (!change.from.empty() && side == Side::kAfter) return rename(*dir, change, true);
  MEMFS_TRY(sync_renames());
  if (side == Side::kBoth) return dir->remove(change.rel);
  return bring(*dir, change, change.after, change.before);
}

Result<void> Journal::rename(Directory& dir, const FileChange& change, bool back) {
  const std::string& from = back ? change.rel : change.from;
  const std::string& to = back ? change.from : change.rel;
  const Folder entered{change.root, parent_of(to)};
  const Folder left{change.root, parent_of(from)};
  // Whatever makes a folder durable also makes durable that a file is gone from it: by then the
  // file's new name must be.
  const bool tangled = left_.contains(entered) || entered_.contains(left);
  const bool makes_folders = !entered.second.empty() && !dir.stat(entered.second);
  if (tangled || makes_folders) MEMFS_TRY(sync_renames());
  MEMFS_TRY(make_parents(dir, to, change.mode));
  auto renamed = dir.rename_exclusive(from, to);
  // side_of() has just seen that the name is free.
  if (!renamed && renamed.error().code == ErrorCode::kUnsupported) renamed = dir.rename(from, to);
  MEMFS_TRY(renamed);
  entered_.insert(entered);
  if (left != entered) left_.insert(left);
  return {};
}

Result<void> Journal::sync_renames() {
  for (auto* folders : {&entered_, &left_}) {
    for (const auto& [root, folder] : *folders) {
      MEMFS_ASSIGN(const auto dir, fs_.open(root));
      MEMFS_TRY(dir->sync_directory(folder));
    }
    folders->clear();
  }
  return {};
}

Result<void> Journal::clear(const std::string& name) {
  MEMFS_TRY(state_->remove(join_path(folder_, name)));
  return state_->sync_directory(folder_);
}

}  // namespace memfs
