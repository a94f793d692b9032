// The writing half of a move: history first, then all files by one journal, then what the store
// remembers of them.
#include <algorithm>
#include <set>

#include "libmemfs/base/utf8.h"
#include "libmemfs/store/index_page.h"
#include "libmemfs/store/move_run.h"
#include "libmemfs/store/write_log.h"

namespace memfs {

// What only gets another name in its scope is renamed, unless its place or the new one is another
// memory's, too; all other files are written. First what is made, then what is changed, then what
// is removed.
std::vector<FileChange> Store::Impl::MoveRun::changes() const {
  using Place = std::pair<Scope, std::string>;
  std::map<Place, FileChange> by_place;
  std::vector<FileChange> ordered;
  const auto change_at = [&](const Place& place) {
    const auto& dir = rooms_.at(place.first).locked.dir;
    return &by_place.try_emplace(place, FileChange{dir->path(), place.second, 0666, {}, {}, {}})
                .first->second;
  };
  std::map<Place, int> users;  // moves that leave the place or go there
  for (const auto& [path, edit] : edits_) {
    ++users[{edit.memory.scope, edit.memory.rel}];
    if (edit.to) ++users[{edit.to->scope, edit.to->file}];
  }
  for (const auto& [path, edit] : edits_) {
    const Place old{edit.memory.scope, edit.memory.rel};
    const Place next = edit.to ? Place{edit.to->scope, edit.to->file} : old;
    const bool alone = users[old] == 1 && users[next] == 1;
    if (edit.to && old.first == next.first && edit.new_bytes == edit.old_bytes && alone) {
      const std::uint32_t mode = next.first == Scope::kShared ? 0777 : 0700;
      ordered.push_back(
          {rooms_.at(next.first).locked.dir->path(), next.second, mode, {}, {}, old.second});
      continue;
    }
    change_at(old)->before = edit.old_bytes;
    change_at(next)->after = edit.new_bytes;
    if (edit.to) change_at(next)->mode = edit.mode;
  }
  for (auto& [place, change] : by_place) ordered.push_back(std::move(change));
  const auto turn = [](const FileChange& c) { return c.before ? (c.after ? 1 : 2) : 0; };
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&](const FileChange& a, const FileChange& b) { return turn(a) < turn(b); });
  return ordered;
}

Result<void> Store::Impl::MoveRun::commit() {
  MEMFS_ASSIGN(const auto state_dir, impl_.open_state());
  State state(state_dir);
  for (const auto& [path, edit] : edits_) {
    impl_.log_hand_edit(room(edit.memory.scope).locked, state, edit.memory);
    if (edit.new_bytes != edit.old_bytes) MEMFS_TRY(state.keep(edit.memory, edit.old_bytes));
  }
  const std::string batch =
      "move-" + impl_.services.ids->ulid(impl_.now(), edits_.begin()->first, 0);
  Journal journal(impl_.fs(), state_dir, "journal");
  MEMFS_TRY(journal.run(batch, changes()));
  return record(state, batch);
}

Result<void> Store::Impl::MoveRun::record(State& state, const std::string& batch) {
  // The moves last, so that the newest line of the log is what an undo takes back.
  for (const auto& [path, edit] : edits_)
    if (!edit.to) MEMFS_TRY(record_one(state, edit, batch));
  for (const Edit* edit : moves_in_order()) MEMFS_TRY(record_one(state, *edit, batch));
  renew_catalogues();
  remove_empty_folders();
  for (auto& [scope, room] : rooms_) {
    auto& catalogue = room.locked.catalogue;
    if (room.closed || catalogue.memories.size() > kIndexAutoLimit) continue;
    sort_memories(catalogue.memories);
    const auto renewed = impl_.renew_index(*room.locked.dir, scope, catalogue, false);
    if (!renewed)
      result_.warnings.push_back("INDEX.md could not be renewed: " + renewed.error().message);
  }
  return {};
}

// The files stand by now: what fails here is told and loses nothing.
Result<void> Store::Impl::MoveRun::record_one(State& state, const Edit& edit,
                                              const std::string& batch) {
  const Scope scope = edit.to ? edit.to->scope : edit.memory.scope;
  LockedScope& locked = room(scope).locked;
  const std::string& file = edit.to ? edit.to->file : edit.memory.rel;
  MEMFS_ASSIGN(Memory after, preview(locked, file, file, edit.new_bytes));
  if (!edit.to) after.name = edit.memory.name;
  (void)state.move_history(edit.memory, after);
  const std::string& old_key = room(edit.memory.scope).locked.key;
  // What was never written by us is not ours by getting another name.
  if (edit.new_bytes != edit.old_bytes || state.seal_of(edit.memory, old_key)) {
    (void)state.keep_new(after, edit.new_bytes);
    if (edit.memory.id.empty()) state.unseal(edit.memory, old_key);
    (void)state.seal(after, locked.key);
  }
  Written written;
  written.operation = edit.to ? Operation::kMove : Operation::kRelink;
  written.batch = batch;
  written.takes_back = edit.takes_back;
  if (edit.to) {
    written.origin = edit.memory.ref();
    written.before_etag = edit.memory.etag;
  } else {
    written.before = &edit.memory;
  }
  if (auto logged = impl_.log_write(locked, state, written, &after); !logged)
    result_.warnings.push_back("the log could not be written: " + logged.error().message);
  if (edit.to) result_.moved[edit.told].after = after;
  after.body.clear();
  written_[scope].push_back(std::move(after));
  return {};
}

// A memory that goes to another one's place comes behind that one: what is kept under the name
// of a memory without an id goes along before the name is the next one's.
std::vector<const Store::Impl::MoveRun::Edit*> Store::Impl::MoveRun::moves_in_order() const {
  std::vector<const Edit*> ordered;
  std::set<std::string> seen;
  for (const auto& [path, edit] : edits_) {
    std::vector<const Edit*> chain;
    for (auto next = edits_.find(path);
         next != edits_.end() && next->second.to && seen.insert(next->first).second;) {
      chain.push_back(&next->second);
      const NewPlace& to = *next->second.to;
      next = edits_.find(join_path(rooms_.at(to.scope).locked.dir->path(), to.file));
    }
    ordered.insert(ordered.end(), chain.rbegin(), chain.rend());
  }
  return ordered;
}

void Store::Impl::MoveRun::renew_catalogues() {
  for (auto& [scope, room] : rooms_) {
    auto& memories = room.locked.catalogue.memories;
    std::set<std::string> renewed;
    for (const Memory& memory : written_[scope]) renewed.insert(memory.path);
    std::erase_if(memories, [&](const Memory& memory) {
      return edits_.contains(memory.path) || renewed.contains(memory.path);
    });
    memories.insert(memories.end(), written_[scope].begin(), written_[scope].end());
  }
}

// Folders that the move left with nothing in them; others stay.
void Store::Impl::MoveRun::remove_empty_folders() {
  for (const auto& [path, edit] : edits_) {
    if (!edit.to) continue;
    const auto& dir = room(edit.memory.scope).locked.dir;
    for (std::string folder = parent_of(edit.memory.rel); !folder.empty();
         folder = parent_of(folder))
      if (!dir->remove_directory(folder)) break;
  }
}

}  // namespace memfs
