// The documents say what the code does.
#include <gtest/gtest.h>

#include <memfs/guard.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "libmemfs/format/field_table.h"

namespace {

std::string read(const std::string& rel) {
  std::ostringstream out;
  out << std::ifstream(std::filesystem::path(MEM_SOURCE_DIR) / rel).rdbuf();
  return out.str();
}

TEST(Docs, TheFormatPageNamesEveryField) {
  const std::string page = read("docs/format.md");
  for (const memfs::Field& field : memfs::kFields)
    EXPECT_NE(page.find("`" + std::string(field.key) + "`"), std::string::npos) << field.key;
}

TEST(Docs, TheSecurityPageHasEveryRuleOfTheGuardWithItsHelpAndNoOther) {
  const std::string page = read("docs/security.md");
  std::size_t rows = 0;
  for (const memfs::GuardRule& rule : memfs::guard_rules()) {
    const std::string row =
        "| `" + std::string(rule.name) + "` | " + std::string(rule.help) + " |\n";
    EXPECT_NE(page.find(row), std::string::npos) << row;
    ++rows;
  }
  const std::size_t tables = page.find("### How good it is");
  std::size_t found = 0;
  for (auto at = page.find("\n| `"); at < tables; at = page.find("\n| `", at + 1)) ++found;
  EXPECT_EQ(found, rows);
}

TEST(Docs, TheEmbeddingExampleIsTheOneThatIsCompiled) {
  const std::string source = read("tests/store/embedding_example.cc");
  const std::string mark = "// [example]\n";
  const auto begin = source.find(mark) + mark.size();
  const std::string example = source.substr(begin, source.find(mark, begin) - begin);
  EXPECT_GT(example.size(), 300U);
  EXPECT_NE(read("docs/embedding.md").find(example), std::string::npos);
}

TEST(Docs, TheReadmeOpensWithTheTwoCommands) {
  const std::string page = read("README.md");
  EXPECT_LT(page.find("./dev run"), 400U);
  EXPECT_LT(page.find("./dev test"), 500U);
}

TEST(Docs, EveryLinkOfThePagesLeadsSomewhere) {
  for (const char* page :
       {"README.md", "docs/cli.md", "docs/search.md", "docs/format.md", "docs/security.md"}) {
    const std::string text = read(page);
    const auto folder = (std::filesystem::path(MEM_SOURCE_DIR) / page).parent_path();
    for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(std::filesystem::exists(folder / target)) << page << ": " << target;
    }
  }
}

}  // namespace
