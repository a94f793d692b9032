// A mermaid memory folder on its way in.
#include "tests/exchange/folder_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Mermaid : public FolderTest {
 protected:
  Mermaid() : FolderTest(ImportFormat::kMermaid) {}
};

TEST_F(Mermaid, TheFixtureIsReadWhole) {
  plant_fixture();
  const ImportSource source = read();
  EXPECT_EQ(source.items.size(), 4U);
  EXPECT_THAT(source.bad, IsEmpty());
  EXPECT_THAT(source.notes, IsEmpty());
}

TEST_F(Mermaid, AFileKeepsEveryByteAndItsName) {
  plant_fixture();
  const Incoming by_hand = item("by-hand.md");
  EXPECT_EQ(by_hand.bytes, memory->bytes_of("/src/by-hand.md"));
  EXPECT_EQ(by_hand.name, "by-hand");
  EXPECT_EQ(by_hand.scope, std::nullopt);
  EXPECT_TRUE(by_hand.created.has_value());  // the file's time
}

TEST_F(Mermaid, WhatWasWrittenWithoutQuotesGetsThem) {
  plant_fixture();
  const Incoming zones = item("issue-412-time-zones.md");
  EXPECT_THAT(zones.bytes, HasSubstr("name: \"Issue #412 \\\"time zones\\\"\"\n"));
  EXPECT_THAT(zones.bytes, HasSubstr("UTC #no-exceptions and shown in the zone of the shop\"\n"));
  EXPECT_THAT(zones.warnings,
              ElementsAre("put into quotes, which YAML needs: `name`, `description`"));
}

TEST_F(Mermaid, TheFileSaysItsScope) {
  plant_fixture();
  EXPECT_EQ(item("prefers-small-commits.md").scope, Scope::kGlobal);
  EXPECT_EQ(item("issue-412-time-zones.md").scope, Scope::kPrivate);
  EXPECT_EQ(item("memory.md").scope, Scope::kShared);
}

TEST_F(Mermaid, ATitleWithoutLatinLettersNamesItsMemory) {
  plant_fixture();
  import();
  EXPECT_TRUE(memory->exists("/m/shared/発注の締め切り.md"));
}

TEST_F(Mermaid, ASecondImportChangesNoByte) {
  plant_fixture();
  EXPECT_EQ(import().added, 4U);
  const auto before = kept();
  EXPECT_EQ(import().same, 4U);
  EXPECT_EQ(kept(), before);
}

TEST_F(Mermaid, NothingIsLostOnTheWayOutAndInAgain) {
  plant_fixture();
  import();
  const auto before = meanings(false);
  ASSERT_EQ(before.size(), 4U);
  EXPECT_THAT(before.at("prefers-small-commits"),
              HasSubstr("|git|style: commits|review|name=Prefers small commits|scope=global|"));
  EXPECT_EQ(export_folder("/out").memories, 4U);
  move_to_new_store("/out");
  import(ImportFormat::kClaudeCode, "/out");
  auto after = meanings(false);
  // What the other system's files say of themselves.
  EXPECT_EQ(after.at("by-hand"), before.at("by-hand"));
  EXPECT_EQ(after.at("発注の締め切り"), before.at("発注の締め切り"));
  EXPECT_EQ(after, before);
}

TEST_F(Mermaid, AFileThatWasCutShortIsToldAndTheOthersGoOn) {
  plant("a.md", "---\nname: cut\ndescription: in the mid");
  plant("b.md", "---\nname: whole\n---\n\nb\n");
  const ImportSource source = read();
  EXPECT_THAT(told(source.bad),
              ElementsAre("a.md:1:1: the block opened on line 1 is never closed"));
  EXPECT_EQ(source.items.size(), 1U);
}

TEST_F(Mermaid, ValuesOfOtherTypesAreTold) {
  plant("a.md", "---\nname: a\ndescription:\n  - a list\n---\n\nb\n");
  EXPECT_THAT(told(read().bad), ElementsAre("a.md:4:3: `description` must be a single value"));
}

TEST_F(Mermaid, HostileFilesAreToldAndWriteNothing) {
  plant("control.md", "---\nname: a\n---\n\n\x1b[2Jgone\n");
  plant("empty.md", "");
  plant("nul.md", std::string("---\nname: a\n---\n") + '\0' + "b\n");
  plant("utf8.md", "---\nname: \xff\n---\n");
  memory->plant_link("/src/link.md", "/etc/passwd");
  const ImportSource source = read();
  EXPECT_THAT(told(source.bad),
              ElementsAre("control.md:5:1: a control character",
                          "empty.md:0:0: the file is empty: a write may have been lost",
                          "nul.md:4:1: a NUL byte: the file is damaged",
                          "utf8.md:2:7: a byte that is not UTF-8"));
  EXPECT_THAT(source.notes, Contains("1 symbolic link was not followed"));
  EXPECT_EQ(import().refused, 4U);
  EXPECT_FALSE(memory->exists("/m/private"));
}

TEST_F(Mermaid, AFileInsteadOfAFolderIsAMistake) {
  plant("a.md", "a\n");
  const auto source = try_read("/src/a.md");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kUsage);
  EXPECT_EQ(source.error().message, "mermaid is imported from a folder, and this is a file");
}

}  // namespace
}  // namespace memfs::testing
