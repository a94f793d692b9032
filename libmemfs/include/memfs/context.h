// What an agent should read: the rules that always hold, what is pinned, what answers a question,
// and the names of the rest, within a budget. See docs/context.md.
//
//   memfs::ContextRequest request;
//   request.query = "which branch are releases cut from";
//   request.budget = *memfs::parse_text_budget("2ktokens");
//   auto context = memfs::assemble_context(*store, request, now);   // context->text
#pragma once

#include <memfs/freshness.h>
#include <memfs/guard.h>
#include <memfs/memory.h>
#include <memfs/store.h>
#include <memfs/text_budget.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace memfs {

enum class ContextFormat : std::uint8_t { kMarkdown, kXml, kJson };

// 4,000 tokens of English at most: a fiftieth of a small model's window, so that a session may
// begin with it.
constexpr TextBudget kUsualContext{16'000, TextBudget::Unit::kBytes};

struct ContextRequest {
  std::vector<Scope> scopes{};  // all usable ones by default
  // What is asked for, in the query language; "": nothing is relevant. Weak hits are left out.
  std::string query{};
  // What the text takes at most, in the format, account and all.
  TextBudget budget = kUsualContext;
  ContextFormat format = ContextFormat::kMarkdown;
  bool always = true;  // rules and pinned ones; without them and the index only what is relevant
  bool index = true;   // a line for each memory that is not shown otherwise
  std::uint64_t pinned_budget = 8000;  // characters of pinned bodies
  // Characters of shared rules, which may come from anybody in any number. They take no more than
  // half of the budget either.
  std::uint64_t shared_rules_budget = 32000;
  std::size_t facts = 6;                  // relevant ones that are shown whole,
  std::uint64_t fact_characters = 2000;   // each so long at most
  std::uint64_t facts_characters = 6000;  // and together
};

struct ContextEntry {
  Memory memory;  // with its body, whole
  Age age{};
  std::string why{};  // "rule", "pinned", "release, branch in title"
};

struct IndexEntry {
  std::string ref{};   // what `mem show` takes
  std::string text{};  // description or title, one line
};

// A memory that is named instead of shown, so that nothing is missing without a word.
struct LeftOut {
  enum class Why : std::uint8_t {
    kHeldBack,    // the guard found something in a shared memory; see findings
    kBudget,      // there is no room for it
    kShadowed,    // a nearer memory of the same id, name or subject stands in for it
    kUnreadable,  // it may be a rule: nobody can tell
    kStale,       // relevant, but to be verified before it is relied on
  };
  Memory memory;  // without its body
  Why why = Why::kBudget;
  std::vector<Finding> findings{};
  std::string nearer{};    // kShadowed: the reference of the nearer one
  std::string found_by{};  // kBudget, kStale: why it would be shown
  int stale_days = 0;
  // kShadowed by an older memory: their days, "2026-01-02".
  std::string day{}, nearer_day{};
};

// Of one part, all that live: shown + named + left_out.
struct PartCount {
  std::size_t shown = 0;
  std::size_t named = 0;     // in one line, as left_out of the context
  std::size_t left_out = 0;  // only counted
  bool operator==(const PartCount&) const = default;
};

enum class ContextPart : std::uint8_t { kRules, kPinned, kRelevant, kIndex };
constexpr std::size_t kContextParts = 4;

// Every memory of the scopes that is not expired is counted once, if all parts are asked for.
struct ContextCounts {
  std::array<PartCount, kContextParts> parts{};
  std::size_t held_back = 0;
  std::size_t shadowed = 0;
  std::size_t unreadable = 0;

  PartCount& of(ContextPart part) { return parts.at(static_cast<std::size_t>(part)); }
  const PartCount& of(ContextPart part) const { return parts.at(static_cast<std::size_t>(part)); }
};

struct AssembledContext {
  std::string text;  // in the format, within the budget; "" if there is nothing to say
  std::vector<ContextEntry> rules;     // kind: preference
  std::vector<ContextEntry> pinned;    // activation: pinned
  std::vector<ContextEntry> relevant;  // the best first
  std::vector<IndexEntry> index;
  std::vector<LeftOut> left_out;  // those that the text names
  ContextCounts counts;
  std::uint64_t pinned_characters = 0;
  std::vector<Problem> problems;
  std::vector<std::string> notes;  // how the query was taken
};

// Nothing is cut: a memory is shown whole, or named in a line, or counted. Rules first, then what
// is pinned, relevant and in the index; of each the nearer scope first, then the newest, and what
// is left out is older than what is not. A nearer memory stands in for farther ones of the same
// id, name or subject; but nothing shared takes the place of a person's own rule. Expired memories
// are not in it and not in the account. The same for the same files and the same day (UTC), but
// that a memory goes with the instant it expires. kUsage for a query with nothing to look for, or a
// budget in which not even the account fits.
Result<AssembledContext> assemble_context(const Store& store, const ContextRequest& request,
                                          std::chrono::sys_time<std::chrono::milliseconds> now);

// A memory's text, or a part of it, between two tags that name it and that it cannot close, as in a
// context; with `held_back` without a title, and without a name that tells a model what to do.
std::string enclosed_memory(const Memory& memory, std::string_view text, bool held_back);

struct CompactIndexRequest {
  std::vector<Scope> scopes{};         // all usable ones by default
  std::optional<TextBudget> budget{};  // of the text
  std::optional<std::size_t> lines{};  // memories
};

struct CompactIndex {
  std::vector<IndexEntry> entries{};  // by scope and name
  // "- ref: description" lines; the last one tells how many more there are.
  std::string text{};
  std::size_t left_out = 0;  // older than the others
  std::vector<Problem> problems{};
};

// A line for each memory that is not expired, the newest if not all fit.
Result<CompactIndex> compact_index(const Store& store, const CompactIndexRequest& request,
                                   std::chrono::sys_time<std::chrono::milliseconds> now);

}  // namespace memfs
