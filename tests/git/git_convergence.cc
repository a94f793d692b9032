// git_convergence CLONES ROUNDS SEEDS [FIRST [WITHOUT_DRIVER]]: long runs of the convergence test.
#include <cstdlib>
#include <iostream>

#include "tests/git/convergence.h"

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: git_convergence CLONES ROUNDS SEEDS [FIRST [WITHOUT_DRIVER]]\n";
    return 2;
  }
  memfs::testing::ConvergenceOptions options;
  options.clones = std::atoi(argv[1]);
  options.rounds = std::atoi(argv[2]);
  const int seeds = std::atoi(argv[3]);
  const int first = argc > 4 ? std::atoi(argv[4]) : 1;
  options.without_driver = argc > 5 ? std::atoi(argv[5]) : 0;
  int failed = 0;
  for (int seed = first; seed < first + seeds; ++seed) {
    options.seed = static_cast<unsigned>(seed);
    const auto report = memfs::testing::run_convergence(options);
    std::cout << "seed " << seed << ": " << report.writes << " writes, " << report.syncs
              << " syncs, " << report.decisions << " decisions, " << report.subject_clashes
              << " subject clashes, " << report.faults.size() << " faults\n";
    for (const std::string& fault : report.faults) std::cout << "  " << fault << "\n";
    failed += report.faults.empty() ? 0 : 1;
  }
  return failed == 0 ? 0 : 1;
}
