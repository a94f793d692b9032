#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& args) {
  const auto consent = consent_argument(args);
  if (!consent) return context.fail(consent.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto result = store->undo(args.rest().empty() ? "" : args.rest().front(), *consent);
  if (!result) return context.fail(result.error());
  if (context.json) {
    context.out() << undo_json(*result);
    return 0;
  }
  const WriteEntry& entry = result->undone;
  context.out() << "Took back: " << name_of(entry.operation) << " "
                << context.bold(context.shown(entry.ref()));
  if (!entry.by.empty()) context.out() << " by " << context.shown(entry.by);
  context.out() << ", " << format_instant(entry.at) << "\n";
  constexpr std::size_t kShown = 20;
  const auto& others = result->others;
  for (std::size_t i = 0; i < std::min(others.size(), kShown); ++i)
    context.out() << "  with it: " << name_of(others[i].operation) << " "
                  << context.shown(others[i].ref()) << "\n";
  if (others.size() > kShown) context.out() << "  and " << others.size() - kShown << " more\n";
  if (!result->others.empty()) {
    context.out() << "  they were one batch, and all is as it was before it\n";
  } else if (result->moved_back > 1) {
    context.out() << "  " << result->moved_back << " memories are where they were\n";
  } else if (result->written) {
    const Memory& memory = result->written->memory;
    context.out() << "  it is " << context.shown(memory.ref()) << revision_part(memory.revision)
                  << " now\n";
  } else {
    context.out() << "  it is archived: `mem restore " << context.shown(result->archived_ref)
                  << "` brings it back\n";
  }
  if (result->written)
    for (const std::string& warning : result->written->warnings)
      context.note(context.shown(warning));
  return 0;
}

}  // namespace

Command undo_command() {
  Command command;
  command.summary = "take the last write back";
  command.arguments = {{"REF", "the last write of this memory instead of the folder's", false}};
  command.flags = guard_flags(false);
  command.details =
      "The state before it comes back as a new revision; a memory that was new goes to the\n"
      "archive. What was written in one batch goes back together, but for `mem undo REF`. Again\n"
      "takes back the write before that. Nothing is taken back over a hand edit.\n";
  command.examples = "  mem log -n 3\n  mem undo\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
