#include <memfs/git_install.h>

#include "libmemfs/git/install_parts.h"

namespace memfs {
namespace {

Result<void> check_place(const Layout& layout) {
  if (layout.self_contained) {
    return make_error(ErrorCode::kRefused, "a root folder is in no project's git")
        .with_hint("leave --root and MEM_ROOT out, and run it in the project");
  }
  if (layout.git_top.empty())
    return make_error(ErrorCode::kRefused, "this is no git repository")
        .at(layout.project_root)
        .with_hint("`git init` makes one");
  return {};
}

InstallRun run_in(FileSystem& fs, const Layout& layout, const GitInstallOptions& options) {
  const std::string folder = !layout.git_top.empty()        ? layout.git_top
                             : !layout.project_root.empty() ? layout.project_root
                                                            : "/";
  // Paths are names, whatever signs they hold.
  InstallRun run{fs, layout, options, Git(folder, {"GIT_LITERAL_PATHSPECS=1"})};
  run.report.dry_run = options.dry_run;
  run.report.program = options.program;
  return run;
}

Result<void> set_sealing(InstallRun& run) {
  if (!run.options.seal) return {};
  const auto now = run.git.run({"config", "--local", "--type=bool", "--get", "mem.seal"});
  if (now && now->exit_code == 0 && now->out == "true\n") {
    run.tell(GitStep::Outcome::kKept, "sealing", "mem.seal");
    return {};
  }
  if (!run.options.dry_run)
    MEMFS_TRY(run.git.output({"config", "--local", "--replace-all", "mem.seal", "true"}));
  run.tell(GitStep::Outcome::kMade, "sealing", "mem.seal",
           "hand-edited memories get their next revision when they are committed");
  return {};
}

Result<void> unset_sealing(InstallRun& run) {
  if (!run.git.holds({"config", "--local", "--get-all", "mem.seal"})) return {};
  if (!run.options.dry_run)
    MEMFS_TRY(run.git.output({"config", "--local", "--unset-all", "mem.seal"}));
  run.tell(GitStep::Outcome::kRemoved, "sealing", "mem.seal");
  return {};
}

}  // namespace

std::string_view name_of(GitStep::Outcome outcome) {
  switch (outcome) {
    case GitStep::Outcome::kMade:
      return "made";
    case GitStep::Outcome::kChanged:
      return "changed";
    case GitStep::Outcome::kKept:
      return "kept";
    case GitStep::Outcome::kLeft:
      return "left";
    case GitStep::Outcome::kRemoved:
      return "removed";
  }
  return "kept";
}

std::string path_below(const std::string& top, const std::string& path) {
  return path.starts_with(top + "/") ? path.substr(top.size() + 1) : std::string();
}

Result<GitInstallReport> install_git(FileSystem& fs, const Layout& layout,
                                     const GitInstallOptions& options) {
  InstallRun run = run_in(fs, layout, options);
  if (options.global) {
    if (options.seal)
      return make_error(ErrorCode::kUsage, "--global and --seal exclude each other")
          .with_hint("sealing is chosen for each clone: `mem git install --seal`");
    MEMFS_TRY(install_driver(run));
    return std::move(run.report);
  }
  MEMFS_TRY(check_place(layout));
  if (!layout.folder(Scope::kShared).usable) {
    return make_error(ErrorCode::kRefused,
                      "there are no shared memories here: " + layout.folder(Scope::kShared).why)
        .with_hint("`mem where` shows every place in use");
  }
  MEMFS_TRY(install_attributes(run));
  MEMFS_TRY(install_driver(run));
  MEMFS_TRY(install_hooks(run));
  MEMFS_TRY(set_sealing(run));
  return std::move(run.report);
}

Result<GitInstallReport> uninstall_git(FileSystem& fs, const Layout& layout,
                                       const GitInstallOptions& options) {
  InstallRun run = run_in(fs, layout, options);
  if (options.global) {
    MEMFS_TRY(uninstall_driver(run));
    return std::move(run.report);
  }
  MEMFS_TRY(check_place(layout));
  MEMFS_TRY(uninstall_hooks(run));
  MEMFS_TRY(uninstall_driver(run));
  MEMFS_TRY(unset_sealing(run));
  run.tell(GitStep::Outcome::kLeft, "attributes", ".gitattributes",
           "it is committed, for everybody: without mem git merges by lines");
  return std::move(run.report);
}

}  // namespace memfs
