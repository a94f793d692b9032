// The block in AGENTS.md and its like: whose bytes are whose, and what stands in it.
#include <gmock/gmock.h>
#include <memfs/exchange.h>

#include "libmemfs/exchange/block_marks.h"
#include "tests/support/store_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kBegin =
    "<!-- mem:begin (by `mem export block`: change the memories, not these lines) -->\n";
const std::string kEnd = "<!-- mem:end -->\n";

std::string put(const std::string& text, const std::string& content = "x\n") {
  const auto done = with_block(text, content, "/AGENTS.md");
  EXPECT_TRUE(done) << done.error().message;
  return done ? *done : "";
}

std::string refusal(const std::string& text) {
  const auto done = with_block(text, "x\n", "/AGENTS.md");
  if (done) return "no error";
  EXPECT_EQ(done.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(done.error().path, "/AGENTS.md");
  EXPECT_THAT(done.error().hint, Not(IsEmpty()));
  return std::to_string(done.error().line) + " " + done.error().message;
}

TEST(BlockMarks, ABlockIsPutAtTheEndBehindAnEmptyLine) {
  EXPECT_EQ(put(""), kBegin + "x\n" + kEnd);
  EXPECT_EQ(put("# A\n"), "# A\n\n" + kBegin + "x\n" + kEnd);
  EXPECT_EQ(put("# A\n\n"), "# A\n\n" + kBegin + "x\n" + kEnd);
  EXPECT_EQ(put("no last newline"), "no last newline\n\n" + kBegin + "x\n" + kEnd);
  EXPECT_EQ(put("\xEF\xBB\xBF"), "\xEF\xBB\xBF" + kBegin + "x\n" + kEnd);
}

TEST(BlockMarks, AllBytesAroundABlockStay) {
  const std::string before = "\xEF\xBB\xBF# A\r\n \t\xFF mixed\nlines\r\n";
  for (const std::string after : {"", "\r\n", "\r\nmore\n\n\n", "\nlast"}) {
    const std::string text = before + "<!-- mem:begin -->\r\nold\r\n<!-- mem:end -->" + after;
    const std::string made = put(text, "one\ntwo\n");
    EXPECT_THAT(made, StartsWith(before + kBegin.substr(0, kBegin.size() - 1) +
                                 "\r\none\r\ntwo\r\n<!-- mem:end -->"));
    EXPECT_THAT(made, EndsWith("<!-- mem:end -->" + after));
    EXPECT_EQ(put(made, "one\ntwo\n"), made);
  }
}

TEST(BlockMarks, ANewBlockTakesTheNewlinesOfItsFile) {
  for (const std::string newline : {"\n", "\r\n", "\r"}) {
    const std::string made = put("# A" + newline + "text" + newline);
    EXPECT_THAT(made, EndsWith("text" + newline + newline + kBegin.substr(0, kBegin.size() - 1) +
                               newline + "x" + newline + "<!-- mem:end -->" + newline));
    EXPECT_EQ(put(made), made);
  }
}

TEST(BlockMarks, MarksThatAreNotOnePairInOrderAreAnErrorWithTheirLine) {
  const std::string pair = "<!-- mem:begin -->\n<!-- mem:end -->\n";
  EXPECT_EQ(refusal("a\n" + pair + "b\n" + pair),
            "5 a second mark mem:begin (the first is on line 2); nothing was written");
  EXPECT_EQ(refusal(pair + "<!-- mem:end -->"),
            "3 a second mark mem:end (the first is on line 2); nothing was written");
  EXPECT_EQ(refusal("a\n\n<!-- mem:end -->\n<!-- mem:begin -->\n"),
            "3 the mark mem:end stands before any mem:begin; nothing was written");
  EXPECT_EQ(refusal("a\r\n<!-- mem:begin of it -->\r\nb"),
            "2 the mark mem:begin has no mem:end behind it; nothing was written");
  EXPECT_EQ(refusal(std::string("a\nb\0c", 5)),
            "2 the file is no text: it holds NUL bytes; nothing was written");
}

TEST(BlockMarks, WhatOnlyLooksLikeAMarkIsText) {
  const std::string text =
      "    <!-- mem:begin -->\n`<!-- mem:end -->`\n<!-- mem:beginner -->\n<!-- mem:begin\n"
      "<!-- mem:end --> and text\n<!-- by `mem setup` -->\n";
  EXPECT_EQ(put(text), text + "\n" + kBegin + "x\n" + kEnd);
}

class AgentBlock : public StoreFixture {
 protected:
  void add(const std::string& name, const std::string& bytes) {
    memory->plant("/m/shared/" + name + ".md", bytes);
  }
  ExportReport exported(const std::string& path = {}) {
    ExportWish wish;
    wish.format = ExportFormat::kBlock;
    wish.path = path;
    const auto report = export_memories(open(), wish);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : ExportReport();
  }
};

TEST_F(AgentBlock, RulesComeFirstThenPinnedTextsThenALineForEachOther) {
  add("a", "---\ntitle: Deploy\ndescription: How we roll out\n---\nMany steps.\n");
  add("b", "---\ntitle: Stages\nactivation: pinned\n---\n# Stages\n\n1. dev\n2. prod\n");
  add("c", "---\ntitle: Tabs\nkind: preference\n---\nIndent with tabs.\n");
  add("d", "---\nkind: preference\ntitle: Never force-push\n---\nNever force-push to main.\n");
  const auto report = exported();
  EXPECT_EQ(report.memories, 4U);
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_THAT(report.text, HasSubstr("\n### Rules\n\n"
                                     "- **Tabs**: Indent with tabs.\n"
                                     "- Never force-push to main.\n"
                                     "\n### To keep in mind\n\n"
                                     "- **Stages**\n\n  1. dev\n  2. prod\n"
                                     "\n### More\n\n"
                                     "- Deploy: How we roll out (shared/a)\n" +
                                     kEnd));
}

TEST_F(AgentBlock, NoMemoryGetsOutOfTheBlock) {
  add("a",
      "---\ntitle: '<!-- mem:end -->'\nkind: preference\n---\n"
      "x\n<!-- mem:end -->\r<!-- mem:begin -->\n```\n# not closed\n");
  add("b", "---\ntitle: \"z\"\ndescription: '<!-- mem:end -->'\n---\nb\n");
  memory->plant("/AGENTS.md", "mine\n");
  EXPECT_EQ(exported("/AGENTS.md").files.size(), 1U);
  const std::string bytes = memory->bytes_of("/AGENTS.md");
  EXPECT_EQ(put(bytes, ""), "mine\n\n" + kBegin + kEnd);
  EXPECT_EQ(bytes.find("<!-- mem:end"), bytes.rfind("<!-- mem:end"));
  EXPECT_THAT(bytes, HasSubstr("\n  ```\n  # not closed\n"));
}

TEST_F(AgentBlock, ASecondExportChangesNothingAndTextAroundItStays) {
  add("a", "One.\n");
  memory->plant("/AGENTS.md", "# Mine\r\nno last newline");
  exported("/AGENTS.md");
  const std::string first = memory->bytes_of("/AGENTS.md");
  const auto again = exported("/AGENTS.md");
  EXPECT_THAT(again.files, IsEmpty());
  EXPECT_EQ(again.unchanged, 1U);
  EXPECT_EQ(memory->bytes_of("/AGENTS.md"), first);
  memory->plant("/AGENTS.md", "above\n" + first + "below");
  add("b", "Two.\n");
  exported("/AGENTS.md");
  const std::string second = memory->bytes_of("/AGENTS.md");
  EXPECT_THAT(second, StartsWith("above\n# Mine\r\nno last newline\r\n\r\n<!-- mem:begin"));
  EXPECT_THAT(second, EndsWith("- b: Two. (shared/b)\r\n<!-- mem:end -->\r\nbelow"));
}

TEST_F(AgentBlock, ADamagedFileIsLeftAloneWithTheLine) {
  add("a", "One.\n");
  const std::string damaged = "mine\n<!-- mem:begin -->\nold\n";
  memory->plant("/AGENTS.md", damaged);
  ExportWish wish;
  wish.format = ExportFormat::kBlock;
  wish.path = "/AGENTS.md";
  const auto report = export_memories(open(), wish);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().line, 2);
  EXPECT_EQ(memory->bytes_of("/AGENTS.md"), damaged);
}

TEST_F(AgentBlock, ItStaysSmallAndTellsWhatIsNotInIt) {
  add("long", "---\ntitle: Long\nkind: preference\n---\n" + std::string(7000, 'x') + "\n");
  add("short", "---\ntitle: Short\nkind: preference\n---\nfits\n");
  for (int i = 0; i < 200; ++i)
    add("n" + std::to_string(1000 + i), "---\ntitle: t\n---\n" + std::string(60, 'y') + "\n");
  const auto report = exported();
  EXPECT_LT(report.text.size(), 8500U);
  EXPECT_GT(report.text.size(), 8000U);
  EXPECT_THAT(report.text,
              HasSubstr("- **Long**: too long for here, read it with `mem show shared/long`\n"
                        "- **Short**: fits\n"));
  const std::size_t left = 202 - report.memories;
  EXPECT_THAT(report.text,
              HasSubstr("\n" + std::to_string(left) + " more are not in this list: `mem list`\n"));
  EXPECT_THAT(report.notes,
              ElementsAre(HasSubstr("1 memory is too long for the block"),
                          StartsWith(std::to_string(left) + " memories are left out")));
}

TEST_F(AgentBlock, WithoutMemoriesItSaysSo) {
  EXPECT_THAT(exported().text, HasSubstr("\nThere are none yet.\n" + kEnd));
}

}  // namespace
}  // namespace memfs::testing
