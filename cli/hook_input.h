// What a program in which an agent works tells its hook, and how it takes the answer.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace memfs::cli {

struct HookInput {
  std::string event{};    // "SessionStart"; empty: not told
  std::string session{};  // its id
  std::string folder{};   // the working directory of the agent; empty: not told
  bool nowhere = false;   // one is told that is no path: an agent that works in no folder
  std::string prompt{};
};

// What arrives on standard input until it ends, `patience` is over or it is more than 1 MiB; a
// terminal is not asked. Whatever is no JSON object is nothing.
HookInput read_hook_input(std::chrono::steady_clock::time_point patience);
HookInput hook_input_of(std::string_view json);

enum class HookFormat : std::uint8_t {
  kText,      // as it is
  kSpecific,  // {"hookSpecificOutput":{…}}: Claude Code, Codex, Gemini CLI, VS Code
  kCursor,    // {"additional_context":…}
};
std::optional<HookFormat> hook_format_named(std::string_view name);
// That of the program that has such an event.
HookFormat hook_format_of(std::string_view event);
// `text` in the format; nothing to say is no output, but where the program waits for a word.
std::string hook_output(HookFormat format, const std::string& event, const std::string& text);

}  // namespace memfs::cli
