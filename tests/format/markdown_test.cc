#include "libmemfs/format/markdown.h"

#include <gtest/gtest.h>

namespace memfs {
namespace {

TEST(Markdown, FindsHeadingsAsAReaderSeesThem) {
  EXPECT_EQ(headings_of("# One *two* `three`\n\ntext\n\nTwo\n===\n\n```\n# code\n```\n"),
            (std::vector<std::string>{"One two three", "Two"}));
  EXPECT_EQ(first_heading("text\n\n## Second\n# First\n"), "Second");
  EXPECT_EQ(first_heading("no heading\n"), "");
}

TEST(Markdown, FindsTheFirstLineOfText) {
  EXPECT_EQ(first_text_line("# Title\n\n- first *point*\n"), "first *point*");
  EXPECT_EQ(first_text_line("<!-- a\ncomment -->\n\n---\n> quoted\n"), "quoted");
  EXPECT_EQ(first_text_line("```\ncode\n```\nafter\n"), "after");
  EXPECT_EQ(first_text_line("# only\n"), "");
}

TEST(Markdown, HtmlLeavesRawHtmlOut) {
  const std::string html = to_html("**b** <script>alert(1)</script>\n");
  EXPECT_NE(html.find("<strong>b</strong>"), std::string::npos);
  EXPECT_EQ(html.find("<script>"), std::string::npos);
}

TEST(Markdown, HostileInputsEndInTime) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "> ";
  EXPECT_EQ(first_heading(deep), "");
  std::string table = std::string();
  for (int i = 0; i < 30000; ++i) table += "|x";
  table += "\n";
  for (int i = 0; i < 30000; ++i) table += "|-";
  EXPECT_EQ(headings_of(table + "\n\n# H\n").back(), "H");
  EXPECT_FALSE(to_html(table).empty());
  std::string links;
  for (int i = 0; i < 50000; ++i) links += "[a](<b";
  EXPECT_EQ(first_heading(links), "");
}

}  // namespace
}  // namespace memfs
