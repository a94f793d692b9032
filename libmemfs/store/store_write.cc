// Create and update: lock, re-read, compare, validate, keep the old bytes, swap.
#include <algorithm>
#include <set>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/index_page.h"
#include "libmemfs/store/store_impl.h"
#include "libmemfs/store/wishes.h"
#include "libmemfs/store/write_log.h"

namespace memfs {
namespace {

constexpr char kLockFile[] = ".mem.lock";
constexpr char kJournalFolder[] = "journal";

Error changed_meanwhile(const Memory& memory) {
  return make_error(ErrorCode::kConflict, "the file changed while it was being written")
      .at(memory.path)
      .with_hint("read it again and repeat the change");
}

Error stale(const Memory& now, std::string message) {
  return make_error(ErrorCode::kConflict, std::move(message))
      .at(now.path)
      .with_hint("read it again (`mem show " + now.ref() + "`) and repeat the change")
      .with("revision", std::to_string(now.revision))
      .with("etag", now.etag)
      .with("ref", now.ref());
}

// The error with the memory's path, unless it has one.
Error about(const Memory& memory, Error error) {
  if (error.path.empty()) error.path = memory.path;
  return error;
}

}  // namespace

std::uint32_t folder_mode(Scope scope) { return scope == Scope::kShared ? 0777 : 0700; }
std::uint32_t file_mode(Scope scope) { return scope == Scope::kShared ? 0666 : 0600; }

Result<Memory> preview(const LockedScope& locked, const std::string& name_rel,
                       const std::string& file_rel, const std::string& bytes) {
  const std::string path = join_path(locked.dir->path(), name_rel);
  if (bytes.size() > kMaxFile) {
    return make_error(ErrorCode::kInvalid,
                      "the file would be larger than " + std::to_string(kMaxFile >> 20U) + " MiB")
        .at(path)
        .with_hint("split it: one memory holds one idea");
  }
  Problem empty;
  auto memory = read_memory({locked.scope, name_rel, path}, bytes, &empty);
  if (!memory) return make_error(ErrorCode::kInvalid, empty.message).at(path);
  memory->rel = file_rel;
  return std::move(*memory);
}

Result<void> check_writable(const Memory& memory, const std::vector<FieldEdit>& fields) {
  for (const Problem& problem : memory.problems) {
    const bool concerned =
        problem.key.empty() || std::any_of(fields.begin(), fields.end(), [&](const FieldEdit& e) {
          // Clearing a wrong value is the cure.
          return e.key == problem.key && !e.clear;
        });
    if (!problem.blocks_writes || !concerned) continue;
    return make_error(ErrorCode::kInvalid, problem.message + "; the file was left as it is")
        .at(problem.path, problem.line, problem.column)
        .with_hint(problem.hint)
        .with("code", problem.code);
  }
  return {};
}

Result<void> check_etag(const Memory& memory, const std::string& if_match) {
  if (if_match.empty() || memory.etag == if_match) return {};
  return stale(memory, "the memory changed: its etag is " + memory.etag + ", expected " +
                           escape_for_terminal(if_match));
}

Result<std::unique_ptr<HeldLock>> Store::Impl::lock_only(Scope scope,
                                                         std::shared_ptr<Directory>& dir) {
  MEMFS_TRY(check_may_write());
  MEMFS_TRY(prepare_scope(fs(), layout, scope, *services.clock, *services.ids));
  MEMFS_ASSIGN(dir, fs().open(layout.folder(scope).path));
  LockWait wait;
  wait.limit = services.lock_wait;
  return acquire_lock(*dir, kLockFile, file_mode(scope), wait);
}

Result<void> Store::Impl::finish_interrupted() {
  auto state = fs().open(layout.state);
  if (!state) return {};
  Journal journal(fs(), *state, kJournalFolder);
  MEMFS_ASSIGN(const auto names, journal.pending());
  if (names.empty()) return {};
  const auto real = [&](const std::string& path) {
    const auto resolved = fs().real_path(path);
    return resolved ? *resolved : path;
  };
  const auto is_ours = [&](const FileChange& change) {
    return std::any_of(layout.scopes.begin(), layout.scopes.end(), [&](const ScopeFolder& f) {
      return !f.path.empty() && real(f.path) == real(change.root);
    });
  };
  // A batch also makes and drops archived copies, which lie in the state directory.
  const std::string own_state = real(layout.state);
  const auto may_be_ours = [&](const FileChange& change) {
    return is_ours(change) || real(change.root) == own_state;
  };
  // Damaged journals and other projects' stay where they are: `check` reports them.
  std::vector<std::string> ours;
  std::set<std::string> roots;
  for (const std::string& name : names) {
    const auto changes = journal.load(name);
    if (!changes || !std::all_of(changes->begin(), changes->end(), may_be_ours) ||
        std::none_of(changes->begin(), changes->end(), is_ours))
      continue;
    ours.push_back(name);
    for (const FileChange& change : *changes) roots.insert(real(change.root));
  }
  if (ours.empty()) return {};
  // The scopes in them, in the fixed order, so that nobody is in the middle of what we finish.
  std::vector<std::unique_ptr<HeldLock>> locks;
  for (const Scope scope : kScopes) {
    const std::string& path = layout.folder(scope).path;
    if (path.empty() || !roots.contains(real(path)) || !fs().stat(path)) continue;
    std::shared_ptr<Directory> dir;
    auto lock = lock_only(scope, dir);
    if (!lock) return {};  // it waits for a command that can
    locks.push_back(std::move(*lock));
  }
  MEMFS_ASSIGN(const auto still, journal.pending());
  for (const std::string& name : still) {
    // What cannot be finished now (its folder is gone) stays, and must not stop other writes.
    if (std::find(ours.begin(), ours.end(), name) != ours.end()) (void)journal.recover(name);
  }
  return {};
}

Result<void> Store::Impl::check_may_write() const {
  if (!services.read_only) return {};
  return make_error(ErrorCode::kRefused, "memories are open for reading only; nothing was changed")
      .with("reason", "read-only");
}

Result<LockedScope> Store::Impl::lock_scope(Scope scope) {
  MEMFS_TRY(check_may_write());
  MEMFS_TRY(finish_interrupted());
  return lock_without_recovery(scope);
}

Result<LockedRooms> Store::Impl::lock_rooms(const std::set<Scope>& made, bool dry_run) {
  if (!dry_run) {
    MEMFS_TRY(check_may_write());
    MEMFS_TRY(finish_interrupted());
  }
  LockedRooms rooms;
  for (const Scope scope : kScopes) {
    const bool there = fs().stat(layout.folder(scope).path).has_value();
    if (!there && (!made.contains(scope) || dry_run)) continue;
    LockedRoom& room = rooms[scope];
    if (!dry_run) {
      auto locked = lock_without_recovery(scope);
      if (locked) {
        room.locked = std::move(*locked);
        continue;
      }
      if (locked.error().code == ErrorCode::kBusy || made.contains(scope))
        return std::move(locked).error();
      room.closed = std::move(locked).error();
    }
    LockedScope& open = room.locked;
    open.scope = scope;
    MEMFS_ASSIGN(open.dir, scope_dir(scope));
    if (dry_run)
      if (auto writable = open.dir->check_writable(); !writable)
        room.closed = std::move(writable).error();
    MEMFS_ASSIGN(open.key, key_of(scope));
    MEMFS_ASSIGN(open.catalogue, catalogue(scope, *open.dir));
  }
  return rooms;
}

Result<LockedScope> Store::Impl::lock_without_recovery(Scope scope) {
  LockedScope locked;
  locked.scope = scope;
  MEMFS_ASSIGN(locked.lock, lock_only(scope, locked.dir));
  const std::string& path = layout.folder(scope).path;
  const auto real = fs().real_path(path);
  locked.key = scope_key(scope, real ? *real : path);
  MEMFS_ASSIGN(locked.catalogue, catalogue(scope, *locked.dir));
  return locked;
}

Result<Store::Impl::Target> Store::Impl::lock_target(std::string_view reference) {
  MEMFS_ASSIGN(const Found found, find(reference, true));
  Target target;
  MEMFS_ASSIGN(target.locked, lock_scope(found.memory.scope));
  // The very memory that was meant, not what a weaker reading of the reference would give now.
  const auto& memories = target.locked.catalogue.memories;
  auto same = std::find_if(memories.begin(), memories.end(), [&](const Memory& m) {
    return m.rel == found.memory.rel && m.id == found.memory.id;
  });
  if (same == memories.end() && !found.memory.id.empty()) {  // renamed meanwhile
    same = std::find_if(memories.begin(), memories.end(),
                        [&](const Memory& m) { return m.id == found.memory.id; });
  }
  if (same == memories.end()) {
    return make_error(ErrorCode::kNotFound, "the memory " + found.memory.ref() + " is gone")
        .at(found.memory.path)
        .with_hint("another process moved or forgot it");
  }
  MEMFS_ASSIGN(target.memory, load_memory(*target.locked.dir, *same));
  return target;
}

Result<std::string> Store::Impl::reread(LockedScope& locked, const Memory& memory) {
  MEMFS_ASSIGN(FileContent content, locked.dir->read(memory.rel, kMaxFile));
  if (content_hash(content.bytes) != memory.etag) return changed_meanwhile(memory);
  return std::move(content.bytes);
}

Result<void> Store::Impl::check_expectations(LockedScope& locked, State& state,
                                             const Memory& memory, const std::string& bytes,
                                             const Change& change) {
  if (change.if_match && *change.if_match != memory.etag)
    return stale(memory, "the memory changed: its etag is " + memory.etag + ", expected " +
                             escape_for_terminal(*change.if_match));
  if (!change.expected_revision) return {};
  if (*change.expected_revision != memory.revision) {
    return stale(memory, "the memory changed: it is at revision " +
                             std::to_string(memory.revision) + ", expected " +
                             std::to_string(*change.expected_revision));
  }
  if (change.if_match) return {};  // the caller has seen these very bytes
  const auto seal = state.seal_of(memory, locked.key);
  if (!seal || seal->revision != memory.revision || seal->hash == memory.etag) return {};
  // Same number, other bytes: someone edited the file by hand. That work becomes a revision of
  // its own, and the caller gets to see it first.
  MEMFS_ASSIGN(const std::string sealed, compose_bump(bytes, memory));
  log_hand_edit(locked, state, memory);
  MEMFS_ASSIGN(const Memory now, replace(locked, state, memory, bytes, sealed));
  (void)log_write(locked, state, {Operation::kByHand, &memory}, &now);
  return stale(now, "the memory was edited by hand since revision " +
                        std::to_string(memory.revision) + "; that edit is now revision " +
                        std::to_string(now.revision));
}

Result<Memory> Store::Impl::replace(LockedScope& locked, State& state, const Memory& memory,
                                    const std::string& old, const std::string& bytes) {
  MEMFS_TRY(state.keep(memory, old));
  WriteOptions options;
  options.mode = file_mode(locked.scope);
  MEMFS_ASSIGN(const FileStat stat, locked.dir->stat(memory.rel));
  options.exact_mode = stat.mode;
  MEMFS_ASSIGN(const CheckedWrite outcome,
               swap_file(*locked.dir, memory.rel, bytes, memory.etag, options));
  if (!outcome.done) {
    if (!outcome.missing) MEMFS_TRY(state.keep(memory, outcome.found));
    return changed_meanwhile(memory);
  }
  MEMFS_ASSIGN(Memory now, preview(locked, memory.name + ".md", memory.rel, bytes));
  now.name = memory.name;
  (void)state.move_history(memory, now);  // where it cannot be moved it is not lost
  (void)state.keep_new(now, bytes);       // see there
  (void)state.seal(now, locked.key);      // only a hint, see Seal
  return now;
}

Result<Memory> Store::Impl::add_file(LockedScope& locked, State& state, const std::string& rel,
                                     const std::string& bytes) {
  MEMFS_TRY(make_parents(*locked.dir, rel, folder_mode(locked.scope)));
  WriteOptions options;
  options.mode = file_mode(locked.scope);
  MEMFS_TRY(create_file(*locked.dir, rel, bytes, options));
  MEMFS_ASSIGN(Memory now, preview(locked, rel, rel, bytes));
  (void)state.keep_new(now, bytes);
  (void)state.seal(now, locked.key);
  return now;
}

Result<std::optional<Memory>> Store::Impl::other_with_id(const std::string& id,
                                                         const std::string& path) const {
  if (id.empty()) return std::optional<Memory>();
  MEMFS_ASSIGN(Listing everywhere, list({}));
  for (Memory& other : everywhere.memories)
    if (other.id == id && other.path != path) return std::optional(std::move(other));
  return std::optional<Memory>();
}

std::string Store::Impl::fresh_id(const std::vector<Memory>& memories,
                                  std::string_view seed) const {
  for (int attempt = 0;; ++attempt) {
    std::string id = "mem-" + services.ids->ulid(now(), seed, attempt);
    const bool taken =
        std::any_of(memories.begin(), memories.end(), [&](const Memory& m) { return m.id == id; });
    if (!taken) return id;
  }
}

void Store::Impl::note_change(LockedScope& locked, const Memory* before, const Memory* after,
                              std::vector<std::string>& warnings) {
  auto& memories = locked.catalogue.memories;
  if (before != nullptr)
    std::erase_if(memories, [&](const Memory& m) { return m.rel == before->rel; });
  if (after != nullptr) {
    const auto key = [](const Memory& m) { return std::pair(fold_name(m.name), m.rel); };
    const auto place =
        std::lower_bound(memories.begin(), memories.end(), *after,
                         [&](const Memory& a, const Memory& b) { return key(a) < key(b); });
    memories.insert(place, *after);
  }
  renew_page(locked, warnings);
}

void Store::Impl::renew_page(const LockedScope& locked, std::vector<std::string>& warnings) {
  if (locked.catalogue.memories.size() > kIndexAutoLimit) return;
  // Also what people did by hand since: the page is written only if a line differs.
  auto renewed = renew_index(*locked.dir, locked.scope, locked.catalogue, false);
  if (!renewed) warnings.push_back("INDEX.md could not be renewed: " + renewed.error().message);
}

LoggedWrite Store::Impl::entry_of(const LockedScope& locked, const Written& written,
                                  const Memory* after) const {
  const Memory& subject = after == nullptr ? *written.before : *after;
  LoggedWrite write;
  write.scope_key = locked.key;
  write.place = place();
  WriteEntry& entry = write.entry;
  entry.operation = written.operation;
  entry.at = now();
  entry.scope = locked.scope;
  entry.name = subject.name;
  entry.id = subject.id;
  entry.revision = subject.revision;
  entry.before = written.before == nullptr ? written.before_etag : written.before->etag;
  if (after != nullptr) entry.after = after->etag;
  entry.by = services.writer;
  entry.origin = written.origin;
  entry.batch = written.batch;
  entry.takes_back = written.takes_back.empty() ? taking_back : written.takes_back;
  return write;
}

Result<void> Store::Impl::log_write(LockedScope& locked, State& state, const Written& written,
                                    const Memory* after) {
  return WriteLog(state.shared_dir()).add(entry_of(locked, written, after));
}

void Store::Impl::log_hand_edit(LockedScope& locked, State& state, const Memory& memory) {
  const auto seal = state.seal_of(memory, locked.key);
  if (!seal || seal->hash == memory.etag) return;
  LoggedWrite write;
  write.scope_key = locked.key;
  write.entry = {Operation::kByHand, memory.modified, locked.scope, memory.name,
                 memory.id,          memory.revision, seal->hash,   memory.etag};
  (void)WriteLog(state.shared_dir()).add(write);
}

WriteResult Store::Impl::note_write(LockedScope& locked, State& state, const Written& written,
                                    Memory after, std::vector<std::string> warnings) {
  WriteResult result;
  result.changed = true;
  result.warnings = std::move(warnings);
  // The write stands whatever the log says.
  if (auto logged = log_write(locked, state, written, &after); !logged)
    result.warnings.push_back("history and log could not be written: " + logged.error().message);
  if (is_expired(after, now()) &&
      (written.before == nullptr || !is_expired(*written.before, now())))
    result.warnings.push_back("it is past its end already, and no search finds it");
  if (!layout.settings.doubtful)
    (void)prune_kept(state, State::history_of(after), layout.settings.history, now(), false,
                     {after.etag});
  for (const Problem& problem : after.problems)
    if (problem.severity != Severity::kInfo) result.warnings.push_back(problem.message);
  // What was meant to hold for this write may not have held.
  for (const Problem& note : layout.notes)
    if (note.code == "config" && note.severity != Severity::kInfo)
      result.warnings.push_back(note.path + ":" + std::to_string(note.line) + ": " + note.message);
  result.memory = std::move(after);
  return result;
}

Result<WriteResult> Store::Impl::finish(LockedScope& locked, State& state, const Written& written,
                                        Memory after, std::vector<std::string> warnings) {
  WriteResult result = note_write(locked, state, written, std::move(after), std::move(warnings));
  note_change(locked, written.before, &result.memory, result.warnings);
  result.usage = usage_of(locked.catalogue, layout.settings.budget(locked.scope));
  return result;
}

Result<WriteResult> Store::Impl::unchanged(const LockedScope& locked, const Memory& memory) const {
  WriteResult same;
  same.memory = memory;
  same.usage = usage_of(locked.catalogue, layout.settings.budget(locked.scope));
  return same;
}

Result<WriteResult> Store::Impl::put_in_place(LockedScope& locked, State& state,
                                              const Written& written, const std::string& old,
                                              const std::string& bytes, const Consent& consent) {
  const Memory& memory = *written.before;
  if (bytes == old) return unchanged(locked, memory);
  MEMFS_ASSIGN(const Memory candidate, preview(locked, memory.name + ".md", memory.rel, bytes));
  if (candidate.subject_key != memory.subject_key || is_expired(memory, now()))
    MEMFS_TRY(check_subject(locked, candidate));
  std::vector<std::string> warnings;
  MEMFS_TRY(check_write(locked, &memory, old, {candidate, bytes}, consent, warnings));
  log_hand_edit(locked, state, memory);
  MEMFS_ASSIGN(Memory now, replace(locked, state, memory, old, bytes));
  return finish(locked, state, written, std::move(now), std::move(warnings));
}

Result<WriteResult> Store::update(std::string_view reference, const Change& change) {
  MEMFS_TRY(validate(change.fields, false));
  if (change.consent.redact) return update(reference, redacted(change));
  return impl_->rewrite(
      reference, Operation::kUpdate, change,
      [&](const std::string& old, const Memory& memory, const std::string& new_id) {
        return compose_change(old, memory, change, new_id, impl_->now());
      });
}

Result<WriteResult> Store::adopt(std::string_view reference) {
  return impl_->rewrite(
      reference, Operation::kAdopt, {},
      [](const std::string& old, const Memory& memory, const std::string& new_id) {
        return compose_adoption(old, memory, new_id, memory.modified);
      });
}

Result<WriteResult> Store::verify(std::string_view reference, const Change& expectations) {
  MEMFS_ASSIGN(
      WriteResult result,
      impl_->rewrite(reference, Operation::kVerify, expectations,
                     [&](const std::string& old, const Memory& memory, const std::string& new_id) {
                       return compose_verification(old, memory, new_id, impl_->now());
                     }));
  if (is_expired(result.memory, impl_->now()))
    result.warnings.push_back(still_expired(result.memory));
  return result;
}

std::string still_expired(const Memory& memory) {
  return "it is still past its end, " + memory.expires_at->text + ": `mem update " + memory.ref() +
         " --expires-at DATE` extends it";
}

Result<WriteResult> Store::Impl::rewrite(std::string_view reference, Operation operation,
                                         const Change& change, const Compose& compose) {
  MEMFS_ASSIGN(Target target, lock_target(reference));
  LockedScope& locked = target.locked;
  const Memory& memory = target.memory;
  MEMFS_ASSIGN(const auto state_dir, open_state());
  State state(state_dir);
  MEMFS_TRY(check_writable(memory, change.fields));
  MEMFS_ASSIGN(const std::string old, reread(locked, memory));
  MEMFS_TRY(check_expectations(locked, state, memory, old, change));
  const std::string id = fresh_id(locked.catalogue.memories, memory.ref());
  auto composed = compose(old, memory, id);
  if (!composed) return about(memory, std::move(composed).error());
  MEMFS_ASSIGN(WriteResult result,
               put_in_place(locked, state, {operation, &memory}, old, *composed, change.consent));
  if (result.changed) result.expires = expiry_echo(change.fields);
  return result;
}

}  // namespace memfs
