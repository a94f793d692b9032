#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

// A path of an existing file is taken as such, anything else as a reference.
Result<std::string> reference_of(const Context& context, const Store& store,
                                 const std::string& word) {
  const std::filesystem::path path =
      std::filesystem::path(context.environment.working_directory) / word;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return word;
  return store.reference_of_path(path.string());
}

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  for (const std::string& word : args.rest()) {
    auto reference = reference_of(context, *store, word);
    if (!reference) return context.fail(reference.error());
    auto result = store->adopt(*reference);
    if (!result) return context.fail(result.error());
    report_write(context, "Adopted", *result);
  }
  return 0;
}

}  // namespace

Command adopt_command() {
  Command command;
  command.summary = "give hand-written files id, revision and dates";
  command.arguments = {{"PATH", "a file in a scope, or a reference", true, true}};
  command.details =
      "A hand-written file is a memory without it; adoption gives it an identity that\n"
      "survives a rename, and revisions.\n";
  command.examples = "  mem adopt .mem/shared/notes.md\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
