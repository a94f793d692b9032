#include <memfs/result.h>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/mcp/memory_service.h"
#include "cli/mcp/protocol/server.h"
#include "cli/mcp/tools/tools.h"
#include "libmemfs/base/posix_file_system.h"

namespace memfs::cli {
namespace {

// Absolute, from where the process was started.
std::string absolute(const Context& context, const std::string& path) {
  if (path.empty() || path.starts_with('/')) return path;
  return context.environment.working_directory + "/" + path;
}

ServerPlace place_of(const Context& context, const Args& args) {
  ServerPlace place;
  place.environment = context.environment;
  place.chosen = args.has("directory") ? context.environment.working_directory
                                       : absolute(context, context.project);
  for (const std::string& folder : context.harness_folders)
    place.of_harness.push_back(absolute(context, folder));
  return place;
}

// What keeps every call from working, told at once: a client shows no more than that there are no
// tools.
Result<void> check_place(const ServerPlace& place) {
  PosixFileSystem fs;
  if (!place.chosen.empty()) {
    const auto stat = fs.stat(place.chosen);
    if (!stat || stat->kind != FileKind::kDirectory)
      return make_error(ErrorCode::kNotFound, "there is no such folder")
          .at(place.chosen)
          .with_hint("-C and MEM_PROJECT name the project's folder");
  }
  MEMFS_TRY(discover_layout(fs, place.environment));
  return {};
}

int run(Context& context, const Args& args) {
  const bool read_only = args.has("read-only");
  auto tools = chosen_tools(args.value("tools").value_or(""), read_only);
  if (!tools) return context.fail(tools.error());
  Store::Services services = context.services;
  services.agent = true;
  services.read_only = read_only;
  const ServerPlace place = place_of(context, args);
  if (const auto ready = check_place(place); !ready) return context.fail(ready.error());
  MemoryService service(place, services, std::move(*tools));
  if (context.in_is_terminal)
    context.note("waiting for a client's messages on standard input; see `mem setup`");
  const auto served = mcp::serve(service);
  return served ? 0 : context.fail(served.error());
}

}  // namespace

Command mcp_command() {
  Command command;
  command.summary = "serve agents: the Model Context Protocol on standard input and output";
  command.flags = {{"--tools", "NAMES", "usual (default), all, or names with commas between them"},
                   {"--read-only", "", "offer nothing that writes"}};
  command.details =
      "An agent's program starts it; `mem setup` tells the program how. The project is that of -C\n"
      "or MEM_PROJECT, else of the client's folders, else of the program's environment, else of "
      "the\n"
      "working directory if it is in a git work tree or has .mem/. Without one only global "
      "memories\n"
      "are served. docs/mcp.md describes every tool.\n";
  command.examples = "  mem mcp\n  mem mcp -C ~/src/shop --tools usual,save_note\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
