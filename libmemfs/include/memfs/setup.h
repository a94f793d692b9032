// Sets programs in which agents work up to start `mem mcp` and to call `mem hook`, and takes that
// out again. See docs/agents.md.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace memfs {

class FileSystem;

// Where settings are looked for. The library reads no environment variable itself.
struct SetupPlaces {
  std::string home{};         // $HOME, absolute
  std::string config_home{};  // $XDG_CONFIG_HOME
  std::string claude{};       // $CLAUDE_CONFIG_DIR
  std::string codex{};        // $CODEX_HOME
  std::string project{};      // absolute; where settings of a project lie
  std::string state{};        // the state directory: what was there before is kept in it
};

struct SetupOptions {
  std::string program = "mem";  // how settings call mem: absolute, or its name
  bool project = false;         // the project's settings, for all who work in it; else the person's
  bool instructions = false;    // also a line in the file of instructions that the agent reads
  bool dry_run = false;         // nothing is written
};

struct SetupStep {
  enum class Outcome : std::uint8_t {
    kMade,
    kChanged,  // it started a mem that is gone
    kKept,     // it was as it should be
    kLeft,     // somebody else's: `note` says why and what a person can do
    kRemoved,
    kAbsent,  // there is nothing to take out; of a state: not set up
  };
  Outcome outcome = Outcome::kKept;
  std::string part{};  // "server", "hook session-start", "hook prompt", "instructions"
  std::string path{};  // of the settings
  std::string note{};  // may be empty
};
std::string_view name_of(SetupStep::Outcome outcome);

struct SetupFile {
  std::string path{};
  std::string diff{};  // unified: what is written; empty if nothing is
  bool made = false;   // there was none
  bool gone = false;   // it was made by a setup and held nothing else
  std::string kept{};  // where the old bytes are; empty if there were none, or by a dry run
};

struct SetupReport {
  std::string harness{};
  std::vector<SetupStep> steps{};
  std::vector<SetupFile> files{};  // that change
  bool dry_run = false;
};

// The names that set_up() takes: claude-code, codex, cursor, gemini, vscode.
std::vector<std::string> setup_harnesses();

// Safe to repeat. What else is in the files stays byte for byte, and what cannot be read
// (kInvalid, with line), may not be written or belongs to somebody else (kRefused; kIo for a folder
// in which nothing can be made) leaves all of them as they are. kUsage for a name that is not
// known, or instructions where there is no file for them. kConflict if a file changed meanwhile,
// kBusy if another has set up for ten seconds.
Result<SetupReport> set_up(FileSystem& fs, const SetupPlaces& places, std::string_view harness,
                           const SetupOptions& options);
// Takes out what set_up() put in: entry by entry what is still as it was put in, with the files,
// folders and containers that were made for it.
Result<SetupReport> take_out(FileSystem& fs, const SetupPlaces& places, std::string_view harness,
                             const SetupOptions& options);

// One program, as it is set up for the person.
struct HarnessState {
  std::string name{};              // "claude-code"
  std::string title{};             // "Claude Code"
  bool found = false;              // it has left settings on this machine
  std::vector<SetupStep> steps{};  // kKept, kAbsent, kLeft
  std::string problem{};           // why that is not known
};
std::vector<HarnessState> harness_states(FileSystem& fs, const SetupPlaces& places,
                                         const SetupOptions& options);

}  // namespace memfs
