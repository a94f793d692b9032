// What the memories' texts tell: each file is read once, by as many threads as the store uses.
#pragma once

#include <memfs/guard.h>
#include <memfs/memory.h>
#include <memfs/settings.h>

#include <vector>

#include "libmemfs/check/fingerprint.h"
#include "libmemfs/check/scope_view.h"
#include "libmemfs/store/link_table.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

struct TextNotes {
  std::vector<Problem> problems{};
  Fingerprint print{};  // by which near-duplicates are found
};

// One for each memory of the view, in its order: findings of the guard, second names of the file,
// bookkeeping without an id, rules and task states that were saved as facts, links that lead
// nowhere. `table`: the memories of all views.
std::vector<TextNotes> check_texts(const StoreInside::Impl& store, const ScopeView& view,
                                   const LinkTable& table);

// What the guard found in a memory, as far as nobody let it pass.
std::vector<Problem> guard_problems(const Memory& memory, const std::vector<Finding>& findings,
                                    const GuardPolicy& policy);

}  // namespace memfs
