#include <memfs/exchange.h>

#include <filesystem>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

std::string formats() {
  std::string lines = "Formats:\n";
  for (const ExchangeName& format : export_formats()) {
    std::string name(format.name);
    name.resize(13, ' ');
    lines += "  " + name + std::string(format.help) + "\n";
  }
  return lines;
}

std::string format_names() {
  std::string names;
  for (const ExchangeName& format : export_formats())
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

Result<ExportWish> wish_of(const Context& context, const Args& args) {
  ExportWish wish;
  const auto format = export_format_named(args.rest()[0]);
  if (!format)
    return make_error(ErrorCode::kUsage, "there is no format `" + args.rest()[0] + "` to export")
        .with_hint("one of " + format_names());
  wish.format = *format;
  if (args.rest().size() > 1 && args.rest()[1] != "-") {
    const auto path =
        (std::filesystem::path(context.environment.working_directory) / args.rest()[1])
            .lexically_normal();
    wish.path = (path.has_filename() ? path : path.parent_path()).string();
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
      formats() +
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
