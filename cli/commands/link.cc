#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "libmemfs/base/posix_file_system.h"

namespace memfs::cli {
namespace {

int run_list(Context& context, FileSystem& fs, const Layout& layout) {
  auto projects = known_projects(fs, layout);
  if (!projects) return context.fail(projects.error());
  if (context.json) {
    context.out() << link_json(*projects);
    return 0;
  }
  if (projects->empty()) context.note("no private store is known yet");
  for (const KnownProject& project : *projects) {
    context.out() << project.id << "  " << context.shown(leaf_of(project.folder))
                  << (project.same_remote ? "  [same remote]" : "") << "\n";
    for (const std::string& place : project.places)
      context.out() << "  " << context.shown(place) << "\n";
  }
  return 0;
}

int run(Context& context, const Args& args) {
  PosixFileSystem fs;
  auto layout = discover_layout(fs, context.environment);
  if (!layout) return context.fail(layout.error());
  if (args.rest().empty()) return run_list(context, fs, *layout);
  auto project = link_project(fs, *layout, args.rest().front());
  if (!project) return context.fail(project.error());
  if (context.json) {
    context.out() << link_json({*project});
  } else {
    context.out() << "Private memories of this project: " << layout->folder(Scope::kPrivate).path
                  << "\n";
  }
  return 0;
}

}  // namespace

Command link_command() {
  Command command;
  command.summary = "use the private memories of another clone here";
  command.arguments = {{"ID", "the project's id, as listed without it", false}};
  command.examples = "  mem link\n  mem link 01m8n2sak0tn2v5x9yb6c0dehj\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
