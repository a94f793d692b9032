#include <algorithm>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/progress.h"

namespace memfs::cli {
namespace {

std::size_t count_of(const std::vector<Problem>& problems, Severity severity) {
  return static_cast<std::size_t>(std::count_if(
      problems.begin(), problems.end(), [&](const Problem& p) { return p.severity == severity; }));
}

void print_problem(Context& context, const Problem& problem, bool ci) {
  std::ostream& out = context.out();
  out << place_of(problem.path, problem.line, problem.column) << name_of(problem.severity) << ": "
      << context.shown(problem.message) << " [" << problem.code << "]\n";
  if (!problem.hint.empty() && !ci) out << "    " << context.shown(problem.hint) << "\n";
}

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const Progress progress(context.err_is_terminal && !context.quiet, "checking");
  auto listing = store->check(args.has("fix"));
  if (!listing) return context.fail(listing.error());
  const auto& problems = listing->problems;
  const std::size_t errors = count_of(problems, Severity::kError);
  if (context.json) {
    context.out() << check_json(problems);
    return errors > 0 ? 1 : 0;
  }
  const bool ci = args.has("ci");
  for (const Problem& problem : problems)
    if (!ci || problem.severity == Severity::kError) print_problem(context, problem, ci);
  if (!context.quiet)
    context.out() << counted(listing->memories.size(), "memory", "memories") << ": "
                  << counted(errors, "error", "errors") << ", "
                  << counted(count_of(problems, Severity::kWarning), "warning", "warnings") << ", "
                  << counted(count_of(problems, Severity::kInfo), "note", "notes") << "\n";
  return errors > 0 ? 1 : 0;
}

}  // namespace

Command check_command() {
  Command command;
  command.name = "check";
  command.alias = "doctor";
  command.summary = "every problem of the folder, with its cure";
  command.flags = {{"--fix", "", "finish interrupted writes, sweep left-overs, renew INDEX.md"},
                   {"--ci", "", "errors only, a line each"}};
  command.details =
      "Exits with 1 on errors only: unreadable files, conflict markers, ids given\n"
      "twice, subjects held twice, names a system cannot have.\n";
  command.examples = "  mem check\n  mem check --ci\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
