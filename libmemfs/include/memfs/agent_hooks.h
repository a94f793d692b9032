// What an agent's program asks at the beginning of a session and of each turn. See docs/agents.md.
#pragma once

#include <memfs/context.h>
#include <memfs/layout.h>
#include <memfs/store.h>

#include <optional>
#include <string>
#include <string_view>

namespace memfs {

// Of a prompt what is looked for: its words as data, without the signs of the query language, and
// of a long one its beginning and end, where questions stand. "" for a command of the program
// ("/clear") and for what has no word in it.
std::string query_of_prompt(std::string_view prompt);

// Of an agent's turn, not more than this: four facts of 2,400 characters together.
constexpr TextBudget kUsualTurn{4'000, TextBudget::Unit::kBytes};

// The memories that answer a prompt well, and nothing else; an empty text if there are none, or
// nothing to look for.
Result<AssembledContext> context_for_prompt(const Store& store, std::string_view prompt,
                                            const TextBudget& budget,
                                            std::chrono::sys_time<std::chrono::milliseconds> now);

// The rules alone, as assemble_context() has them: in a large folder that takes little more than a
// search, where all that a session reads takes several times as long.
Result<AssembledContext> rules_for_session(const Store& store, const TextBudget& budget,
                                           std::chrono::sys_time<std::chrono::milliseconds> now);

// Counts a turn of the session, and gives the reminder to save something if one is due: after as
// many turns as the settings say (Settings::nudge) in which nothing was saved from this project.
// The count is kept in the state directory by session; counts that nobody touched for 30 days go.
// Never fails: where nothing can be kept, nobody is reminded.
std::optional<std::string> begin_agent_turn(FileSystem& fs, const Layout& layout,
                                            std::string_view session,
                                            std::chrono::sys_time<std::chrono::milliseconds> now);

}  // namespace memfs
