// What was written in a folder, and taking the last of it back.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/batch_run.h"
#include "libmemfs/store/move_run.h"
#include "libmemfs/store/write_log.h"

namespace memfs {
namespace {

// When a file that no write of ours made was probably written.
Instant written_at(const Memory& memory) {
  if (memory.committed_at) return *memory.committed_at;
  if (memory.updated_at && memory.updated_at->at && memory.scope == Scope::kShared)
    return *memory.updated_at->at;
  return memory.modified;
}

Error changed_since(const Memory& memory, const WriteEntry& entry) {
  return make_error(ErrorCode::kConflict, memory.ref() + " has changed since the " +
                                              std::string(name_of(entry.operation)) +
                                              " that would be taken back")
      .at(memory.path)
      .with_hint("`mem history " + memory.ref() + "` shows its states, `mem restore " +
                 memory.ref() + " --revision N` brings one back");
}

// A state that an undo made counts as the one that it brought back.
class StatesBefore {
 public:
  explicit StatesBefore(const std::vector<WriteEntry>& entries) {
    std::unordered_map<std::string, const WriteEntry*> latest;  // by their keys
    for (const WriteEntry& entry : entries) {
      const auto taken_back = latest.find(entry.takes_back);
      // Other links of the same undo are told as taking back the move.
      const bool of_its_kind =
          taken_back != latest.end() && (taken_back->second->operation == Operation::kRelink) ==
                                            (entry.operation == Operation::kRelink);
      if (of_its_kind && !entry.after.empty())
        brought_back_[entry.after] = taken_back->second->before;
      latest[write_key(entry)] = &entry;
    }
  }
  bool same(const std::string& a, const std::string& b) const { return first(a) == first(b); }

 private:
  std::string first(std::string etag) const {
    for (std::size_t i = 0; i <= brought_back_.size(); ++i) {
      const auto found = brought_back_.find(etag);
      if (found == brought_back_.end()) break;
      etag = found->second;
    }
    return etag;
  }
  std::map<std::string, std::string> brought_back_{};
};

}  // namespace

Result<std::string> Store::Impl::key_of(Scope scope) const {
  MEMFS_ASSIGN(const std::string real, fs().real_path(layout.folder(scope).path));
  return scope_key(scope, real);
}

std::string Store::Impl::place() const { return place_key(layout); }

std::vector<WriteEntry> Store::Impl::logged(bool from_here) const {
  std::vector<WriteEntry> entries;
  const auto state_dir = fs().open(layout.state);
  if (!state_dir) return entries;
  std::set<std::string> keys;
  for (const Scope scope : kScopes)
    if (const auto key = key_of(scope)) keys.insert(*key);
  const std::string here = place();
  for (LoggedWrite& write : WriteLog(*state_dir).read()) {
    const bool foreign = write.entry.scope == Scope::kGlobal && write.place != here;
    if (keys.contains(write.scope_key) && !(from_here && foreign))
      entries.push_back(std::move(write.entry));
  }
  return entries;
}

Result<std::vector<WriteEntry>> Store::log(const LogFilter& filter) const {
  std::vector<WriteEntry> entries = impl_->logged();
  std::set<std::string> known;
  for (const WriteEntry& entry : entries) known.insert(entry.after);
  MEMFS_ASSIGN(const Listing listing, impl_->list(filter.scopes));
  std::vector<WriteEntry> outside;
  for (const Memory& memory : listing.memories) {
    if (known.contains(memory.etag)) continue;
    WriteEntry entry;
    entry.operation = Operation::kByHand;
    entry.at = written_at(memory);
    entry.scope = memory.scope;
    entry.name = memory.name;
    entry.id = memory.id;
    entry.revision = memory.revision;
    entry.after = memory.etag;
    outside.push_back(std::move(entry));
  }
  std::reverse(entries.begin(), entries.end());  // later lines first among equal times
  entries.insert(entries.end(), outside.begin(), outside.end());
  std::erase_if(entries, [&](const WriteEntry& entry) {
    const bool in_scope =
        filter.scopes.empty() ||
        std::find(filter.scopes.begin(), filter.scopes.end(), entry.scope) != filter.scopes.end();
    return !in_scope || (filter.since && entry.at < *filter.since) ||
           (!filter.by.empty() && entry.by != filter.by);
  });
  std::stable_sort(entries.begin(), entries.end(),
                   [](const WriteEntry& a, const WriteEntry& b) { return a.at > b.at; });
  return entries;
}

Result<WriteEntry> Store::Impl::newest_write(std::string_view reference) const {
  Memory memory;
  if (!reference.empty()) {
    MEMFS_ASSIGN(Remembered found, find_with_history(reference));
    memory = std::move(found.memory);
  }
  const auto fits = [&](const WriteEntry& entry) {
    if (!entry.takes_back.empty() || entry.undone || entry.operation == Operation::kByHand)
      return false;
    // Goes back with the move that it followed.
    if (entry.operation == Operation::kRelink) return false;
    return reference.empty() || entry.ref() == memory.ref() ||
           (!memory.id.empty() && entry.id == memory.id);
  };
  const auto entries = logged(reference.empty());
  const auto last = std::find_if(entries.rbegin(), entries.rend(), fits);
  if (last == entries.rend()) {
    return make_error(ErrorCode::kNotFound, "there is no change to take back")
        .with_hint("`mem log` lists what was written");
  }
  if (last->operation == Operation::kPurge) {
    return make_error(ErrorCode::kRefused,
                      "the last change was a purge, and what it erased is gone")
        .with_hint("`mem undo REF` takes back what was written last of another memory");
  }
  return *last;
}

Result<UndoResult> Store::undo(std::string_view reference, const Consent& consent) {
  MEMFS_ASSIGN(const WriteEntry last, impl_->newest_write(reference));
  impl_->taking_back = write_key(last);
  auto result = impl_->take_back(*this, last, reference.empty(), consent);
  impl_->taking_back.clear();
  return result;
}

// The very bytes that were forgotten, whatever has been archived under the name since; else, when
// they came back and were forgotten again, the newest.
Result<WriteResult> Store::Impl::bring_back_forgotten(Store& store, const WriteEntry& entry,
                                                      const Consent& consent) {
  MEMFS_ASSIGN(const auto copies, archived());
  for (const ArchivedMemory& copy : copies)
    if (copy.memory.ref() == entry.ref() && copy.memory.etag == entry.before)
      return bring_back(copy.memory, consent);
  return store.recover(entry.id.empty() ? entry.ref() : entry.id, consent);
}

// All that went with one move, with the links that lead to it.
Result<UndoResult> Store::Impl::move_back(const WriteEntry& entry, const Consent& consent) {
  const auto entries = logged();
  const StatesBefore states(entries);
  MoveRun run(*this, consent, false);
  MEMFS_TRY(run.lock(scope_named(entry.origin.substr(0, entry.origin.find('/')))));
  std::vector<WriteEntry> moves;
  for (const WriteEntry& one : entries) {
    const bool same =
        write_key(one) == write_key(entry) || (!entry.batch.empty() && one.batch == entry.batch);
    if (!same || one.undone) continue;
    run.bring_texts_back(one);
    if (one.operation == Operation::kMove) moves.push_back(one);
  }
  MEMFS_ASSIGN(const auto wanted, run.wanted_back(moves));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!states.same(wanted[i].memory.etag, moves[i].after))
      return changed_since(wanted[i].memory, moves[i]);
  if (wanted.empty())
    return make_error(ErrorCode::kCorrupt, "the log does not tell where it came from");
  MEMFS_ASSIGN(MoveResult moved, run.run(wanted));
  UndoResult result;
  result.undone = entry;
  result.moved_back = moved.moved.size();
  WriteResult& written = result.written.emplace();
  written.memory = std::move(moved.moved.front().after);
  written.changed = true;
  written.usage = moved.usage;
  written.warnings = std::move(moved.warnings);
  for (const LeftLink& link : moved.left)
    written.warnings.push_back(link.ref + ":" + std::to_string(link.line) + ": " + link.text +
                               " was left as it is: " + link.why);
  return result;
}

// All writes of one batch that are not taken back yet, all or none of them.
Result<UndoResult> Store::Impl::batch_back(const WriteEntry& entry, const Consent& consent) {
  const auto entries = logged();
  const StatesBefore states(entries);
  std::vector<WriteEntry> writes;
  for (const WriteEntry& one : entries)
    if (one.batch == entry.batch && !one.undone) writes.push_back(one);
  BatchRun run(*this);
  MEMFS_TRY(run.lock({}));
  const auto is_the_same = [&](const Memory& memory, const WriteEntry& write) {
    return states.same(memory.etag, write.after) ? Result<void>() : changed_since(memory, write);
  };
  MEMFS_ASSIGN(const BatchResult back, run.run_back(writes, is_the_same, consent));
  UndoResult result;
  result.undone = entry;
  for (const WriteEntry& one : writes)
    if (write_key(one) != write_key(entry)) result.others.push_back(one);
  // What became of the newest of them, and what is to be said of any.
  const BatchOutcome& newest = back.items.back();
  if (newest.written) result.written = newest.written;
  if (newest.forgotten) {
    result.archived_as = newest.forgotten->archived_as;
    result.archived_ref = newest.forgotten->ref;
  }
  return result;
}

Result<UndoResult> Store::Impl::take_back(Store& store, const WriteEntry& entry, bool whole,
                                          const Consent& consent) {
  if (whole && !entry.batch.empty() && entry.operation != Operation::kMove)
    return batch_back(entry, consent);
  UndoResult result;
  result.undone = entry;
  const std::string reference = entry.id.empty() ? entry.ref() : entry.id;
  if (entry.operation == Operation::kForget) {
    MEMFS_ASSIGN(result.written, bring_back_forgotten(store, entry, consent));
    return result;
  }
  if (entry.operation == Operation::kMove) return move_back(entry, consent);
  MEMFS_ASSIGN(Target target, lock_target(reference));
  const StatesBefore states(logged());
  if (!states.same(target.memory.etag, entry.after)) return changed_since(target.memory, entry);
  // A memory that was new, or was back from the archive, goes there.
  if (entry.before.empty()) {
    target.locked.lock.reset();
    MEMFS_ASSIGN(const ForgetResult gone, store.forget(reference, false, target.memory.etag));
    result.archived_as = gone.archived_as;
    result.archived_ref = gone.ref;
    return result;
  }
  auto restored = restore_in(target, entry.before, consent);
  // A repair made the file readable; the state before is one that no write leaves behind.
  if (!restored && entry.operation == Operation::kFix &&
      restored.error().code == ErrorCode::kInvalid)
    restored.error().message =
        "the state before the repair does not come back, since it cannot be read: " +
        restored.error().message;
  MEMFS_ASSIGN(result.written, std::move(restored));
  // Only identity or number were new, and those stay; but it is taken back.
  if (!result.written->changed) {
    MEMFS_ASSIGN(const auto state_dir, open_state());
    State state(state_dir);
    (void)log_write(target.locked, state, {Operation::kRestore, &target.memory}, &target.memory);
  }
  return result;
}

}  // namespace memfs
