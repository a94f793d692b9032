#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& args) {
  const auto consent = consent_argument(args);
  if (!consent) return context.fail(consent.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const auto revision = args.value("revision");
  if (revision && revision->empty())
    return context.fail(make_error(ErrorCode::kUsage, "--revision is empty"));
  const std::string& reference = args.rest().front();
  auto result = revision ? store->restore(reference, *revision, *consent)
                         : store->recover(reference, *consent);
  if (!result) return context.fail(result.error());
  report_write(context, "Restored", *result);
  return 0;
}

}  // namespace

Command restore_command() {
  Command command;
  command.summary = "bring a forgotten memory, or an older revision, back";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY"}};
  command.flags = {
      {"--revision", "N", "that state of a memory (or a commit), as its newest revision"}};
  for (Flag& flag : guard_flags(false)) command.flags.push_back(std::move(flag));
  command.details =
      "Without --revision a forgotten memory comes back from the archive, or one whose file was\n"
      "removed by other means from the history, or from git if a commit deleted it. Either way it\n"
      "is a new revision, and subject, budget and guard are asked as for any write.\n";
  command.examples =
      "  mem list --archived\n  mem restore private/release-branch\n"
      "  mem restore release-branch --revision 2\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
