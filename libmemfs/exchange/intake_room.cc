#include "libmemfs/exchange/intake_room.h"

#include <algorithm>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/exchange/entry_text.h"
#include "libmemfs/store/index_page.h"

namespace memfs {
namespace {

// One sync is dear, and what is staged is lost with the process.
constexpr std::size_t kStagedFiles = 4096;
constexpr std::size_t kStagedBytes = 64U << 20U;

std::vector<std::size_t> all_of(const std::unordered_multimap<std::string, std::size_t>& map,
                                const std::string& key) {
  std::vector<std::size_t> found;
  const auto [begin, end] = map.equal_range(key);
  for (auto it = begin; it != end; ++it) found.push_back(it->second);
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<std::size_t> one_of(const std::unordered_map<std::string, std::size_t>& map,
                                  const std::string& key) {
  const auto at = map.find(key);
  return at == map.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

Result<std::unique_ptr<IntakeRoom>> IntakeRoom::open(Impl& impl, Scope scope, bool dry_run) {
  auto room = std::make_unique<IntakeRoom>();
  LockedScope& locked = room->locked_;
  locked.scope = scope;
  if (!dry_run) {
    MEMFS_ASSIGN(locked, impl.lock_without_recovery(scope));
    MEMFS_ASSIGN(room->state_, impl.open_state());
    WriteOptions options;
    options.mode = file_mode(scope);
    room->files_.emplace(*locked.dir, options, folder_mode(scope));
  } else if (auto dir = impl.scope_dir(scope)) {
    locked.dir = std::move(*dir);
    MEMFS_ASSIGN(locked.key, impl.key_of(scope));
    MEMFS_ASSIGN(locked.catalogue, impl.catalogue(scope, *locked.dir));
    if (auto state = impl.open_state()) room->state_ = std::move(*state);
  } else if (dir.error().code != ErrorCode::kNotFound) {
    return std::move(dir).error();
  }
  if (room->state_ != nullptr && !locked.key.empty())
    room->ledger_ = ImportLedger::load(room->state_, locked.key);
  room->usage_ = usage_of(locked.catalogue, impl.layout.settings.budget(scope));
  room->usage_before_ = room->usage_;
  for (std::size_t i = 0; i < locked.catalogue.memories.size(); ++i) room->index(i);
  return room;
}

void IntakeRoom::index(std::size_t number) {
  const Memory& memory = locked_.catalogue.memories[number];
  if (!memory.id.empty()) by_id_.emplace(memory.id, number);
  by_name_.emplace(fold_name(memory.name), number);
  by_title_.emplace(memory.title, number);
  if (!memory.source.empty()) by_source_.emplace(memory.source, number);
  if (!memory.subject_key.empty()) by_subject_.emplace(memory.subject_key, number);
}

std::optional<std::size_t> IntakeRoom::with_id(const std::string& id) const {
  return one_of(by_id_, id);
}
std::optional<std::size_t> IntakeRoom::with_name(const std::string& name) const {
  return one_of(by_name_, fold_name(name));
}
bool IntakeRoom::has_name(const std::string& name) const {
  return with_name(name) || reserved_names_.contains(fold_name(name));
}
bool IntakeRoom::has_id(const std::string& id) const {
  return with_id(id) || reserved_ids_.contains(id);
}
void IntakeRoom::reserve(const std::string& name, const std::string& id) {
  reserved_names_.insert(fold_name(name));
  reserved_ids_.insert(id);
}
std::vector<std::size_t> IntakeRoom::with_source(const std::string& source) const {
  return all_of(by_source_, source);
}
std::vector<std::size_t> IntakeRoom::with_title(const std::string& title) const {
  return all_of(by_title_, title);
}
std::vector<std::size_t> IntakeRoom::with_entry(const std::string& text) {
  if (!by_entry_) {
    by_entry_.emplace();
    for (std::size_t i = 0; exists() && i < locked_.catalogue.memories.size(); ++i) {
      if (!is_free(i)) continue;
      const auto there = load_memory(*locked_.dir, memory(i));
      if (there) by_entry_->emplace(content_hash(entry_text(*there)), i);
    }
  }
  return all_of(*by_entry_, content_hash(text));
}

std::string IntakeRoom::path_of(const std::string& rel) const {
  return exists() ? join_path(locked_.dir->path(), rel) : rel;
}

Result<void> IntakeRoom::check_place(const std::string& rel) const {
  if (!exists()) return {};
  const auto there = locked_.dir->stat(rel);
  if (!there && there.error().code == ErrorCode::kNotFound) return {};
  if (!there) return there.error();
  return make_error(ErrorCode::kConflict, "a file is in its place that is no memory")
      .at(path_of(rel))
      .with_hint("move that file away, then import again");
}

void IntakeRoom::add(const Memory& memory) {
  locked_.catalogue.memories.push_back(memory);
  locked_.catalogue.memories.back().body.clear();
  count(usage_, memory, true);
  const std::size_t number = locked_.catalogue.memories.size() - 1;
  index(number);
  claimed_.insert(number);
}

void IntakeRoom::change(std::size_t number, const Memory& memory) {
  Memory& there = locked_.catalogue.memories[number];
  count(usage_, there, false);
  count(usage_, memory, true);
  there = memory;
  there.body.clear();
  index(number);
}

Result<void> IntakeRoom::stage(StagedMemory staged) {
  MEMFS_TRY(files_->add(staged.memory.rel, staged.bytes));
  staged_.push_back(std::move(staged));
  return {};
}

bool IntakeRoom::is_full() const {
  return files_ && (files_->count() >= kStagedFiles || files_->bytes() >= kStagedBytes);
}

// The copies of history first, so that no later write meets a folder of it that is not durable.
Result<std::vector<Result<void>>> IntakeRoom::keep_and_name(
    State& state, const std::vector<StagedMemory>& staged) {
  for (const StagedMemory& memory : staged)
    (void)state.keep_staged(memory.memory, memory.bytes, locked_.key);
  MEMFS_TRY(state_->sync_all());
  return files_->publish();
}

Result<void> IntakeRoom::publish(Impl& impl, const std::string& batch, const Failed& failed) {
  if (!files_) return {};
  const std::vector<StagedMemory> staged = std::move(staged_);
  staged_.clear();
  if (staged.empty()) return {};
  State state(state_);
  auto outcomes = keep_and_name(state, staged);
  if (!outcomes) {
    files_->drop();
    for (const StagedMemory& memory : staged) failed(memory.item, outcomes.error());
    return std::move(outcomes).error();
  }
  std::vector<LoggedWrite> writes;
  Written written;
  written.operation = Operation::kAdd;
  written.batch = batch;
  for (std::size_t i = 0; i < staged.size(); ++i) {
    const Memory& memory = staged[i].memory;
    if (!(*outcomes)[i]) {
      failed(staged[i].item, (*outcomes)[i].error());
      continue;
    }
    writes.push_back(impl.entry_of(locked_, written, &memory));
    imported_.push_back(staged[i].imported);
  }
  changed_ = changed_ || !writes.empty();
  // The files stand by now: what fails here is told by nobody and loses nothing.
  if (!writes.empty()) (void)WriteLog(state_).add(writes);
  (void)ledger_.add(imported_);
  imported_.clear();
  return {};
}

Result<Memory> IntakeRoom::replace(Impl& impl, std::size_t number, const std::string& old,
                                   const std::string& bytes, const std::string& batch) {
  const Memory before = memory(number);
  State state(state_);
  impl.log_hand_edit(locked_, state, before);
  MEMFS_ASSIGN(Memory now, impl.replace(locked_, state, before, old, bytes));
  Written written;
  written.operation = Operation::kUpdate;
  written.before = &before;
  written.batch = batch;
  (void)impl.log_write(locked_, state, written, &now);
  changed_ = true;
  return now;
}

void IntakeRoom::finish(Impl& impl, std::vector<std::string>& warnings) {
  if (state_ != nullptr && files_) {
    (void)ledger_.add(imported_);
    (void)state_->sync_all();
  }
  if (!changed_) return;
  if (locked_.catalogue.memories.size() <= kIndexAutoLimit)
    sort_memories(locked_.catalogue.memories);
  impl.renew_page(locked_, warnings);
}

}  // namespace memfs
