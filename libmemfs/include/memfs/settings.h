// What people may set in config.yaml. See docs/format.md, "Configuration".
#pragma once

#include <memfs/memory.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memfs {

// How much a scope may hold; nullopt: as much as one likes. Characters are code points of bodies.
struct Budget {
  std::optional<std::uint64_t> characters{};
  std::optional<std::uint64_t> entries{};
  std::optional<std::uint64_t> pinned{};  // characters of pinned bodies
  bool operator==(const Budget&) const = default;
};

// The bodies of an agent's private notes seldom need a hundredth of it: it stops what runs away,
// not what people write. Agents' notes are kept short by smaller limits that are set on purpose.
constexpr Budget kPrivateBudget{200'000'000, 200'000, 100'000};

// Characters of all notes together: so few that all of them fit into every context, and that what
// is stale has to go before something new is kept.
constexpr std::uint64_t kNotesBudget = 2200;

// Old revisions of a memory: none of the newest `keep` (at least one), none younger than `days` and
// none that its file holds is dropped.
struct HistoryPolicy {
  std::uint64_t keep = 50;
  std::uint64_t days = 90;
};

// What happens to a write in which the guard finds something.
enum class GuardAction : std::uint8_t { kRefuse, kWarn, kIgnore };

// A finding that somebody looked at and lets pass. Empty parts fit everything.
struct GuardException {
  std::string rule{};
  std::string path{};  // "shared/security/attacks"; a trailing * fits what starts so
  std::string hash{};  // Finding::hash
};

struct GuardPolicy {
  // By scope.
  using Actions = std::array<GuardAction, 3>;
  static constexpr Actions kCareful = {GuardAction::kWarn, GuardAction::kRefuse,
                                       GuardAction::kRefuse};
  Actions secrets = kCareful;
  Actions instructions = kCareful;
  Actions hidden_text = kCareful;
  // The project's exceptions come with the repository: they count for writes and checks, never for
  // what is let into the context of somebody who cloned it.
  std::vector<GuardException> project_exceptions{};
  std::vector<GuardException> own_exceptions{};
};

struct Settings {
  std::array<Budget, 3> budgets = {kPrivateBudget, Budget{}, Budget{}};  // by scope
  std::optional<std::uint64_t> notes = kNotesBudget;                     // see notes.h
  HistoryPolicy history{};
  GuardPolicy guard{};
  bool count_recalls = true;  // on this machine only
  // Turns of an agent without a save after which it is reminded; 0: never.
  std::uint64_t nudge = 10;
  // `mem sync` pushes also to the remote's default branch, without a pull request.
  bool push_direct = false;
  // Something is wrong in the person's own file: what it would have said is not known, so nothing
  // is dropped by a default.
  bool doubtful = false;

  const Budget& budget(Scope scope) const { return budgets.at(static_cast<std::size_t>(scope)); }
  Budget& budget(Scope scope) { return budgets.at(static_cast<std::size_t>(scope)); }
};

}  // namespace memfs
