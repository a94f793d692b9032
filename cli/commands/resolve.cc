#include <memfs/resolve.h>

#include <algorithm>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

constexpr std::size_t kShownLines = 6;

// The lines of a version, indented, the first few of many.
void print_version(Context& context, std::string_view label, std::string_view text) {
  std::size_t lines = 0;
  context.out() << "    " << label;
  if (text.empty()) context.out() << context.dim("(nothing)") << "\n";
  while (!text.empty() && lines < kShownLines) {
    const auto end = std::min(text.find('\n'), text.size());
    context.out() << (lines == 0 ? "" : "            ") << context.shown(text.substr(0, end))
                  << "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
    ++lines;
  }
  if (!text.empty()) context.out() << "            …\n";
}

void print_file(Context& context, const ResolvedFile& file) {
  context.out() << context.bold(context.shown(file.ref)) << "\n";
  for (const std::string& done : file.done) context.out() << "  " << context.shown(done) << "\n";
  if (file.staged) context.out() << "  told git that its conflict is over\n";
  for (const OpenConflict& conflict : file.open) {
    context.out() << "  line " << conflict.line << ": "
                  << (conflict.key.empty() ? "two versions of the text"
                                           : "two values of `" + context.shown(conflict.key) + "`")
                  << "\n";
    print_version(context, "ours    ", conflict.ours);
    print_version(context, "theirs  ", conflict.theirs);
  }
  if (!file.problem.empty()) context.out() << "  " << context.shown(file.problem) << "\n";
}

void print_next(Context& context, const ResolveReport& report) {
  for (const ResolvedFile& file : report.files) {
    if (file.open.empty()) continue;
    const bool both = std::any_of(file.open.begin(), file.open.end(), [](const OpenConflict& open) {
      return open.key.empty() || open.key == "id";
    });
    context.note("choose: mem resolve " + context.shown(file.ref) + " --ours|--theirs" +
                 (both ? "|--both" : "") + ", for one key with --key KEY; or edit the file");
    return;
  }
}

std::optional<Take> take_argument(const Args& args) {
  Take take = Take::kNothing;
  int given = 0;
  for (const auto& [name, choice] :
       {std::pair{"ours", Take::kOurs}, {"theirs", Take::kTheirs}, {"both", Take::kBoth}}) {
    if (!args.has(name)) continue;
    take = choice;
    ++given;
  }
  return given > 1 ? std::nullopt : std::optional(take);
}

int run(Context& context, const Args& args) {
  const auto consent = consent_argument(args);
  if (!consent) return context.fail(consent.error());
  const auto take = take_argument(args);
  if (!take)
    return context.fail(
        make_error(ErrorCode::kUsage, "--ours, --theirs and --both exclude each other"));
  ResolveWish wish;
  wish.references = args.rest();
  wish.take = *take;
  wish.key = args.value("key").value_or("");
  wish.keep = args.value("keep").value_or("");
  wish.dry_run = args.has("dry-run");
  wish.consent = *consent;
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const auto report = resolve_conflicts(*store, wish);
  if (!report) return context.fail(report.error());
  if (context.json) {
    context.out() << resolve_json(*report, wish.dry_run);
    return report->settled() ? 0 : 1;
  }
  for (const ResolvedFile& file : report->files) print_file(context, file);
  if (report->files.empty()) context.note("nothing is open");
  print_next(context, *report);
  return report->settled() ? 0 : 1;
}

}  // namespace

Command resolve_command() {
  Command command;
  command.summary = "settle what a merge left open";
  command.arguments = {
      {"REF", "memories; subject:KEY or an id with --keep; everything that is open by default",
       false, true}};
  command.flags = {{"--ours", "", "take what stands"},
                   {"--theirs", "", "take what the other side had"},
                   {"--both", "", "both texts, one behind the other; two memories, each in a file"},
                   {"--key", "KEY", "only this key of the front matter"},
                   {"--keep", "REF", "who keeps the subject or id that several memories have"},
                   {"--dry-run", "", "only tell what would be done"}};
  for (Flag& flag : guard_flags(false)) command.flags.push_back(std::move(flag));
  command.details =
      "Without a choice it settles what needs none (revision and date lines, lists, keys that a\n"
      "merge doubled, an edit against a deletion) and lists the rest; then the exit code is 1. "
      "Old\n"
      "bytes are kept in the history. Git is told when the last conflict of a file is settled.\n";
  command.examples =
      "  mem resolve\n  mem resolve shared/release --theirs --key title\n"
      "  mem resolve subject:db.host --keep shared/db-host\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
