// The documents say what the code does.
#include <gtest/gtest.h>

#include <memfs/check.h>
#include <memfs/guard.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "libmemfs/format/field_table.h"
#include "libmemfs/format/link_scan.h"
#include "libmemfs/format/problem_table.h"
#include "libmemfs/store/config.h"
#include "tests/support/memory_fs.h"

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

TEST(Docs, TheProblemPageHasEveryCodeWithItsCureAndNoOther) {
  const std::string page = read("docs/problems.md");
  std::size_t sections = 0;
  for (auto at = page.find("\n### `"); at != std::string::npos; at = page.find("\n### `", at + 1)) {
    const std::string code = page.substr(at + 6, page.find('`', at + 6) - at - 6);
    const std::string section = page.substr(at, page.find("\n### ", at + 1) - at);
    const memfs::ProblemKind* kind = memfs::find_problem_kind(code);
    ASSERT_NE(kind, nullptr) << code << " is reported by nobody";
    EXPECT_NE(section.find("\nCure: "), std::string::npos) << code;
    const std::string title = std::string(kind->title.substr(1));
    EXPECT_NE(section.find(title.substr(0, 30)), std::string::npos) << code;
    ++sections;
  }
  EXPECT_EQ(sections, memfs::kProblemKinds.size());
}

TEST(Docs, EveryCodeOfTheSourcesIsInTheTableAndEachOneOfTheTableIsReported) {
  std::set<std::string> found;
  std::string all;
  for (const char* room : {"format", "store", "check"}) {
    const auto folder = std::filesystem::path(MEM_SOURCE_DIR) / "libmemfs" / room;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".cc") continue;
      all += read("libmemfs/" + std::string(room) + "/" + entry.path().filename().string());
    }
  }
  for (const memfs::ProblemKind& kind : memfs::kProblemKinds)
    EXPECT_NE(all.find("\"" + std::string(kind.code) + "\""), std::string::npos)
        << kind.code << " is reported by nobody";
  const std::regex family("\"((?:yaml|bad|duplicate|index|name|link|not|nested)-[a-z-]+)\"");
  for (std::sregex_iterator at(all.begin(), all.end(), family), end; at != end; ++at) {
    const std::string code = (*at)[1];
    if (code == "yaml-cpp") continue;
    EXPECT_NE(memfs::find_problem_kind(code), nullptr) << code;
    found.insert(code);
  }
  EXPECT_GT(found.size(), 30U);
}

TEST(Docs, TheSchemaIsTheOneThatMemPrints) {
  EXPECT_EQ(read("docs/front-matter.schema.json"), memfs::front_matter_schema());
  for (const memfs::Field& field : memfs::kFields)
    EXPECT_NE(memfs::front_matter_schema().find("\"" + std::string(field.key) + "\": {"),
              std::string::npos)
        << field.key;
}

TEST(Docs, TheCommandPageNamesEveryCommand) {
  const std::string page = read("docs/cli.md");
  int commands = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(MEM_SOURCE_DIR) + "/cli/commands")) {
    std::string name = entry.path().stem();
    if (entry.path().extension() != ".cc" || name == "overview") continue;
    // git_merge_driver.cc is `mem git merge-driver`.
    if (const auto group = name.find('_'); group != std::string::npos) name[group] = ' ';
    std::replace(name.begin(), name.end(), '_', '-');
    EXPECT_NE(page.find("| `mem " + name), std::string::npos) << name;
    ++commands;
  }
  EXPECT_GT(commands, 20);
}

TEST(Docs, TheExampleOfAConfigurationIsOne) {
  const std::string page = read("docs/format.md");
  const auto begin = page.find("```yaml\nversion: 1\n") + 8;
  std::string example = page.substr(begin, page.find("```", begin) - begin);
  auto fs = std::make_shared<memfs::testing::MemoryFs>();
  fs->plant("/home/config.yaml", example.substr(example.find("# the project's for")));
  memfs::Settings settings;
  EXPECT_TRUE(memfs::read_own_config(*fs, "/home", settings).empty());
  EXPECT_EQ(settings.budget(memfs::Scope::kShared), (memfs::Budget{200000, 500, 8000}));
  EXPECT_EQ(settings.guard.own_exceptions.size(), 1U);
  EXPECT_EQ(settings.guard.hidden_text[0], memfs::GuardAction::kIgnore);
  fs->plant("/project/.mem/config.yaml", example);
  memfs::Settings shared;
  // What is the person's to set is refused to a project: three of the guard's keys, and three more.
  EXPECT_EQ(memfs::read_project_config(*fs, "/project", shared).problems.size(), 6U);
  EXPECT_EQ(shared.guard.own_exceptions.size(), 0U);
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
  std::vector<std::string> pages = {"README.md"};
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(MEM_SOURCE_DIR) / "docs"))
    if (entry.path().extension() == ".md")
      pages.push_back("docs/" + entry.path().filename().string());
  EXPECT_GT(pages.size(), 10U);
  for (const std::string& page : pages) {
    const std::string text = read(page);
    const auto folder = (std::filesystem::path(MEM_SOURCE_DIR) / page).parent_path();
    for (const memfs::Link& link : memfs::scan_links(text)) {
      const std::string target =
          text.substr(link.address.begin, link.address.end - link.address.begin);
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(std::filesystem::exists(folder / target.substr(0, target.find('#'))))
          << page << ": " << target;
    }
  }
}

}  // namespace
