#include <memfs/check.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "cli/annotations.h"
#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/problem_lines.h"
#include "cli/progress.h"

namespace memfs::cli {
namespace {

// How many of one code a person is shown; of errors all.
std::size_t shown_of(Severity severity, std::size_t count) {
  constexpr std::size_t kWarnings = 50;
  constexpr std::size_t kNotes = 20;
  if (severity == Severity::kError) return count;
  const std::size_t most = severity == Severity::kWarning ? kWarnings : kNotes;
  return count <= most ? count : most;
}

// The gravest first; what there is very much of is counted instead.
void print_severity(Context& context, const std::vector<Problem>& problems, Severity severity) {
  std::map<std::string, std::size_t> total;
  std::map<std::string, std::size_t> printed;
  for (const Problem& problem : problems)
    if (problem.severity == severity) ++total[problem.code];
  for (const Problem& problem : problems) {
    if (problem.severity != severity) continue;
    if (printed[problem.code] == shown_of(severity, total[problem.code])) continue;
    ++printed[problem.code];
    print_problem(context, problem);
  }
  for (const auto& [code, count] : total)
    if (printed[code] < count)
      context.out() << "… and " << count - printed[code] << " more [" << code
                    << "]: `mem check --json` lists them\n";
}

void print_summary(Context& context, const CheckReport& report) {
  context.out() << counted(report.memories, "memory", "memories") << ": "
                << counted(count_of(report.problems, Severity::kError), "error", "errors") << ", "
                << counted(count_of(report.problems, Severity::kWarning), "warning", "warnings")
                << ", " << counted(count_of(report.problems, Severity::kInfo), "note", "notes");
  if (!report.mended.empty()) context.out() << "; " << report.mended.size() << " fixed";
  context.out() << "\n";
}

void print_text(Context& context, const CheckReport& report) {
  for (const Mended& mended : report.mended)
    context.out() << mended.path << ": fixed: " << context.shown(mended.what) << "\n";
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kInfo})
    print_severity(context, report.problems, severity);
}

void print_annotations(Context& context, const CheckReport& report, const std::string& root) {
  for (const Mended& mended : report.mended) {
    Problem note;
    note.severity = Severity::kInfo;
    note.code = "fixed";
    note.path = mended.path;
    note.message = mended.what;
    context.out() << annotation_of(note, root);
  }
  for (const Problem& problem : report.problems) context.out() << annotation_of(problem, root);
}

int run(Context& context, const Args& args) {
  if (args.has("schema")) {
    context.out() << front_matter_schema();
    return 0;
  }
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const Progress progress(context.err_is_terminal && !context.quiet, "checking");
  CheckRequest request;
  request.fix = args.has("fix");
  const auto report = check_store(*store, request);
  if (!report) return context.fail(report.error());
  if (context.json) {
    context.out() << check_json(*report);
  } else if (args.has("ci")) {
    // Workflows know files by their path in the repository, of which the project may be a part.
    const Layout& layout = store->layout();
    print_annotations(context, *report,
                      layout.git_top.empty() ? layout.project_root : layout.git_top);
  } else {
    print_text(context, *report);
  }
  if (!context.json && !context.quiet) print_summary(context, *report);
  return count_of(report->problems, Severity::kError) > 0 ? 1 : 0;
}

}  // namespace

Command check_command() {
  Command command;
  command.summary = "every problem of the folder, with its cure";
  command.flags = {{"--fix", "", "mend what loses nothing, and say what was mended"},
                   {"--ci", "", "as annotations of a GitHub workflow"},
                   {"--schema", "", "print a JSON Schema of the front matter, for editors"}};
  command.details =
      "Exits with 1 on errors only: unreadable files, conflict markers, credentials, ids\n"
      "given twice, subjects held twice, names a system cannot have. docs/problems.md has\n"
      "cause and cure of each code.\n"
      "\n"
      "--fix finishes interrupted writes, sweeps left-over temporary files, quotes values\n"
      "that YAML refuses and that were surely meant as text, gives copied files an id of\n"
      "their own, and renews INDEX.md. What it replaces is in the history; `mem undo` takes\n"
      "the last write back.\n";
  command.examples = "  mem check\n  mem check --fix\n  mem check --ci\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
