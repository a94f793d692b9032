// Many people on clones of one repository, each writing, renaming, forgetting and syncing at
// random; in the end all have the same bytes, and nothing that somebody was told is saved is lost.
#pragma once

#include <string>
#include <vector>

namespace memfs::testing {

struct ConvergenceOptions {
  int clones = 3;
  int without_driver = 0;  // of them: they pull and push with git alone, and have no driver
  int rounds = 40;
  unsigned seed = 1;
};

struct ConvergenceReport {
  std::vector<std::string> faults{};  // empty: all is well
  int writes = 0;                     // that were acknowledged
  int syncs = 0;
  int decisions = 0;  // conflicts that a person settled
  int subject_clashes = 0;
};

ConvergenceReport run_convergence(const ConvergenceOptions& options);

}  // namespace memfs::testing
