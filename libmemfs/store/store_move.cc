// Rename, and the moves to another folder or scope.
#include <algorithm>
#include <set>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/link_address.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/move_run.h"
#include "libmemfs/store/write_log.h"

namespace memfs {
namespace {

// Where a memory or a folder is to go, as the user wrote it.
struct Destination {
  std::optional<Scope> scope{};
  std::string path{};  // in the scope, NFC; empty: the same as before
  bool into = false;   // ends with a slash
};

Destination parse_destination(std::string_view text) {
  Destination target;
  target.path = to_nfc(trim(text));
  target.into = target.path.ends_with('/');
  while (target.path.ends_with('/')) target.path.pop_back();
  const auto slash = target.path.find('/');
  const auto scope = scope_named(std::string_view(target.path).substr(0, slash));
  if (scope) {
    target.scope = scope;
    target.path = slash == std::string::npos ? "" : target.path.substr(slash + 1);
  }
  if (target.path.ends_with(".md") && target.path.size() > 3 && !target.into)
    target.path.resize(target.path.size() - 3);
  return target;
}

// kConflict if a file has the name of a folder that the file lies in.
Result<void> check_folders(Directory& dir, const std::string& file) {
  for (std::string folder = parent_of(file); !folder.empty(); folder = parent_of(folder)) {
    const auto stat = dir.stat(folder);
    if (!stat || stat->kind == FileKind::kDirectory) continue;
    return make_error(ErrorCode::kConflict, "a file has the name of the folder")
        .at(join_path(dir.path(), folder))
        .with_hint("remove it, or choose another folder");
  }
  return {};
}

bool lies_in(const Memory& memory, const std::string& folder) {
  return memory.name.starts_with(folder + "/");
}

}  // namespace

Result<void> Store::Impl::MoveRun::lock(std::optional<Scope> target) {
  std::set<Scope> made;
  if (target) made.insert(*target);
  MEMFS_ASSIGN(rooms_, impl_.lock_rooms(made, dry_run_));
  return {};
}

std::vector<Memory> Store::Impl::MoveRun::all_memories() const {
  std::vector<Memory> all;
  for (const auto& [scope, room] : rooms_) {
    const auto& memories = room.locked.catalogue.memories;
    all.insert(all.end(), memories.begin(), memories.end());
  }
  return all;
}

Result<std::vector<Store::Impl::MoveRun::Wanted>> Store::Impl::MoveRun::choose(
    const MoveWish& wish) const {
  const std::vector<Memory> all = all_memories();
  if (trim(wish.from).ends_with('/')) return choose_folder(wish, all);
  const auto found = resolve(all, wish.from, true, impl_.now());
  if (!found) {
    if (found.error().code != ErrorCode::kNotFound) return found.error();
    auto folder = choose_folder(wish, all);
    return folder || folder.error().code != ErrorCode::kNotFound ? std::move(folder)
                                                                 : found.error();
  }
  const Destination target = parse_destination(wish.to);
  Wanted wanted;
  wanted.memory = found->memory;
  wanted.scope = target.scope.value_or(found->memory.scope);
  wanted.name = target.path;
  wanted.if_match = wish.if_match;
  if (target.path.empty()) {
    wanted.name = found->memory.name;
  } else if (target.into) {
    wanted.name = join_path(target.path, leaf_of(found->memory.name));
  }
  if (wanted.name == found->memory.name && wanted.scope == found->memory.scope)
    return make_error(ErrorCode::kUsage, found->memory.ref() + " is there already")
        .at(found->memory.path);
  return std::vector<Wanted>{std::move(wanted)};
}

Result<std::vector<Store::Impl::MoveRun::Wanted>> Store::Impl::MoveRun::choose_folder(
    const MoveWish& wish, const std::vector<Memory>& all) const {
  const Destination from = parse_destination(std::string(trim(wish.from)) + "/");
  const Destination to = parse_destination(wish.to);
  std::set<Scope> scopes;
  for (const Memory& memory : all)
    if (lies_in(memory, from.path) && memory.scope == from.scope.value_or(memory.scope))
      scopes.insert(memory.scope);
  if (from.path.empty() || scopes.empty())
    return make_error(ErrorCode::kNotFound,
                      "no memory lies in a folder " + escape_for_terminal(wish.from))
        .with_hint("`mem list` shows what there is");
  if (scopes.size() > 1) {
    Error error = make_error(ErrorCode::kConflict,
                             escape_for_terminal(wish.from) + " is a folder of several scopes");
    error.hint = "name one of them:";
    for (const Scope scope : scopes) {
      const std::string one = std::string(name_of(scope)) + "/" + from.path + "/";
      error.details.emplace_back("candidate", one);
      error.hint += " " + escape_for_terminal(one);
    }
    return error;
  }
  if (!wish.if_match.empty())
    return make_error(ErrorCode::kUsage, "an etag is that of one memory, and this is a folder");
  std::vector<Wanted> all_wanted;
  for (const Memory& memory : all) {
    if (memory.scope != *scopes.begin() || !lies_in(memory, from.path)) continue;
    Wanted wanted;
    wanted.memory = memory;
    wanted.scope = to.scope.value_or(memory.scope);
    const std::string folder = to.path.empty() ? from.path : to.path;
    wanted.name = join_path(folder, memory.name.substr(from.path.size() + 1));
    if (wanted.name == memory.name && wanted.scope == memory.scope)
      return make_error(ErrorCode::kUsage, from.path + "/ is there already")
          .with_hint("name another folder, or another scope");
    all_wanted.push_back(std::move(wanted));
  }
  return all_wanted;
}

Result<std::vector<Store::Impl::MoveRun::Wanted>> Store::Impl::MoveRun::wanted_back(
    const std::vector<WriteEntry>& entries) const {
  const std::vector<Memory> all = all_memories();
  std::map<std::string, const Memory*> by_ref;
  for (const Memory& memory : all) by_ref.emplace(memory.ref(), &memory);
  std::vector<Wanted> wanted;
  for (const WriteEntry& entry : entries) {
    // Most have not been elsewhere since: only the others are worth a search.
    const auto same = by_ref.find(entry.ref());
    Found found;
    if (same != by_ref.end() && same->second->id == entry.id) {
      found.memory = *same->second;
    } else {
      MEMFS_ASSIGN(found,
                   resolve(all, entry.id.empty() ? entry.ref() : entry.id, true, impl_.now()));
    }
    MEMFS_ASSIGN(Wanted one, one_back(entry, std::move(found.memory)));
    wanted.push_back(std::move(one));
  }
  return wanted;
}

Result<Store::Impl::MoveRun::Wanted> Store::Impl::MoveRun::one_back(const WriteEntry& entry,
                                                                    Memory memory) const {
  const auto slash = entry.origin.find('/');
  const auto scope = scope_named(entry.origin.substr(0, slash));
  if (!scope || slash == std::string::npos)
    return make_error(ErrorCode::kCorrupt, "the log does not tell where it came from");
  Wanted wanted;
  wanted.memory = std::move(memory);
  wanted.scope = *scope;
  wanted.name = entry.origin.substr(slash + 1);
  wanted.takes_back = write_key(entry);
  wanted.had_name = true;
  return wanted;
}

Result<MoveResult> Store::Impl::MoveRun::run(const std::vector<Wanted>& wanted) {
  for (const Wanted& one : wanted) MEMFS_TRY(take(one));
  MEMFS_TRY(check_names());
  MEMFS_TRY(follow_links());
  MEMFS_TRY(check_places());
  if (!dry_run_) MEMFS_TRY(commit());
  const Scope target = wanted.front().scope;
  result_.usage = usage_of(room(target).locked.catalogue, impl_.layout.settings.budget(target));
  return std::move(result_);
}

// One memory with its bytes, as long as it may be moved at all.
Result<void> Store::Impl::MoveRun::take(const Wanted& wanted) {
  LockedRoom& from = room(wanted.memory.scope);
  if (from.closed) return *from.closed;
  MEMFS_ASSIGN(const Memory memory, load_memory(*from.locked.dir, wanted.memory));
  const bool stays = wanted.scope == memory.scope;
  // Under another name a file may be as it is, whatever is in it.
  if (!stays) MEMFS_TRY(check_writable(memory, {}));
  MEMFS_TRY(check_etag(memory, wanted.if_match));
  const std::string file = memory.path.substr(from.locked.dir->path().size() + 1);
  if (file != memory.rel) {
    return make_error(ErrorCode::kRefused,
                      memory.ref() + " is reached through a link of the system")
        .at(memory.path)
        .with_hint("move the file that the link leads to, or the link, by hand");
  }
  if (wanted.name != memory.name && !wanted.had_name) MEMFS_TRY(check_new_name(wanted.name));
  Edit edit;
  MEMFS_ASSIGN(edit.old_bytes, impl_.reread(from.locked, memory));
  MEMFS_ASSIGN(const FileStat stat, from.locked.dir->stat(memory.rel));
  const std::string extension = file.substr(file.rfind('.'));
  edit.mode = stays ? stat.mode & 0777U : (wanted.scope == Scope::kShared ? 0666U : 0600U);
  edit.new_bytes = edit.old_bytes;
  // Its name is no part of the file: only another scope is a new revision.
  if (!stays) {
    MEMFS_ASSIGN(edit.new_bytes, compose_bump(edit.old_bytes, memory));
  }
  edit.to = NewPlace{wanted.scope, wanted.name, wanted.name + extension};
  edit.takes_back = wanted.takes_back;
  edit.memory = memory;
  places_[memory.path] = *edit.to;
  edits_[memory.path] = std::move(edit);
  return {};
}

// No two memories of a scope may have one name in the end.
Result<void> Store::Impl::MoveRun::check_names() const {
  std::map<std::pair<Scope, std::string>, const Memory*> taken;
  for (const auto& [scope, room] : rooms_)
    for (const Memory& memory : room.locked.catalogue.memories)
      if (!places_.contains(memory.path)) taken[{scope, fold_name(memory.name)}] = &memory;
  for (const auto& [path, edit] : edits_) {
    const auto [other, fresh] =
        taken.emplace(std::pair(edit.to->scope, fold_name(edit.to->name)), &edit.memory);
    if (fresh) continue;
    return make_error(ErrorCode::kConflict, "the name " + escape_for_terminal(edit.to->name) +
                                                " is taken by " + other->second->ref())
        .at(other->second->path)
        .with_hint("move or forget that one first")
        .with("holder_ref", other->second->ref());
  }
  return {};
}

// Whether each may be where it goes: its subject, the budget and the guard there.
Result<void> Store::Impl::MoveRun::check_places() {
  for (auto& [scope, room] : rooms_) {
    std::erase_if(room.locked.catalogue.memories, [&, here = scope](const Memory& memory) {
      const auto place = places_.find(memory.path);
      return place != places_.end() && place->second.scope != here;
    });
  }
  for (auto& [path, edit] : edits_)
    if (edit.to) MEMFS_TRY(check_place(edit));
  return {};
}

Result<void> Store::Impl::MoveRun::check_place(Edit& edit) {
  MovedMemory moved;
  moved.before = edit.memory;
  moved.before.body.clear();
  moved.after = moved.before;
  moved.after.scope = edit.to->scope;
  moved.after.name = edit.to->name;
  LockedRoom& target = room(edit.to->scope);
  if (target.closed) return *target.closed;
  LockedScope& locked = target.locked;
  edit.told = result_.moved.size();
  if (!locked.dir) {  // a dry run into a scope that has no folder yet: nothing is in the way
    moved.after.path = join_path(impl_.layout.folder(edit.to->scope).path, edit.to->file);
    result_.moved.push_back(std::move(moved));
    return {};
  }
  MEMFS_TRY(check_folders(*locked.dir, edit.to->file));
  const bool vacated = places_.contains(join_path(locked.dir->path(), edit.to->file));
  if (!vacated && locked.dir->stat(edit.to->file)) {
    return make_error(ErrorCode::kConflict, "there is a file of that name")
        .at(join_path(locked.dir->path(), edit.to->file))
        .with_hint("remove it, or choose another name");
  }
  MEMFS_ASSIGN(const Memory after, preview(locked, edit.to->file, edit.to->file, edit.new_bytes));
  const bool stays = edit.to->scope == edit.memory.scope;
  if (!stays) MEMFS_TRY(impl_.check_subject(locked, after));
  MEMFS_TRY(impl_.check_write(locked, stays ? &edit.memory : nullptr,
                              stays ? std::string_view(edit.old_bytes) : std::string_view(),
                              {after, edit.new_bytes}, consent_, result_.warnings));
  moved.after = after;
  moved.after.body.clear();
  // The next one is checked beside it.
  if (!stays) locked.catalogue.memories.push_back(moved.after);
  result_.moved.push_back(std::move(moved));
  return {};
}

Result<MoveResult> Store::move(const MoveWish& wish) {
  Impl::MoveRun run(*impl_, wish.consent, wish.dry_run);
  MEMFS_TRY(run.lock(parse_destination(wish.to).scope));
  MEMFS_ASSIGN(const auto wanted, run.choose(wish));
  return run.run(wanted);
}

}  // namespace memfs
