#include <memfs/version.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& /*args*/) {
  const auto versions = library_versions();
  if (context.json) {
    context.out() << version_json(versions);
    return 0;
  }
  for (const auto& [name, version] : versions) context.out() << name << " " << version << "\n";
  return 0;
}

}  // namespace

Command version_command() {
  Command command;
  command.summary = "version of mem and of its libraries";
  command.examples = "  mem version\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
