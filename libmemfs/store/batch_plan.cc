// The planning half of a batch: from each item to the bytes that it leads to.
#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/batch_run.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/wishes.h"

namespace memfs {
namespace {

Result<void> validate_one(const BatchItem& item) {
  if (const auto* wish = std::get_if<NewMemory>(&item)) {
    if (!wish->name.empty()) MEMFS_TRY(check_new_name(wish->name));
    return validate(wish->fields, true);
  }
  if (const auto* update = std::get_if<BatchUpdate>(&item))
    return validate(update->change.fields, false);
  return {};
}

std::string ref_of(Scope scope, const std::string& name) {
  return std::string(name_of(scope)) + "/" + name;
}

}  // namespace

Result<BatchResult> Store::batch(const std::vector<BatchItem>& items) {
  std::vector<Scope> made;
  std::optional<StoreSnapshot> here;  // one look at the folders for all items
  for (const BatchItem& item : items) {
    const auto* save = std::get_if<SaveWish>(&item);
    if (save != nullptr && !here) here = impl_->snapshot({});
    const Result<BatchItem> meant =
        save == nullptr ? Result<BatchItem>(item) : impl_->meant_by(*save, *here);
    if (!meant) continue;  // told under the locks
    if (const auto* wish = std::get_if<NewMemory>(&*meant)) made.push_back(wish->scope);
    // The folder of what git deleted may be gone with it.
    if (const auto* back = std::get_if<BatchRecover>(&item))
      if (const auto lost = impl_->find_lost(back->reference)) made.push_back(lost->scope());
  }
  return batch([&](const auto&) -> Result<std::vector<BatchItem>> { return items; }, made);
}

Result<BatchResult> Store::batch(const BatchPlan& plan, const std::vector<Scope>& made) {
  Impl::BatchRun run(*impl_);
  MEMFS_TRY(run.lock({made.begin(), made.end()}));
  MEMFS_ASSIGN(const auto items, plan(run.memories()));
  return run.run(items);
}

Result<void> Store::Impl::BatchRun::blamed_on(std::size_t item, Result<void> done) const {
  if (done) return done;
  Error error = std::move(done).error();
  const std::string number = std::to_string(item);
  if (count_ > 1) error.message = "item " + number + ": " + error.message;
  if (!error.message.ends_with("nothing was saved")) error.message += "; nothing was saved";
  return std::move(error).with("item", number);
}

Result<void> Store::Impl::BatchRun::lock(const std::set<Scope>& made) {
  MEMFS_ASSIGN(rooms_, impl_.lock_rooms(made, false));
  MEMFS_ASSIGN(state_, impl_.open_state());
  std::set<Scope> fresh;
  for (const auto& [scope, room] : rooms_) {
    fresh.insert(scope);
    found_[scope] = usage_of(room.locked.catalogue, impl_.layout.settings.budget(scope));
  }
  snapshot_ = impl_.snapshot({}, fresh);
  return {};
}

std::vector<const Memory*> Store::Impl::BatchRun::memories() const {
  std::vector<const Memory*> all;
  for (const auto& [scope, room] : rooms_)
    for (const Memory& memory : room.locked.catalogue.memories) all.push_back(&memory);
  return all;
}

Result<std::vector<BatchItem>> Store::Impl::BatchRun::read(const std::vector<BatchItem>& items) {
  std::vector<BatchItem> meant;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto* save = std::get_if<SaveWish>(&items[i]);
    Result<BatchItem> one = save == nullptr ? items[i] : impl_.meant_by(*save, *snapshot_);
    MEMFS_TRY(blamed_on(i, one ? validate_one(*one) : Result<void>(one.error())));
    meant.push_back(std::move(*one));
    const auto* wish = std::get_if<NewMemory>(&meant.back());
    if (wish == nullptr) continue;
    const std::string name =
        wish->name.empty() ? slug_of(find_edit(wish->fields, "title")->text) : wish->name;
    made_.emplace(name, i);
    made_.emplace(ref_of(wish->scope, name), i);
  }
  return meant;
}

Result<BatchResult> Store::Impl::BatchRun::run(const std::vector<BatchItem>& wanted) {
  count_ = wanted.size();
  MEMFS_ASSIGN(const std::vector<BatchItem> items, read(wanted));
  MEMFS_TRY(plan_all(items));
  take_out_what_changes();
  MEMFS_TRY(check_changes());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto* wish = std::get_if<NewMemory>(&items[i]);
    if (wish == nullptr) continue;
    Step step;
    step.item = i;
    MEMFS_TRY(blamed_on(i, plan_new(step, redacted(*wish))));
    steps_.push_back(std::move(step));
  }
  return finish();
}

// All but the new memories, which get the names that these leave.
Result<void> Store::Impl::BatchRun::plan_all(const std::vector<BatchItem>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (std::holds_alternative<NewMemory>(items[i])) continue;
    Step step;
    step.item = i;
    MEMFS_TRY(blamed_on(i, plan(step, items[i])));
    steps_.push_back(std::move(step));
  }
  return {};
}

Result<void> Store::Impl::BatchRun::plan(Step& step, const BatchItem& item) {
  if (const auto* update = std::get_if<BatchUpdate>(&item)) {
    const Change change = redacted(update->change);
    MEMFS_TRY(find(step, update->reference));
    return rewrite(step, change,
                   [&](const std::string& old, const Memory& memory, const std::string& new_id) {
                     return compose_change(old, memory, change, new_id, impl_.now());
                   });
  }
  if (const auto* gone = std::get_if<BatchForget>(&item)) {
    MEMFS_TRY(find(step, gone->reference));
    return forget(step, gone->if_match);
  }
  if (const auto* back = std::get_if<BatchRecover>(&item)) {
    MEMFS_ASSIGN(const Lost lost, impl_.find_lost(back->reference));
    step.consent = back->consent;
    return revive(step, lost);
  }
  const auto& verify = std::get<BatchVerify>(item);
  step.operation = Operation::kVerify;
  MEMFS_TRY(find(step, verify.reference));
  MEMFS_TRY(rewrite(step, verify.expectations,
                    [&](const std::string& old, const Memory& memory, const std::string& new_id) {
                      return compose_verification(old, memory, new_id, impl_.now());
                    }));
  if (is_expired(*step.after, impl_.now()))
    step.told.warnings.push_back(still_expired(*step.after));
  return {};
}

Result<LockedScope*> Store::Impl::BatchRun::open(Scope scope) {
  const auto room = rooms_.find(scope);
  if (room == rooms_.end())
    return make_error(ErrorCode::kNotFound,
                      std::string(name_of(scope)) + " has no folder: another process removed it");
  if (room->second.closed) return *room->second.closed;
  return &room->second.locked;
}

Result<void> Store::Impl::BatchRun::find(Step& step, std::string_view reference) {
  auto found = impl_.find_in(*snapshot_, reference, true);
  if (!found) return means_a_new_one(reference, std::move(found).error());
  step.scope = found->memory.scope;
  step.rel = found->memory.rel;
  MEMFS_ASSIGN(LockedScope * locked, open(step.scope));
  MEMFS_ASSIGN(step.before, load_memory(*locked->dir, found->memory));
  const auto [first, fresh] = touched_.emplace(step.before->path, step.item);
  if (!fresh) {
    return make_error(ErrorCode::kUsage, "it means " + step.before->ref() + ", as item " +
                                             std::to_string(first->second) + " does")
        .with_hint("put both changes into one item");
  }
  MEMFS_ASSIGN(step.old_bytes, impl_.reread(*locked, *step.before));
  return {};
}

Error Store::Impl::BatchRun::means_a_new_one(std::string_view reference, Error error) const {
  const auto made = made_.find(std::string(reference));
  if (error.code != ErrorCode::kNotFound || made == made_.end()) return error;
  return make_error(ErrorCode::kUsage, escape_for_terminal(reference) + " is made by item " +
                                           std::to_string(made->second) +
                                           " of the same batch, and is not there yet")
      .with_hint("give that item all that the memory shall hold");
}

Result<void> Store::Impl::BatchRun::rewrite(Step& step, const Change& change,
                                            const Compose& compose) {
  MEMFS_ASSIGN(LockedScope * locked, open(step.scope));
  State state(state_);
  const Memory& memory = *step.before;
  MEMFS_TRY(check_writable(memory, change.fields));
  MEMFS_TRY(impl_.check_expectations(*locked, state, memory, step.old_bytes, change));
  auto composed =
      compose(step.old_bytes, memory, impl_.fresh_id(locked->catalogue.memories, memory.ref()));
  if (!composed) {
    Error error = std::move(composed).error();
    if (error.path.empty()) error.path = memory.path;
    return error;
  }
  step.new_bytes = std::move(*composed);
  step.consent = change.consent;
  MEMFS_ASSIGN(step.after, preview(*locked, memory.name + ".md", memory.rel, step.new_bytes));
  step.after->name = memory.name;
  note_claim(step);
  if (step.told.changed) step.told.expires = expiry_echo(change.fields);
  return {};
}

void Store::Impl::BatchRun::note_claim(Step& step) const {
  step.told.changed = step.new_bytes != step.old_bytes;
  step.claims = step.told.changed && (step.after->subject_key != step.before->subject_key ||
                                      is_expired(*step.before, impl_.now()));
}

Result<void> Store::Impl::BatchRun::forget(Step& step, const std::string& if_match) {
  MEMFS_TRY(check_etag(*step.before, if_match));
  step.operation = Operation::kForget;
  MEMFS_ASSIGN(LockedScope * locked, open(step.scope));
  MEMFS_ASSIGN(step.archived, State(state_).archive_place(locked->key, step.before->name + ".md",
                                                          step.old_bytes, impl_.now()));
  step.told.changed = true;
  return {};
}

Result<void> Store::Impl::BatchRun::revive(Step& step, const Lost& lost) {
  step.scope = lost.scope();
  MEMFS_ASSIGN(LockedScope * locked, open(step.scope));
  State state(state_);
  MEMFS_ASSIGN(step.revived, lost.archived ? impl_.revive_archived(state, *locked, *lost.archived)
                                           : impl_.revive_gone(*lost.gone, ""));
  const std::string& id = step.revived->memory.id;
  for (const Step& other : steps_)
    if (other.revived && !id.empty() && other.revived->memory.id == id)
      return make_error(ErrorCode::kUsage,
                        "item " + std::to_string(other.item) + " brings the same memory back");
  step.operation = step.revived->operation;
  step.rel = step.revived->rel;
  step.new_bytes = step.revived->bytes;
  MEMFS_ASSIGN(step.after, preview(*locked, step.rel, step.rel, step.new_bytes));
  step.told.restored = step.revived->restored;
  step.told.deletion = step.revived->deletion;
  step.told.changed = true;
  return {};
}

Result<void> Store::Impl::BatchRun::plan_new(Step& step, const NewMemory& wish) {
  step.operation = Operation::kAdd;
  step.scope = wish.scope;
  step.consent = wish.consent;
  MEMFS_ASSIGN(LockedScope * locked, open(step.scope));
  MEMFS_ASSIGN(const Draft draft, impl_.draft(*locked, wish));
  MEMFS_TRY(choose_name(step, *locked, draft));
  MEMFS_ASSIGN(auto same,
               impl_.check_duplicate(*locked, wish, *step.after, planned(), step.told.warnings));
  if (same) {
    step.told = std::move(*same);
    step.after.reset();
    return {};
  }
  if (draft.taken && (wish.if_absent || !wish.name.empty()))
    return name_is_taken(wish.scope, draft.slug);
  step.told.changed = true;
  step.told.expires = expiry_echo(wish.fields);
  MEMFS_TRY(impl_.check_subject(*locked, *step.after));
  MEMFS_TRY(check_guard(step));
  add_to_catalogue(step);
  return {};
}

Result<void> Store::Impl::BatchRun::choose_name(Step& step, const LockedScope& locked,
                                                const Draft& draft) const {
  step.new_bytes = draft.bytes;
  step.rel = draft.name + ".md";
  // The name may be there without being a memory of ours to see (an empty file, a link).
  if (is_left(locked, step.rel) && !draft.is_chosen)
    step.rel = name_with_suffix(draft.slug, draft.id) + ".md";
  MEMFS_ASSIGN(step.after, preview(locked, step.rel, step.rel, step.new_bytes));
  return {};
}

// A file has that name and keeps it.
bool Store::Impl::BatchRun::is_left(const LockedScope& locked, const std::string& rel) const {
  const bool goes = std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
    return step.scope == locked.scope && step.before && !step.after && step.before->rel == rel;
  });
  return !goes && locked.dir->stat(rel).has_value();
}

Planned Store::Impl::BatchRun::planned() const {
  Planned planned;
  for (const auto& [scope, room] : rooms_) planned.locked.insert(scope);
  for (const Step& step : steps_) {
    if (step.before) planned.gone.insert(step.before->path);
    if (step.after) planned.next.push_back({&*step.after, &step.new_bytes});
  }
  return planned;
}

}  // namespace memfs
