// Several writes as one: planned under the locks of all scopes, held against the rules in the state
// that they lead to, then all files by one journal. Used by Store::batch() and by the undo of one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libmemfs/store/store_impl.h"

namespace memfs {

class Store::Impl::BatchRun {
 public:
  explicit BatchRun(Impl& impl) : impl_(impl) {}

  // The folders of all scopes that are there, and of those in `made`, which are made.
  Result<void> lock(const std::set<Scope>& made);
  std::vector<const Memory*> memories() const;
  // REQUIRES: locked; called once, as is run_back().
  Result<BatchResult> run(const std::vector<BatchItem>& items);
  // Takes writes back of which the log tells. `is_the_same` fails for a memory that has changed
  // since.
  using SameState = std::function<Result<void>(const Memory&, const WriteEntry&)>;
  Result<BatchResult> run_back(const std::vector<WriteEntry>& writes, const SameState& is_the_same,
                               const Consent& consent);

 private:
  // What one item does to one memory.
  struct Step {
    std::size_t item = 0;
    Operation operation = Operation::kUpdate;
    Scope scope = Scope::kPrivate;
    std::optional<Memory> before{};  // with its body; nullopt: it has no file
    std::optional<Memory> after{};   // the same; nullopt: it goes
    std::string old_bytes{}, new_bytes{};
    std::string rel{};  // of the file that gets the new bytes
    std::optional<Revival> revived{};
    State::ArchivePlace archived{};  // of the copy of what goes
    Consent consent{};
    std::string takes_back{};  // see WriteEntry
    bool claims = false;       // a subject that it did not have, or no longer had
    WriteResult told{};        // `changed`: bytes on disk will
  };

  // An error with the item's number.
  Result<void> blamed_on(std::size_t item, Result<void> done) const;
  Result<LockedScope*> open(Scope scope);
  // The memory that a reference means, with its bytes.
  Result<void> find(Step& step, std::string_view reference);
  Error means_a_new_one(std::string_view reference, Error error) const;
  Result<void> rewrite(Step& step, const Change& change, const Compose& compose);
  void note_claim(Step& step) const;
  // What the items mean, each a new memory or a change; and the names of the former.
  Result<std::vector<BatchItem>> read(const std::vector<BatchItem>& items);
  Result<void> forget(Step& step, const std::string& if_match);
  Result<void> revive(Step& step, const Lost& lost);
  Result<void> take_back(Step& step, const WriteEntry& write, const SameState& is_the_same);
  Result<void> restore(Step& step, const std::string& label);
  Result<Lost> forgotten_by(const WriteEntry& write) const;
  Result<void> plan(Step& step, const BatchItem& item);
  Result<void> plan_all(const std::vector<BatchItem>& items);
  Result<void> plan_new(Step& step, const NewMemory& wish);
  Result<void> choose_name(Step& step, const LockedScope& locked, const Draft& draft) const;

  // The checks. The catalogues become those of the final state, the new memories last.
  void take_out_what_changes();
  Result<void> check_changes();
  Result<void> check_claim(Step& step);
  Result<void> check_guard(Step& step) const;
  Result<void> check_budgets();
  Result<void> check_budget(Scope scope);
  std::size_t blamed_for(Scope scope, Usage after) const;
  bool is_left(const LockedScope& locked, const std::string& rel) const;
  Planned planned() const;
  void add_to_catalogue(const Step& step);

  Result<BatchResult> finish();
  Result<void> commit();
  std::vector<FileChange> changes() const;
  void record(const std::string& batch);
  void record_forgotten(const Step& step, const Written& written);
  void record_written(Step& step, const Written& written);
  BatchResult result() const;

  Impl& impl_;
  std::size_t count_ = 0;  // of items
  LockedRooms rooms_{};
  std::map<Scope, Usage> found_{};  // before the batch
  std::optional<StoreSnapshot> snapshot_{};
  std::shared_ptr<Directory> state_{};
  std::vector<Step> steps_{};
  std::map<std::string, std::size_t> touched_{};  // items, by the paths of memories
  std::map<std::string, std::size_t> made_{};     // items, by the references of new memories
  std::vector<std::string> warnings_{};
};

}  // namespace memfs
