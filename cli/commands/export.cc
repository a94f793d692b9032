#include <memfs/exchange.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/exchange_arguments.h"
#include "cli/json.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

Result<ExportWish> wish_of(const Context& context, const Args& args) {
  ExportWish wish;
  const auto format = export_format_named(args.rest()[0]);
  if (!format) return no_such_format(args.rest()[0], "export", export_formats());
  wish.format = *format;
  if (args.rest().size() > 1 && args.rest()[1] != "-") {
    wish.path = absolute_path(context, args.rest()[1]);
  }
  MEMFS_ASSIGN(wish.scopes, scope_arguments(args));
  wish.force = args.has("force");
  return wish;
}

void print(Context& context, const ExportReport& report) {
  context.out() << report.text;
  for (const std::string& file : report.files)
    context.out() << "Wrote " << context.bold(context.shown(file)) << "\n";
  if (report.text.empty() && report.files.empty())
    context.note(report.memories == 0 ? "there is nothing to export" : "nothing new to write");
  if (!report.kept.empty()) context.note("the old bytes are in " + context.shown(report.kept));
  for (const std::string& note : report.notes) context.note(context.shown(note));
}

int run(Context& context, const Args& args) {
  const auto wish = wish_of(context, args);
  if (!wish) return context.fail(wish.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const auto report = export_memories(*store, *wish);
  if (!report) return context.fail(report.error());
  if (context.json) {
    context.out() << export_json(*report, name_of(wish->format));
  } else {
    print(context, *report);
  }
  return 0;
}

}  // namespace

Command export_command() {
  Command command;
  command.summary = "write memories for another system";
  command.arguments = {{"FORMAT", "one of those below"},
                       {"PATH", "the file or folder; else it is printed", false}};
  command.flags = {
      {"--scope", "SCOPE", "only this scope; all by default, for a block shared", true},
      {"--force", "", "replace what is there; its old bytes are kept"}};
  command.details =
      format_lines(export_formats()) +
      "\nA target never loses anything: what is there and is not among the exported memories "
      "stops\n"
      "the export, unless it is as the last export left it. Expired memories and those that the\n"
      "guard holds back are in JSON lines only. docs/exchange.md tells what each format can "
      "hold.\n";
  command.examples =
      "  mem export jsonl backup.jsonl\n"
      "  mem export block AGENTS.md\n"
      "  mem export claude-code ~/.claude/projects/shop/memory\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
