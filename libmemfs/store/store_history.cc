// The kept states of memories: listing and reading.
#include <algorithm>
#include <map>
#include <set>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/line_diff.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/git_history.h"
#include "libmemfs/store/store_impl.h"
#include "libmemfs/store/write_log.h"

namespace memfs {
namespace {

constexpr std::size_t kShortestEtag = 6;
constexpr std::size_t kLabelEtag = 8;
constexpr std::size_t kShortestCommit = 7;  // as git prints them

// "4" where that is enough, else "4-ab12cd34".
void label_revisions(std::vector<Revision>& revisions) {
  std::map<std::uint64_t, int> counts;
  for (const Revision& revision : revisions) ++counts[revision.number];
  for (Revision& revision : revisions) {
    revision.label = std::to_string(revision.number);
    if (counts[revision.number] > 1) revision.label += "-" + revision.etag.substr(0, kLabelEtag);
  }
}

bool fits_label(const Revision& revision, std::string_view label) {
  if (label == std::to_string(revision.number)) return true;
  const auto dash = label.find('-');
  if (dash != std::string_view::npos) {
    const auto etag = label.substr(dash + 1);
    return label.substr(0, dash) == std::to_string(revision.number) && !etag.empty() &&
           revision.etag.starts_with(etag);
  }
  return (label.size() >= kShortestEtag && revision.etag.starts_with(label)) ||
         (label.size() >= kShortestCommit && revision.commit.starts_with(ascii_lower(label)));
}

Error no_revision(const Memory& memory, std::string_view label,
                  const std::vector<Revision>& revisions, bool several) {
  constexpr std::size_t kNamed = 20;
  std::string labels;
  std::size_t named = 0;
  for (const Revision& revision : revisions) {
    if (several && !fits_label(revision, label)) continue;
    if (++named <= kNamed) labels += (labels.empty() ? "" : ", ") + revision.label;
  }
  if (named > kNamed) labels += ", …";
  const std::string shown = escape_for_terminal(label);
  return make_error(several ? ErrorCode::kConflict : ErrorCode::kNotFound,
                    several ? "several states of " + memory.ref() + " are called " + shown
                            : memory.ref() + " has no revision " + shown)
      .at(memory.path)
      .with_hint(labels.empty() ? "nothing is kept of it" : "there are " + labels);
}

}  // namespace

// A file whose block somebody broke tells no id any more. The log knows which memory it was, and
// its history shows how it was before.
Memory Store::Impl::as_known(Memory memory) const {
  if (!memory.id.empty() || !memory.needs_attention()) return memory;
  Memory known = memory;
  for (const WriteEntry& entry : logged()) {
    if (entry.scope != memory.scope || entry.name != memory.name || entry.id.empty()) continue;
    known.id = entry.id;
    known.revision = std::max(known.revision, entry.revision);
  }
  // Not if that memory lives elsewhere, or was forgotten and this is another file.
  const auto other = other_with_id(known.id, memory.path);
  const auto archived = newest_archived();
  if (known.id.empty() || !other || *other || !archived) return memory;
  const bool forgotten =
      std::any_of(archived->begin(), archived->end(),
                  [&](const ArchivedMemory& copy) { return copy.memory.id == known.id; });
  return forgotten ? memory : known;
}

Result<Store::Impl::Remembered> Store::Impl::find_with_history(std::string_view reference) const {
  auto found = find(reference, false);
  if (found) return Remembered{as_known(std::move(found->memory)), true};
  if (found.error().code != ErrorCode::kNotFound) return std::move(found).error();
  const auto archived = find_archived(reference);
  if (archived) return Remembered{*archived, false};
  auto gone = find_gone(reference);
  // The live ones' names are the better hint.
  if (!gone && gone.error().code == ErrorCode::kNotFound) return std::move(found).error();
  return gone;
}

Result<Store::Impl::Remembered> Store::Impl::find_gone(std::string_view reference) const {
  MEMFS_ASSIGN(const auto memories, vanished());
  auto lost = resolve(memories, reference, false, now());
  if (lost && lost->memory.scope != Scope::kShared)
    return Remembered{std::move(lost->memory), false};
  auto deleted = find_deleted(reference);
  if (!lost) return deleted;
  if (!deleted) return Remembered{std::move(lost->memory), false};
  // Git knows what came after the state that we saw last, if it knows that one.
  for (const Revision& revision : committed_revisions(deleted->memory, {lost->memory.etag}))
    if (revision.etag == lost->memory.etag) return deleted;
  return Remembered{std::move(lost->memory), false, deleted->deletion};
}

Result<std::set<std::string>> Store::Impl::known_memories() const {
  MEMFS_ASSIGN(const Listing live, list({}));
  MEMFS_ASSIGN(const auto archived, newest_archived());
  std::set<std::string> known;
  const auto note = [&](const Memory& memory) {
    known.insert(memory.ref());
    if (!memory.id.empty()) known.insert(memory.id);
  };
  for (const Memory& memory : live.memories) note(memory);
  for (const ArchivedMemory& copy : archived) note(copy.memory);
  return known;
}

Result<std::vector<Memory>> Store::Impl::vanished() const {
  MEMFS_ASSIGN(const std::set<std::string> known, known_memories());
  std::map<std::string, Memory> gone;  // by id or reference, as the newest line says
  for (const WriteEntry& entry : logged()) {
    if (entry.after.empty() || known.contains(entry.ref()) || known.contains(entry.id)) continue;
    Memory memory;
    memory.scope = entry.scope;
    memory.name = entry.name;
    memory.rel = entry.name + ".md";
    memory.path = join_path(layout.folder(entry.scope).path, memory.rel);
    memory.id = entry.id;
    memory.revision = entry.revision;
    memory.etag = entry.after;
    memory.title = entry.name;
    gone[entry.id.empty() ? entry.ref() : entry.id] = std::move(memory);
  }
  std::vector<Memory> memories;
  for (auto& [key, memory] : gone) memories.push_back(std::move(memory));
  sort_memories(memories);
  return memories;
}

Result<std::vector<Revision>> Store::Impl::revisions_of(const Memory& memory, bool live) const {
  const auto state_dir = fs().open(layout.state);
  std::vector<Revision> revisions;
  std::map<std::string, WriteEntry> written;  // by etag
  if (state_dir) {
    const auto key = key_of(memory.scope);
    for (LoggedWrite& write : WriteLog(*state_dir).read()) {
      const WriteEntry& entry = write.entry;
      const bool same_place = key && write.scope_key == *key && entry.name == memory.name;
      const bool ours = same_place || (!memory.id.empty() && entry.id == memory.id);
      if (!ours || entry.after.empty() || entry.after == entry.before) continue;
      // What we wrote and somebody put back later is still what we wrote.
      if (entry.operation == Operation::kByHand && written.contains(entry.after)) continue;
      written[entry.after] = entry;
    }
    MEMFS_ASSIGN(const auto kept, State(*state_dir).kept(memory));
    for (const KeptBytes& bytes : kept)
      revisions.push_back({bytes.revision, bytes.hash, bytes.size, bytes.kept});
  }
  const auto is_present = [&](const Revision& r) {
    return r.etag == memory.etag && r.number == memory.revision;
  };
  std::erase_if(revisions, is_present);
  std::reverse(revisions.begin(), revisions.end());
  Revision present{memory.revision, memory.etag};
  present.current = live;
  if (live) present.at = memory.modified;
  revisions.insert(revisions.begin(), std::move(present));
  for (Revision& revision : revisions) {
    const auto write = written.find(revision.etag);
    if (write == written.end()) {
      revision.operation = Operation::kByHand;
      continue;
    }
    revision.operation = write->second.operation;
    revision.at = write->second.at;
    revision.by = write->second.by;
  }
  std::set<std::string> known;
  for (const Revision& revision : revisions) known.insert(revision.etag);
  add_committed(revisions, committed_revisions(memory, known));
  label_revisions(revisions);
  return revisions;
}

Result<History> Store::history(std::string_view reference) const {
  History history;
  MEMFS_ASSIGN(auto found, impl_->find_with_history(reference));
  MEMFS_ASSIGN(history.revisions, impl_->revisions_of(found.memory, found.live));
  history.memory = std::move(found.memory);
  Revision& newest = history.revisions.front();
  const auto bytes = impl_->bytes_of_revision(history.memory, newest);
  if (bytes) newest.size = bytes->size();
  return history;
}

Result<RevisionDiff> Store::diff(std::string_view reference, std::string_view from,
                                 std::string_view to) const {
  RevisionDiff diff;
  MEMFS_ASSIGN(auto found, impl_->find_with_history(reference));
  MEMFS_ASSIGN(const auto revisions, impl_->revisions_of(found.memory, found.live));
  diff.memory = std::move(found.memory);
  MEMFS_ASSIGN(const RevisionText newer, impl_->text_of(diff.memory, revisions, to));
  std::string label(from);
  if (label.empty()) {
    auto before = std::find_if(revisions.begin(), revisions.end(),
                               [&](const Revision& r) { return r.label == newer.revision.label; });
    if (before == revisions.end() || ++before == revisions.end()) {
      return make_error(ErrorCode::kNotFound, "there is no state of " + diff.memory.ref() +
                                                  " before revision " + newer.revision.label)
          .at(diff.memory.path);
    }
    label = before->label;
  }
  MEMFS_ASSIGN(const RevisionText older, impl_->text_of(diff.memory, revisions, label));
  const auto named = [&](const RevisionText& text) {
    return escape_for_terminal(diff.memory.ref()) + " " + text.revision.label +
           (text.revision.current ? " (now)" : "");
  };
  diff.from = older.revision;
  diff.to = newer.revision;
  diff.text = unified_diff(older.bytes, newer.bytes, named(older), named(newer));
  return diff;
}

Result<RevisionText> Store::revision(std::string_view reference, std::string_view label) const {
  MEMFS_ASSIGN(const auto found, impl_->find_with_history(reference));
  MEMFS_ASSIGN(const auto revisions, impl_->revisions_of(found.memory, found.live));
  return impl_->text_of(found.memory, revisions, label);
}

Result<RevisionText> Store::Impl::text_of(const Memory& memory,
                                          const std::vector<Revision>& revisions,
                                          std::string_view label) const {
  const Revision* wanted = label.empty() ? &revisions.front() : nullptr;
  bool several = false;
  for (const Revision& revision : revisions) {
    if (label.empty() || !fits_label(revision, label)) continue;
    several = several || wanted != nullptr;
    wanted = &revision;
  }
  if (wanted == nullptr || several) return no_revision(memory, label, revisions, several);
  RevisionText text;
  text.revision = *wanted;
  MEMFS_ASSIGN(text.bytes, bytes_of_revision(memory, *wanted));
  text.revision.size = text.bytes.size();
  Problem empty;
  auto read = read_memory({memory.scope, memory.name + ".md", memory.path}, text.bytes, &empty);
  if (!read) return make_error(ErrorCode::kInvalid, empty.message).at(memory.path);
  text.memory = std::move(*read);
  text.memory.committed_at = memory.committed_at;
  text.memory.modified = text.revision.at.value_or(memory.modified);
  return text;
}

Result<std::string> Store::Impl::bytes_of_revision(const Memory& memory,
                                                   const Revision& revision) const {
  if (revision.current) {
    MEMFS_ASSIGN(const auto dir, scope_dir(memory.scope));
    MEMFS_ASSIGN(FileContent content, dir->read(memory.rel, kMaxFile));
    return std::move(content.bytes);
  }
  // What git has is whole, or git would not give it.
  std::optional<std::string> committed;
  if (!revision.blob.empty())
    read_blobs(layout, {revision.blob},
               [&](const std::string&, std::string_view bytes) { committed = bytes; });
  if (committed) return std::move(*committed);
  MEMFS_ASSIGN(const auto state_dir, fs().open(layout.state));
  State state(state_dir);
  MEMFS_ASSIGN(const auto kept, state.kept(memory));
  for (const KeptBytes& bytes : kept) {
    if (bytes.revision != revision.number || bytes.hash != revision.etag) continue;
    MEMFS_ASSIGN(FileContent content, state_dir->read(bytes.file, kMaxFile));
    if (content_hash(content.bytes) == bytes.hash) return std::move(content.bytes);
    return make_error(ErrorCode::kCorrupt,
                      "the kept copy of revision " + revision.label + " is damaged")
        .at(join_path(state_dir->path(), bytes.file))
        .with_hint("the file was changed or cut short; other revisions are not concerned");
  }
  MEMFS_ASSIGN(const auto archived, newest_archived());
  for (const ArchivedMemory& copy : archived) {
    if (copy.memory.ref() != memory.ref() || copy.memory.etag != revision.etag) continue;
    MEMFS_ASSIGN(FileContent content,
                 state_dir->read(copy.file.substr(state_dir->path().size() + 1), kMaxFile));
    return std::move(content.bytes);
  }
  return make_error(ErrorCode::kNotFound, "revision " + revision.label + " is gone")
      .at(memory.path);
}

}  // namespace memfs
