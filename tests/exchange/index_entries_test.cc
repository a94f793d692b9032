#include "libmemfs/exchange/index_entries.h"

#include <gmock/gmock.h>

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MemoryPage page_of(const std::string& page) {
  return read_index_page(page, [](const std::string& file) {
    return file == "a.md" || file == "deep/b c.md" || file == "a](b.md";
  });
}
// "3 Build, Commands: make test"
std::vector<std::string> notes(const std::string& page) {
  std::vector<std::string> told;
  for (const PageNote& note : page_of(page).entries)
    told.push_back(std::to_string(note.line) + " " + note.headings + ": " + note.text);
  return told;
}

TEST(IndexEntries, LinesThatOnlyPointToAFileAreNoEntries) {
  EXPECT_THAT(
      notes("# Memory\n\n- [A](a.md) — what it is\n* **[A](a.md)**: so\n- `a.md` - so\n"
            "- [[a]] so\n- a.md\n1. [B](<deep/b c.md>)\n- [B](deep/b%20c.md#x \"title\") so\n"
            "- [A \\](x](a.md) so\n"),
      IsEmpty());
}

TEST(IndexEntries, APointerIsToldWithWhatTheLineSaysOfTheFile) {
  const MemoryPage page = page_of("\n- **[The A](./a.md)** — what *it* is\n");
  ASSERT_EQ(page.pointers.size(), 1U);
  EXPECT_EQ(page.pointers[0].line, 2);
  EXPECT_EQ(page.pointers[0].shown, "The A");
  EXPECT_EQ(page.pointers[0].file, "a.md");
  EXPECT_EQ(page.pointers[0].hook, "what *it* is");
}

TEST(IndexEntries, ListsAndTablesOfPointersAreNoEntries) {
  EXPECT_THAT(notes("Topics:\n- [A](a.md)\n- [B](deep/b%20c.md)\n\n- More:\n  - [A](a.md)\n\n"
                    "| file | what |\n|---|---|\n| [A](a.md) | so |\n"),
              IsEmpty());
}

TEST(IndexEntries, EachBulletAndParagraphIsAnEntryUnderItsHeadings) {
  EXPECT_THAT(notes("# Memory\nIntroduction\nof two lines.\n\n## Build\n- one\n- two\n\nCommands:\n"
                    "\n- `make`\n\n## Other ##\ntext\n"),
              ElementsAre("2 Memory: Introduction\nof two lines.", "6 Build: one", "7 Build: two",
                          "11 Build, Commands: `make`", "14 Other: text"));
}

TEST(IndexEntries, WhatIsIndentedBelongsToTheBulletAboveIt) {
  EXPECT_THAT(notes("- one:\n  - inner\n\n  more\n\t* tab\n- two\nlazy\n"),
              ElementsAre("1 : one:\n- inner\n\nmore\n* tab", "6 : two\nlazy"));
}

TEST(IndexEntries, ACodeBlockStaysWithTheLineThatAnnouncesIt) {
  EXPECT_THAT(
      notes("Run this:\n\n```sh\n# no heading\n\n- no bullet\n```\nend\n\n```\nalone\n```\n"),
      ElementsAre("1 : Run this:\n\n```sh\n# no heading\n\n- no bullet\n```\nend",
                  "10 : ```\nalone\n```"));
}

TEST(IndexEntries, CommentsRulesFrontMatterAndTheLineOfTheRestSayNothing) {
  EXPECT_THAT(notes("---\nx: y\n---\n<!-- a\nb -->\n***\nTitle\n===\n" + line_of_rest(12) + "\n"),
              IsEmpty());
}

TEST(IndexEntries, ALinkToAMissingFileIsAnEntryThatTellsSo) {
  const MemoryPage page = page_of("- [Gone](gone.md) — the only trace\n");
  ASSERT_EQ(page.entries.size(), 1U);
  EXPECT_EQ(page.entries[0].missing.file, "gone.md");
  EXPECT_EQ(page.entries[0].text, "[Gone](gone.md) — the only trace");
  EXPECT_EQ(title_of_entry(page.entries[0]), "Gone");
}

TEST(IndexEntries, AddressesThatLeadOutOfTheFolderPointToNoFile) {
  for (const std::string address : {"../../etc/a.md", "/etc/a.md", "https://x.example/a.md"}) {
    const MemoryPage page = page_of("- [X](" + address + ")\n");
    ASSERT_EQ(page.entries.size(), 1U) << address;
    EXPECT_EQ(page.entries[0].missing.file, "") << address;
  }
}

TEST(IndexEntries, ATitleIsShortAndWithoutMarkup) {
  EXPECT_EQ(title_of_entry({1, "**Tabs**: `always`:\nmore"}), "Tabs: always");
  const std::string title = title_of_entry({1, std::string(500, 'x')});
  EXPECT_EQ(title, std::string(80, 'x') + "…");
}

TEST(IndexEntries, TornAndOddPagesAreReadToTheirEnd) {
  for (const std::string page : {"", "-", "- ", "[", "[](", "[a](", "`", "[[", "[[]]", "``", "<!--",
                                 "```", "- [](<", "|", "- **", "#", "- [x](<a.md"})
    (void)page_of(page);
  EXPECT_THAT(notes("```\nnever closed\n"), ElementsAre("1 : ```\nnever closed"));
}

}  // namespace
}  // namespace memfs::testing
