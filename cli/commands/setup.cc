// `mem setup`: the settings of the programs in which agents work.
#include <memfs/setup.h>

#include <cstdlib>
#include <ostream>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json_setup.h"
#include "cli/own_program.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

using Outcome = SetupStep::Outcome;

std::string env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// A folder to which a program's settings were moved; empty if they were not. Relative, it means
// another folder wherever the program is started.
Result<std::string> moved_to(const char* name) {
  std::string folder = env(name);
  if (folder.empty() || folder.starts_with('/')) return folder;
  return make_error(ErrorCode::kUsage, std::string(name) + " is no absolute path: " + folder)
      .with_hint("set it to the folder in which the program finds its settings, or unset it");
}

Result<SetupPlaces> places_of(const Context& context, const Layout& layout, bool project) {
  SetupPlaces places;
  places.home = context.environment.home;
  if (!places.home.starts_with('/') && !project) {
    return make_error(ErrorCode::kInvalid, "HOME is not set, so nobody knows where settings are")
        .with_hint("set HOME");
  }
  places.config_home = env("XDG_CONFIG_HOME");
  if (!places.config_home.starts_with('/')) places.config_home.clear();  // as its standard says
  MEMFS_ASSIGN(places.claude, moved_to("CLAUDE_CONFIG_DIR"));
  MEMFS_ASSIGN(places.codex, moved_to("CODEX_HOME"));
  places.project =
      layout.project_root.empty() ? context.environment.working_directory : layout.project_root;
  places.state = layout.state;
  return places;
}

// What is committed has to work on other machines; what starts from a desktop has no shell's PATH.
SetupOptions options_of(const Args& args) {
  SetupOptions options;
  options.project = args.has("project");
  options.program = options.project ? "mem" : own_program_path();
  options.instructions = args.has("instructions");
  options.dry_run = args.has("print");
  return options;
}

const char* word_of(Outcome outcome, bool dry_run) {
  switch (outcome) {
    case Outcome::kMade:
      return dry_run ? "Would make" : "Made";
    case Outcome::kChanged:
      return dry_run ? "Would change" : "Changed";
    case Outcome::kRemoved:
      return dry_run ? "Would remove" : "Removed";
    case Outcome::kLeft:
      return "Left";
    case Outcome::kKept:
      return "Kept";
    case Outcome::kAbsent:
      return "No";
  }
  return "Kept";
}

void print_report(Context& context, const SetupReport& report) {
  for (const SetupStep& step : report.steps)
    context.out() << word_of(step.outcome, report.dry_run) << " " << step.part << " in "
                  << context.shown(step.path)
                  << (step.note.empty() ? "" : ": " + context.shown(step.note)) << "\n";
  for (const SetupFile& file : report.files) {
    if (report.dry_run) context.out() << "\n" << escape_for_terminal(file.diff, true);
    if (file.gone && !report.dry_run)
      context.out() << "Removed " << context.shown(file.path) << ", which held nothing else\n";
    if (!file.kept.empty()) context.note("as it was before: " + file.kept);
  }
}

// What a person should know beside what was written.
void advise(Context& context, const SetupReport& report, const SetupOptions& options) {
  if (options.project) context.note("others who work in this project need `mem` in their PATH");
  if (report.harness == "claude-code") {
    context.note(
        "Claude Code also keeps notes of its own: turn them off (\"autoMemoryEnabled\": false) or "
        "let them be your private memories (\"autoMemoryDirectory\"): docs/agents.md");
  }
  if (report.harness == "codex")
    context.note("Codex runs new hooks after you have trusted them: `/hooks` in a session");
  if (report.harness == "vscode")
    context.note(
        "VS Code also runs the hooks of ~/.claude/settings.json: with both, the context comes "
        "twice");
}

int run_one(Context& context, const Args& args, const SetupPlaces& places) {
  const std::string& harness = args.rest().front();
  const SetupOptions options = options_of(args);
  PosixFileSystem fs;
  const bool remove = args.has("remove");
  const auto report = (remove ? take_out : set_up)(fs, places, harness, options);
  if (!report) return context.fail(report.error());
  if (context.json) {
    context.out() << setup_json(*report, options.program);
    return 0;
  }
  print_report(context, *report);
  if (!remove && !report->files.empty()) advise(context, *report, options);
  return 0;
}

std::string state_word(const SetupStep& step) {
  if (step.outcome == Outcome::kKept) return "set up";
  return step.outcome == Outcome::kAbsent ? "not set up" : step.note;
}

void print_state(Context& context, const HarnessState& state) {
  context.out() << context.bold(state.name) << (state.found ? "" : ": not found") << "\n";
  if (!state.problem.empty()) context.out() << "  " << context.shown(state.problem) << "\n";
  for (const SetupStep& step : state.steps)
    if (state.found || step.outcome != Outcome::kAbsent)
      context.out() << "  " << step.part << " in " << context.shown(step.path) << ": "
                    << context.shown(state_word(step)) << "\n";
}

int run_list(Context& context, const Args& args, const SetupPlaces& places) {
  for (const char* flag : {"remove", "print", "instructions"})
    if (args.has(flag))
      return context.fail(
          make_error(ErrorCode::kUsage, std::string("--") + flag + " needs the name of a program")
              .with_hint("`mem setup` lists them"));
  PosixFileSystem fs;
  const auto states = harness_states(fs, places, options_of(args));
  if (context.json) {
    context.out() << harnesses_json(states);
    return 0;
  }
  for (const HarnessState& state : states) print_state(context, state);
  return 0;
}

int run(Context& context, const Args& args) {
  PosixFileSystem fs;
  const auto layout = discover_layout(fs, context.environment);
  if (!layout) return context.fail(layout.error());
  const auto places = places_of(context, *layout, args.has("project"));
  if (!places) return context.fail(places.error());
  return args.rest().empty() ? run_list(context, args, *places) : run_one(context, args, *places);
}

}  // namespace

Command setup_command() {
  Command command;
  command.summary = "let Claude Code, Codex, Cursor, Gemini CLI or VS Code use mem";
  command.arguments = {
      {"NAME", "claude-code, codex, cursor, gemini or vscode; without it: what is set up", false}};
  command.flags = {{"--print", "", "only show what would be written, and where"},
                   {"--remove", "", "take out what setup put in, and nothing else"},
                   {"--project", "", "in the project's settings, for all who work in it"},
                   {"--instructions", "", "also a line in CLAUDE.md, AGENTS.md or GEMINI.md"}};
  command.details =
      "Puts the server `mem mcp` and, where there are hooks, `mem hook` into the program's own\n"
      "settings: yours, or with --project those that are committed. Everything else in these "
      "files\n"
      "stays byte for byte; the old bytes are kept. Safe to repeat. An entry that you edited "
      "stays\n"
      "as it is. docs/agents.md tells what is written where.\n";
  command.examples =
      "  mem setup\n  mem setup claude-code\n  mem setup codex --print\n  mem setup cursor "
      "--remove\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
