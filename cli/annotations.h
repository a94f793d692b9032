// Problems as annotations of a GitHub workflow.
#pragma once

#include <memfs/memory.h>

#include <string>
#include <string_view>

namespace memfs::cli {

// "::error file=.mem/shared/a.md,line=3,col=11,title=yaml-colon::message%0Ahint" and a newline: one
// line whatever the problem holds, so that no name or text can bring a command of its own. The path
// is relative to `root`, the top of the repository, where it lies below it. See "Workflow commands
// for GitHub Actions".
std::string annotation_of(const Problem& problem, std::string_view root);

}  // namespace memfs::cli
