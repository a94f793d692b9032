#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto result = store->recover(args.rest().front());
  if (!result) return context.fail(result.error());
  report_write(context, "Restored", *result);
  return 0;
}

}  // namespace

Command restore_command() {
  Command command;
  command.name = "restore";
  command.alias = "recover";
  command.summary = "bring a forgotten memory back as a new revision";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY"}};
  command.examples = "  mem list --archived\n  mem restore private/release-branch\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
