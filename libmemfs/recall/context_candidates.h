// Which memories belong into which part of a context, whatever there is room for.
#pragma once

#include <memfs/context.h>

#include <cstddef>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"

namespace memfs {

struct Candidate {
  Memory memory;      // without its body
  std::string why{};  // it would be shown
};

// Each memory that is not expired is in exactly one of them, or counted as shadowed.
struct ContextCandidates {
  // In the order in which they get room.
  std::vector<Candidate> rules, pinned, relevant;
  std::vector<Memory> others;  // in the order of a listing
  std::vector<LeftOut> unreadable;
  std::vector<LeftOut> shadowed;  // those to be named
  std::size_t shadowed_count = 0;
  std::vector<Problem> problems;
  std::vector<std::string> notes;
};

Result<ContextCandidates> find_candidates(const Store& store, const ContextRequest& request,
                                          Instant now);

// Only the rules, of the request's scopes: nothing else is looked at but what could stand in for
// them.
Result<ContextCandidates> find_rules(const Store& store, const ContextRequest& request,
                                     Instant now);

// The beginning of the day: ages are counted from it, so that a text stays the same for a day.
Instant start_of_day(Instant now);

bool is_rule(const Memory& memory);

}  // namespace memfs
