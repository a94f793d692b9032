#include "libmemfs/git/hook_text.h"

#include <algorithm>

namespace memfs {
namespace {

constexpr std::string_view kShebang = "#!/bin/sh\n";
constexpr std::string_view kMade = "# This file was made by `mem git install`.\n";

std::string mark(std::string_view arrows, std::string_view project) {
  std::string text = "# ";
  text += arrows;
  text += " mem git hook ";
  if (!project.empty()) text += "of " + std::string(project) + " ";
  text += arrows;
  return text;
}

std::string begin_of(std::string_view project) { return mark(">>>", project); }
std::string end_of(std::string_view project) { return mark("<<<", project); }

bool by_name(const std::string& program) { return program.find('/') == std::string::npos; }

std::string word_of(const std::string& program) {
  return by_name(program) ? program : shell_quoted(program);
}

std::string is_there(const std::string& program) {
  return by_name(program) ? "command -v " + program + " >/dev/null 2>&1"
                          : "test -x " + shell_quoted(program);
}

// Where a line that is exactly `text`, or begins with it and a blank, starts.
std::size_t find_line(std::string_view script, std::string_view text, std::size_t from) {
  for (auto at = script.find(text, from); at != std::string_view::npos;
       at = script.find(text, at + 1)) {
    const auto next = script.substr(at + text.size(), 1);
    const bool whole = next.empty() || next == "\n" || next == " " || next == "\r";
    if (whole && (at == 0 || script[at - 1] == '\n')) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string hook_line(std::string_view hook, const HookCall& call) {
  std::string line = "if " + is_there(call.program);
  if (!call.project.empty()) line += " && test -d " + shell_quoted(call.project + "/.mem");
  line += "; then " + word_of(call.program);
  if (!call.project.empty()) line += " -C " + shell_quoted(call.project);
  line += " git hook " + std::string(hook) + " \"$@\"";
  // Only errors that were found (1) stop a commit, and nothing stops what is done already.
  return line + (hook.starts_with("pre-") ? " || test $? -ne 1 || exit 1; fi" : " || :; fi");
}

std::string hook_block(std::string_view hook, const HookCall& call, bool made) {
  std::string block = begin_of(call.project) + " `mem git uninstall` takes these lines out\n";
  if (made) block += kMade;
  return block + hook_line(hook, call) + "\n" + end_of(call.project) + "\n";
}

std::string hook_script(std::string_view hook, const HookCall& call) {
  return std::string(kShebang) + hook_block(hook, call, true);
}

bool is_shell_script(std::string_view script) {
  if (!script.starts_with("#!")) return false;
  std::string_view line = script.substr(2, script.find('\n') - 2);
  std::string_view program;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    const auto slash = word.rfind('/');
    program = slash == std::string_view::npos ? word : word.substr(slash + 1);
    if (program != "env" && program != "-S") break;
  }
  constexpr std::array<std::string_view, 6> kShells = {"sh", "bash", "dash", "ash", "ksh", "zsh"};
  return std::find(kShells.begin(), kShells.end(), program) != kShells.end();
}

std::optional<HookBlock> find_hook_block(std::string_view script, std::string_view project) {
  const auto begin = find_line(script, begin_of(project), 0);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string last = end_of(project);
  const auto end = find_line(script, last, begin);
  if (end == std::string_view::npos) return HookBlock{begin, std::string_view::npos};
  const auto eol = script.find('\n', end);
  return HookBlock{begin, eol == std::string_view::npos ? script.size() : eol + 1};
}

bool is_made(std::string_view script) {
  return script.find("\n" + std::string(kMade)) != std::string_view::npos;
}

std::string with_hook_block(std::string_view script, std::string_view block) {
  const auto at = script.find('\n') + 1;
  return std::string(script.substr(0, at)) + std::string(block) + std::string(script.substr(at));
}

std::string without_hook_block(std::string_view script, const HookBlock& block) {
  std::string rest =
      std::string(script.substr(0, block.begin)) + std::string(script.substr(block.end));
  return is_made(script) && rest == kShebang ? std::string() : rest;
}

std::string driver_line(const std::string& program) {
  // git replaces %x, and %% by one %.
  std::string word = word_of(program);
  std::string there = is_there(program);
  for (std::string* text : {&word, &there})
    for (auto at = text->find('%'); at != std::string::npos; at = text->find('%', at + 2))
      text->insert(at, 1, '%');
  return "if " + there + "; then exec " + word +
         " git merge-driver %O %A %B %L %P; else exec git merge-file --marker-size=%L -L ours -L "
         "base -L theirs %A %O %B; fi";
}

bool is_driver_line(std::string_view value) {
  return value.find(" git merge-driver %O %A %B %L %P") != std::string_view::npos;
}

}  // namespace memfs
