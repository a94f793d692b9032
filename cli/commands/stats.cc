#include <memfs/stats.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"

namespace memfs::cli {
namespace {

void print_scope(Context& context, const ScopeStats& scope) {
  std::ostream& out = context.out();
  out << context.bold(name_of(scope.scope)) << "  "
      << counted(scope.usage.entries, "memory", "memories") << ", " << scope.usage.used
      << " characters";
  if (const auto percent = scope.usage.percent()) out << ", " << *percent << " % of the budget";
  out << "\n";
  const char* separator = scope.usage.entries > 0 ? "  " : "";
  for (const Freshness freshness :
       {Freshness::kFresh, Freshness::kCurrent, Freshness::kStale, Freshness::kExpired}) {
    const auto count = scope.by_freshness.at(static_cast<std::size_t>(freshness));
    if (count == 0) continue;
    out << separator << count << " " << name_of(freshness);
    separator = ", ";
  }
  if (scope.rules > 0) out << separator << counted(scope.rules, "rule", "rules");
  if (scope.pinned > 0) out << ", " << scope.pinned << " pinned";
  if (scope.with_problems > 0) out << ", " << scope.with_problems << " need attention";
  if (scope.usage.entries > 0) out << "\n";
  out << "  " << scope.recalled << " recalled on this machine, " << scope.archived << " archived\n";
}

int run(Context& context, const Args& /*args*/) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto stats = stats_of(*store, context.now());
  if (!stats) return context.fail(stats.error());
  if (context.json) {
    context.out() << stats_json(*stats, context.now());
    return 0;
  }
  for (const ScopeStats& scope : stats->scopes) print_scope(context, scope);
  context.out() << "history  " << counted(stats->history_files, "kept state", "kept states") << ", "
                << stats->history_bytes << " bytes; "
                << counted(stats->writes_logged, "write", "writes") << " logged\n";
  for (const RecalledMemory& used : stats->most_used)
    context.out() << "  " << context.bold(context.shown(used.memory.ref())) << "  found "
                  << used.returned << ", read " << used.read << ", last " << used.last_day << "\n";
  return 0;
}

}  // namespace

Command stats_command() {
  Command command;
  command.summary = "counts, sizes and use";
  command.details =
      "How often a memory was found or read is counted on this machine only; `count_recalls: "
      "false`\n"
      "in your config.yaml turns it off.\n";
  command.examples = "  mem stats\n  mem stale --unused\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
