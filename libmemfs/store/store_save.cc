// One call for what somebody knows now: the memory that says it changes, or there is a new one.
#include <algorithm>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/store_impl.h"
#include "libmemfs/store/wishes.h"

namespace memfs {
namespace {

// What the caller names, in a scope or in whichever has it.
struct Named {
  std::optional<Scope> scope{};
  std::string name{};      // of the file
  std::string said{};      // the last part, as the caller wrote it
  bool is_spoken = false;  // words rather than a name
};

// Parts that are no names yet become some, as a title does.
std::string name_of_words(std::string_view path) {
  std::string name;
  for (std::string_view rest = path; !rest.empty();) {
    const auto slash = std::min(rest.find('/'), rest.size());
    const std::string part(rest.substr(0, slash));
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    const bool is_name = is_portable_name(part) && part.find(' ') == std::string::npos;
    name += (name.empty() ? "" : "/") + (is_name ? part : slug_of(part));
  }
  return name;
}

Result<Named> parse_name(const SaveWish& wish) {
  Named named;
  named.scope = wish.scope;
  if (wish.name.empty()) return named;
  MEMFS_ASSIGN(const Reference reference, parse_reference(wish.name));
  if (reference.kind == Reference::Kind::kSubject)
    return make_error(ErrorCode::kUsage, "a subject is no name")
        .with_hint("give it as the reference of the memory to change");
  if (reference.scope && wish.scope && *reference.scope != *wish.scope) {
    return make_error(ErrorCode::kUsage, escape_for_terminal(wish.name) + " is not in the scope " +
                                             std::string(name_of(*wish.scope)))
        .with_hint("leave out one of the two");
  }
  named.scope = reference.scope ? reference.scope : wish.scope;
  named.name = name_of_words(reference.text);
  named.said = leaf_of(reference.text);
  named.is_spoken = leaf_of(named.name) != named.said;
  return named;
}

// "release-branch" as a title: "Release branch".
std::string title_of(const Named& named) {
  std::string title = named.said;
  if (named.is_spoken) return title;
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

Change change_of(const SaveWish& wish) {
  Change change;
  change.fields = wish.fields;
  if (wish.body) {
    change.body.kind = BodyEdit::Kind::kSet;
    change.body.text = *wish.body;
  }
  change.verified = wish.verified;
  change.expected_revision = wish.expected_revision;
  change.if_match = wish.if_match;
  change.consent = wish.consent;
  return change;
}

Result<NewMemory> new_memory(const SaveWish& wish, const Named& named) {
  const auto blank = [](const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == std::string::npos;
  };
  if (!wish.body || blank(*wish.body))
    return make_error(ErrorCode::kUsage, "a new memory needs a body: what there is to know");
  NewMemory fresh;
  fresh.scope = named.scope.value_or(Scope::kPrivate);
  fresh.name = named.name;
  fresh.fields = wish.fields;
  fresh.body = *wish.body;
  fresh.if_absent = wish.if_absent;
  fresh.verified = wish.verified;
  fresh.consent = wish.consent;
  // What is cleared is not there.
  std::erase_if(fresh.fields, [](const FieldEdit& edit) { return edit.clear; });
  if (find_edit(fresh.fields, "title") != nullptr) return fresh;
  FieldEdit title;
  title.key = "title";
  title.text = named.name.empty() ? title_from_text(fresh.body) : title_of(named);
  fresh.fields.push_back(std::move(title));
  return fresh;
}

Error is_there(const Memory& memory) {
  return make_error(ErrorCode::kConflict, "there is a memory of that name: " + memory.ref())
      .at(memory.path)
      .with_hint("update it: mem update " + memory.ref())
      .with("holder_ref", memory.ref())
      .with("holder_id", memory.id)
      .with("revision", std::to_string(memory.revision))
      .with("etag", memory.etag);
}

Error fits_both(const Memory& one, const Memory& other) {
  return make_error(ErrorCode::kConflict,
                    escape_for_terminal(one.name) + " is the name of several memories")
      .with_hint("name the scope as well: " + one.ref() + " or " + other.ref())
      .with("candidate", one.ref())
      .with("candidate", other.ref());
}

Error nothing_to_expect(const SaveWish& wish) {
  return make_error(ErrorCode::kNotFound, "there is no memory " + escape_for_terminal(wish.name) +
                                              ", so it has no revision that could be expected")
      .with_hint("leave the revision out to make it");
}

Error elsewhere(const Memory& memory, Scope wanted) {
  return make_error(ErrorCode::kConflict, memory.ref() + " is in the scope " +
                                              std::string(name_of(memory.scope)) + ", not in " +
                                              std::string(name_of(wanted)))
      .at(memory.path)
      .with_hint("leave out the scope to change it where it is; `mem mv` moves it")
      .with("ref", memory.ref());
}

Result<void> may_change(const SaveWish& wish, const Memory& memory) {
  if (wish.if_absent) return is_there(memory);
  if (wish.scope && *wish.scope != memory.scope) return elsewhere(memory, *wish.scope);
  return {};
}

// The memories with that name, by the index: a name that is free must not cost a look at all of
// them. In the order of the scopes.
std::vector<Memory> all_named(const StoreSnapshot& here, const std::string& name) {
  std::vector<Memory> named;
  Problem ignored;
  for (const Scope scope : kScopes) {
    const std::string reference = std::string(name_of(scope)) + "/" + name;
    for (const index::DocumentId id : candidates_of(here.documents, reference)) {
      auto memory = here.memory(id, &ignored);
      if (memory && memory->scope == scope) named.push_back(std::move(*memory));
    }
  }
  return named;
}

}  // namespace

// Not every way to fit a reference: a folder's `rollback` is not what "rollback" would be made as.
Result<std::optional<Memory>> Store::Impl::named_exactly(const StoreSnapshot& here,
                                                         const std::string& name,
                                                         std::optional<Scope> scope) const {
  std::vector<Memory> named = all_named(here, name);
  if (here.documents.damaged()) {
    MEMFS_ASSIGN(Listing all, list({}));
    named = std::move(all.memories);
  }
  const std::string folded = fold_name(name);
  std::erase_if(named, [&](const Memory& memory) {
    return fold_name(memory.name) != folded || memory.scope != scope.value_or(memory.scope);
  });
  if (named.empty()) return std::optional<Memory>();
  if (named.size() > 1) return fits_both(named[0], named[1]);
  return std::optional(std::move(named.front()));
}

Result<WriteResult> Store::Impl::save_change(Store& store, const SaveWish& wish,
                                             const Memory& memory) {
  MEMFS_TRY(may_change(wish, memory));
  return store.update(memory.ref(), change_of(wish));
}

Result<BatchItem> Store::Impl::meant_by(const SaveWish& wish, const StoreSnapshot& here) const {
  Named named;
  std::optional<Memory> memory;
  if (!wish.reference.empty()) {
    MEMFS_ASSIGN(Found found, find_in(here, wish.reference, true));
    memory = std::move(found.memory);
  } else {
    MEMFS_ASSIGN(named, parse_name(wish));
    if (!named.name.empty()) {
      MEMFS_ASSIGN(memory, named_exactly(here, named.name, named.scope));
    }
  }
  if (memory) {
    MEMFS_TRY(may_change(wish, *memory));
    return BatchItem(BatchUpdate{memory->ref(), change_of(wish)});
  }
  if (!named.name.empty() && (wish.expected_revision || wish.if_match))
    return nothing_to_expect(wish);
  MEMFS_ASSIGN(NewMemory fresh, new_memory(wish, named));
  return BatchItem(std::move(fresh));
}

Result<WriteResult> Store::save(const SaveWish& wish) {
  MEMFS_TRY(impl_->check_may_write());
  if (!wish.reference.empty()) {
    MEMFS_ASSIGN(const Found found, impl_->find(wish.reference, true));
    return impl_->save_change(*this, wish, found.memory);
  }
  MEMFS_ASSIGN(const Named named, parse_name(wish));
  if (named.name.empty()) {
    MEMFS_ASSIGN(const NewMemory fresh, new_memory(wish, named));
    return create(fresh);
  }
  constexpr int kAttempts = 3;  // between the look and the write others may make or forget it
  for (int attempt = 1;; ++attempt) {
    MEMFS_ASSIGN(const auto same,
                 impl_->named_exactly(impl_->snapshot({}), named.name, named.scope));
    if (same) {
      auto changed = impl_->save_change(*this, wish, *same);
      const bool gone = !changed && changed.error().code == ErrorCode::kNotFound;
      if (!gone || attempt == kAttempts) return changed;
      continue;
    }
    if (wish.expected_revision || wish.if_match) return nothing_to_expect(wish);
    MEMFS_ASSIGN(const NewMemory fresh, new_memory(wish, named));
    auto made = create(fresh);
    const bool taken = !made && made.error().code == ErrorCode::kConflict;
    if (!taken || attempt == kAttempts) return made;
    MEMFS_ASSIGN(const auto holder,
                 impl_->named_exactly(impl_->snapshot({}), named.name, named.scope));
    if (!holder) return made;  // a conflict of another kind
  }
}

}  // namespace memfs
