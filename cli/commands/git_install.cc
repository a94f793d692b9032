// `mem git install`, `mem git uninstall`, `mem git status`.
#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json_git.h"
#include "cli/own_program.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/git/hook_text.h"

namespace memfs::cli {
namespace {

namespace fs = std::filesystem;

GitInstallOptions options_of(const Args& args) {
  GitInstallOptions options;
  options.program = own_program();
  options.global = args.has("global");
  options.seal = args.has("seal");
  options.dry_run = args.has("dry-run");
  return options;
}

std::string word_of(const GitStep& step, bool dry_run) {
  using Outcome = GitStep::Outcome;
  switch (step.outcome) {
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
  }
  return "Kept";
}

std::string subject_of(Context& context, const GitStep& step) {
  return step.part == "hook" ? "hook " + step.what : context.shown(step.what);
}

void print_report(Context& context, const GitInstallReport& report) {
  for (const GitStep& step : report.steps)
    context.out() << word_of(step, report.dry_run) << " " << subject_of(context, step)
                  << (step.note.empty() ? "" : ": " + context.shown(step.note)) << "\n";
}

// A file as `git add` takes it where the command was started.
std::string as_argument(const Context& context, const Layout& layout, const std::string& file) {
  std::error_code failed;
  const bool at_top = fs::equivalent(context.environment.working_directory, layout.git_top, failed);
  const std::string path = (at_top ? "" : ":/") + file;
  return path.find_first_of(" \t'\"\\$`*?[&|;<>()#~!") == std::string::npos ? path
                                                                            : shell_quoted(path);
}

using Action = Result<GitInstallReport> (*)(FileSystem&, const Layout&, const GitInstallOptions&);

int run_action(Context& context, const Args& args, Action action, std::string_view elsewhere) {
  PosixFileSystem posix;
  const auto layout = discover_layout(posix, context.environment);
  if (!layout) return context.fail(layout.error());
  const auto report = action(posix, *layout, options_of(args));
  if (!report) return context.fail(report.error());
  if (context.json) {
    context.out() << git_install_json(*report);
    return 0;
  }
  print_report(context, *report);
  for (const std::string& file : report->to_commit)
    context.out() << "Commit it for the team: git add "
                  << context.shown(as_argument(context, *layout, file)) << "\n";
  if (args.has("global")) context.note(elsewhere);
  return 0;
}

int run_install(Context& context, const Args& args) {
  return run_action(context, args, install_git,
                    "hooks and attributes are set up in each clone: `mem git install` there");
}
int run_uninstall(Context& context, const Args& args) {
  return run_action(context, args, uninstall_git,
                    "hooks are taken out in each clone: `mem git uninstall` there");
}

void print_list(Context& context, const char* name, const std::vector<std::string>& items) {
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(items.size(), kShown); ++i)
    context.out() << name << context.shown(items[i]) << "\n";
  if (items.size() > kShown) context.out() << name << "and " << items.size() - kShown << " more\n";
}

void print_branch(Context& context, const GitStatus& status) {
  std::ostream& out = context.out();
  out << "branch     " << (status.branch.empty() ? "none" : context.shown(status.branch));
  if (!status.upstream.empty()) out << ", follows " << context.shown(status.upstream);
  if (status.ahead && status.behind)
    out << ": " << *status.ahead << " ahead, " << *status.behind << " behind";
  out << "\n";
  if (!status.operation.empty()) out << "going on   " << status.operation << "\n";
}

// What is not in place, or one line.
void print_set_up(Context& context, const GitStatus& status) {
  bool whole = true;
  for (const GitStep& step : status.set_up.steps) {
    if (step.outcome == GitStep::Outcome::kKept) continue;
    whole = false;
    const char* state = step.outcome == GitStep::Outcome::kMade      ? "missing"
                        : step.outcome == GitStep::Outcome::kChanged ? "not as it should be"
                                                                     : "left alone";
    context.out() << "set up     " << subject_of(context, step) << " is " << state << "\n";
  }
  if (whole)
    context.out() << "set up     attributes, driver and hooks are in place and call `"
                  << context.shown(status.set_up.program) << "`\n";
  if (status.seal) context.out() << "set up     hand edits are sealed when they are committed\n";
}

int run_status(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const auto status = git_status(*store, options_of(args));
  if (!status) return context.fail(status.error());
  if (context.json) {
    context.out() << git_status_json(*status);
    return 0;
  }
  print_branch(context, *status);
  print_list(context, "staged     ", status->staged);
  print_list(context, "changed    ", status->changed);
  print_list(context, "untracked  ", status->untracked);
  print_list(context, "unmerged   ", status->unmerged);
  print_list(context, "markers    ", status->markers);
  print_list(context, "to decide  ", status->merge_conflicts);
  print_set_up(context, *status);
  for (const std::string& line : status->next)
    context.out() << "next       " << context.shown(line) << "\n";
  return 0;
}

}  // namespace

Command git_install_command() {
  Command command;
  command.summary = "let mem merge memories in this clone and check what is committed";
  command.flags = {{"--global", "", "only the merge driver, for all your clones"},
                   {"--seal", "", "a hand edit gets the next revision when it is committed"},
                   {"--dry-run", "", "only say what would be done"}};
  command.details =
      "Sets up attributes (which the team commits), the merge driver and hooks. Safe to\n"
      "repeat. Hooks of yours stay as they are and get lines of mem's, marked as such; what\n"
      "cannot be changed safely is left, and the line to add is printed. docs/git.md tells\n"
      "more.\n";
  command.examples = "  mem git install\n  mem git install --seal\n  mem git install --dry-run\n";
  command.run = run_install;
  return command;
}

Command git_uninstall_command() {
  Command command;
  command.summary = "take out what `mem git install` set up";
  command.flags = {{"--global", "", "only the merge driver of your own configuration"},
                   {"--dry-run", "", "only say what would be done"}};
  command.details = "Hooks of yours get back the very bytes that they had. Attributes stay.\n";
  command.examples = "  mem git uninstall\n";
  command.run = run_uninstall;
  return command;
}

Command git_status_command() {
  Command command;
  command.summary = "where this clone stands with its shared memories, and what to do next";
  command.examples = "  mem git status\n  mem git status --json\n";
  command.run = run_status;
  return command;
}

}  // namespace memfs::cli
