// One scope during an import: its memories, by all that may tell them, and what is written into it.
#pragma once

#include <memfs/store.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/store/import_ledger.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {

// A new file that is staged, with what is to be remembered of it once it has its name.
struct StagedMemory {
  Memory memory;  // with its body
  std::string bytes;
  ImportedItem imported;
  std::size_t item = 0;  // its place in the report
};

class IntakeRoom {
 public:
  using Impl = StoreInside::Impl;

  // Locks the scope and makes its folder; a dry run does neither.
  static Result<std::unique_ptr<IntakeRoom>> open(Impl& impl, Scope scope, bool dry_run);

  Scope scope() const { return locked_.scope; }
  const LockedScope& locked() const { return locked_; }
  // Whether there is a folder yet.
  bool exists() const { return locked_.dir != nullptr; }
  const ImportLedger& ledger() const { return ledger_; }
  Usage& usage() { return usage_; }
  const Usage& usage_before() const { return usage_before_; }
  bool was_empty() const { return usage_before_.entries == 0; }

  // Memories are known by their number; numbers stay.
  const Memory& memory(std::size_t number) const { return locked_.catalogue.memories[number]; }
  std::optional<std::size_t> with_id(const std::string& id) const;
  std::optional<std::size_t> with_name(const std::string& name) const;  // as file names are equal
  std::vector<std::size_t> with_source(const std::string& source) const;
  std::vector<std::size_t> with_title(const std::string& title) const;
  // Whose entry_text() is this: reads all memories when it is first asked. Of this import none.
  std::vector<std::size_t> with_entry(const std::string& text);
  bool holds_subject(const std::string& subject) const { return by_subject_.contains(subject); }
  // Names and ids that are given to items of this import and are no memories yet count as taken.
  bool has_name(const std::string& name) const;
  bool has_id(const std::string& id) const;
  void reserve(const std::string& name, const std::string& id);
  // Whether no item of this import is that memory yet.
  bool is_free(std::size_t number) const { return !claimed_.contains(number); }
  void claim(std::size_t number) { claimed_.insert(number); }

  std::string path_of(const std::string& rel) const;
  // What is in the way of a new file: a conflict with something that is no memory.
  Result<void> check_place(const std::string& rel) const;

  void add(const Memory& memory);
  void change(std::size_t number, const Memory& memory);

  Result<void> stage(StagedMemory staged);
  bool is_full() const;  // enough is staged for one sync
  // Gives the staged files their names and tells history, log and ledger of them. What could not
  // be given its name is told by `failed(item, error)`.
  using Failed = std::function<void(std::size_t item, const Error& error)>;
  Result<void> publish(Impl& impl, const std::string& batch, const Failed& failed);
  // Puts new bytes in place of a memory's, durably, its old ones into history first.
  Result<Memory> replace(Impl& impl, std::size_t number, const std::string& old,
                         const std::string& bytes, const std::string& batch);
  void note_import(ImportedItem item) { imported_.push_back(std::move(item)); }
  // The page, at the end.
  void finish(Impl& impl, std::vector<std::string>& warnings);

 private:
  void index(std::size_t number);
  Result<std::vector<Result<void>>> keep_and_name(State& state,
                                                  const std::vector<StagedMemory>& staged);

  LockedScope locked_{};
  std::shared_ptr<Directory> state_{};  // nullptr in a dry run without one
  ImportLedger ledger_{};
  Usage usage_before_{}, usage_{};
  std::unordered_map<std::string, std::size_t> by_id_{}, by_name_{};
  std::unordered_multimap<std::string, std::size_t> by_source_{}, by_title_{}, by_subject_{};
  std::optional<std::unordered_multimap<std::string, std::size_t>> by_entry_{};  // hashes
  std::set<std::size_t> claimed_{};
  std::set<std::string> reserved_names_{}, reserved_ids_{};
  bool changed_ = false;

  std::optional<StagedFiles> files_{};
  std::vector<StagedMemory> staged_{};
  std::vector<ImportedItem> imported_{};  // for the ledger
};

}  // namespace memfs
