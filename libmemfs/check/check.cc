// One run of the check: mend if that is wanted, look at each scope, then at what lies between them.
//
// The room stands above the store, since it needs all of it, and beside recall: nothing but faces
// rests on it. Each family of problems has a file; what each reports is in format/problem_table.h.
#include <memfs/check.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "libmemfs/check/between.h"
#include "libmemfs/check/copies.h"
#include "libmemfs/check/folder.h"
#include "libmemfs/check/mend.h"
#include "libmemfs/check/near_duplicates.h"
#include "libmemfs/check/newlines.h"
#include "libmemfs/check/revisions.h"
#include "libmemfs/check/texts.h"
#include "libmemfs/check/unmerged.h"
#include "libmemfs/check/vanished.h"
#include "libmemfs/store/link_lookup.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

// The scopes that have a folder, or had one at the last check.
std::vector<ScopeView> views_of(StoreInside::Impl& store, std::vector<Problem>& problems) {
  std::vector<ScopeView> views;
  for (const Scope scope : kScopes) {
    const std::string& path = store.layout.folder(scope).path;
    if (path.empty()) continue;
    const auto real = store.fs().real_path(path);
    ScopeView view{scope, scope_key(scope, real ? *real : path)};
    auto dir = store.scope_dir(scope);
    if (!dir && dir.error().code != ErrorCode::kNotFound) {
      problems.push_back(scope_problem(dir.error()));
      continue;
    }
    if (dir) {
      auto catalogue = store.catalogue(scope, **dir);
      if (!catalogue) {
        problems.push_back(scope_problem(catalogue.error()));
        continue;
      }
      view.dir = std::move(*dir);
      view.catalogue = std::move(*catalogue);
    }
    views.push_back(std::move(view));
  }
  return views;
}

// The files themselves, each read once; gives what near-duplicates are found by.
std::vector<std::vector<TextNotes>> check_files(StoreInside::Impl& store,
                                                const std::vector<ScopeView>& views,
                                                std::vector<Problem>& problems) {
  std::vector<std::vector<TextNotes>> all;
  std::vector<Memory> memories;
  for (const ScopeView& view : views)
    memories.insert(memories.end(), view.catalogue.memories.begin(), view.catalogue.memories.end());
  const LinkTable table(memories, folders_of(store.layout),
                        [&](const std::string& path) { return store.fs().stat(path).has_value(); });
  for (const ScopeView& view : views) {
    if (view.dir) check_folder(store, view, problems);
    check_revisions(store, view, problems);
    check_newlines(store, view, problems);
    for (const Memory& memory : view.catalogue.memories) {
      problems.insert(problems.end(), memory.problems.begin(), memory.problems.end());
      check_dates(memory, store.now(), problems);
    }
    all.push_back(view.dir ? check_texts(store, view, table) : std::vector<TextNotes>());
    for (TextNotes& notes : all.back())
      std::move(notes.problems.begin(), notes.problems.end(), std::back_inserter(problems));
  }
  return all;
}

void check_duplicates(const std::vector<ScopeView>& views,
                      const std::vector<std::vector<TextNotes>>& notes,
                      std::vector<Problem>& problems) {
  std::vector<Comparable> comparables;
  for (std::size_t v = 0; v < views.size(); ++v)
    for (std::size_t i = 0; i < notes[v].size(); ++i)
      comparables.push_back({&views[v].catalogue.memories[i], &notes[v][i].print});
  const auto body_of = [&](const Memory& memory) {
    for (const ScopeView& view : views) {
      if (view.scope != memory.scope || !view.dir) continue;
      const auto loaded = load_memory(*view.dir, memory);
      if (loaded) return loaded->body;
    }
    return std::string();
  };
  check_near_duplicates(comparables, body_of, problems);
}

void sort_problems(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.severity, a.path, a.line) < std::tie(b.severity, b.path, b.line);
  });
}

}  // namespace

Result<CheckReport> check_store(Store& store, const CheckRequest& request) {
  StoreInside::Impl& inside = StoreInside::of(store);
  CheckReport report;
  std::vector<Problem>& problems = report.problems;
  problems = inside.layout.notes;
  if (request.fix) mend_store(inside, report);
  const std::vector<ScopeView> views = views_of(inside, problems);
  const auto notes = check_files(inside, views, problems);
  std::vector<const Memory*> memories;
  for (const ScopeView& view : views)
    for (const Memory& memory : view.catalogue.memories) memories.push_back(&memory);
  report.memories = memories.size();
  check_between(memories, find_copies(inside, memories), inside.now(), problems);
  check_duplicates(views, notes, problems);
  check_unmerged(inside.layout, problems);
  check_vanished(inside, views, request.remember, problems);
  MEMFS_TRY(check_journal(inside, problems));
  sort_problems(problems);
  return report;
}

}  // namespace memfs
