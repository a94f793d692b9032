#include <algorithm>
#include <iomanip>
#include <optional>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string what_wrote(const Revision& revision) {
  std::string text;
  if (revision.operation)
    text = *revision.operation == Operation::kByHand ? "edited by hand"
                                                     : std::string(name_of(*revision.operation));
  if (!revision.by.empty()) text += " by " + revision.by;
  if (revision.commit.empty()) return text;
  if (!text.empty()) text += ", ";
  text += "commit " + short_commit(revision.commit);
  if (!revision.author.empty()) text += " by " + revision.author + ": " + revision.subject;
  return text;
}

void print_history(Context& context, const History& history) {
  std::size_t labels = 0;
  for (const Revision& revision : history.revisions)
    labels = std::max(labels, revision.label.size());
  for (const Revision& revision : history.revisions) {
    context.out() << context.bold(padded(revision.label, labels)) << "  "
                  << (revision.at ? format_instant(*revision.at) : std::string(20, ' ')) << "  "
                  << std::setw(6) << revision.size << " bytes  "
                  << context.shown(what_wrote(revision))
                  << (revision.current ? context.dim(" [now]") : "") << "\n";
  }
}

int run_prune(Context& context, const Args& args, Store& store) {
  std::optional<std::uint64_t> keep, days;
  for (const auto& [flag, value] : {std::pair("keep", &keep), {"days", &days}}) {
    const auto text = args.value(flag);
    if (!text) continue;
    auto number = number_argument(flag, *text);
    if (!number) return context.fail(number.error());
    *value = *number;
  }
  const auto policy = store.history_policy(keep, days);
  if (!policy) return context.fail(policy.error());
  const bool dry_run = args.has("dry-run");
  const std::string reference = args.rest().empty() ? "" : args.rest().front();
  auto report = store.prune(reference, *policy, dry_run);
  if (!report) return context.fail(report.error());
  if (context.json) {
    context.out() << prune_json(*report, dry_run);
    return 0;
  }
  for (const std::string& file : report->files)
    if (dry_run) context.out() << context.shown(file) << "\n";
  context.out() << (dry_run ? "Would drop " : "Dropped ")
                << counted(report->files.size(), "old state", "old states") << ", " << report->bytes
                << " bytes; " << report->kept << " stay\n";
  return 0;
}

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  if (args.has("prune")) return run_prune(context, args, *store);
  if (args.rest().empty()) {
    return context.fail(make_error(ErrorCode::kUsage, "whose history?")
                            .with_hint("mem history REF; `mem log` lists all writes"));
  }
  auto history = store->history(args.rest().front());
  if (!history) return context.fail(history.error());
  if (context.json) {
    context.out() << history_json(history->memory, history->revisions);
  } else {
    print_history(context, *history);
  }
  return 0;
}

}  // namespace

Command history_command() {
  Command command;
  command.summary = "the kept states of a memory, newest first";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY", false}};
  command.flags = {{"--prune", "", "drop old states, of REF or of every memory on this machine"},
                   {"--keep", "N", "with --prune: the newest N of each stay (50)"},
                   {"--days", "N", "with --prune: whatever is younger stays, too (90)"},
                   {"--dry-run", "", "with --prune: only say what would go"}};
  command.details =
      "Each write keeps what was there before. States that somebody made with an editor are in it\n"
      "as edited by hand; those of shared memories that are in git with commit and author, also "
      "of\n"
      "those that others wrote. Two states with one number are told apart as 4-ab12cd34; the "
      "first\n"
      "seven digits of a commit or more name its state, too.\n";
  command.examples =
      "  mem history release-branch\n  mem show release-branch --revision 2\n"
      "  mem history --prune --dry-run\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
