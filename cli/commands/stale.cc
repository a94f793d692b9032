#include <memfs/freshness.h>
#include <memfs/search.h>
#include <memfs/stats.h>

#include <algorithm>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/row_format.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

void print_row(Context& context, const Memory& memory) {
  const Age age = age_of(memory, context.now());
  std::string state(name_of(age.freshness));
  if (age.freshness == Freshness::kStale) state += " for " + spoken_duration(age.overdue);
  state += ", last confirmed " + format_instant(*age.clock).substr(0, 10);
  context.out() << context.bold(context.shown(memory.ref())) << "  " << context.shown(memory.title)
                << context.dim("  [" + state + "]") << "\n";
}

// Nothing stale, and not everything could be looked at, are different answers.
int exit_code(const std::vector<Memory>& stale, const std::vector<Problem>& problems) {
  if (!stale.empty()) return 1;
  const bool blind = std::any_of(problems.begin(), problems.end(),
                                 [](const Problem& p) { return p.code == "unreadable"; });
  return blind ? exit_code_of(make_error(ErrorCode::kIo, "")) : 0;
}

int run(Context& context, const Args& args) {
  const auto scopes = scope_arguments(args);
  if (!scopes) return context.fail(scopes.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto listing = store->list(*scopes);
  if (!listing) return context.fail(listing.error());
  auto memories = filter_memories(std::move(listing->memories), args.rest(), context.now());
  if (!memories) return context.fail(memories.error());
  if (args.has("unused")) {
    memories = unused_memories(*store, std::move(*memories), context.now());
    if (!memories) return context.fail(memories.error());
  }
  const auto stale = args.has("unused") ? std::move(*memories)
                                        : stale_memories(std::move(*memories), context.now());
  if (context.json) {
    context.out() << stale_json(stale, listing->problems, context.now());
    return exit_code(stale, listing->problems);
  }
  context.note_problems(listing->problems);
  for (const Memory& memory : stale) {
    if (args.has("format") || args.has("null")) {
      context.out() << format_row(args.value("format").value_or("{path}"), memory, nullptr)
                    << (args.has("null") ? '\0' : '\n');
    } else {
      print_row(context, memory);
    }
  }
  if (stale.empty()) {
    context.note(args.has("unused") ? "everything was recalled, or is young" : "nothing is stale");
  } else {
    context.note(
        "`mem verify REF` for what still holds; `mem update` or `mem forget` for the rest");
  }
  return exit_code(stale, listing->problems);
}

}  // namespace

Command stale_command() {
  Command command;
  command.summary = "list what should be checked again, the longest overdue first";
  command.arguments = {{"FILTER", "as in `mem list`: type:project, in:folder/ …", false, true}};
  command.flags = {
      {"--scope", "SCOPE", "private, shared or global; may be repeated", true},
      {"--unused", "", "instead, what is older than 30 days and was never recalled here"},
      {"--format", "ROW", "what to print: {ref} {id} {title} {path} {revision} …"},
      {"-0,--null", "", "end rows with a NUL byte; paths unless --format is given"}};
  command.details =
      "A memory is stale when nobody wrote or verified it for longer than its volatility, or else\n"
      "its type, allows. Exits with 1 if there is any, for use in CI.\n";
  command.examples =
      "  mem stale\n  mem stale --scope shared type:reference\n"
      "  mem stale -0 --format '{ref}' | xargs -0 mem verify\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
