// The kept states of memories: listing, reading, bringing back, dropping.
#include <algorithm>
#include <map>
#include <set>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/line_diff.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/store_impl.h"
#include "libmemfs/store/write_log.h"

namespace memfs {
namespace {

constexpr std::size_t kShortestEtag = 6;
constexpr std::size_t kLabelEtag = 8;

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
  return label.size() >= kShortestEtag && revision.etag.starts_with(label);
}

Error no_revision(const Memory& memory, std::string_view label,
                  const std::vector<Revision>& revisions, bool several) {
  std::string labels;
  for (const Revision& revision : revisions)
    if (!several || fits_label(revision, label))
      labels += (labels.empty() ? "" : ", ") + revision.label;
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
  MEMFS_ASSIGN(const auto gone, vanished());
  auto vanished_one = resolve(gone, reference, false, now());
  if (!vanished_one) return std::move(found).error();  // the live ones' names are the better hint
  return Remembered{std::move(vanished_one->memory), false};
}

Result<std::vector<Memory>> Store::Impl::vanished() const {
  MEMFS_ASSIGN(const Listing live, list({}));
  MEMFS_ASSIGN(const auto archived, newest_archived());
  std::set<std::string> known;
  const auto note = [&](const Memory& memory) {
    known.insert(memory.ref());
    if (!memory.id.empty()) known.insert(memory.id);
  };
  for (const Memory& memory : live.memories) note(memory);
  for (const ArchivedMemory& copy : archived) note(copy.memory);
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

Result<WriteResult> Store::restore(std::string_view reference, std::string_view label,
                                   const Consent& consent) {
  auto target = impl_->lock_target(reference);
  if (target) return impl_->restore_in(*target, label, consent);
  if (target.error().code != ErrorCode::kNotFound) return std::move(target).error();
  if (const auto archived = impl_->find_archived(reference)) {
    MEMFS_TRY(impl_->bring_back(*archived, consent));
    MEMFS_ASSIGN(Impl::Target back, impl_->lock_target(archived->ref()));
    return impl_->restore_in(back, label, consent);
  }
  MEMFS_ASSIGN(const auto remembered, impl_->find_with_history(reference));
  return impl_->restore_vanished(remembered.memory, label, consent);
}

Result<WriteResult> Store::Impl::restore_vanished(const Memory& memory, std::string_view label,
                                                  const Consent& consent) {
  MEMFS_ASSIGN(const auto revisions, revisions_of(memory, false));
  MEMFS_ASSIGN(const RevisionText wanted, text_of(memory, revisions, label));
  MEMFS_ASSIGN(LockedScope locked, lock_scope(memory.scope));
  MEMFS_ASSIGN(const auto state_dir, open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const auto other, other_with_id(memory.id, ""));
  if (other) {
    return make_error(ErrorCode::kConflict, "that memory is not gone: it is " + other->ref())
        .at(other->path)
        .with_hint("`mem restore " + other->ref() + " --revision N`");
  }
  MEMFS_ASSIGN(const std::string bytes,
               compose_whole(wanted.bytes, wanted.memory, "", memory, now()));
  MEMFS_ASSIGN(const Memory candidate, preview(locked, memory.rel, memory.rel, bytes));
  MEMFS_TRY(check_subject(locked, candidate));
  std::vector<std::string> warnings;
  MEMFS_TRY(check_write(locked, nullptr, {}, {candidate, bytes}, consent, warnings));
  auto made = add_file(locked, state, memory.rel, bytes);
  if (!made && made.error().code == ErrorCode::kConflict) {
    return make_error(ErrorCode::kConflict, "a file is in its place that is no memory")
        .at(memory.path)
        .with_hint("move that file away, then try again");
  }
  MEMFS_ASSIGN(Memory back, std::move(made));
  return finish(locked, state, {Operation::kRestore}, std::move(back), std::move(warnings));
}

Result<WriteResult> Store::Impl::restore_in(Target& target, std::string_view label,
                                            const Consent& consent) {
  LockedScope& locked = target.locked;
  const Memory& memory = target.memory;
  const Memory known = as_known(memory);
  MEMFS_ASSIGN(const auto revisions, revisions_of(known, true));
  MEMFS_ASSIGN(const RevisionText wanted, text_of(known, revisions, label));
  MEMFS_ASSIGN(const auto state_dir, open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const std::string old, reread(locked, memory));
  MEMFS_ASSIGN(const std::string bytes,
               compose_whole(wanted.bytes, wanted.memory, old, known, now()));
  return put_in_place(locked, state, {Operation::kRestore, &memory}, old, bytes, consent);
}

Result<WriteResult> Store::edit(std::string_view reference, const std::string& bytes,
                                const std::string& if_match, const Consent& consent) {
  MEMFS_ASSIGN(Impl::Target target, impl_->lock_target(reference));
  LockedScope& locked = target.locked;
  const Memory& memory = target.memory;
  MEMFS_ASSIGN(const auto state_dir, impl_->open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const std::string old, impl_->reread(locked, memory));
  Change expected;
  expected.if_match = if_match;
  MEMFS_TRY(impl_->check_expectations(locked, state, memory, old, expected));
  if (bytes == old) return impl_->unchanged(locked, memory);
  if (find_invalid_utf8(bytes) || bytes.find('\0') != std::string::npos)
    return make_error(ErrorCode::kInvalid, "the text is not UTF-8").at(memory.path);
  MEMFS_ASSIGN(const Memory next, preview(locked, memory.name + ".md", memory.rel, bytes));
  if (!memory.id.empty() && !next.id.empty() && next.id != memory.id) {
    return make_error(ErrorCode::kInvalid, "the id of a memory cannot change")
        .at(memory.path)
        .with_hint("put `id: " + memory.id + "` back");
  }
  // A block that was copied from another memory brings its id along.
  MEMFS_ASSIGN(const auto holder,
               impl_->other_with_id(memory.id.empty() ? next.id : "", memory.path));
  if (holder) {
    return make_error(ErrorCode::kConflict, "the id is that of " + holder->ref())
        .at(memory.path)
        .with_hint("take the line `id:` out")
        .with("holder_ref", holder->ref());
  }
  MEMFS_ASSIGN(const std::string composed, compose_whole(bytes, next, old, memory, impl_->now()));
  return impl_->put_in_place(locked, state, {Operation::kEdit, &memory}, old, composed, consent);
}

Result<PruneReport> prune_kept(State& state, const std::string& history,
                               const HistoryPolicy& policy, Instant now, bool dry_run,
                               const std::set<std::string>& present) {
  PruneReport report;
  MEMFS_ASSIGN(auto kept, state.kept_in(history));
  std::reverse(kept.begin(), kept.end());
  // The newest is what an archived file holds; of live ones `present` tells.
  const std::uint64_t keep = std::max<std::uint64_t>(policy.keep, 1);
  std::uint64_t newest = 0;
  for (const KeptBytes& copy : kept) {
    const auto age = std::chrono::ceil<std::chrono::days>(now - copy.kept).count();
    const bool young = age <= 0 || static_cast<std::uint64_t>(age) <= policy.days;
    if (++newest <= keep || young || present.contains(copy.hash)) {
      ++report.kept;
      continue;
    }
    if (!dry_run) MEMFS_TRY(state.drop_kept(copy.file));
    report.files.push_back(join_path(state.dir().path(), copy.file));
    report.bytes += copy.size;
  }
  return report;
}

Result<PruneReport> Store::prune(std::string_view reference, const HistoryPolicy& policy,
                                 bool dry_run) {
  PruneReport all;
  const auto state_dir = impl_->fs().open(impl_->layout.state);
  if (!state_dir) return all;
  State state(*state_dir);
  std::vector<std::string> histories;
  if (reference.empty()) {
    MEMFS_ASSIGN(histories, state.histories());
  } else {
    MEMFS_ASSIGN(const auto found, impl_->find_with_history(reference));
    histories.push_back(State::history_of(found.memory));
  }
  std::set<std::string> present;
  MEMFS_ASSIGN(const Listing live, impl_->list({}));
  for (const Memory& memory : live.memories) present.insert(memory.etag);
  for (const std::string& history : histories) {
    MEMFS_ASSIGN(PruneReport one,
                 prune_kept(state, history, policy, impl_->now(), dry_run, present));
    all.files.insert(all.files.end(), one.files.begin(), one.files.end());
    all.bytes += one.bytes;
    all.kept += one.kept;
  }
  return all;
}

}  // namespace memfs
