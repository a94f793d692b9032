// What an agent should read before it starts: the rules that always hold, and what is pinned.
// See docs/lifecycle.md.
#pragma once

#include <memfs/freshness.h>
#include <memfs/guard.h>
#include <memfs/memory.h>
#include <memfs/store.h>

#include <string>
#include <vector>

namespace memfs {

struct ContextRequest {
  std::vector<Scope> scopes{};         // all usable ones by default
  std::uint64_t pinned_budget = 8000;  // characters of pinned bodies
  // Characters of shared rules: they may come from anybody, in any number.
  std::uint64_t shared_rules_budget = 32000;
};

struct ContextEntry {
  Memory memory;  // with its body
  Age age{};
};

// A memory that is not in the context, so that nothing is missing without a word.
struct LeftOut {
  enum class Why : std::uint8_t {
    kHeldBack,  // the guard found something in a shared memory; see findings
    kBudget,    // the budget for pinned text, or for shared rules, is used up
    kShadowed,  // a nearer memory of the same id, name or subject is shown
    kUnreadable,
  };
  Memory memory;  // without its body
  Why why = Why::kBudget;
  std::vector<Finding> findings{};
  std::string nearer{};  // kShadowed: the reference of the nearer one
};

struct AssembledContext {
  std::vector<ContextEntry> rules;   // kind: preference; always whole
  std::vector<ContextEntry> pinned;  // activation: pinned, within the budget
  std::vector<LeftOut> left_out;
  std::uint64_t pinned_characters = 0;
  std::vector<Problem> problems;
};

// A memory that is shown stands in for farther ones of the same id, name or subject; but nothing
// shared takes the place of a person's own rule. Expired memories are not in it and not in the
// account. Nearer scopes come first, and in each the
// order of a listing. Fails only if nothing can be read at all.
Result<AssembledContext> assemble_context(const Store& store, const ContextRequest& request,
                                          std::chrono::sys_time<std::chrono::milliseconds> now);

// As markdown: each memory between two tags that name it, so that a reader can tell whose text it
// is; the account of what was left out at the end. Bodies cannot close their tag.
std::string render_context(const AssembledContext& context);

}  // namespace memfs
