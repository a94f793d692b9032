// What the rooms above the store need of its inside: recall the search index of its scopes, check
// everything (store_impl.h).
#pragma once

#include <memfs/store.h>

#include <memory>
#include <set>
#include <vector>

#include "index/snapshot.h"
#include "libmemfs/store/recall_counts.h"
#include "libmemfs/store/scope_index.h"

namespace memfs {

// The scopes of a store at one moment, as one index.
struct StoreSnapshot {
  index::Snapshot documents;
  std::vector<ScopeIndex*> scopes{};  // by source number; owned by the store
  std::vector<std::shared_ptr<Directory>> folders{};
  std::vector<Problem> problems{};   // of the folders; those of documents are theirs
  std::vector<std::string> notes{};  // about the index itself
  bool complete = true;              // every scope that is there could be read

  std::optional<Memory> memory(index::DocumentId id, Problem* problem) const {
    return memory_of(documents, id, *scopes[documents.source(id)], problem);
  }
};

class StoreInside {
 public:
  using Impl = Store::Impl;
  static Impl& of(Store& store) { return *store.impl_; }
  static const Impl& of(const Store& store) { return *store.impl_; }

  // Brings the indexes of the scopes (all usable ones by default) in step with their files.
  static StoreSnapshot snapshot(const Store& store, const std::vector<Scope>& scopes);
  // As Store::read(), among the memories of the snapshot (of all scopes).
  static Result<Found> read(const Store& store, const StoreSnapshot& snapshot,
                            std::string_view reference);
  // Whether there is a file with that absolute path, of whatever kind.
  static bool exists(const Store& store, const std::string& path);
  // After damage came to light: the next snapshot() makes the indexes anew.
  static void discard(const StoreSnapshot& snapshot);

  static RecallCounts recalls(const Store& store, Scope scope);
  static void count_history(const Store& store, const std::set<std::string>& histories,
                            std::uint64_t& files, std::uint64_t& bytes);
  static std::size_t logged(const Store& store);
};

}  // namespace memfs
