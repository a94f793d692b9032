// What a batch is held against: the rules, in the state to which all its items lead.
#include <algorithm>

#include "libmemfs/store/batch_run.h"

namespace memfs {

// The catalogues without what goes or may not stay as it is; what only says something else is in
// them with what it will say.
void Store::Impl::BatchRun::take_out_what_changes() {
  for (auto& [scope, room] : rooms_)
    std::erase_if(room.locked.catalogue.memories,
                  [&](const Memory& memory) { return touched_.contains(memory.path); });
  for (const Step& step : steps_)
    if (step.before && step.after && !step.claims) add_to_catalogue(step);
}

void Store::Impl::BatchRun::add_to_catalogue(const Step& step) {
  auto& memories = rooms_.at(step.scope).locked.catalogue.memories;
  memories.push_back(*step.after);
  memories.back().body.clear();
}

// Those that have a name before those that come back to one.
Result<void> Store::Impl::BatchRun::check_changes() {
  for (const bool returning : {false, true}) {
    for (Step& step : steps_) {
      if (!step.after || step.revived.has_value() != returning || !step.told.changed) continue;
      if (step.claims || returning) MEMFS_TRY(blamed_on(step.item, check_claim(step)));
      MEMFS_TRY(blamed_on(step.item, check_guard(step)));
    }
  }
  return {};
}

Result<void> Store::Impl::BatchRun::check_claim(Step& step) {
  LockedScope& locked = rooms_.at(step.scope).locked;
  if (step.revived) {
    MEMFS_TRY(check_name_free(locked, step.after->name));
    if (is_left(locked, step.rel)) {
      return make_error(ErrorCode::kConflict, "a file is in its place that is no memory")
          .at(step.after->path)
          .with_hint("move that file away, then try again");
    }
  }
  MEMFS_TRY(impl_.check_subject(locked, *step.after));
  add_to_catalogue(step);
  return {};
}

Result<void> Store::Impl::BatchRun::check_guard(Step& step) const {
  return impl_.check_guard(step.before ? &*step.before : nullptr, step.old_bytes,
                           {*step.after, step.new_bytes}, step.consent, step.told.warnings);
}

Result<void> Store::Impl::BatchRun::check_budgets() {
  for (const auto& [scope, room] : rooms_) MEMFS_TRY(check_budget(scope));
  return {};
}

Result<void> Store::Impl::BatchRun::check_budget(Scope scope) {
  const auto& catalogue = rooms_.at(scope).locked.catalogue;
  const Usage& before = found_.at(scope);
  const Usage after = usage_of(catalogue, before.budget);
  if (impl_.check_usage(scope, {}, before, after, warnings_)) return {};
  // What can be shortened or forgotten: not what is not there yet.
  std::vector<Memory> there;
  for (const Memory& memory : catalogue.memories) {
    const bool is_new = std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
      return !step.before && step.after && step.after->path == memory.path;
    });
    if (!is_new) there.push_back(memory);
  }
  return blamed_on(blamed_for(scope, after),
                   impl_.check_usage(scope, there, before, after, warnings_));
}

// The first item that is too much for the scope when all that make room are done.
std::size_t Store::Impl::BatchRun::blamed_for(Scope scope, Usage after) const {
  std::vector<std::string> ignored;
  std::size_t last = 0;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (step->scope != scope || !step->after || !step->told.changed) continue;
    last = step->item;
    count(after, *step->after, false);
    if (step->before) count(after, *step->before, true);
    if (impl_.check_usage(scope, {}, found_.at(scope), after, ignored)) break;
  }
  return last;
}

}  // namespace memfs
