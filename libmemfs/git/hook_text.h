// The text of git's hooks and of the merge driver's configuration: what mem writes there, and how
// its lines are put into somebody's own script and taken out again.
//
//   block := "# >>> mem git hook [of PROJECT] >>> …" eol lines "# <<< mem git hook [of PROJECT]
//   <<<" eol
//
// It stands right behind the script's first line, so that an `exit` at its end does not matter.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace memfs {

constexpr std::array<std::string_view, 5> kHooks = {"pre-commit", "pre-merge-commit", "post-merge",
                                                    "post-checkout", "post-rewrite"};

// How mem is called.
struct HookCall {
  std::string program{};  // "mem", or an absolute path
  std::string project{};  // its folder below the work tree, "" for the work tree itself
};

// One line that does what the hook is to do: nothing where mem is absent, and never a failure but
// for errors in what is committed.
std::string hook_line(std::string_view hook, const HookCall& call);

// The same as lines between two that mark them. `made`: for a file that mem makes, see is_made().
std::string hook_block(std::string_view hook, const HookCall& call, bool made);

// A whole hook of ours.
std::string hook_script(std::string_view hook, const HookCall& call);

// Whether the first line names a shell that understands hook_line().
bool is_shell_script(std::string_view script);

struct HookBlock {
  std::size_t begin = 0;
  std::size_t end = 0;  // behind its last line; npos: the line that ends it is missing
};
std::optional<HookBlock> find_hook_block(std::string_view script, std::string_view project);

// Whether mem made this file: then nothing of it is left when the last block goes.
bool is_made(std::string_view script);

// REQUIRES: is_shell_script() and a line end behind the first line.
std::string with_hook_block(std::string_view script, std::string_view block);
// REQUIRES: a block that ends. "" if the file was made by mem and nothing else is in it.
std::string without_hook_block(std::string_view script, const HookBlock& block);

// In single quotes, as a shell reads it.
std::string shell_quoted(std::string_view text);

// The value of merge.mem.driver. Where mem is absent git's own merge of lines does the work.
std::string driver_line(const std::string& program);
bool is_driver_line(std::string_view value);  // written by any mem

}  // namespace memfs
