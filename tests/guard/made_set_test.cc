// How many of the made examples the guard gets right, as a whole and on those held out.
#include <gtest/gtest.h>
#include <memfs/guard.h>

#include <algorithm>
#include <iostream>

#include "tests/guard/guard_examples.h"

namespace memfs::testing {
namespace {

struct Score {
  int expected = 0;  // examples that hold something
  int named = 0;     // of these: the rule was named
  int harmless = 0;
  int false_alarms = 0;  // harmless examples with a finding
  int wrong = 0;         // findings of a rule that no example holds

  double recall() const { return static_cast<double>(named) / expected; }
  double precision() const { return static_cast<double>(named) / (named + false_alarms + wrong); }
};

// Names what went wrong, so that a failure says which example it was. Credentials stay masked.
void report(const char* what, const GuardExample& example, const std::vector<Finding>& findings) {
  std::cout << what << " " << example.rule << ": " << redact(example.text, findings).substr(0, 120);
  for (const Finding& finding : findings) std::cout << " [" << finding.rule << "]";
  std::cout << "\n";
}

void judge(const GuardExample& example, Score& score) {
  const auto findings = scan_text(example.text);
  if (example.rule.empty()) {
    ++score.harmless;
    if (findings.empty()) return;
    ++score.false_alarms;
    report("false alarm", example, findings);
    return;
  }
  ++score.expected;
  const bool named = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.rule == example.rule;
  });
  score.named += named ? 1 : 0;
  const auto& rules = guard_rules();
  const auto kind = std::find_if(rules.begin(), rules.end(), [&](const GuardRule& rule) {
                      return rule.name == example.rule;
                    })->kind;
  const bool wrong = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.kind != GuardKind::kHiddenText && finding.kind != kind;
  });
  score.wrong += wrong ? 1 : 0;
  if (!named || wrong) report(named ? "also" : "missed", example, findings);
}

Score score_of(bool held_out_only) {
  Score score;
  for (const auto& set :
       {secret_examples(), instruction_examples(), hidden_examples(), harmless_examples()})
    for (const GuardExample& example : set)
      if (!held_out_only || example.held_out) judge(example, score);
  return score;
}

TEST(GuardMadeSet, IsLargeEnoughToSaySomething) {
  const Score all = score_of(false);
  EXPECT_GE(all.expected, 200);
  EXPECT_GE(all.harmless, 200);
}

TEST(GuardMadeSet, NearlyEverythingIsFoundAndNearlyNothingElse) {
  const Score all = score_of(false);
  std::cout << "recall " << all.recall() << " of " << all.expected << ", precision "
            << all.precision() << ", false alarms " << all.false_alarms << " of " << all.harmless
            << "\n";
  EXPECT_GE(all.recall(), 0.95);
  EXPECT_GE(all.precision(), 0.97);
}

TEST(GuardMadeSet, ExamplesThatWereHeldOutComeOutAlike) {
  const Score held_out = score_of(true);
  EXPECT_GE(held_out.recall(), 0.95);
  EXPECT_GE(held_out.precision(), 0.97);
}

}  // namespace
}  // namespace memfs::testing
