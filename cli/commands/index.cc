#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

const char* state_of(const IndexReport& report, bool check_only) {
  if (!report.skipped.empty()) return "left alone";
  if (report.current) return "current";
  return check_only ? "differs from the files" : "written";
}

int run(Context& context, const Args& args) {
  auto scopes = scope_arguments(args);
  if (!scopes) return context.fail(scopes.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const bool check_only = args.has("check");
  if (scopes->empty()) {
    for (const Scope scope : kScopes)
      if (store->layout().folder(scope).exists) scopes->push_back(scope);
  }
  const Progress progress(context.err_is_terminal && !context.quiet, "reading memories");
  std::vector<IndexReport> reports;
  bool differs = false;
  for (const Scope scope : *scopes) {
    auto report = store->refresh_index(scope, check_only);
    if (!report) return context.fail(report.error());
    // No page is no wrong page: a fresh clone has none, and the next write makes it.
    differs =
        differs || (check_only && report->exists && !report->current && report->skipped.empty());
    reports.push_back(std::move(*report));
  }
  if (context.json) {
    context.out() << index_json(reports);
    return differs ? 1 : 0;
  }
  for (const IndexReport& report : reports) {
    context.out() << name_of(report.scope) << ": " << counted(report.memories, "memory", "memories")
                  << ", " << state_of(report, check_only) << "\n  " << report.path << "\n";
    if (!report.skipped.empty()) context.note(report.skipped);
  }
  return differs ? 1 : 0;
}

}  // namespace

Command index_command() {
  Command command;
  command.name = "index";
  command.summary = "renew INDEX.md";
  command.flags = {{"--check", "", "only compare; exit 1 if it differs"},
                   {"--scope", "SCOPE", "private, shared or global; may be repeated", true}};
  command.examples = "  mem index\n  mem index --check --scope shared\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
