#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto admission = store->trust(args.rest().front(), args.value("if-match").value_or(""));
  if (!admission) return context.fail(admission.error());
  const Memory& memory = admission->memory;
  if (context.json) {
    context.out() << trust_json(memory, *admission);
    return 0;
  }
  context.out() << "Trusted " << context.bold(context.shown(memory.ref())) << " as it is now\n";
  for (const Finding& finding : admission->findings)
    context.out() << "  " << finding.rule << ", line " << finding.line << ": "
                  << context.shown(finding.message) << "\n";
  return 0;
}

}  // namespace

Command trust_command() {
  Command command;
  command.summary = "let a shared memory that the guard holds back into your contexts";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY"}};
  command.flags = {{"--if-match", "ETAG", "fail unless the file still has this etag"}};
  command.details =
      "Yours alone, on this machine, for the file as it is now: after the next change of the file\n"
      "it is held back again.\n";
  command.examples = "  mem show shared/prompt-injection\n  mem trust shared/prompt-injection\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
