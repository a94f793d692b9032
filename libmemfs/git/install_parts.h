// The parts of an installation: each file of the room install_*.cc does one.
#pragma once

#include <memfs/git_install.h>

#include <string>
#include <utility>

#include "libmemfs/base/file_system.h"
#include "libmemfs/git/git.h"

namespace memfs {

// What the parts work with.
struct InstallRun {
  FileSystem& fs;
  const Layout& layout;
  const GitInstallOptions& options;
  Git git;
  GitInstallReport report{};

  void tell(GitStep::Outcome outcome, std::string part, std::string what, std::string note = {}) {
    report.steps.push_back({outcome, std::move(part), std::move(what), std::move(note)});
  }
};

// `path` as git knows it, if it lies below `top`; "" for `top` itself and for what does not.
std::string path_below(const std::string& top, const std::string& path);

Result<void> install_attributes(InstallRun& run);
Result<void> install_driver(InstallRun& run);
Result<void> uninstall_driver(InstallRun& run);
Result<void> install_hooks(InstallRun& run);
Result<void> uninstall_hooks(InstallRun& run);

}  // namespace memfs
