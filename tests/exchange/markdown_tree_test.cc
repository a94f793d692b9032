// Folders of markdown files: which files are memories, under which names, with which bytes.
#include "libmemfs/exchange/toml_block.h"
#include "tests/exchange/exchange_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MarkdownTree : public ExchangeFixture {
 protected:
  void file_there(const std::string& rel, const std::string& bytes) {
    memory->plant("/vault/" + rel, bytes);
  }
  ImportReport import(const std::string& path = "/vault") {
    return ExchangeFixture::import(ImportFormat::kMarkdown, path);
  }
};

TEST_F(MarkdownTree, EveryKeyAndEveryByteOfTheTextStay) {
  file_there("a/Note.md",
             "\xEF\xBB\xBF---\r\ntags: [x]   # why\r\ncustom: {a: 1}\r\n---\r\nb\r\n---\r\nc");
  EXPECT_THAT(told(import()), ElementsAre("added private/a/Note"));
  EXPECT_THAT(file("private/a/Note.md"),
              ::testing::StartsWith("\xEF\xBB\xBF---\r\ntags: [x]   # why\r\ncustom: {a: 1}\r\n"
                                    "source: markdown:a/Note.md\r\nid: mem-"));
  EXPECT_THAT(file("private/a/Note.md"),
              ::testing::EndsWith("\r\nrevision: 1\r\n---\r\nb\r\n---\r\nc"));
}

TEST_F(MarkdownTree, AFileAloneIsATreeOfOne) {
  file_there("deep/one.md", "text\n");
  EXPECT_THAT(told(import("/vault/deep/one.md")), ElementsAre("added private/one"));
}

TEST_F(MarkdownTree, DotFoldersPagesForAgentsAndOtherFilesAreNoMemories) {
  for (const char* rel :
       {".obsidian/x.md", ".trash/y.md", "AGENTS.md", "sub/INDEX.md", "photo.png", "page.mdx",
        "fine.markdown", "sub/index.md", "sub/README.md", "README.md"})
    file_there(rel, "text\n");
  const auto report = import();
  EXPECT_THAT(told(report), ElementsAre("added private/vault-readme", "added private/fine",
                                        "added private/sub/readme", "added private/sub/index"));
  EXPECT_THAT(report.notes, ElementsAre("1 file that is not markdown was left out",
                                        "1 file with components (.mdx) was left out",
                                        HasSubstr("2 pages for agents and indexes")));
}

TEST_F(MarkdownTree, APathThatCannotBeANameGetsOneAndIsTold) {
  file_there("What? (2024)/a#b.md", "text\n");
  file_there("-x.md", "text\n");
  file_there("\xF0\x9F\x98\x80|.md", "text\n");
  const auto report = import();
  EXPECT_THAT(told(report), ElementsAre("added private/x", "added private/what-2024/a-b",
                                        HasSubstr("added private/memory")));
  for (const ImportItem& item : report.items)
    EXPECT_THAT(item.warnings, ElementsAre(HasSubstr("its path cannot be a name here")))
        << item.ref;
}

TEST_F(MarkdownTree, TheDayInANameOfJekyllIsWhenItWasMade) {
  file_there("_posts/2024-02-29-leap.md", "text\n");
  file_there("_posts/2024-02-30-none.md", "---\ndate: 2020-01-01\n---\ntext\n");
  import();
  EXPECT_THAT(file("private/_posts/2024-02-29-leap.md"),
              HasSubstr("created_at: 2024-02-29T00:00:00Z"));
  EXPECT_THAT(file("private/_posts/2024-02-30-none.md"), ::testing::Not(HasSubstr("created_at")));
}

TEST_F(MarkdownTree, BrokenFilesAreToldWithTheirPlaceAndNeverWritten) {
  file_there("cut.md", "---\ntitle: \"never\n---\ntext\n");
  file_there("types.md", "---\n- a list\n---\ntext\n");
  file_there("nul.md", std::string(8, '\0'));
  file_there("latin.md", "---\ntitle: caf\xE9\n---\ntext\n");
  file_there("alias.md", "---\na: &x 1\nb: *x\n---\ntext\n");
  file_there("fine.md", "text\n");
  const auto before = files_below(*memory, "/vault");
  const auto report = import();
  EXPECT_EQ(report.refused, 5U);
  EXPECT_EQ(report.added, 1U);
  for (const ImportItem& item : report.items)
    EXPECT_EQ(item.hint.empty(), item.outcome == ImportOutcome::kAdded) << item.path << item.reason;
  EXPECT_EQ(files_below(*memory, "/vault"), before);
}

TEST_F(MarkdownTree, NothingOutsideOfTheTreeIsRead) {
  memory->plant("/secret.md", "secret\n");
  memory->plant_link("/vault/leak.md", "/secret.md");
  memory->plant_link("/vault/out", "/");
  file_there("fine.md", "text\n");
  const auto report = import();
  EXPECT_THAT(told(report), ElementsAre("added private/fine"));
  EXPECT_THAT(report.notes, ElementsAre("2 symbolic links were not followed"));
}

TEST_F(MarkdownTree, TheStoresOwnFoldersAreNoSource) {
  memory->plant("/m/shared/mine.md", "mine\n");
  memory->plant("/m/notes.md", "a note beside\n");
  const auto report = import("/m");
  EXPECT_THAT(told(report), ElementsAre("added private/notes"));
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("it holds memories already")));
}

TEST_F(MarkdownTree, TomlBecomesYaml) {
  file_there("a.md",
             "+++\r\ntitle = \"Gr\\u00f6\\\"\u00dfe\" # why\ndraft = false\nweight = 10\n"
             "date = 2025-03-01T10:00:00Z\ntags = [\n  'a',  # one\n  \"b: c\",\n]\nempty = \"\"\n"
             "+++\nBody\n+++\n");
  EXPECT_THAT(told(import()), ElementsAre("added private/a"));
  EXPECT_THAT(file("private/a.md"),
              ::testing::StartsWith("---\ntitle: Grö\"ße\ndraft: false\nweight: 10\n"
                                    "date: 2025-03-01T10:00:00Z\ntags: [a, \"b: c\"]\nsource:"));
  EXPECT_THAT(file("private/a.md"), ::testing::EndsWith("---\nBody\n+++\n"));
}

TEST(TomlBlock, WhatIsNotUnderstoodIsToldWithItsLine) {
  const auto line = [](const std::string& block) {
    const auto yaml = yaml_of_toml("+++\n" + block + "+++\nb\n", "/x.md");
    return yaml ? 0 : yaml.error().line;
  };
  EXPECT_EQ(line("a = 1\n"), 0);
  EXPECT_EQ(line("a = 1\n[menu]\nb = 2\n"), 3);
  EXPECT_EQ(line("a.b = 1\n"), 2);
  EXPECT_EQ(line("a = \"\"\"\nx\n\"\"\"\n"), 2);
  EXPECT_EQ(line("a = \"open\nb = 1\n"), 2);
  EXPECT_EQ(line("a = {b = 1}\n"), 2);
  EXPECT_EQ(line("a = 1\na = 2\n"), 3);
  EXPECT_EQ(line("a = \"\\ud800\"\n"), 2);
  EXPECT_EQ(line("a = [1, [2]]\n"), 2);
  EXPECT_FALSE(yaml_of_toml("+++\na = 1\n", "/x.md"));
  EXPECT_FALSE(yaml_of_toml("+++", "/x.md"));
  EXPECT_FALSE(yaml_of_toml("+++\n" + std::string(70000, '#') + "\n+++\n", "/x.md"));
}

}  // namespace
}  // namespace memfs::testing
