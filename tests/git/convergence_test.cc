#include "tests/git/convergence.h"

#include <gtest/gtest.h>

namespace memfs::testing {
namespace {

void expect_convergence(const ConvergenceOptions& options) {
  const ConvergenceReport report = run_convergence(options);
  for (const std::string& fault : report.faults) ADD_FAILURE() << fault;
  EXPECT_GT(report.writes, options.rounds / 5);
  EXPECT_GT(report.syncs, options.clones);
}

// Longer runs: build/debug/git_convergence CLONES ROUNDS SEEDS.
TEST(Convergence, TwoPeopleEndWithTheSameMemories) { expect_convergence({2, 0, 40, 1}); }

TEST(Convergence, FourPeopleEndWithTheSameMemories) { expect_convergence({4, 0, 60, 2}); }

TEST(Convergence, PeopleWithoutAnythingInstalledTakePart) { expect_convergence({3, 1, 40, 3}); }

}  // namespace
}  // namespace memfs::testing
