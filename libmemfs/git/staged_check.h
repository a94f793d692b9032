// The check of staged files, and what comes before it in a commit.
#pragma once

#include <memfs/git_hooks.h>

#include <vector>

#include "libmemfs/git/staged.h"

namespace memfs {

Result<CheckReport> check_staged_files(Store& store, const StagedShared& shared,
                                       const std::vector<StagedFile>& files);

// Seals what may be sealed of `files`; see check_commit().
Result<void> seal_files(Store& store, const StagedShared& shared,
                        const std::vector<StagedFile>& files, CommitCheck& check);

}  // namespace memfs
