// The JSON shapes of the commands that work with git; docs/cli.md describes them.
#pragma once

#include <memfs/git_hooks.h>
#include <memfs/git_install.h>
#include <memfs/git_status.h>

#include <string>

namespace memfs::cli {

std::string git_install_json(const GitInstallReport& report);
std::string git_status_json(const GitStatus& status);
std::string commit_check_json(const CommitCheck& check);

}  // namespace memfs::cli
