#include <iostream>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/editor.h"
#include "cli/write_options.h"
#include "libmemfs/format/name.h"

namespace memfs::cli {
namespace {

// Whether the person wants another try.
bool again(Context& context, const Error& error) {
  (void)context.fail(error);
  std::cerr << "Edit it again? [Y/n] " << std::flush;
  std::string answer;
  return std::getline(std::cin, answer) && (answer.empty() || answer == "y" || answer == "Y");
}

int run(Context& context, const Args& args) {
  const auto consent = consent_argument(args);
  if (!consent) return context.fail(consent.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const std::string& reference = args.rest().front();
  auto found = store->read(reference);
  if (!found) return context.fail(found.error());
  const Memory& memory = found->memory;
  auto bytes = store->read_bytes(memory);
  if (!bytes) return context.fail(bytes.error());
  if (!can_edit(context)) {
    return context.fail(
        make_error(ErrorCode::kUsage, "there is no terminal or no editor to edit with")
            .with_hint("set VISUAL or EDITOR"));
  }
  auto draft = Draft::make(slug_of(memory.title), *bytes);
  if (!draft) return context.fail(draft.error());
  while (true) {
    auto text = draft->edit(context);
    auto result = text ? store->edit(memory.ref(), *text, memory.etag, *consent)
                       : Result<WriteResult>(std::move(text).error());
    if (result) {
      draft->discard();
      report_write(context, "Edited", *result);
      return 0;
    }
    const bool mendable =
        result.error().code == ErrorCode::kInvalid || result.error().code == ErrorCode::kRefused;
    if (mendable && can_edit(context) && again(context, result.error())) continue;
    if (draft->text() == *bytes) {
      draft->discard();
    } else {
      context.note("your text is kept in " + draft->path());
    }
    return mendable && can_edit(context) ? exit_code_of(result.error())
                                         : context.fail(result.error());
  }
}

}  // namespace

Command edit_command() {
  Command command;
  command.summary = "edit a memory's file in your editor";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY"}};
  command.flags = guard_flags(false);
  command.details =
      "Opens a copy in $VISUAL or $EDITOR and makes a revision of it. If something is wrong with\n"
      "it you may go on editing; your text is never lost.\n";
  command.examples = "  mem edit release-branch\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
