#include "libmemfs/format/markdown_scan.h"

#include <gtest/gtest.h>

#include "libmemfs/format/markdown.h"
#include "tests/support/numbers.h"

namespace memfs {
namespace {

using Headings = std::vector<std::string>;

std::string with_cmark(std::string_view line) {
  const auto headings = parse_headings("# " + std::string(line) + " #", 1);
  return headings.empty() ? std::string() : headings.front();
}

std::string not_asked(std::string_view line) {
  ADD_FAILURE() << "cmark-gfm is asked for " << line;
  return {};
}

// What the scanner finds; cmark-gfm must find the same.
std::optional<Headings> scan(std::string_view body) {
  const auto headings = scan_headings(body, body.size(), with_cmark);
  EXPECT_TRUE(!headings || *headings == parse_headings(body, body.size())) << body;
  return headings;
}

TEST(MarkdownScan, FindsHeadingsMarkedBySigns) {
  EXPECT_EQ(scan("# a\n## b\n###### c\n####### d\n#e\n\\# f\n"), (Headings{"a", "b", "c"}));
  EXPECT_EQ(scan("   # a\n\n    # code\n\n#\tb\n#\n## \n"), (Headings{"a", "b"}));
  EXPECT_EQ(scan("# a #\n## b ##  \n# c#\n# d # e\n### ###\n# f ####### \n"),
            (Headings{"a", "b", "c#", "d # e", "f"}));
  EXPECT_EQ(scan("text\n# a\ntext\r\n# b\r\n"), (Headings{"a", "b"}));
  EXPECT_EQ(scan("\xEF\xBB\xBF# a"), (Headings{"a"}));
}

TEST(MarkdownScan, FindsUnderlinedHeadings) {
  EXPECT_EQ(scan("a\n===\n\nb\n-\n\nc\nd\n  ---  \n"), (Headings{"a", "b", "c d"}));
  EXPECT_EQ(scan("a\n\n===\n\n- b\n---\n> c\n---\n> d\n===\n"), (Headings{}));
  EXPECT_EQ(scan("a\n    ===\n\nb\n= =\n\n---\n***\n"), (Headings{}));
  EXPECT_EQ(scan("a\n    b\n===\n"), (Headings{"a b"}));
}

TEST(MarkdownScan, LooksIntoQuotesAndLists) {
  EXPECT_EQ(scan("> # a\n> b\n> ---\n>c\n"), (Headings{"a", "b"}));
  EXPECT_EQ(scan("- # a\n- b\n  ===\n1. c\n\n   # d\n"), (Headings{"a", "b", "d"}));
  EXPECT_EQ(scan("> - > # a\n\n-\n  # b\n\n-\n\n  # c\n"), (Headings{"a", "b", "c"}));
  EXPECT_EQ(scan("text\n2. # no\n\n2. # a\n"), (Headings{"a"}));
  EXPECT_EQ(scan("-\ta\n\n\t# b\n-     # code\n"), (Headings{"b"}));
}

TEST(MarkdownScan, LeavesCodeAndHtmlOut) {
  EXPECT_EQ(scan("```\n# a\n~~~\n````\n# b\n"), (Headings{"b"}));
  EXPECT_EQ(scan("~~~ a`b\n# c\n~~~~\n> ```\n> # d\n# e\n"), (Headings{"e"}));
  EXPECT_EQ(scan("<!-- \n# a\n\n# b -->\n# c\n<div>\n# d\n\n# e\n"), (Headings{"c", "e"}));
  EXPECT_EQ(scan("<a href='x'>\n# a\n\ntext\n<a>\n# b\n"), (Headings{"b"}));
  EXPECT_EQ(scan("<pre>\n\n# a\n</pre>\n# b\n<?\n\n# c ?>\n<!X\n\n# d>\n# e\n"),
            (Headings{"b", "e"}));
}

TEST(MarkdownScan, ReadsSimpleMarkupAlone) {
  const auto text = [](std::string_view line) {
    const auto headings = scan_headings("# " + std::string(line), 1, not_asked);
    EXPECT_TRUE(headings && headings->size() == 1) << line;
    EXPECT_EQ(*headings, parse_headings("# " + std::string(line), 1));
    return headings->front();
  };
  EXPECT_EQ(text("`a` and `` b`c `` d"), "a and b`c d");
  EXPECT_EQ(text("snake_case_name & more [x] a * b < c"), "snake_case_name & more [x] a * b < c");
  EXPECT_EQ(text("see http://a.b/c?d=e and www.f.g"), "see http://a.b/c?d=e and www.f.g");
  EXPECT_EQ(text("`*a*` \xE2\x80\x94 `<b>`"), "*a* \xE2\x80\x94 <b>");
}

TEST(MarkdownScan, AsksForIntricateMarkup) {
  EXPECT_EQ(scan("# *a* **b** __c__ [d](e) ![f](g) \\* &amp; <h@i.j> ~~k~~ <b>l</b>\n"),
            (Headings{"a b c d f * & h@i.j k l"}));
  EXPECT_EQ(scan("# *a* #\\#\n"), (Headings{"a ##"}));
}

TEST(MarkdownScan, IsNotSureOfRareTexts) {
  for (const std::string_view body : {"# [a]\n\n[a]: b\n", "[a]: b\n===\n", "# a\f\n", "# a\rb\n",
                                      "# \xFF\n", "*a\nb*\n===\n", "- [ ] a\n  ===\n"})
    EXPECT_FALSE(scan(body)) << body;
  EXPECT_FALSE(scan(std::string_view("# a\0b", 5)));
  EXPECT_EQ(headings_of("# [*a*]\n\n[*a*]: b\n\n[c]: d\n===\n"), (Headings{"a"}));
}

TEST(MarkdownScan, StopsAtItsLimit) {
  EXPECT_EQ(scan_headings("# a\n# b\n# c\f\n", 2, not_asked), (Headings{"a", "b"}));
}

TEST(MarkdownScan, AgreesOnThousandsOfMixedTexts) {
  constexpr std::string_view kPieces[] = {
      "a",          "b c",     "# ",     "## ",     " ##",     "#",       "\n",      "\n",
      "\n",         "\n\n",    "\r\n",   "\n# ",    "\n===",   "\n---\n", "\n> ",    "> ",
      "- ",         "\n- ",    "\n  - ", "1. ",     "\n2) ",   "* ",      "  ",      "    ",
      "\n    ",     "\t",      "\n\t",   "```",     "\n```\n", "~~~",     "`",       "``",
      "*",          "**",      "_",      "~",       "<!--",    "-->",     "\n<div>", "<a>",
      "</a>\n",     "<pre>",   "</pre>", "<b x=y>", "\n<?",    "?>",      "\n<!A",   ">",
      "[x](y)",     "[ ] ",    "[x]",    "]: ",     "![",      "&amp;",   "&",       "\\",
      "http://x.y", "www.x.y", "a@b.cd", "_a_",     "***\n",   "+",       "\n1.",    "=",
      "-",          "发",      "\"",     "'",       "\n  ",    "\n   ",   "\n      "};
  testing::Numbers numbers;
  int sure = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string body;
    const auto pieces = 1 + numbers.below(16);
    for (std::size_t i = 0; i < pieces; ++i) body += kPieces[numbers.below(std::size(kPieces))];
    if (scan(body)) ++sure;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(sure, 15000) << "the scanner gave up on most texts";
}

// The marked parts of a text.
std::vector<std::string> masked(std::string_view body) {
  std::vector<std::string> parts;
  for (const Span span : code_mask(body))
    parts.emplace_back(body.substr(span.begin, span.end - span.begin));
  return parts;
}

TEST(CodeMask, CoversBlocksOfCode) {
  EXPECT_EQ(masked("a\n```x\nb\n```\nc\n\n    d\n    e\n"),
            (Headings{"```x\nb\n```", "    d\n    e"}));
  EXPECT_EQ(masked("> ~~~\n> a\nb\n"), (Headings{"> ~~~\n> a"}));
}

TEST(CodeMask, CoversCodeInText) {
  EXPECT_EQ(masked("a `b` c ``d`e`` ```f\n"), (Headings{"`b`", "``d`e``"}));
  EXPECT_EQ(masked("# `a`\n- b `c\n  d` \\`e`\n"), (Headings{"`a`", "`c\n  d`"}));
  EXPECT_EQ(masked("`a\n\nb`\n"), Headings{}) << "code ends with its paragraph";
}

TEST(CodeMask, CoversComments) {
  EXPECT_EQ(masked("a <!-- b --> c\n\n<!--\nd\n\ne -->\n"),
            (Headings{"<!-- b -->", "<!--\nd\n\ne -->"}));
  EXPECT_EQ(masked("a <!-- b\n\n<div>\n<!-- c\n\nd\n"), (Headings{"<!-- c"}));
}

TEST(MarkdownScan, TakesLinearTime) {
  std::string body;
  for (int i = 0; i < 100000; ++i) body += "`<!--";
  EXPECT_EQ(code_mask(body).size(), 50000U);
  std::string headings;
  for (int i = 0; i < 200000; ++i) headings += "# `a\n";
  EXPECT_TRUE(code_mask(headings).empty());
  std::string nested;
  for (std::size_t i = 0; i < 20000; ++i) nested += "- a\n" + std::string(2 * (i % 100), ' ');
  EXPECT_TRUE(first_heading(nested + std::string(100000, '\n')).empty());
  std::string lists;
  for (int i = 0; i < 50000; ++i) lists += "* ";
  EXPECT_EQ(first_heading(lists), "");
}

}  // namespace
}  // namespace memfs
