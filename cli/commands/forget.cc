#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto result = store->forget(args.rest().front(), args.has("purge"));
  if (!result) return context.fail(result.error());
  if (context.json) {
    context.out() << forget_json(*result);
    return 0;
  }
  const std::string ref = context.shown(result->ref);
  if (result->archived_as.empty()) {
    context.out() << "Erased " << ref << " and its history\n";
  } else {
    context.out() << "Forgot " << ref << "\n  `mem restore " << ref << "` brings it back\n";
  }
  return 0;
}

}  // namespace

Command forget_command() {
  Command command;
  command.summary = "archive a memory; `restore` brings it back";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY"}};
  command.flags = {{"--purge", "", "erase it for good, from history and archive too"}};
  command.examples = "  mem forget release-branch\n  mem forget shared/old-token --purge\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
