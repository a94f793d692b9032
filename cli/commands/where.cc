#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "libmemfs/base/posix_file_system.h"

namespace memfs::cli {
namespace {

void row(Context& context, std::string name, const std::string& path, const std::string& why) {
  name.resize(9, ' ');
  context.out() << context.bold(name) << (path.empty() ? "(none)" : context.shown(path)) << "\n";
  if (!why.empty()) context.out() << "         " << context.dim(why) << "\n";
}

int run(Context& context, const Args& /*args*/) {
  PosixFileSystem fs;
  auto layout = discover_layout(fs, context.environment);
  if (!layout) return context.fail(layout.error());
  const std::string home = layout->mem_home.empty() ? "" : layout->mem_home;
  const auto existing = [&](std::string path) {
    while (!path.empty() && !fs.stat(path)) path = parent_of(path);
    return path;
  };
  if (!home.empty() && fs.is_volatile(existing(home))) {
    Problem problem;
    problem.code = "volatile-home";
    problem.severity = Severity::kWarning;
    problem.path = home;
    problem.message =
        "private and global memories lie on a file system that may vanish "
        "(tmpfs or a container's overlay)";
    problem.hint = "set MEM_HOME to a folder that stays";
    layout->notes.push_back(std::move(problem));
  }
  if (context.json) {
    context.out() << where_json(*layout);
    return 0;
  }
  if (!layout->self_contained)
    row(context, "project", layout->project_root,
        layout->git_common_dir.empty() ? "not in git"
                                       : "git: " + context.shown(layout->git_common_dir));
  for (const ScopeFolder& folder : layout->scopes)
    row(context, std::string(name_of(folder.scope)), folder.path,
        folder.why + (folder.path.empty() || folder.exists ? "" : " (not made yet)"));
  row(context, "state", layout->state, "history, archive, journal");
  row(context, "cache", layout->cache, "");
  for (const Problem& problem : layout->notes) {
    context.note(place_of(problem.path, problem.line, problem.column) + problem.message);
    if (!problem.hint.empty()) context.note("  " + problem.hint);
  }
  return 0;
}

}  // namespace

Command where_command() {
  Command command;
  command.summary = "every path in use, and why";
  command.examples = "  mem where\n  mem where --json\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
