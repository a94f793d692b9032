#include <memfs/exchange.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/exchange_arguments.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

constexpr std::size_t kShownItems = 20;    // of one outcome
constexpr std::size_t kShownRefused = 50;  // these are to be looked at
constexpr int kInterrupted = 130;
constexpr int kSomeRefused = 5;

Result<ImportWish> wish_of(const Context& context, const Args& args) {
  ImportWish wish;
  const auto format = import_format_named(args.rest()[0]);
  if (!format) return no_such_format(args.rest()[0], "import", import_formats());
  wish.format = *format;
  wish.path = absolute_path(context, args.rest()[1]);
  if (args.has("scope")) {
    MEMFS_ASSIGN(wish.scope, scope_argument(args, Scope::kPrivate));
  }
  wish.folder = args.value("into").value_or("");
  wish.apply = args.has("apply");
  wish.force = args.has("force");
  MEMFS_ASSIGN(wish.consent, consent_argument(args));
  return wish;
}

std::string place_of(const Context& context, const ImportItem& item) {
  std::string place = context.shown(item.path);
  if (item.line > 0) place += ":" + std::to_string(item.line);
  return place;
}

void print_taken(Context& context, const ImportReport& report, ImportOutcome outcome,
                 std::string_view verb, std::size_t count) {
  std::size_t shown = 0;
  for (const ImportItem& item : report.items) {
    if (item.outcome != outcome) continue;
    if (shown++ == kShownItems) break;
    context.out() << verb << " " << context.bold(context.shown(item.ref)) << "  "
                  << context.dim(place_of(context, item)) << "\n";
    for (const std::string& warning : item.warnings)
      context.note("  " + context.shown(item.ref) + ": " + context.shown(warning));
  }
  if (count > kShownItems) context.out() << "  and " << count - kShownItems << " more\n";
}

void print_refused(Context& context, const ImportReport& report) {
  std::size_t shown = 0;
  for (const ImportItem& item : report.items) {
    if (item.outcome != ImportOutcome::kRefused) continue;
    if (shown++ == kShownRefused) break;
    context.note(place_of(context, item) + ": not imported: " + context.shown(item.reason) +
                 (item.ref.empty() ? "" : " (" + context.shown(item.ref) + ")"));
    if (!item.hint.empty()) context.note("    " + context.shown(item.hint));
  }
  if (report.refused > kShownRefused)
    context.note("  and " + std::to_string(report.refused - kShownRefused) +
                 " more; --json tells all");
}

void print_sum(Context& context, const ImportReport& report) {
  context.out() << report.added << " added, " << report.updated << " updated, " << report.same
                << " the same, " << report.refused << " refused.";
  if (report.interrupted || report.failure) {
    context.out() << " What is told here is done; the same command goes on from there.\n";
  } else if (!report.applied && report.added + report.updated > 0) {
    context.out() << " A dry run: --apply writes it.\n";
  } else if (report.applied && report.added + report.updated > 0) {
    context.out() << " `mem undo` takes it back.\n";
  } else {
    context.out() << "\n";
  }
}

int print(Context& context, const ImportReport& report) {
  if (context.json) {
    context.out() << import_json(report);
  } else {
    const bool done = report.applied;
    print_taken(context, report, ImportOutcome::kAdded, done ? "Added" : "Would add", report.added);
    print_taken(context, report, ImportOutcome::kUpdated, done ? "Updated" : "Would update",
                report.updated);
    print_refused(context, report);
    for (const std::string& note : report.notes) context.note(context.shown(note));
    print_sum(context, report);
    if (report.failure) context.note(context.shown(report.failure->message));
  }
  if (report.failure) return exit_code_of(*report.failure);
  if (report.interrupted) return kInterrupted;
  return report.refused > 0 ? kSomeRefused : 0;
}

int run(Context& context, const Args& args) {
  const auto wish = wish_of(context, args);
  if (!wish) return context.fail(wish.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const auto report = [&] {
    const Interrupt interrupt;
    ProgressBar bar(context.err_is_terminal && !context.quiet, "importing");
    return import_memories(*store, *wish, [&](std::size_t done, std::size_t total) {
      bar.show(done, total);
      return !Interrupt::came();
    });
  }();
  if (!report) return context.fail(report.error());
  return print(context, *report);
}

}  // namespace

Command import_command() {
  Command command;
  command.summary = "take over another system's memories; a dry run without --apply";
  command.arguments = {{"FORMAT", "one of those below"}, {"PATH", "the file or folder"}};
  command.flags = {
      {"--apply", "", "write; without it the command only tells what it would do"},
      {"--scope", "SCOPE", "private, shared or global; else where the source says, or private"},
      {"--into", "FOLDER", "put all below this folder of the scope"},
      {"--force", "", "take the source's text where both changed, or it was forgotten here"}};
  for (Flag& flag : guard_flags(true)) command.flags.push_back(std::move(flag));
  command.details =
      format_lines(import_formats()) +
      "\nEach item is held against the rules of a new memory: guard, subject keys, budget, names.\n"
      "Those that fail are told with their place, and the rest goes on. The same import again\n"
      "changes nothing; what changed in the source since is an update, and what was changed here\n"
      "is left alone. Ctrl-C stops at the next good place. docs/exchange.md has a page for each\n"
      "system. Exit code 5: some items were refused.\n";
  command.examples =
      "  mem import claude-code ~/.claude/projects/shop/memory\n"
      "  mem import markdown ~/vault --into vault --apply\n"
      "  mem import jsonl backup.jsonl --apply\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
