#include <memfs/sync.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/progress.h"

namespace memfs::cli {
namespace {

constexpr int kConflict = 4;
constexpr std::size_t kShown = 20;

void print_items(Context& context, const char* title, const std::vector<SyncItem>& items) {
  if (items.empty()) return;
  context.out() << title << "\n";
  for (std::size_t i = 0; i < std::min(items.size(), kShown); ++i)
    context.out() << "  " << context.bold(context.shown(items[i].ref)) << ": "
                  << context.shown(items[i].what) << "\n";
  if (items.size() > kShown) context.out() << "  and " << items.size() - kShown << " more\n";
}

// The keys are in the files: `check` tells where.
void print_undecided(Context& context, const std::vector<SyncItem>& items) {
  if (items.empty()) return;
  context.out() << "Set on both sides; yours stands, theirs is kept under merge_conflict:\n";
  for (const SyncItem& item : items)
    context.out() << "  " << context.bold(context.shown(item.ref)) << ": `"
                  << context.shown(item.what) << "`; `mem resolve " << context.shown(item.ref)
                  << "` settles it\n";
}

void print_waiting(Context& context, const std::vector<SyncItem>& items, bool personal) {
  if (items.empty()) return;
  const std::string sync = personal ? "`mem sync --personal" : "`mem sync";
  print_items(context, "Waiting for you; nothing was merged or pushed:", items);
  for (std::size_t i = 0; i < std::min(items.size(), kShown); ++i)
    context.out() << "  " << context.shown(items[i].path) << "\n";
  context.out() << "Edit the places between the markers, or `mem resolve REF "
                   "--ours|--theirs|--both`;\nthen "
                << sync << "`. " << sync << " --abort` takes the markers back.\n";
}

void print_end(Context& context, const SyncReport& report) {
  if (!report.pushed_to.empty())
    context.out() << "Pushed to " << context.shown(report.pushed_to) << "\n";
  if (!report.url.empty())
    context.out() << "Open a pull request: " << context.shown(report.url) << "\n";
  const bool nothing = report.committed.empty() && report.merged.empty() && report.kept.empty() &&
                       report.waiting.empty() && report.pushed_to.empty();
  if (nothing && !context.quiet)
    context.out() << (report.dry_run ? "Nothing to commit\n" : "Nothing to do\n");
}

void print_report(Context& context, const SyncReport& report, bool personal) {
  print_items(context, report.dry_run ? "Would commit:" : "Committed:", report.committed);
  print_items(context, "Merged:", report.merged);
  print_items(context, "Kept:", report.kept);
  print_undecided(context, report.undecided);
  print_waiting(context, report.waiting, personal);
  print_end(context, report);
  for (const std::string& note : report.notes) context.note(context.shown(note));
}

// A path is meant from here, also if the repository lies elsewhere.
std::string remote_argument(const Context& context, const Args& args) {
  if (args.rest().empty()) return {};
  const std::string& remote = args.rest().front();
  const std::filesystem::path path =
      std::filesystem::path(context.environment.working_directory) / remote;
  std::error_code ignored;
  const bool local =
      remote.find("://") == std::string::npos && std::filesystem::exists(path, ignored);
  return local ? path.lexically_normal().string() : remote;
}

Result<SyncReport> sync(Store& store, const Context& context, const Args& args) {
  const bool personal = args.has("personal");
  if (args.has("abort")) return abort_sync(store, personal);
  SyncRequest request;
  request.push = !args.has("no-push");
  request.dry_run = args.has("dry-run");
  if (personal) return sync_personal(store, remote_argument(context, args), request);
  if (args.rest().empty()) return sync_shared(store, request);
  return make_error(ErrorCode::kUsage, "a remote is given with --personal only")
      .with_hint("a project's remote is git's: `git remote add origin URL`");
}

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const Progress progress(context.err_is_terminal && !context.quiet, "syncing");
  const auto report = sync(*store, context, args);
  if (!report) return context.fail(report.error());
  if (context.json) {
    context.out() << sync_json(*report);
  } else {
    print_report(context, *report, args.has("personal"));
  }
  return report->waiting.empty() ? 0 : kConflict;
}

}  // namespace

Command sync_command() {
  Command command;
  command.summary = "commit, fetch, merge and push memories with git";
  command.arguments = {{"REMOTE", "with --personal: a repository that only you can read", false}};
  command.flags = {{"--no-push", "", "commit and merge, and leave the remote as it is"},
                   {"--dry-run", "", "only tell what would be committed"},
                   {"--personal", "", "your own memories, private and global, of all projects"},
                   {"--abort", "", "take back a conflict that waits for you"}};
  command.details =
      "Shared memories that changed are committed, those of the remote's branch are merged in, "
      "and\n"
      "both are pushed. Other files are neither committed, moved nor pushed, whatever state they\n"
      "are in, and nothing is forced. To the remote's default branch nothing is pushed unless the\n"
      "config says `sync: {push: direct}`: a branch mem/USER-BRANCH is, for a pull request.\n"
      "\n"
      "--personal keeps the folder of your own memories in step with other machines of yours; it\n"
      "becomes a git repository, and REMOTE its origin.\n";
  command.examples =
      "  mem sync\n  mem sync --no-push\n  mem sync --personal git@example.org:me/memories.git\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
