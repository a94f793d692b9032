// Forget and recover.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/import_ledger.h"
#include "libmemfs/store/index_page.h"
#include "libmemfs/store/seen_list.h"
#include "libmemfs/store/store_impl.h"
#include "libmemfs/store/write_log.h"

namespace memfs {
namespace {

struct ArchivedCopy {
  Memory memory;
  ArchiveEntry entry;
  std::string bytes;
};

Result<std::vector<ArchivedCopy>> archived_copies(State& state, Scope scope, const std::string& key,
                                                  const std::string& folder) {
  std::vector<ArchivedCopy> copies;
  MEMFS_ASSIGN(const auto entries, state.archived(key));
  for (const ArchiveEntry& entry : entries) {
    auto content = state.dir().read(entry.file, kMaxFile);
    if (!content) continue;
    Problem empty;
    auto memory =
        read_memory({scope, entry.rel, join_path(folder, entry.rel)}, content->bytes, &empty);
    if (memory) copies.push_back({std::move(*memory), entry, std::move(content->bytes)});
  }
  return copies;
}

}  // namespace

Result<ForgetResult> Store::forget(std::string_view reference, bool purge,
                                   const std::string& if_match) {
  auto found = impl_->lock_target(reference);
  if (!found && purge && found.error().code == ErrorCode::kNotFound) {
    auto gone = impl_->purge_archived(reference);
    if (gone || gone.error().code != ErrorCode::kNotFound) return gone;
  }
  MEMFS_ASSIGN(Impl::Target target, std::move(found));
  LockedScope& locked = target.locked;
  const Memory& memory = target.memory;
  MEMFS_ASSIGN(const auto state_dir, impl_->open_state());
  State state(state_dir);
  if (purge) MEMFS_TRY(impl_->check_purge(memory, memory.path));
  MEMFS_TRY(check_etag(memory, if_match));
  MEMFS_ASSIGN(const std::string bytes, impl_->reread(locked, memory));
  ForgetResult result{memory.id, memory.ref(), {}};
  if (!purge) {
    impl_->log_hand_edit(locked, state, memory);
    MEMFS_ASSIGN(const std::string file,
                 state.archive(locked.key, memory.name + ".md", bytes, impl_->now()));
    result.archived_as = join_path(state.dir().path(), file);
  }
  // Before the file goes, so that a purge that was cut off can be repeated.
  if (purge) MEMFS_TRY(impl_->erase_traces(locked, state, memory));
  MEMFS_ASSIGN(const CheckedWrite outcome, remove_file(*locked.dir, memory.rel, memory.etag));
  if (!outcome.done) {
    if (!outcome.missing) MEMFS_TRY(state.keep(memory, outcome.found));
    return make_error(ErrorCode::kConflict, "the file changed while it was being archived")
        .at(memory.path)
        .with_hint("read it again before forgetting it");
  }
  // What was reached through a link comes back as a file: a link that leads nowhere is in its way.
  const std::string name_rel = memory.path.substr(locked.dir->path().size() + 1);
  if (name_rel != memory.rel) (void)locked.dir->remove(name_rel);
  // A reader may have indexed the file again before it was gone.
  if (purge) MEMFS_TRY(ScopeIndex::erase_caches(impl_->fs(), impl_->layout.cache));
  if (purge) {
    impl_->log_purge(locked, state);
  } else {
    (void)impl_->log_write(locked, state, {Operation::kForget, &memory}, nullptr);
  }
  std::vector<std::string> warnings;
  impl_->note_change(locked, &memory, nullptr, warnings);
  // The page as it was may have been kept just now.
  if (purge)
    MEMFS_TRY(state.erase_pages([&](const std::string& page) { return page_names(page, memory); }));
  result.usage = usage_of(locked.catalogue, impl_->layout.settings.budget(locked.scope));
  return result;
}

void Store::Impl::log_purge(const LockedScope& locked, State& state) {
  LoggedWrite write;
  write.scope_key = locked.key;
  write.place = place();
  write.entry.operation = Operation::kPurge;
  write.entry.at = now();
  write.entry.scope = locked.scope;
  write.entry.by = services.writer;
  (void)WriteLog(state.shared_dir()).add(write);
}

Result<ForgetResult> Store::Impl::purge_archived(std::string_view reference) {
  MEMFS_ASSIGN(const Memory memory, find_archived(reference));
  MEMFS_ASSIGN(const LockedScope locked, lock_scope(memory.scope));
  MEMFS_ASSIGN(const auto state_dir, open_state());
  State state(state_dir);
  MEMFS_TRY(check_purge(memory, ""));
  MEMFS_TRY(erase_traces(locked, state, memory));
  log_purge(locked, state);
  return ForgetResult{memory.id, memory.ref(), {}};
}

// `path` is that of the memory, if it is live.
Result<void> Store::Impl::check_purge(const Memory& memory, const std::string& path) const {
  MEMFS_TRY(check_writable(memory, {}));
  // History is kept by id: a copy must not take the original's with it.
  MEMFS_ASSIGN(const auto other, other_with_id(memory.id, path));
  if (!other) return {};
  return make_error(ErrorCode::kConflict, other->ref() + " has the same id")
      .at(memory.path)
      .with_hint("remove the id from the copy first");
}

Result<void> Store::Impl::erase_traces(const LockedScope& locked, State& state,
                                       const Memory& memory) {
  MEMFS_TRY(ScopeIndex::erase_caches(fs(), layout.cache));
  MEMFS_TRY(state.erase_history(memory));
  MEMFS_TRY(state.erase_strays([&](const std::string& bytes) {
    Problem empty;
    const auto stray = read_memory({memory.scope, memory.rel, memory.path}, bytes, &empty);
    return stray && (memory.id.empty() ? stray->body == memory.body : stray->id == memory.id);
  }));
  MEMFS_TRY(state.erase_pages([&](const std::string& page) { return page_names(page, memory); }));
  state.unseal(memory, locked.key);
  for (const Scope scope : kScopes) {
    const auto key = key_of(scope);
    if (key && (scope == memory.scope || !memory.id.empty()))
      MEMFS_TRY(erase_seen(state.dir(), *key, memory));
    if (key) MEMFS_TRY(ImportLedger::erase(state.dir(), *key, memory));
  }
  MEMFS_TRY(erase_from_log(locked, state, memory));
  // An id may have been archived in another scope before a copy came back here.
  for (const Scope scope : kScopes) {
    const auto key = key_of(scope);
    if (!key || (memory.id.empty() && scope != memory.scope)) continue;
    MEMFS_ASSIGN(const auto copies, archived_copies(state, scope, *key, layout.folder(scope).path));
    for (const ArchivedCopy& copy : copies) {
      // Without an id the name tells, but not of those that have one.
      const bool same =
          copy.memory.id == memory.id && (!memory.id.empty() || copy.memory.name == memory.name);
      if (same) MEMFS_TRY(state.drop_archived(copy.entry.file));
    }
  }
  return {};
}

// The writes of a memory, also those from before it had an id, wherever it was then. Other memories
// that had the same name keep theirs.
Result<void> Store::Impl::erase_from_log(const LockedScope& locked, State& state,
                                         const Memory& memory) {
  WriteLog log(state.shared_dir());
  std::set<std::pair<std::string, std::string>> places = {{locked.key, memory.name}};
  const auto was_there = [&](const LoggedWrite& write) {
    return places.contains({write.scope_key, write.entry.name});
  };
  const auto writes = log.read();
  for (auto write = writes.rbegin(); write != writes.rend(); ++write) {
    const WriteEntry& entry = write->entry;
    if (entry.origin.empty() || !was_there(*write)) continue;
    if (!entry.id.empty() && entry.id != memory.id) continue;
    const std::size_t slash = entry.origin.find('/');
    const auto scope = scope_named(entry.origin.substr(0, slash));
    const auto key = scope ? key_of(*scope) : Result<std::string>(Error{});
    if (key) places.insert({*key, entry.origin.substr(slash + 1)});
  }
  return log.erase([&](const LoggedWrite& write) {
    if (write.entry.id.empty()) return was_there(write);
    return write.entry.id == memory.id;
  });
}

Result<std::vector<ArchivedMemory>> Store::archived() const { return impl_->archived(); }

Result<std::vector<ArchivedMemory>> Store::Impl::archived() const {
  std::vector<ArchivedMemory> all;
  auto state_dir = fs().open(layout.state);
  if (!state_dir) return all;
  State state(*state_dir);
  for (const Scope scope : kScopes) {
    const auto key = key_of(scope);
    if (!key) continue;
    MEMFS_ASSIGN(auto copies, archived_copies(state, scope, *key, layout.folder(scope).path));
    for (ArchivedCopy& copy : copies) {
      all.push_back({std::move(copy.memory), join_path(state.dir().path(), copy.entry.file),
                     copy.entry.instant()});
    }
  }
  return all;
}

Result<std::vector<ArchivedMemory>> Store::Impl::newest_archived() const {
  MEMFS_ASSIGN(auto everything, archived());
  std::vector<ArchivedMemory> newest;
  for (ArchivedMemory& copy : everything) {
    std::erase_if(newest, [&](const ArchivedMemory& older) {
      return older.memory.scope == copy.memory.scope && older.memory.name == copy.memory.name &&
             older.memory.id == copy.memory.id;
    });
    newest.push_back(std::move(copy));
  }
  return newest;
}

Result<Memory> Store::Impl::find_archived(std::string_view reference) const {
  MEMFS_ASSIGN(const auto copies, newest_archived());
  std::vector<Memory> memories;
  for (const ArchivedMemory& copy : copies) memories.push_back(copy.memory);
  auto wanted = resolve(memories, reference, true, now());
  if (wanted) return std::move(wanted->memory);
  Error error = std::move(wanted).error();
  if (error.code == ErrorCode::kNotFound) {
    error.message = "no archived memory is called " + escape_for_terminal(reference);
    if (error.hint.starts_with("`mem list`")) error.hint = "`mem list --archived` shows them";
  }
  // Of one name there may be several that were forgotten.
  std::string ids;
  for (const ArchivedMemory& copy : copies)
    if (error.code == ErrorCode::kConflict && !copy.memory.id.empty() &&
        error.hint.find(copy.memory.ref()) != std::string::npos)
      ids += (ids.empty() ? "" : ", ") + copy.memory.id + " (forgotten " + copy.archived + ")";
  if (!ids.empty()) error.hint = "name one of them: " + ids;
  return error;
}

Result<WriteResult> Store::recover(std::string_view reference, const Consent& consent) {
  MEMFS_ASSIGN(const Impl::Lost lost, impl_->find_lost(reference));
  return lost.archived ? impl_->bring_back(*lost.archived, consent)
                       : impl_->restore_gone(*lost.gone, "", consent);
}

Result<Store::Impl::Lost> Store::Impl::find_lost(std::string_view reference) const {
  auto archived = find_archived(reference);
  if (archived) return Lost{std::move(*archived), {}};
  if (archived.error().code != ErrorCode::kNotFound) return std::move(archived).error();
  // Nor may what is gone come back in the place of a live one of that name.
  if (find(reference, false)) return std::move(archived).error();
  auto gone = find_gone(reference);
  if (gone) return Lost{{}, std::move(*gone)};
  return gone.error().code == ErrorCode::kNotFound ? archived.error() : gone.error();
}

Result<void> check_name_free(const LockedScope& locked, const std::string& name) {
  for (const Memory& live : locked.catalogue.memories) {
    if (fold_name(live.name) != fold_name(name)) continue;
    return make_error(ErrorCode::kConflict, "its name is taken by " + live.ref())
        .at(live.path)
        .with_hint("move or forget the other one first")
        .with("holder_ref", live.ref());
  }
  return {};
}

Result<Store::Impl::Revival> Store::Impl::revive_archived(State& state, const LockedScope& locked,
                                                          const Memory& old) const {
  MEMFS_ASSIGN(auto copies, archived_copies(state, old.scope, locked.key, locked.dir->path()));
  const auto copy = std::find_if(copies.rbegin(), copies.rend(), [&](const ArchivedCopy& c) {
    return c.memory.name == old.name && c.memory.etag == old.etag;
  });
  if (copy == copies.rend())
    return make_error(ErrorCode::kConflict, "another process brought it back").at(old.path);
  MEMFS_ASSIGN(const auto same_id, other_with_id(old.id, ""));
  if (same_id) {
    return make_error(ErrorCode::kConflict, "that memory is not archived: it is " + same_id->ref())
        .at(same_id->path)
        .with_hint("`mem restore " + same_id->ref() + " --revision N` brings an older state back")
        .with("holder_ref", same_id->ref());
  }
  Revival revival;
  revival.rel = old.name + ".md";
  // Unreadable front matter comes back as it was; everything else as a new revision.
  auto bumped = compose_bump(copy->bytes, copy->memory);
  revival.bytes = bumped ? std::move(*bumped) : copy->bytes;
  revival.memory = std::move(copy->memory);
  revival.archived = copy->entry.file;
  revival.old_bytes = std::move(copy->bytes);
  return revival;
}

Result<WriteResult> Store::Impl::bring_back(const Memory& old, const Consent& consent) {
  MEMFS_ASSIGN(LockedScope locked, lock_scope(old.scope));
  MEMFS_ASSIGN(const auto state_dir, open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const Revival back, revive_archived(state, locked, old));
  MEMFS_TRY(check_name_free(locked, old.name));
  MEMFS_ASSIGN(const Memory candidate, preview(locked, back.rel, back.rel, back.bytes));
  MEMFS_TRY(check_subject(locked, candidate));
  std::vector<std::string> warnings;
  MEMFS_TRY(check_write(locked, nullptr, {}, {candidate, back.bytes}, consent, warnings));
  MEMFS_TRY(state.keep(back.memory, back.old_bytes));
  MEMFS_ASSIGN(Memory now, add_file(locked, state, back.rel, back.bytes));
  MEMFS_TRY(state.drop_archived(back.archived));
  return finish(locked, state, {Operation::kRecover}, std::move(now), std::move(warnings));
}

}  // namespace memfs
