// One document of all memories: its outline is sound whatever the memories say.
#include <gmock/gmock.h>
#include <memfs/exchange.h>

#include "libmemfs/exchange/markdown_parts.h"
#include "libmemfs/format/markdown.h"
#include "tests/support/store_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MarkdownParts, HeadingsMoveDownTogether) {
  EXPECT_EQ(as_part("# A\n\ntext\n\n## B ##", 3), "### A\n\ntext\n\n#### B ##");
  EXPECT_EQ(as_part("#### deep enough", 3), "#### deep enough");
  EXPECT_EQ(as_part("# A\n\n##### E\n\n###### F", 3), "### A\n\n###### E\n\n###### F");
  EXPECT_EQ(as_part("> # quoted\n\n- ## in a list", 3), "> ### quoted\n\n- #### in a list");
}

TEST(MarkdownParts, UnderlinedHeadingsGetSigns) {
  EXPECT_EQ(as_part("A\n===\ntext\n\nB\n---", 3), "### A\ntext\n\n#### B");
  EXPECT_EQ(as_part("two\nlines\n=====\n", 3), "### two lines\n");
  EXPECT_EQ(as_part("C #\n===", 3), "### C # ###");
}

TEST(MarkdownParts, CodeIsNoHeading) {
  const std::string text = "```sh\n# comment\n```\n\n    # indented\n\n- ~~~\n  # in a list\n  ~~~";
  EXPECT_EQ(as_part(text, 3), text);
}

TEST(MarkdownParts, WhatIsLeftOpenIsClosed) {
  EXPECT_EQ(as_part("a\n\n````\ncode", 3), "a\n\n````\ncode\n````");
  EXPECT_EQ(as_part("~~~\n```\n", 3), "~~~\n```\n\n~~~");
  EXPECT_EQ(as_part("<!-- note\n\nmore", 3), "<!-- note\n\nmore\n-->");
  EXPECT_EQ(as_part("<script>\n\nalert()", 3), "<script>\n\nalert()\n</pre>");
  EXPECT_EQ(as_part("- ```\n  in a list", 3), "- ```\n  in a list");
  EXPECT_EQ(as_part("<div>\nends at an empty line", 3), "<div>\nends at an empty line");
}

TEST(MarkdownParts, WhatTheScannerIsNotSureOfIsAskedOfTheParser) {
  // A link definition in a list leaves no text behind.
  const std::string list = "# A\n\n- [b]: https://example.org\n\n## C";
  EXPECT_EQ(as_part(list, 3), "### A\n\n- [b]: https://example.org\n\n#### C");
  const std::string open = "# A\n\n- [b]: https://example.org\n\n```\n~~~\n# no heading";
  EXPECT_EQ(as_part(open, 3), "~~~~markdown\n" + open + "\n~~~~");
}

TEST(MarkdownParts, PlainTextIsShownAsItIs) {
  EXPECT_EQ(plain_in_markdown("a_b *c* <d> [e] `f` &amp;"),
            "a_b \\*c\\* &lt;d> \\[e\\] \\`f\\` \\&amp;");
}

class Document : public StoreFixture {
 protected:
  ExportReport exported() {
    ExportWish wish;
    wish.format = ExportFormat::kMarkdown;
    const auto report = export_memories(open(), wish);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : ExportReport();
  }
};

TEST_F(Document, HasAPartForEachScopeAndTypeAndASectionForEachMemory) {
  memory->plant("/m/shared/z.md",
                "---\ntitle: Deploy\ndescription: How *we* do it\ntype: project\n"
                "tags: [ops, prod]\nkind: procedure\nactivation: pinned\ncreated_at: 2026-01-02\n"
                "expires_at: 2027-01-01\nother: 1\n---\n# Deploy\n\nSteps.\n\n# Then\n\nMore.\n");
  memory->plant("/m/shared/a.md", "plain\r\ntext\r\n");
  memory->plant("/m/private/me.md", "---\ntitle: Ana\ntype: user\n---\nLikes tea.\n");
  const auto report = exported();
  EXPECT_EQ(report.text,
            "# Private: user\n"
            "\n## Ana\n\n*private/me*\n\nLikes tea.\n"
            "\n# Shared: project\n"
            "\n## Deploy\n\n*shared/z · procedure · pinned · tags: ops, prod · made 2026-01-02 · "
            "until 2027-01-01*\n\nHow \\*we\\* do it\n\nSteps.\n\n### Then\n\nMore.\n"
            "\n# Shared\n"
            "\n## a\n\n*shared/a*\n\nplain\ntext\n");
  EXPECT_EQ(report.memories, 3U);
  EXPECT_THAT(report.notes,
              ElementsAre("1 memory has keys of other programs, which the document does not show"));
}

TEST_F(Document, NoMemoryChangesTheOutline) {
  memory->plant("/m/shared/a.md", "---\ntitle: a\n---\n```\n# open\n");
  memory->plant("/m/shared/b.md", "---\ntitle: b\n---\n# One\n\n<!-- open\n");
  memory->plant("/m/shared/c.md", "---\ntitle: 'c # <!-- `'\n---\nSet\n===\n\n> ~~~\n> open\n");
  memory->plant("/m/shared/d.md", "---\ntitle: d\n---\ntext\n");
  EXPECT_THAT(headings_of(exported().text),
              ElementsAre("Shared", "a", "b", "One", "c # <!-- `", "Set", "d"));
}

TEST_F(Document, BytesThatAreNoTextAreToldOf) {
  memory->plant("/m/shared/a.md", "---\ntitle: a\n---\nb\xFF\n");
  const auto report = exported();
  EXPECT_THAT(report.text, HasSubstr("b\xEF\xBF\xBD\n"));
  EXPECT_THAT(report.notes,
              ElementsAre("1 memory has bytes that are not UTF-8; they are shown as U+FFFD"));
}

TEST_F(Document, WithoutMemoriesItSaysSo) {
  EXPECT_EQ(exported().text, "There are no memories.\n");
}

}  // namespace
}  // namespace memfs::testing
