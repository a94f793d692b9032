#include <memfs/context.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/write_options.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& args) {
  ContextRequest request;
  auto scopes = scope_arguments(args);
  if (!scopes) return context.fail(scopes.error());
  request.scopes = *scopes;
  if (const auto text = args.value("pinned-budget")) {
    auto number = number_argument("pinned-budget", *text);
    if (!number) return context.fail(number.error());
    request.pinned_budget = *number;
  }
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto assembled = assemble_context(*store, request, context.now());
  if (!assembled) return context.fail(assembled.error());
  std::vector<const Memory*> shown;
  for (const ContextEntry& entry : assembled->rules) shown.push_back(&entry.memory);
  for (const ContextEntry& entry : assembled->pinned) shown.push_back(&entry.memory);
  store->note_returned(shown);
  if (context.json) {
    context.out() << context_json(*assembled, context.now());
    return 0;
  }
  context.note_problems(assembled->problems);
  const std::string text = render_context(*assembled);
  context.out() << (context.out_is_terminal ? escape_for_terminal(text, true) : text);
  return 0;
}

}  // namespace

Command context_command() {
  Command command;
  command.name = "context";
  command.summary = "what an agent should read now: rules and what is pinned";
  command.flags = {{"--scope", "SCOPE", "private, shared or global; may be repeated", true},
                   {"--pinned-budget", "N", "characters of pinned bodies (8000)"}};
  command.details =
      "Memories of --kind preference are rules and always in it; --activation pinned ones are, as\n"
      "long as they fit. What is not shown is named at the end, with the reason.\n";
  command.examples = "  mem context\n  mem context --pinned-budget 2000 --json\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
