#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "libmemfs/base/posix_file_system.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& /*args*/) {
  PosixFileSystem fs;
  auto layout = discover_layout(fs, context.environment);
  if (!layout) return context.fail(layout.error());
  auto report = init_project(fs, *layout);
  if (!report) return context.fail(report.error());
  if (context.json) {
    context.out() << init_json(*layout, *report);
    return 0;
  }
  for (const std::string& file : report->made) context.out() << "Made " << file << "\n";
  for (const std::string& file : report->kept) context.out() << "Kept " << file << " as it is\n";
  for (const std::string& file : report->changed)
    context.out() << "Changed " << file << " as `index` in config.yaml says\n";
  for (const std::string& file : report->renewed)
    context.out() << "Renewed " << file << ": mem merges memories\n";
  for (const std::string& line : report->advice) context.note(line);
  if (!report->made.empty() && !context.quiet) {
    context.out() << "Shared memories go to " << layout->folder(Scope::kShared).path << "\n";
    if (!layout->git_common_dir.empty())
      context.out() << "Commit it: git add .mem && git commit -m 'Add a memory folder'\n"
                       "In each clone `mem git install` lets git merge memories by their meaning\n";
  }
  return 0;
}

}  // namespace

Command init_command() {
  Command command;
  command.summary = "set up .mem/ in this project, for shared memories";
  command.details =
      "Private and global memories work without it. Safe to repeat: what is there stays.\n";
  command.examples = "  mem init\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
