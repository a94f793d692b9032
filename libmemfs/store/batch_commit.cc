// The writing half of a batch: history first, then all files and archived copies by one journal,
// then what the store remembers of them.
#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/store/batch_run.h"
#include "libmemfs/store/index_page.h"

namespace memfs {

Result<BatchResult> Store::Impl::BatchRun::finish() {
  std::stable_sort(steps_.begin(), steps_.end(),
                   [](const Step& a, const Step& b) { return a.item < b.item; });
  MEMFS_TRY(check_budgets());
  MEMFS_TRY(commit());
  return result();
}

Result<void> Store::Impl::BatchRun::commit() {
  State state(state_);
  for (const Step& step : steps_) {
    if (!step.told.changed) continue;
    if (step.before) impl_.log_hand_edit(rooms_.at(step.scope).locked, state, *step.before);
    if (step.before && step.after) MEMFS_TRY(state.keep(*step.before, step.old_bytes));
    if (step.revived && !step.revived->archived.empty())
      MEMFS_TRY(state.keep(step.revived->memory, step.revived->old_bytes));
  }
  const std::vector<FileChange> files = changes();
  const std::string batch =
      "batch-" + impl_.services.ids->ulid(impl_.now(), files.empty() ? "" : files.front().rel, 0);
  if (!files.empty()) {
    auto written = Journal(impl_.fs(), state_, "journal").run(batch, files);
    for (const Step& step : steps_)
      if (!written && step.after && written.error().path == step.after->path)
        return blamed_on(step.item, std::move(written));
    MEMFS_TRY(written);
  }
  record(batch);
  return {};
}

// First what is made, then what is changed, then what is removed. A place that one memory leaves
// may be another one's in the end.
std::vector<FileChange> Store::Impl::BatchRun::changes() const {
  std::map<std::pair<std::string, std::string>, FileChange> by_place;
  const auto at = [&](Directory& dir, const std::string& rel, std::uint32_t mode) -> FileChange& {
    const FileChange fresh{dir.path(), rel, mode, {}, {}, {}};
    return by_place.try_emplace({dir.path(), rel}, fresh).first->second;
  };
  for (const Step& step : steps_) {
    if (!step.told.changed) continue;
    Directory& dir = *rooms_.at(step.scope).locked.dir;
    const std::uint32_t mode = file_mode(step.scope);
    if (step.before) at(dir, step.before->rel, mode).before = step.old_bytes;
    if (step.after) at(dir, step.rel, mode).after = step.new_bytes;
    if (!step.after && !step.archived.there)
      at(*state_, step.archived.file, 0600).after = step.old_bytes;
    if (step.revived && !step.revived->archived.empty())
      at(*state_, step.revived->archived, 0600).before = step.revived->old_bytes;
  }
  std::vector<FileChange> ordered;
  for (auto& [place, change] : by_place) ordered.push_back(std::move(change));
  const auto turn = [](const FileChange& c) { return c.before ? (c.after ? 1 : 2) : 0; };
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&](const FileChange& a, const FileChange& b) { return turn(a) < turn(b); });
  return ordered;
}

// The files stand by now: what fails here is told and loses nothing.
void Store::Impl::BatchRun::record(const std::string& batch) {
  std::set<Scope> changed;
  for (Step& step : steps_) {
    Written written;
    written.operation = step.operation;
    written.before = step.before ? &*step.before : nullptr;
    written.batch = batch;
    written.takes_back = step.takes_back;
    if (step.told.changed) changed.insert(step.scope);
    if (step.told.changed && !step.after) {
      record_forgotten(step, written);
    } else if (step.told.changed) {
      record_written(step, written);
    } else if (step.before) {
      // Of an undo: only identity or number were new, and those stay; but it is taken back.
      State state(state_);
      if (!step.takes_back.empty())
        (void)impl_.log_write(rooms_.at(step.scope).locked, state, written, &*step.before);
      step.told.memory = *step.before;
    }
  }
  for (const Scope scope : changed) {
    auto& locked = rooms_.at(scope).locked;
    if (locked.catalogue.memories.size() <= kIndexAutoLimit)
      sort_memories(locked.catalogue.memories);
    impl_.renew_page(locked, warnings_);
  }
}

void Store::Impl::BatchRun::record_forgotten(const Step& step, const Written& written) {
  LockedScope& locked = rooms_.at(step.scope).locked;
  State state(state_);
  // What was reached through a link comes back as a file: see Store::forget().
  const std::string name_rel = step.before->path.substr(locked.dir->path().size() + 1);
  if (name_rel != step.before->rel) (void)locked.dir->remove(name_rel);
  (void)impl_.log_write(locked, state, written, nullptr);
}

void Store::Impl::BatchRun::record_written(Step& step, const Written& written) {
  LockedScope& locked = rooms_.at(step.scope).locked;
  State state(state_);
  if (step.before) (void)state.move_history(*step.before, *step.after);
  (void)state.keep_new(*step.after, step.new_bytes);
  (void)state.seal(*step.after, locked.key);
  // The folder that bears the name of what came back, if it was the last copy.
  if (step.revived && !step.revived->archived.empty())
    (void)state_->remove_directory(parent_of(step.revived->archived));
  WriteResult noted =
      impl_.note_write(locked, state, written, *step.after, std::move(step.told.warnings));
  noted.created = step.operation == Operation::kAdd;
  noted.expires = std::move(step.told.expires);
  noted.restored = std::move(step.told.restored);
  noted.deletion = std::move(step.told.deletion);
  step.told = std::move(noted);
}

BatchResult Store::Impl::BatchRun::result() const {
  std::map<Scope, Usage> usages;
  for (const auto& [scope, room] : rooms_)
    usages[scope] = usage_of(room.locked.catalogue, impl_.layout.settings.budget(scope));
  BatchResult result;
  result.warnings = warnings_;
  for (const Step& step : steps_) {
    BatchOutcome& outcome = result.items.emplace_back();
    if (step.operation == Operation::kForget) {
      outcome.forgotten =
          ForgetResult{step.before->id, step.before->ref(),
                       join_path(state_->path(), step.archived.file), usages.at(step.scope)};
    } else {
      outcome.written = step.told;
      outcome.written->usage = usages.at(step.scope);
    }
  }
  return result;
}

}  // namespace memfs
