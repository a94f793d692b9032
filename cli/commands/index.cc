#include <memfs/context.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/write_options.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

const char* state_of(const IndexReport& report, bool check_only) {
  if (!report.skipped.empty()) return "left alone";
  if (report.current) return "current";
  return check_only ? "differs from the files" : "written";
}

Result<CompactIndexRequest> compact_request(const Args& args) {
  CompactIndexRequest request;
  MEMFS_ASSIGN(request.scopes, scope_arguments(args));
  if (const auto text = args.value("lines")) {
    MEMFS_ASSIGN(request.lines, number_argument("lines", *text));
  }
  if (const auto text = args.value("budget")) {
    auto budget = parse_text_budget(*text);
    if (!budget) {
      const std::string hint = budget.error().hint + "; --lines counts lines";
      return std::move(budget).error().with_hint(hint);
    }
    request.budget = *budget;
  }
  return request;
}

// To stdout, for agents; writes nothing.
int run_compact(Context& context, const Args& args) {
  const auto request = compact_request(args);
  if (!request) return context.fail(request.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const auto index = compact_index(*store, *request, context.now());
  if (!index) return context.fail(index.error());
  if (context.json) {
    context.out() << compact_index_json(*index);
    return 0;
  }
  context.note_problems(index->problems);
  context.out() << (context.out_is_terminal ? escape_for_terminal(index->text, true) : index->text);
  return 0;
}

int run(Context& context, const Args& args) {
  if (args.has("compact")) return run_compact(context, args);
  if (args.has("budget") || args.has("lines")) {
    return context.fail(
        make_error(ErrorCode::kUsage, "INDEX.md is complete: it takes no --budget and no --lines")
            .with_hint("`mem index --compact` prints a shorter one"));
  }
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
  command.summary = "renew INDEX.md, or print a short index";
  command.flags = {{"--check", "", "only compare; exit 1 if it differs"},
                   {"--compact", "", "write nothing, print a line for each memory, for agents"},
                   {"--lines", "N", "with --compact: so many memories, the newest"},
                   {"--budget", "N", "with --compact: size of the text, as in `mem context`"},
                   {"--scope", "SCOPE", "private, shared or global; may be repeated", true}};
  command.examples =
      "  mem index\n  mem index --check --scope shared\n  mem index --compact --lines 200\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
