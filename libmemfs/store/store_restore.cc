// Whole states of a file put in place: an older one, or what somebody made in an editor; and the
// dropping of old ones.
#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {

Result<WriteResult> Store::restore(std::string_view reference, std::string_view label,
                                   const Consent& consent) {
  auto target = impl_->lock_target(reference);
  if (target) return impl_->restore_in(*target, label, consent);
  if (target.error().code != ErrorCode::kNotFound) return std::move(target).error();
  if (const auto archived = impl_->find_archived(reference)) {
    MEMFS_TRY(impl_->bring_back(*archived, consent));
    MEMFS_ASSIGN(Impl::Target back, impl_->lock_target(archived->ref()));
    return impl_->restore_in(back, label, consent);
  }
  const auto gone = impl_->find_gone(reference);
  if (gone) return impl_->restore_gone(*gone, label, consent);
  return gone.error().code == ErrorCode::kNotFound ? target.error() : gone.error();
}

Result<Store::Impl::Revival> Store::Impl::revive_gone(const Remembered& gone,
                                                      std::string_view label) const {
  const Memory& memory = gone.memory;
  MEMFS_ASSIGN(const auto revisions, revisions_of(memory, false));
  MEMFS_ASSIGN(RevisionText wanted, text_of(memory, revisions, label));
  MEMFS_ASSIGN(const auto other, other_with_id(memory.id, ""));
  if (other) {
    return make_error(ErrorCode::kConflict, "that memory is not gone: it is " + other->ref())
        .at(other->path)
        .with_hint("`mem restore " + other->ref() + " --revision N`");
  }
  Revival revival;
  revival.operation = Operation::kRestore;
  revival.rel = memory.rel;
  MEMFS_ASSIGN(revival.bytes, compose_whole(wanted.bytes, wanted.memory, "", memory, now()));
  revival.memory = memory;
  revival.restored = std::move(wanted.revision);
  revival.deletion = gone.deletion;
  return revival;
}

Result<WriteResult> Store::Impl::restore_gone(const Remembered& gone, std::string_view label,
                                              const Consent& consent) {
  const Memory& memory = gone.memory;
  MEMFS_ASSIGN(LockedScope locked, lock_scope(memory.scope));
  MEMFS_ASSIGN(const auto state_dir, open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const Revival revival, revive_gone(gone, label));
  MEMFS_TRY(check_name_free(locked, memory.name));
  MEMFS_ASSIGN(const Memory candidate, preview(locked, memory.rel, memory.rel, revival.bytes));
  MEMFS_TRY(check_subject(locked, candidate));
  std::vector<std::string> warnings;
  MEMFS_TRY(check_write(locked, nullptr, {}, {candidate, revival.bytes}, consent, warnings));
  auto made = add_file(locked, state, memory.rel, revival.bytes);
  if (!made && made.error().code == ErrorCode::kConflict) {
    return make_error(ErrorCode::kConflict, "a file is in its place that is no memory")
        .at(memory.path)
        .with_hint("move that file away, then try again");
  }
  MEMFS_ASSIGN(Memory back, std::move(made));
  MEMFS_ASSIGN(WriteResult result,
               finish(locked, state, {Operation::kRestore}, std::move(back), std::move(warnings)));
  result.restored = revival.restored;
  result.deletion = revival.deletion;
  return result;
}

Result<WriteResult> Store::Impl::restore_in(Target& target, std::string_view label,
                                            const Consent& consent) {
  LockedScope& locked = target.locked;
  const Memory& memory = target.memory;
  MEMFS_ASSIGN(const auto state_dir, open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const std::string old, reread(locked, memory));
  MEMFS_ASSIGN(const Restoration back, compose_restoration(memory, old, label));
  MEMFS_ASSIGN(WriteResult result, put_in_place(locked, state, {Operation::kRestore, &memory}, old,
                                                back.bytes, consent));
  result.restored = back.wanted.revision;
  return result;
}

Result<Store::Impl::Restoration> Store::Impl::compose_restoration(const Memory& memory,
                                                                  const std::string& old,
                                                                  std::string_view label) const {
  const Memory known = as_known(memory);
  MEMFS_ASSIGN(const auto revisions, revisions_of(known, true));
  Restoration back;
  MEMFS_ASSIGN(back.wanted, text_of(known, revisions, label));
  MEMFS_ASSIGN(back.bytes, compose_whole(back.wanted.bytes, back.wanted.memory, old, known, now()));
  return back;
}

Result<WriteResult> Store::edit(std::string_view reference, const std::string& bytes,
                                const std::string& if_match, const Consent& consent) {
  MEMFS_ASSIGN(Impl::Target target, impl_->lock_target(reference));
  LockedScope& locked = target.locked;
  const Memory& memory = target.memory;
  MEMFS_ASSIGN(const auto state_dir, impl_->open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const std::string old, impl_->reread(locked, memory));
  Change expected;
  expected.if_match = if_match;
  MEMFS_TRY(impl_->check_expectations(locked, state, memory, old, expected));
  if (bytes == old) return impl_->unchanged(locked, memory);
  if (find_invalid_utf8(bytes) || bytes.find('\0') != std::string::npos)
    return make_error(ErrorCode::kInvalid, "the text is not UTF-8").at(memory.path);
  MEMFS_ASSIGN(const Memory next, preview(locked, memory.name + ".md", memory.rel, bytes));
  if (!memory.id.empty() && !next.id.empty() && next.id != memory.id) {
    return make_error(ErrorCode::kInvalid, "the id of a memory cannot change")
        .at(memory.path)
        .with_hint("put `id: " + memory.id + "` back");
  }
  // A block that was copied from another memory brings its id along.
  MEMFS_ASSIGN(const auto holder,
               impl_->other_with_id(memory.id.empty() ? next.id : "", memory.path));
  if (holder) {
    return make_error(ErrorCode::kConflict, "the id is that of " + holder->ref())
        .at(memory.path)
        .with_hint("take the line `id:` out")
        .with("holder_ref", holder->ref());
  }
  MEMFS_ASSIGN(const std::string composed, compose_whole(bytes, next, old, memory, impl_->now()));
  return impl_->put_in_place(locked, state, {Operation::kEdit, &memory}, old, composed, consent);
}

Result<PruneReport> prune_kept(State& state, const std::string& history,
                               const HistoryPolicy& policy, Instant now, bool dry_run,
                               const std::set<std::string>& present) {
  PruneReport report;
  MEMFS_ASSIGN(auto kept, state.kept_in(history));
  std::reverse(kept.begin(), kept.end());
  // The newest is what an archived file holds; of live ones `present` tells.
  const std::uint64_t keep = std::max<std::uint64_t>(policy.keep, 1);
  std::uint64_t newest = 0;
  for (const KeptBytes& copy : kept) {
    const auto age = std::chrono::ceil<std::chrono::days>(now - copy.kept).count();
    const bool young = age <= 0 || static_cast<std::uint64_t>(age) <= policy.days;
    if (++newest <= keep || young || present.contains(copy.hash)) {
      ++report.kept;
      continue;
    }
    if (!dry_run) MEMFS_TRY(state.drop_kept(copy.file));
    report.files.push_back(join_path(state.dir().path(), copy.file));
    report.bytes += copy.size;
  }
  return report;
}

Result<HistoryPolicy> Store::history_policy(std::optional<std::uint64_t> keep,
                                            std::optional<std::uint64_t> days) const {
  const Settings& settings = impl_->layout.settings;
  if (settings.doubtful && !(keep && days)) {
    return make_error(ErrorCode::kInvalid,
                      "your config.yaml has a problem, so its policy for history is not known")
        .with_hint("`mem check` names it; or give --keep and --days");
  }
  return HistoryPolicy{keep.value_or(settings.history.keep), days.value_or(settings.history.days)};
}

Result<PruneReport> Store::prune(std::string_view reference, const HistoryPolicy& policy,
                                 bool dry_run) {
  if (!dry_run) MEMFS_TRY(impl_->check_may_write());
  PruneReport all;
  const auto state_dir = impl_->fs().open(impl_->layout.state);
  if (!state_dir) return all;
  State state(*state_dir);
  std::vector<std::string> histories;
  if (reference.empty()) {
    MEMFS_ASSIGN(histories, state.histories());
  } else {
    MEMFS_ASSIGN(const auto found, impl_->find_with_history(reference));
    histories.push_back(State::history_of(found.memory));
  }
  std::set<std::string> present;
  MEMFS_ASSIGN(const Listing live, impl_->list({}));
  for (const Memory& memory : live.memories) present.insert(memory.etag);
  for (const std::string& history : histories) {
    MEMFS_ASSIGN(PruneReport one,
                 prune_kept(state, history, policy, impl_->now(), dry_run, present));
    all.files.insert(all.files.end(), one.files.begin(), one.files.end());
    all.bytes += one.bytes;
    all.kept += one.kept;
  }
  return all;
}

}  // namespace memfs
