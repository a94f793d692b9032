// New memories, and whether another one says the same already.
#include <algorithm>
#include <tuple>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/link_address.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/lifecycle/duplicate_candidates.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/store_impl.h"
#include "libmemfs/store/wishes.h"

namespace memfs {
namespace {

constexpr std::size_t kMaxComponent = 200;  // bytes; file systems allow 255 with what we add

bool name_taken(const Catalogue& catalogue, const std::string& name) {
  const std::string folded = fold_name(name);
  return std::any_of(catalogue.memories.begin(), catalogue.memories.end(),
                     [&](const Memory& m) { return fold_name(m.name) == folded; });
}

std::string spoken(const Duplicate& duplicate) {
  const char* const parts[] = {"it says exactly what ", "its title is nearly that of ",
                               "its description is nearly that of ", "it says nearly what "};
  const bool says = duplicate.likeness.what == Likeness::What::kExact ||
                    duplicate.likeness.what == Likeness::What::kBody;
  return parts[static_cast<std::size_t>(duplicate.likeness.what)] + duplicate.memory.ref() +
         (says ? " says" : "");
}

Error near_duplicate(const Duplicate& duplicate) {
  const Memory& memory = duplicate.memory;
  return make_error(ErrorCode::kRefused, spoken(duplicate) + "; nothing was saved")
      .at(memory.path)
      .with_hint("update that memory: mem update " + memory.ref() +
                 "; `--force` adds another one all the same")
      .with("reason", "near-duplicate")
      .with("holder_id", memory.id)
      .with("holder_ref", memory.ref())
      .with("holder_revision", std::to_string(memory.revision))
      .with("holder_etag", memory.etag)
      .with("holder_title", memory.title);
}

}  // namespace

Result<void> check_new_name(const std::string& name) {
  bool fits = is_linkable_name(name);
  for (std::string_view rest = name; fits && !rest.empty();) {
    const auto slash = std::min(rest.find('/'), rest.size());
    fits = slash <= kMaxComponent;
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  if (fits) return {};
  return make_error(ErrorCode::kUsage, "a memory cannot be called " + escape_for_terminal(name))
      .with_hint(
          "no | # [ ] ^ < > : \" \\ ? * in it, which links or other systems take for signs; no "
          "page's name; no dot or hyphen first; " +
          std::to_string(kMaxComponent) + " bytes at most");
}

Error name_is_taken(Scope scope, const std::string& slug) {
  const std::string ref = std::string(name_of(scope)) + "/" + slug;
  return make_error(ErrorCode::kConflict, "there is a memory of that name: " + ref)
      .with_hint("update it: mem update " + ref)
      .with("holder_ref", ref);
}

Result<WriteResult> Store::create(const NewMemory& wish) {
  MEMFS_TRY(validate(wish.fields, true));
  if (!wish.name.empty()) MEMFS_TRY(check_new_name(wish.name));
  if (wish.consent.redact) return create(redacted(wish));
  MEMFS_ASSIGN(LockedScope locked, impl_->lock_scope(wish.scope));
  MEMFS_ASSIGN(const auto state_dir, impl_->open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const Impl::Draft draft, impl_->draft(locked, wish));
  std::vector<std::string> warnings;
  Planned nothing;
  nothing.locked = {wish.scope};
  MEMFS_ASSIGN(auto same, impl_->check_duplicate(locked, wish, draft.candidate, nothing, warnings));
  if (same) return std::move(*same);
  if (draft.taken && (wish.if_absent || !wish.name.empty()))
    return name_is_taken(wish.scope, draft.slug);
  MEMFS_TRY(impl_->check_subject(locked, draft.candidate));
  MEMFS_TRY(impl_->check_write(locked, nullptr, {}, {draft.candidate, draft.bytes}, wish.consent,
                               warnings));
  auto made = impl_->add_file(locked, state, draft.name + ".md", draft.bytes);
  // The name is there but is no memory of ours to see (an empty file, a link): step aside.
  if (!made && made.error().code == ErrorCode::kConflict && wish.name.empty())
    made =
        impl_->add_file(locked, state, name_with_suffix(draft.slug, draft.id) + ".md", draft.bytes);
  if (!made) return std::move(made).error();
  MEMFS_ASSIGN(WriteResult result, impl_->finish(locked, state, {Operation::kAdd}, std::move(*made),
                                                 std::move(warnings)));
  result.created = true;
  result.expires = expiry_echo(wish.fields);
  return result;
}

Result<Store::Impl::Draft> Store::Impl::draft(const LockedScope& locked,
                                              const NewMemory& wish) const {
  Draft draft;
  const std::string title = find_edit(wish.fields, "title")->text;
  draft.is_chosen = !wish.name.empty();
  draft.slug = wish.name.empty() ? slug_of(title) : wish.name;
  draft.id = fresh_id(locked.catalogue.memories, std::string(name_of(wish.scope)) + "/" + title);
  MEMFS_ASSIGN(draft.bytes, compose_new(wish, draft.id, now()));
  draft.taken = !draft.slug.empty() && name_taken(locked.catalogue, draft.slug);
  const bool own_name = draft.is_chosen || (is_portable_name(draft.slug) && !draft.taken);
  draft.name = own_name ? draft.slug : name_with_suffix(draft.slug, draft.id);
  MEMFS_ASSIGN(draft.candidate,
               preview(locked, draft.name + ".md", draft.name + ".md", draft.bytes));
  return draft;
}

Result<std::optional<WriteResult>> Store::Impl::check_duplicate(
    const LockedScope& locked, const NewMemory& wish, const Memory& candidate,
    const Planned& planned, std::vector<std::string>& warnings) const {
  if (wish.consent.near_duplicate) return std::optional<WriteResult>();
  const auto found = find_duplicate(locked.scope, candidate, planned);
  if (!found) return std::optional<WriteResult>();
  const Memory& memory = found->memory;
  if (found->likeness.what == Likeness::What::kExact && memory.scope == locked.scope) {
    // Only if the fields would not say more than the memory that is there.
    std::string bytes = found->planned == nullptr ? "" : *found->planned;
    if (found->planned == nullptr) {
      MEMFS_ASSIGN(FileContent content, locked.dir->read(memory.rel, kMaxFile));
      bytes = std::move(content.bytes);
    }
    Change fields;
    fields.fields = wish.fields;
    const auto changed = compose_change(bytes, memory, fields, "", now());
    if (changed && *changed == bytes) {
      MEMFS_ASSIGN(WriteResult same, unchanged(locked, memory));
      same.duplicate = true;
      if (wish.verified)
        same.warnings.push_back("it was not marked as verified: `mem verify " + memory.ref() + "`");
      return std::optional(std::move(same));
    }
  }
  if (wish.if_absent || services.agent) return near_duplicate(*found);
  warnings.push_back(spoken(*found) + "; `mem update " + memory.ref() +
                     "` changes that one instead");
  return std::optional<WriteResult>();
}

std::optional<Duplicate> Store::Impl::find_duplicate(Scope scope, const Memory& candidate,
                                                     const Planned& planned) const {
  const auto said = [](const Memory& memory) {
    return Statement{memory.title, memory.has_description ? memory.description : std::string_view(),
                     memory.body};
  };
  const StoreSnapshot here = snapshot({}, planned.locked);
  const StatementSketch wanted(said(candidate));
  std::optional<Duplicate> best;
  const auto consider = [&](const Memory& memory, const std::string* bytes) {
    const auto alike = likeness(wanted, StatementSketch(said(memory)));
    if (!alike) return;
    const auto worth = [&](const Likeness& l, Scope other) {
      // An exact copy counts most where it would be a second one.
      return std::tuple(l.what, other != scope, -l.similarity);
    };
    if (!best || worth(*alike, memory.scope) < worth(best->likeness, best->memory.scope))
      best = Duplicate{memory, *alike, bytes};
  };
  for (const index::DocumentId id : duplicate_candidates(here.documents, said(candidate))) {
    Problem ignored;
    const auto listed = here.memory(id, &ignored);
    if (!listed || is_expired(*listed, now()) || planned.gone.contains(listed->path)) continue;
    const auto memory = load_memory(*here.folders[here.documents.source(id)], *listed);
    if (memory) consider(*memory, nullptr);
  }
  for (const auto& [memory, bytes] : planned.next)
    if (!is_expired(*memory, now())) consider(*memory, bytes);
  return best;
}

}  // namespace memfs
