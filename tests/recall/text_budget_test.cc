#include <memfs/text_budget.h>

#include <gtest/gtest.h>

namespace memfs::testing {
namespace {

std::string parsed(std::string_view text) {
  const auto budget = parse_text_budget(text);
  return budget ? spoken(*budget) : "<" + budget.error().message + ">";
}

TEST(TextBudget, IsANumberOfBytesOrTokensWithOrWithoutThousands) {
  EXPECT_EQ(parsed("8000"), "8000 bytes");
  EXPECT_EQ(parsed("8k"), "8000 bytes");
  EXPECT_EQ(parsed("8kB"), "8000 bytes");
  EXPECT_EQ(parsed("8 KB"), "8000 bytes");
  EXPECT_EQ(parsed("8000 bytes"), "8000 bytes");
  EXPECT_EQ(parsed("1MB"), "1000000 bytes");
  EXPECT_EQ(parsed("2000tokens"), "2000 tokens");
  EXPECT_EQ(parsed("2ktokens"), "2000 tokens");
  EXPECT_EQ(parsed(" 2k tokens "), "2000 tokens");
  EXPECT_EQ(parsed("2Mt"), "2000000 tokens");
}

TEST(TextBudget, WhatIsNoSizeIsSaidToBeNone) {
  for (const char* text : {"", "k", "tokens", "-5", "+8k", "1.5k", "8kk", "8kib", "8g", "8k,",
                           "99999999999999999999", "18446744073709551615k", "9223372036854775808"})
    EXPECT_EQ(parsed(text), "<not a size: " + std::string(text) + ">");
}

TEST(TextBudget, TooLittleIsNotTaken) {
  EXPECT_EQ(parsed("500"), "500 bytes");
  EXPECT_EQ(parsed("499"), "<499 bytes are too few>");
  EXPECT_EQ(parsed("0"), "<0 bytes are too few>");
  EXPECT_EQ(parsed("0tokens"), "<0 tokens are too few>");
}

TEST(TextBudget, TokensAreEstimatedByTheScript) {
  EXPECT_EQ(estimate_tokens(""), 0U);
  EXPECT_EQ(estimate_tokens("cut from main"), 3U);
  EXPECT_EQ(estimate_tokens("internationalisation"), 5U);
  EXPECT_EQ(estimate_tokens("2026"), 2U);
  EXPECT_EQ(estimate_tokens("    x\n"), 3U);
  EXPECT_EQ(estimate_tokens("发布分支"), 4U);
  EXPECT_EQ(estimate_tokens("ветка"), 3U);
  EXPECT_EQ(estimate_tokens("😀"), 2U);
  EXPECT_EQ(estimate_tokens("\xFF\xFE"), 2U) << "any bytes";
}

TEST(TextBudget, ATextTakesNoMoreThanItsLines) {
  const std::string a = "Releases are cut from `release/7.x`, 发布.\n";
  const std::string b = "  - ветка 2026\n";
  EXPECT_LE(estimate_tokens(a + b + a), 2 * estimate_tokens(a) + estimate_tokens(b));
}

}  // namespace
}  // namespace memfs::testing
