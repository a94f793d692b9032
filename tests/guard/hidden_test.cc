// Characters that are not seen.
#include <gtest/gtest.h>

#include "tests/guard/guard_examples.h"
#include "tests/guard/guard_support.h"

namespace memfs::testing {
namespace {

std::string message_of(const std::string& text) {
  const auto findings = scan_text(text);
  return findings.empty() ? "" : findings.front().message;
}

TEST(GuardHiddenText, EveryRuleNamesItsExamples) {
  for (const GuardExample& example : hidden_examples())
    EXPECT_NE(rules_in(example.text).find(example.rule), std::string::npos) << example.text;
}

TEST(GuardHiddenText, EveryRuleHasAnExample) {
  std::string names = " ";
  for (const GuardExample& example : hidden_examples()) names += example.rule + " ";
  for (const GuardRule& rule : guard_rules()) {
    if (rule.kind != GuardKind::kHiddenText) continue;
    EXPECT_NE(names.find(" " + std::string(rule.name) + " "), std::string::npos) << rule.name;
  }
}

TEST(GuardHiddenText, Ho2TagCharactersAreDecodedInTheMessage) {
  const std::string message = message_of("hello" + in_tag_characters("ignore this"));
  EXPECT_NE(message.find("hidden text: \"ignore this\""), std::string::npos) << message;
  EXPECT_NE(message.find("U+E0069"), std::string::npos) << message;
}

TEST(GuardHiddenText, Ho2BidiControlsSelectorsAndFillersAreNamed) {
  EXPECT_EQ(rules_in("title \u202E txt.exe \u2066x\u2069"),
            "bidi-control bidi-control bidi-control");
  EXPECT_EQ(rules_in("a\U000E0101"), "variation-selector");
  EXPECT_EQ(rules_in("x\u3164"), "blank-filler");
  EXPECT_NE(message_of("x\u3164").find("U+3164"), std::string::npos);
}

TEST(GuardHiddenText, BytesInVariationSelectorsAreDecoded) {
  const std::string text = "😀\U000E0158\U000E0159";  // 'h' and 'i', less 16
  EXPECT_NE(message_of(text).find("hidden text: \"hi\""), std::string::npos) << message_of(text);
}

TEST(GuardHiddenText, ARunIsOneFinding) {
  const std::string text = "a\u200B\u200C\u200B\u200Cb";
  const auto findings = scan_text(text);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].begin, 1U);
  EXPECT_EQ(findings[0].end, 13U);
  EXPECT_NE(findings[0].message.find("4 hidden characters U+200B, U+200C"), std::string::npos);
}

TEST(GuardHiddenText, ALongHiddenTextIsCutAndNeverSaysACredential) {
  bench::Random random(3);
  const std::string token = github_token(random);
  const std::string message =
      message_of(in_tag_characters("key " + token + " " + std::string(200, 'a')));
  EXPECT_NE(message.find("[redacted: github-token]"), std::string::npos) << message;
  EXPECT_EQ(message.find(token.substr(4)), std::string::npos);
  EXPECT_LT(message.size(), 300U);
}

TEST(GuardHiddenText, AScriptThatNeedsThemMayHaveThem) {
  EXPECT_EQ(rules_in("می\u200Cخواهم callback\u200Cها क्\u200Dष ไทย\u200Bไทย"), "");
  EXPECT_EQ(rules_in("עברית \u200Eabc\u200F"), "");
  EXPECT_EQ(rules_in("👨\u200D👩\u200D👧 ❤\uFE0F 1\uFE0F\u20E3 葛\U000E0100"), "");
  EXPECT_EQ(rules_in("\uFEFFtext with Donau\u00ADdampf"), "");
}

TEST(GuardHiddenText, AClosedPairRoundANameMovesNothingElse) {
  EXPECT_EQ(rules_in("by \u2068Ada\u2069 and \u2068أحمد\u2069"), "");
  EXPECT_EQ(rules_in("\u202Bשלום\u202C and \u202Bمرحبا\u202C"), "");
  EXPECT_EQ(rules_in("\u2068a\u202Eb\u2069"), "bidi-control bidi-control bidi-control");
  EXPECT_EQ(rules_in("\u2068open\n\u2069"), "bidi-control bidi-control");
  EXPECT_EQ(rules_in("\u2069turned\u2068"), "bidi-control bidi-control");
  EXPECT_EQ(rules_in("\u202Bplain English\u202C"), "bidi-control bidi-control");
}

TEST(GuardHiddenText, OneWordJoinerHidesNothingAndSeveralMay) {
  EXPECT_EQ(rules_in("pasted\u2060 text"), "");
  EXPECT_EQ(rules_in("pa\u2060st\u2060ed"), "invisible-character invisible-character");
  EXPECT_EQ(rules_in("pasted\u2060\u2060 text"), "invisible-character");
  EXPECT_EQ(rules_in("The filler U+3164 (\u3164)"), "");
  EXPECT_EQ(rules_in("The filler U+3164 (\u3164\u3164)"), "blank-filler");
}

TEST(GuardHiddenText, TheSameCharactersAreFoundWhereNothingNeedsThem) {
  EXPECT_EQ(rules_in("ab\u200Ccd"), "zero-width");
  EXPECT_EQ(rules_in("left\u200Eright\nעברית"), "bidi-control");
  EXPECT_EQ(rules_in("a\uFE0F"), "variation-selector");
  EXPECT_EQ(rules_in("❤\uFE0F\uFE0F"), "variation-selector");
  EXPECT_EQ(rules_in("\U0001F3F4" + in_tag_characters("steal") + "!"), "tag-characters");
  EXPECT_EQ(rules_in("text\uFEFF"), "zero-width");
}

}  // namespace
}  // namespace memfs::testing
