// The inside of Store, shared by store.cc, store_write.cc, store_archive.cc and check.cc.
#pragma once

#include <memfs/store.h>

#include <array>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_lock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/base/journal.h"
#include "libmemfs/store/catalogue.h"
#include "libmemfs/store/state.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

// A scope that is locked for a write: its directory and its memories as they are now.
struct LockedScope {
  Scope scope = Scope::kPrivate;
  std::string key;  // scope_key()
  std::shared_ptr<Directory> dir{};
  std::unique_ptr<HeldLock> lock{};
  Catalogue catalogue{};
};

// A scope's folder, open for reading.
struct OpenScope {
  Scope scope = Scope::kPrivate;
  std::shared_ptr<Directory> dir{};
};

struct Store::Impl {
  Layout layout;
  Services services;
  mutable std::array<std::unique_ptr<ScopeIndex>, 3> indexes{};  // made when first needed
  mutable std::shared_ptr<const CommitTimes> commit_times{};

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
  StoreSnapshot snapshot(const std::vector<Scope>& scopes) const;
  Result<Catalogue> catalogue(Scope scope, Directory& dir) const {
    return load_catalogue(scope_index(scope), dir);
  }
  // The memory that a reference means, without its body, looked up in the index.
  Result<Found> find(std::string_view reference, bool for_write) const;

  // Writing. lock_scope() makes the scope's folder if needed. Interrupted operations are finished
  // before the first lock is taken, since that takes the locks of all scopes.
  Result<LockedScope> lock_scope(Scope scope);
  Result<LockedScope> lock_without_recovery(Scope scope);
  Result<std::unique_ptr<HeldLock>> lock_only(Scope scope, std::shared_ptr<Directory>& dir);
  Result<void> finish_interrupted();
  // The memory that `reference` means, in its locked scope.
  struct Target {
    LockedScope locked;
    Memory memory;
  };
  Result<Target> lock_target(std::string_view reference);
  // The file's bytes if they are still what `memory` was read from; kConflict otherwise.
  Result<std::string> reread(LockedScope& locked, const Memory& memory);
  Result<void> check_expectations(LockedScope& locked, State& state, const Memory& memory,
                                  const std::string& bytes, const Change& change);
  Result<void> check_subject(const LockedScope& locked, const Memory& candidate) const;
  // Puts `bytes` in place of `old`, history first; then the seal and INDEX.md.
  Result<Memory> replace(LockedScope& locked, State& state, const Memory& memory,
                         const std::string& old, const std::string& bytes);
  Result<Memory> add_file(LockedScope& locked, State& state, const std::string& rel,
                          const std::string& bytes);
  std::string fresh_id(const std::vector<Memory>& memories, std::string_view seed) const;
  // After a change of `before` (nullptr: new) to `after` (nullptr: gone): the catalogue and the
  // page. Problems with the page are warnings, the memory itself is safe by then.
  void note_change(LockedScope& locked, const Memory* before, const Memory* after,
                   std::vector<std::string>& warnings);
  Result<WriteResult> finish(LockedScope& locked, State& state, const Memory* before, Memory after);
  Result<IndexReport> renew_index(Directory& dir, Scope scope, const Catalogue& catalogue,
                                  bool check_only);
};

// A memory read from bytes that are not on disk yet.
Result<Memory> preview(const LockedScope& locked, const std::string& name_rel,
                       const std::string& file_rel, const std::string& bytes);
// kInvalid, naming the problem, if a problem of the memory forbids writing these fields.
Result<void> check_writable(const Memory& memory, const std::vector<FieldEdit>& fields);
Usage usage_of(const Catalogue& catalogue);
// A scope that cannot be read, as a problem: it must not take the other scopes with it.
Problem scope_problem(const Error& error);

}  // namespace memfs
