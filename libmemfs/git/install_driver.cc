// merge.mem.* in the configuration of the clone, or of the person.
#include <algorithm>

#include "libmemfs/git/hook_text.h"
#include "libmemfs/git/install_parts.h"

namespace memfs {
namespace {

constexpr char kDriver[] = "merge.mem.driver";
constexpr char kName[] = "merge.mem.name";
constexpr char kNameText[] = "memories: front matter by key, text by line";

std::string level_of(const InstallRun& run) { return run.options.global ? "--global" : "--local"; }

// The driver's values at this level; there may be none, or several.
Result<std::vector<std::string>> drivers(const InstallRun& run) {
  MEMFS_ASSIGN(const ProcessOutput answer,
               run.git.run({"config", level_of(run), "-z", "--get-all", kDriver}));
  return split_nul(answer.exit_code == 0 ? answer.out : std::string());
}

bool are_ours(const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(), is_driver_line);
}

void tell_of_other(InstallRun& run) {
  run.tell(GitStep::Outcome::kLeft, "driver", kDriver,
           "it is set to something else: `git config " + level_of(run) + " --unset-all " + kDriver +
               "` makes room");
}

}  // namespace

Result<void> install_driver(InstallRun& run) {
  const std::string wanted = driver_line(run.options.program);
  MEMFS_ASSIGN(const auto values, drivers(run));
  if (!are_ours(values)) {
    tell_of_other(run);
    return {};
  }
  if (values.size() == 1 && values.front() == wanted) {
    run.tell(GitStep::Outcome::kKept, "driver", kDriver);
    return {};
  }
  const auto anywhere = run.git.line({"config", "--get", kDriver});
  if (!run.options.global && values.empty() && anywhere && *anywhere == wanted) {
    run.tell(GitStep::Outcome::kKept, "driver", kDriver, "from your own configuration");
    return {};
  }
  if (!run.options.dry_run) {
    const std::string level = level_of(run);
    MEMFS_TRY(run.git.output({"config", level, "--replace-all", kName, kNameText}));
    MEMFS_TRY(run.git.output({"config", level, "--replace-all", kDriver, wanted}));
  }
  run.tell(values.empty() ? GitStep::Outcome::kMade : GitStep::Outcome::kChanged, "driver", kDriver,
           run.options.global ? "in your own configuration, for every clone"
                              : "in this clone's configuration");
  return {};
}

Result<void> uninstall_driver(InstallRun& run) {
  MEMFS_ASSIGN(const auto values, drivers(run));
  if (values.empty()) return {};
  if (!are_ours(values)) {
    tell_of_other(run);
    return {};
  }
  if (!run.options.dry_run) {
    const std::string level = level_of(run);
    MEMFS_TRY(run.git.output({"config", level, "--unset-all", kDriver}));
    // A name that somebody gave it stays.
    const auto name = run.git.line({"config", level, "--get", kName});
    if (name && *name == kNameText)
      MEMFS_TRY(run.git.output({"config", level, "--unset-all", kName}));
  }
  run.tell(GitStep::Outcome::kRemoved, "driver", kDriver);
  return {};
}

}  // namespace memfs
