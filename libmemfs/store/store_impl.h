// The inside of Store, shared by the files store*.cc and write_checks.cc, and by the room check
// through StoreInside.
#pragma once

#include <memfs/store.h>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_lock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/base/journal.h"
#include "libmemfs/lifecycle/near_duplicate.h"
#include "libmemfs/store/catalogue.h"
#include "libmemfs/store/recall_counts.h"
#include "libmemfs/store/state.h"
#include "libmemfs/store/store_inside.h"
#include "libmemfs/store/write_log.h"

namespace memfs {

struct Duplicate {
  Memory memory;
  Likeness likeness;
  const std::string* planned = nullptr;  // the bytes of one that is not on disk yet
};

// A write as the log will tell it.
struct Written {
  Operation operation = Operation::kUpdate;
  const Memory* before = nullptr;  // nullptr: there was none
  std::string origin{};            // see WriteEntry
  std::string before_etag{};       // where `before` was elsewhere
  std::string batch{};             // see WriteEntry
  std::string takes_back{};        // the same; "": what Impl::taking_back says
};

// A scope that is locked for a write: its directory and its memories as they are now.
struct LockedScope {
  Scope scope = Scope::kPrivate;
  std::string key;  // scope_key()
  std::shared_ptr<Directory> dir{};
  std::unique_ptr<HeldLock> lock{};
  Catalogue catalogue{};
};

// One of several scopes that a write needs together.
struct LockedRoom {
  LockedScope locked{};
  std::optional<Error> closed{};  // why it cannot be written
};
using LockedRooms = std::map<Scope, LockedRoom>;  // of the scopes that are there

// What a batch is about to make of the memories that are on disk.
struct Planned {
  struct Next {
    const Memory* memory;  // with its body
    const std::string* bytes;
  };
  std::set<Scope> locked{};      // read a moment ago
  std::set<std::string> gone{};  // paths of those that change or go
  std::vector<Next> next{};      // and what comes
};

// A scope's folder, open for reading.
struct OpenScope {
  Scope scope = Scope::kPrivate;
  std::shared_ptr<Directory> dir{};
};

struct Store::Impl {
  // A memory in its locked scope.
  struct Target {
    LockedScope locked;
    Memory memory;
  };

  class MoveRun;   // move_run.h
  class BatchRun;  // batch_run.h

  Layout layout;
  Services services;
  mutable std::array<std::unique_ptr<ScopeIndex>, 3> indexes{};  // made when first needed
  mutable std::shared_ptr<const CommitTimes> commit_times{};
  std::unique_ptr<StoreWatch> watch{};  // see Store::keep_warm()

  FileSystem& fs() const { return *services.fs; }
  Instant now() const { return services.clock->now(); }

  // Reading.
  Result<std::shared_ptr<Directory>> scope_dir(Scope scope) const;
  // Of the given scopes (all by default) those that have a folder, nearest first.
  std::vector<OpenScope> open_scopes(const std::vector<Scope>& scopes,
                                     std::vector<Problem>& problems) const;
  Result<Listing> list(const std::vector<Scope>& scopes) const;
  Result<std::shared_ptr<Directory>> open_state() const;
  ScopeIndex& scope_index(Scope scope) const;
  ScopeIndex& scope_index_alone(Scope scope) const;  // without git's times
  // `fresh`: scopes that are locked and were read a moment ago.
  StoreSnapshot snapshot(const std::vector<Scope>& scopes, const std::set<Scope>& fresh = {}) const;
  Result<Catalogue> catalogue(Scope scope, Directory& dir) const {
    return load_catalogue(scope_index(scope), dir);
  }
  // The memory that a reference means, without its body, looked up in the index.
  Result<Found> find(std::string_view reference, bool for_write) const;
  // Without a look for names that are similar, which costs a listing of everything.
  Result<Found> find_indexed(const StoreSnapshot& here, std::string_view reference,
                             bool for_write) const;
  Result<Found> find_in(const StoreSnapshot& here, std::string_view reference,
                        bool for_write) const;

  // The memory of exactly that name, in the scope or in whichever has it; kConflict for several.
  Result<std::optional<Memory>> named_exactly(const StoreSnapshot& here, const std::string& name,
                                              std::optional<Scope> scope) const;
  // A NewMemory or a BatchUpdate.
  Result<BatchItem> meant_by(const SaveWish& wish, const StoreSnapshot& here) const;
  Result<WriteResult> save_change(Store& store, const SaveWish& wish, const Memory& memory);

  // kRefused for a store that only reads.
  Result<void> check_may_write() const;
  // Writing. lock_scope() makes the scope's folder if needed. Interrupted operations are finished
  // before the first lock is taken, since that takes the locks of all scopes.
  Result<LockedScope> lock_scope(Scope scope);
  Result<LockedScope> lock_without_recovery(Scope scope);
  Result<std::unique_ptr<HeldLock>> lock_only(Scope scope, std::shared_ptr<Directory>& dir);
  // All scopes that are there, and those in `made`, which are made; in the fixed order, for a write
  // on several of them. What cannot be written is closed, unless it is in `made`. A dry run locks
  // and makes nothing.
  Result<LockedRooms> lock_rooms(const std::set<Scope>& made, bool dry_run);
  Result<void> finish_interrupted();
  // The memory that `reference` means.
  Result<Target> lock_target(std::string_view reference);
  // The file's bytes if they are still what `memory` was read from; kConflict otherwise.
  Result<std::string> reread(LockedScope& locked, const Memory& memory);
  Result<void> check_expectations(LockedScope& locked, State& state, const Memory& memory,
                                  const std::string& bytes, const Change& change);
  Result<void> check_subject(const LockedScope& locked, const Memory& candidate) const;
  // Whether `next` may take the place of `before` (nullptr: new): budget and guard.
  struct NextState {
    const Memory& memory;
    std::string_view bytes;
  };
  Result<void> check_write(const LockedScope& locked, const Memory* before,
                           std::string_view old_bytes, const NextState& next,
                           const Consent& consent, std::vector<std::string>& warnings) const;
  Result<void> check_guard(const Memory* before, std::string_view old_bytes, const NextState& next,
                           const Consent& consent, std::vector<std::string>& warnings) const;
  Result<void> check_budget(const LockedScope& locked, const Memory* before, const Memory& after,
                            std::vector<std::string>& warnings) const;
  // Whether a scope with these memories may go from one usage to another.
  Result<void> check_usage(Scope scope, const std::vector<Memory>& memories, const Usage& before,
                           const Usage& after, std::vector<std::string>& warnings) const;
  // kRefused for a near-duplicate that must not be; a result if nothing is to be written at all.
  Result<std::optional<WriteResult>> check_duplicate(const LockedScope& locked,
                                                     const NewMemory& wish, const Memory& candidate,
                                                     const Planned& planned,
                                                     std::vector<std::string>& warnings) const;
  // The memory of any scope that says most nearly what `candidate` says.
  std::optional<Duplicate> find_duplicate(Scope scope, const Memory& candidate,
                                          const Planned& planned) const;
  // A new memory as it would be among those of its scope.
  struct Draft {
    std::string slug{};      // the title's own name
    bool taken = false;      // another one has it
    bool is_chosen = false;  // the wish names it, and it gets no other
    std::string name{}, bytes{};
    std::string id{};
    Memory candidate{};
  };
  Result<Draft> draft(const LockedScope& locked, const NewMemory& wish) const;
  // Puts `bytes` in place of `old`, history first; then the seal and INDEX.md.
  Result<Memory> replace(LockedScope& locked, State& state, const Memory& memory,
                         const std::string& old, const std::string& bytes);
  Result<Memory> add_file(LockedScope& locked, State& state, const std::string& rel,
                          const std::string& bytes);
  // A live memory of any scope that has the id, but for the one at `path`; none for an empty id.
  Result<std::optional<Memory>> other_with_id(const std::string& id, const std::string& path) const;
  std::string fresh_id(const std::vector<Memory>& memories, std::string_view seed) const;
  // After a change of `before` (nullptr: new) to `after` (nullptr: gone): the catalogue and the
  // page. Problems with the page are warnings, the memory itself is safe by then.
  void note_change(LockedScope& locked, const Memory* before, const Memory* after,
                   std::vector<std::string>& warnings);
  void renew_page(const LockedScope& locked, std::vector<std::string>& warnings);
  // Tells the log of a write that stands, drops what the policy for history does not hold, and
  // adds what there is to say of it.
  WriteResult note_write(LockedScope& locked, State& state, const Written& written, Memory after,
                         std::vector<std::string> warnings);
  // The same, then the catalogue, the page and the usage.
  Result<WriteResult> finish(LockedScope& locked, State& state, const Written& written,
                             Memory after, std::vector<std::string> warnings);
  // Purging: whether it may be, all that is kept of a memory, its lines in the log; and a memory
  // that is in the archive only.
  Result<void> check_purge(const Memory& memory, const std::string& path) const;
  Result<void> erase_traces(const LockedScope& locked, State& state, const Memory& memory);
  Result<ForgetResult> purge_archived(std::string_view reference);
  Result<void> erase_from_log(const LockedScope& locked, State& state, const Memory& memory);
  LoggedWrite entry_of(const LockedScope& locked, const Written& written,
                       const Memory* after) const;
  Result<void> log_write(LockedScope& locked, State& state, const Written& written,
                         const Memory* after);
  // The path every change of a whole file takes once its new bytes are known.
  Result<WriteResult> put_in_place(LockedScope& locked, State& state, const Written& written,
                                   const std::string& old, const std::string& bytes,
                                   const Consent& consent);
  Result<WriteResult> unchanged(const LockedScope& locked, const Memory& memory) const;
  // The newest copy of an archived memory that `reference` means.
  Result<Memory> find_archived(std::string_view reference) const;
  Result<WriteResult> bring_back(const Memory& archived, const Consent& consent);
  // A memory that has no file, on its way back.
  struct Revival {
    Operation operation = Operation::kRecover;
    Memory memory{};             // as it was
    std::string rel{}, bytes{};  // its file
    // The archived copy, in the state directory, and its bytes; empty: there is none.
    std::string archived{}, old_bytes{};
    std::optional<Revision> restored{};
    std::optional<Deletion> deletion{};
  };
  Result<Revival> revive_archived(State& state, const LockedScope& locked, const Memory& old) const;
  Result<WriteResult> bring_back_forgotten(Store& store, const WriteEntry& entry,
                                           const Consent& consent);
  Result<WriteResult> restore_in(Target& target, std::string_view label, const Consent& consent);
  // From the old bytes of a memory, and an id in case it needs one, to the new bytes.
  using Compose = std::function<Result<std::string>(const std::string& old, const Memory& memory,
                                                    const std::string& new_id)>;
  // Lock, re-read, compare with what `change` expects, compose, put in place.
  Result<WriteResult> rewrite(std::string_view reference, Operation operation, const Change& change,
                              const Compose& compose);
  // What a file that differs from our last write of it was before: the log learns of the hand edit.
  void log_purge(const LockedScope& locked, State& state);
  void log_hand_edit(LockedScope& locked, State& state, const Memory& memory);
  // A memory that has a history: live, archived or gone.
  struct Remembered {
    Memory memory;
    bool live = true;
    std::optional<Deletion> deletion{};
  };
  Result<Remembered> find_with_history(std::string_view reference) const;
  Memory as_known(Memory memory) const;
  // Memories whose files were removed by other means than `forget`, as the log last saw them.
  Result<std::vector<Memory>> vanished() const;
  Result<WriteResult> restore_gone(const Remembered& gone, std::string_view label,
                                   const Consent& consent);
  Result<Revival> revive_gone(const Remembered& gone, std::string_view label) const;
  // What recover() means by a reference: one of the two.
  struct Lost {
    std::optional<Memory> archived{};
    std::optional<Remembered> gone{};
    Scope scope() const { return archived ? archived->scope : gone->memory.scope; }
  };
  Result<Lost> find_lost(std::string_view reference) const;
  // An older state of a memory as the next one.
  struct Restoration {
    RevisionText wanted{};
    std::string bytes{};
  };
  Result<Restoration> compose_restoration(const Memory& memory, const std::string& old,
                                          std::string_view label) const;
  // Neither live nor archived: as git's commits or the log last saw it.
  Result<Remembered> find_gone(std::string_view reference) const;
  // A shared memory that a commit deleted, as it was before. kConflict if several fit.
  Result<Remembered> find_deleted(std::string_view reference) const;
  // What git's commits hold of a shared memory, newest first, each with its etag and number.
  // `known`: etags of states that are kept, to which git may only have changed the newlines.
  std::vector<Revision> committed_revisions(const Memory& memory,
                                            const std::set<std::string>& known) const;
  // References and ids of all that is live or archived.
  Result<std::set<std::string>> known_memories() const;
  // Newest first; the first is the present state of the file, or the archived one.
  Result<std::vector<Revision>> revisions_of(const Memory& memory, bool live) const;
  Result<RevisionText> text_of(const Memory& memory, const std::vector<Revision>& revisions,
                               std::string_view label) const;
  Result<std::string> bytes_of_revision(const Memory& memory, const Revision& revision) const;
  Result<std::vector<ArchivedMemory>> archived() const;
  // The newest copy of each archived memory.
  Result<std::vector<ArchivedMemory>> newest_archived() const;
  Result<std::string> key_of(Scope scope) const;  // scope_key()
  // From where this store writes, as a hash: all worktrees of a project are one place.
  std::string place() const;
  // The log of the scopes of this layout, oldest first; with `from_here` without what other
  // projects wrote in the global scope.
  std::vector<WriteEntry> logged(bool from_here = false) const;
  Result<WriteEntry> newest_write(std::string_view reference) const;
  // With `whole` all that was written with it in one batch.
  Result<UndoResult> take_back(Store& store, const WriteEntry& entry, bool whole,
                               const Consent& consent);
  Result<UndoResult> move_back(const WriteEntry& entry, const Consent& consent);
  Result<UndoResult> batch_back(const WriteEntry& entry, const Consent& consent);
  void note_recalls(const std::vector<const Memory*>& memories, Recall kind) const;
  std::string taking_back{};  // during undo(): the write that it takes back
  Result<void> keep_foreign_page(Scope scope, const std::string& page) const;
  void seal_page(Scope scope, const std::string& page) const;
  Result<IndexReport> renew_index(Directory& dir, Scope scope, const Catalogue& catalogue,
                                  bool check_only);
};

// Adds to the kept states, of which the first is the present one, what the commits tell of them,
// and the states that only commits have.
void add_committed(std::vector<Revision>& revisions, const std::vector<Revision>& committed);
// A memory read from bytes that are not on disk yet.
Result<Memory> preview(const LockedScope& locked, const std::string& name_rel,
                       const std::string& file_rel, const std::string& bytes);
// kInvalid, naming the problem, if a problem of the memory forbids writing these fields.
Result<void> check_writable(const Memory& memory, const std::vector<FieldEdit>& fields);
// kUsage for a name that links or other systems cannot have.
Result<void> check_new_name(const std::string& name);
// For a new memory that must have the title's own name.
Error name_is_taken(Scope scope, const std::string& slug);
// What there is to say of a memory that was verified, but is expired.
std::string still_expired(const Memory& memory);
// kConflict if a memory of the scope has that name.
Result<void> check_name_free(const LockedScope& locked, const std::string& name);
// kConflict if the memory's file has not this etag; "" fits every file.
Result<void> check_etag(const Memory& memory, const std::string& if_match);
Usage usage_of(const Catalogue& catalogue, const Budget& budget);
// Adds a memory to a usage, or takes it out.
void count(Usage& usage, const Memory& memory, bool add);
// Of a new file, or folder, in a scope.
std::uint32_t file_mode(Scope scope);
std::uint32_t folder_mode(Scope scope);
// Drops the kept states of one folder of the history that the policy does not hold, but for those
// with an etag in `present`: files hold them, and a hand edit replaces them without keeping them.
Result<PruneReport> prune_kept(State& state, const std::string& history,
                               const HistoryPolicy& policy, Instant now, bool dry_run,
                               const std::set<std::string>& present);
// A scope that cannot be read, as a problem: it must not take the other scopes with it.
Problem scope_problem(const Error& error);

}  // namespace memfs
