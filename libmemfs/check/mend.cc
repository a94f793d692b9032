#include "libmemfs/check/mend.h"

#include <algorithm>
#include <functional>

#include "libmemfs/check/copies.h"
#include "libmemfs/check/problem.h"
#include "libmemfs/format/block_editor.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/quote_repair.h"
#include "libmemfs/store/index_page.h"
#include "libmemfs/store/lost_id.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

constexpr std::uint64_t kMaxStray = 64U << 20U;

Problem not_mended(const Error& error, const std::string& path) {
  Problem problem = problem_at("not-fixed", error.path.empty() ? path : error.path,
                               "not mended: " + error.message, error.hint);
  problem.line = error.line;
  return problem;
}

// The bytes with another id, one revision on.
Result<std::string> with_new_id(const std::string& bytes, const Memory& memory,
                                const std::string& id) {
  const FrontMatter front = read_front_matter(bytes);
  const bool ours = front.yaml.root.find("mem_id") != nullptr;
  NewValue revision{NewValue::Form::kBare, std::to_string(memory.revision + 1)};
  return edit_front_matter(bytes, {{ours ? "mem_id" : "id", NewValue{NewValue::Form::kText, id}},
                                   {"revision", std::move(revision)}});
}

class ScopeMender {
 public:
  ScopeMender(StoreInside::Impl& store, LockedScope locked, State state, CheckReport& report)
      : store_(store), locked_(std::move(locked)), state_(std::move(state)), report_(report) {}

  // What can be done for each file alone …
  void clean() {
    sweep();
    for_each([this](const Memory& memory) { return quote(memory); });
  }

  // … and what depends on all of them.
  void identify(const std::set<std::string>& copies) {
    for_each([&](const Memory& memory) -> Result<void> {
      if (copies.contains(memory.path)) return give_id(memory, true);
      return memory.id.empty() && memory.revision > 0 ? give_id(memory, false) : Result<void>();
    });
    renew_page();
  }

 private:
  // Keeps the bytes of left-over temporary files in the history, then removes them.
  void sweep() {
    for (const std::string& rel : locked_.catalogue.leftovers) {
      const std::string path = join_path(locked_.dir->path(), rel);
      const auto swept = sweep_one(rel);
      if (!swept) {
        report_.problems.push_back(not_mended(swept.error(), path));
      } else if (*swept) {
        tell("removed a temporary file, whose bytes are in the history", path);
      }
    }
    locked_.catalogue.leftovers.clear();
  }

  // False if it was gone.
  Result<bool> sweep_one(const std::string& rel) {
    const auto content = locked_.dir->read(rel, kMaxStray);
    if (!content && content.error().code == ErrorCode::kNotFound) return false;
    if (!content) return content.error();
    if (!content->bytes.empty()) MEMFS_TRY(state_.keep_stray(content->bytes));
    MEMFS_TRY(locked_.dir->remove(rel));
    return true;
  }

  template <typename Action>
  void for_each(const Action& action) {
    // The catalogue changes with each write.
    const std::vector<Memory> memories = locked_.catalogue.memories;
    for (const Memory& memory : memories)
      if (const auto done = action(memory); !done)
        report_.problems.push_back(not_mended(done.error(), memory.path));
  }

  Result<void> give_id(const Memory& listed, bool copy) {
    MEMFS_ASSIGN(const std::string old, store_.reread(locked_, listed));
    if (!copy && !lost_its_id(listed, old)) return {};
    MEMFS_TRY(check_writable(listed, {}));
    MEMFS_ASSIGN(const std::string id, fresh_id(listed));
    MEMFS_ASSIGN(const std::string bytes, with_new_id(old, listed, id));
    // The history of the id stays with the memory that keeps it.
    Memory before = listed;
    if (copy) before.id = id;
    MEMFS_TRY(write(before, old, bytes));
    tell(copy ? "gave the copy an id of its own" : "gave the memory an id", listed);
    return {};
  }

  // One that no memory of any scope has, nor one that got its id a moment ago.
  Result<std::string> fresh_id(const Memory& listed) {
    if (!everywhere_) {
      MEMFS_ASSIGN(everywhere_, store_.list({}));
    }
    Memory taken;
    taken.id = store_.fresh_id(everywhere_->memories, listed.ref());
    everywhere_->memories.push_back(taken);
    return taken.id;
  }

  Result<void> quote(const Memory& listed) {
    const bool broken = std::any_of(
        listed.problems.begin(), listed.problems.end(),
        [](const Problem& p) { return p.code == "yaml-colon" || p.code == "yaml-sign"; });
    if (!broken) return {};
    MEMFS_ASSIGN(const std::string old, store_.reread(locked_, listed));
    const auto repair = quote_broken_values(old);
    if (!repair) return {};  // its problem stays and says what a person can do
    MEMFS_TRY(write(listed, old, repair->file));
    for (const std::string& key : repair->keys) tell("quoted the value of `" + key + "`", listed);
    return {};
  }

  Result<void> write(const Memory& before, const std::string& old, const std::string& bytes) {
    store_.log_hand_edit(locked_, state_, before);
    MEMFS_ASSIGN(const Memory after, store_.replace(locked_, state_, before, old, bytes));
    // The write stands whatever log and page say; the page comes last.
    (void)store_.log_write(locked_, state_, {Operation::kFix, &before}, &after);
    auto& memories = locked_.catalogue.memories;
    std::replace_if(
        memories.begin(), memories.end(), [&](const Memory& m) { return m.rel == before.rel; },
        after);
    return {};
  }

  void renew_page() {
    const auto page = store_.renew_index(*locked_.dir, locked_.scope, locked_.catalogue, false);
    const std::string path = join_path(locked_.dir->path(), "INDEX.md");
    if (!page) {
      report_.problems.push_back(not_mended(page.error(), path));
    } else if (page->written) {
      tell(page->blank    ? "renewed INDEX.md, which held nothing but NUL bytes"
           : page->exists ? "renewed INDEX.md"
                          : "made INDEX.md",
           path);
    }
  }

  void tell(std::string what, const std::string& path, std::string ref = {}) {
    report_.mended.push_back({std::move(what), escape_for_terminal(path), std::move(ref)});
  }
  void tell(std::string what, const Memory& memory) {
    tell(std::move(what), memory.path, memory.ref());
  }

  StoreInside::Impl& store_;
  LockedScope locked_;
  State state_;
  CheckReport& report_;
  std::optional<Listing> everywhere_{};  // listed when the first id is needed
};

// Names of the journals that can be read.
std::set<std::string> pending(StoreInside::Impl& store) {
  std::set<std::string> names;
  const auto state_dir = store.fs().open(store.layout.state);
  if (!state_dir) return names;
  const auto listed = Journal(store.fs(), *state_dir, "journal").pending();
  if (listed) names.insert(listed->begin(), listed->end());
  return names;
}

void finish_operations(StoreInside::Impl& store, CheckReport& report) {
  const std::set<std::string> before = pending(store);
  if (before.empty()) return;
  const auto finished = store.finish_interrupted();
  if (!finished) report.problems.push_back(not_mended(finished.error(), store.layout.state));
  const std::set<std::string> after = pending(store);
  for (const std::string& name : before)
    if (!after.contains(name))
      report.mended.push_back(
          {"finished an interrupted operation", join_path(store.layout.state, "journal/" + name)});
}

// Locks the scope and does something to it.
template <typename Action>
Result<void> in_scope(StoreInside::Impl& store, Scope scope, CheckReport& report,
                      const Action& action) {
  MEMFS_ASSIGN(LockedScope locked, store.lock_without_recovery(scope));
  MEMFS_ASSIGN(auto state_dir, store.open_state());
  ScopeMender mender(store, std::move(locked), State(std::move(state_dir)), report);
  action(mender);
  return {};
}

// The copies among all memories as they are now.
std::set<std::string> copies_in(const StoreInside::Impl& store) {
  const auto listing = store.list({});
  if (!listing) return {};
  std::vector<const Memory*> memories;
  memories.reserve(listing->memories.size());
  for (const Memory& memory : listing->memories) memories.push_back(&memory);
  return find_copies(store, memories);
}

void identify(StoreInside::Impl& store, const std::vector<Scope>& scopes,
              const std::set<std::string>& copies, CheckReport& report) {
  for (const Scope scope : scopes) {
    const auto done = in_scope(store, scope, report, [&](ScopeMender& m) { m.identify(copies); });
    if (!done) report.problems.push_back(not_mended(done.error(), store.layout.folder(scope).path));
  }
}

}  // namespace

void mend_store(StoreInside::Impl& store, CheckReport& report) {
  finish_operations(store, report);
  std::vector<Scope> scopes;
  for (const Scope scope : kScopes) {
    const std::string path = store.layout.folder(scope).path;
    if (!store.fs().stat(path)) continue;
    const auto cleaned = in_scope(store, scope, report, [](ScopeMender& m) { m.clean(); });
    if (cleaned) {
      scopes.push_back(scope);
    } else {
      report.problems.push_back(not_mended(cleaned.error(), path));
    }
  }
  // Only now every file that can be read is read.
  identify(store, scopes, copies_in(store), report);
}

void give_new_ids(StoreInside::Impl& store, const std::set<std::string>& paths,
                  CheckReport& report) {
  std::vector<Scope> scopes;
  for (const Scope scope : kScopes)
    if (store.fs().stat(store.layout.folder(scope).path)) scopes.push_back(scope);
  identify(store, scopes, paths, report);
}

}  // namespace memfs
