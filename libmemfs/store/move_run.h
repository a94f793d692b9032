// One move of memories with all links that lead to them: planned under the locks, then complete or
// undone. Used by Store::move() and by the undo of one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libmemfs/store/link_rewrite.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {

class Store::Impl::MoveRun {
 public:
  MoveRun(Impl& impl, const Consent& consent, bool dry_run)
      : impl_(impl), consent_(consent), dry_run_(dry_run) {}

  // The folders of all scopes that are there, locked unless it is a dry run; and that of `target`,
  // which is made.
  Result<void> lock(std::optional<Scope> target);

  struct Wanted {
    Memory memory{};  // as listed
    Scope scope = Scope::kPrivate;
    std::string name{};
    std::string if_match{};
    std::string takes_back{};  // see WriteEntry
    bool had_name = false;     // it goes back to a name that it had
  };
  // What the wish means among the memories as they are now.
  Result<std::vector<Wanted>> choose(const MoveWish& wish) const;
  // What takes back moves that the log tells of.
  Result<std::vector<Wanted>> wanted_back(const std::vector<WriteEntry>& entries) const;
  // Of an undo: a file that has the etag `after` of one of the writes comes back with the text
  // `before` it where its links lead to the same memories; another spelling of them would do, but
  // is not what was there.
  void bring_texts_back(const WriteEntry& write) { earlier_[write.after] = write; }
  Result<MoveResult> run(const std::vector<Wanted>& wanted);

 private:
  // A file that the move writes, makes or removes.
  struct Edit {
    Memory memory{};  // as it was, with its body
    std::string old_bytes{}, new_bytes{};
    std::optional<NewPlace> to{};
    std::string takes_back{};
    std::uint32_t mode = 0;
    std::size_t told = 0;  // with `to`: its place in result_.moved
  };
  LockedRoom& room(Scope scope) { return rooms_[scope]; }
  std::vector<Memory> all_memories() const;
  Result<Wanted> one_back(const WriteEntry& entry, Memory memory) const;
  Result<std::vector<Wanted>> choose_folder(const MoveWish& wish,
                                            const std::vector<Memory>& all) const;
  Result<void> take(const Wanted& wanted);
  Result<void> check_names() const;
  Result<void> check_places();
  Result<void> check_place(Edit& edit);
  void add_relinked(std::vector<LinkingMemory>& linking) const;
  Result<void> follow_links();
  std::vector<LinkingMemory> linking_memories(const StoreSnapshot& snapshot,
                                              std::set<std::string>& words) const;
  std::vector<Memory> linked_memories(const StoreSnapshot& snapshot,
                                      const std::vector<LinkingMemory>& linking,
                                      std::set<std::string> words) const;
  Result<void> follow_links_in(const LinkRewriter& rewriter, const LinkingMemory& from,
                               std::size_t& hidden);
  std::optional<std::string> earlier_body(const Memory& memory) const;
  std::optional<std::string> closed_to(const Memory& memory) const;
  Result<void> commit();
  std::vector<FileChange> changes() const;
  Result<void> record(State& state, const std::string& batch);
  std::vector<const Edit*> moves_in_order() const;
  void renew_catalogues();
  Result<void> record_one(State& state, const Edit& edit, const std::string& batch);
  void remove_empty_folders();

  Impl& impl_;
  const Consent& consent_;
  bool dry_run_;
  LockedRooms rooms_{};
  std::map<std::string, Edit> edits_{};  // by the path before
  NewPlaces places_{};
  std::map<std::string, WriteEntry> earlier_{};     // by their etags after it
  std::map<Scope, std::vector<Memory>> written_{};  // as they are after the move, without bodies
  MoveResult result_{};
};

}  // namespace memfs
