// Which files of which program hold what: the one table of all formats. docs/agents.md names the
// documentation that it follows.
#pragma once

#include <memfs/setup.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs::setup {

// The forms in which an entry is written.
enum class Form : std::uint8_t {
  kServer,       // {"command":…,"args":["mcp"]}
  kTypedServer,  // the same with "type":"stdio"
  kTomlServer,   // [mcp_servers.mem]
  kVersion,      // 1, which the file needs beside the entries
  kGroup,        // {"hooks":[{"type":"command","command":…}]}
  kNamedGroup,   // the same with a name, and a limit in milliseconds
  kCall,         // {"command":…}
  kTypedCall,    // {"type":"command","command":…}
  kLine,         // of a text
};

struct Entry {
  std::string part{};  // as SetupStep has it
  Form form = Form::kServer;
  std::vector<std::string> path{};  // to its container
  std::string key{};                // empty: an element of a list
};

struct EntryFile {
  std::string path{};  // absolute
  std::vector<Entry> entries{};
};

struct Harness {
  std::string_view name, title;
};
const std::vector<Harness>& harnesses();
const Harness* find_harness(std::string_view name);

// Of settings, the project's or the person's.
std::vector<EntryFile> files_of(std::string_view harness, const SetupPlaces& places, bool project);
// Of instructions to the agent; nullopt if the program reads none there.
std::optional<EntryFile> instructions_of(std::string_view harness, const SetupPlaces& places,
                                         bool project);
// Whether the program has left anything on this machine: one of these is there.
std::vector<std::string> traces_of(std::string_view harness, const SetupPlaces& places);

// What the entry holds if mem is started as `program`, as JSON, TOML or text.
std::string value_of(const Entry& entry, const std::string& program);
// The command line of a hook entry.
std::string hook_command(const Entry& entry, const std::string& program);
// The program that a command line calls with this hook; nullopt if it calls something else than a
// `mem` or one of `own`'s name, under which mem may be installed, too.
std::optional<std::string> program_of(const Entry& entry, std::string_view command,
                                      std::string_view own);

// With what a line of instructions ends.
constexpr std::string_view kLineMark = "<!-- by `mem setup` -->";

}  // namespace memfs::setup
