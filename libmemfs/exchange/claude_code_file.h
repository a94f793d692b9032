// One topic file of Claude Code and the memory that it is. Claude Code reads name, description and
// metadata.type, and leaves other keys alone: all of ours stay, and nothing is lost either way.
#pragma once

#include <memfs/memory.h>

#include <string>
#include <string_view>

namespace memfs {

constexpr std::string_view kClaudeFormat = "claude-code";
constexpr std::string_view kClaudeIndex = "MEMORY.md";

// The memory's file as `rel` of such a folder: name, description and metadata.type on top, as far
// as it lacks them. A file that came from there goes out as it came, with what was changed since.
std::string claude_file(const Memory& memory, std::string_view bytes, std::string_view rel);

// Takes off what claude_file() put on a memory of ours; any other file is given back as it is.
std::string from_claude_file(std::string_view bytes, std::string_view rel);

}  // namespace memfs
