#include <memfs/links.h>

#include "libmemfs/exchange/import_reader.h"
#include "tests/exchange/exchange_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ServerMemory : public ExchangeFixture {
 protected:
  ImportReport take(const std::string& text) {
    memory->plant("/memory.jsonl", text);
    return import(ImportFormat::kServerMemory, "/memory.jsonl");
  }
};

TEST_F(ServerMemory, EntitiesAreMemoriesAndRelationsAreLinks) {
  EXPECT_THAT(told(take(fixture("server-memory/memory.jsonl"))),
              ElementsAre("added private/ada-lovelace", "added private/ร้านกาแฟ",
                          "added private/release-7"));
  EXPECT_THAT(file("private/ada-lovelace.md"),
              ::testing::StartsWith("---\ntitle: Ada_Lovelace\ntags: [person]\n"
                                    "entity_type: person\nsource: server-memory:Ada_Lovelace\n"));
  EXPECT_EQ(open().read("ada-lovelace")->memory.body,
            "- Leads the release team\n- Prefers written updates\n  over calls\n\n## Relations\n\n"
            "- owns [[release-7]]\n- meets at [[ร้านกาแฟ]]\n");
  const Store store = open();
  const auto links = links_of(store, "ada-lovelace");
  ASSERT_TRUE(links);
  EXPECT_EQ(links->out.size(), 2U);
  for (const auto& link : links->out) EXPECT_EQ(link.state, LinkState::kMemory);
}

TEST_F(ServerMemory, AnObservationMoreIsAnUpdateAndTheSameAgainIsNone) {
  take(fixture("server-memory/memory.jsonl"));
  const auto before = kept();
  EXPECT_EQ(take(fixture("server-memory/memory.jsonl")).same, 3U);
  EXPECT_EQ(kept(), before);
  std::string more = fixture("server-memory/memory.jsonl");
  more.replace(more.find("\"Leads"), 0, "\"Is on holiday\",");
  EXPECT_THAT(told(take(more)), ElementsAre("updated private/ada-lovelace", "same private/ร้านกาแฟ",
                                            "same private/release-7"));
}

TEST_F(ServerMemory, TheTripThroughOurOwnLinesLosesNothing) {
  take(fixture("server-memory/memory.jsonl"));
  const std::string lines = exported(ExportFormat::kJsonLines).text;
  other_machine();
  memory->plant("/backup.jsonl", lines);
  EXPECT_EQ(import(ImportFormat::kJsonLines, "/backup.jsonl").added, 3U);
  EXPECT_EQ(exported(ExportFormat::kJsonLines).text, lines);
  EXPECT_EQ(take(fixture("server-memory/memory.jsonl")).same, 3U);
}

TEST_F(ServerMemory, DamagedLinesAreToldAndTheOthersComeIn) {
  const auto report = take(
      "{\"type\":\"entity\",\"name\":\"A\",\"entityType\":\"t\",\"observations\":[\"x\"]}\n"
      "{\"type\":\"entity\",\"name\":\"A\",\"observations\":[]}\n"
      "{\"type\":\"entity\",\"name\":\"\",\"observations\":[]}\n"
      "{\"type\":\"entity\",\"name\":\"B\",\"observations\":\"x\"}\n"
      "{\"type\":\"entity\",\"name\":\"C\",\"observations\":[1]}\n"
      "{\"type\":\"relation\",\"from\":\"nobody\",\"to\":\"A\",\"relationType\":\"r\"}\n"
      "{\"type\":\"relation\",\"from\":\"A\",\"to\":\"nobody [[x]]\",\"relationType\":\"r\"}\n"
      "{\"type\":\"thing\"}\n{\"type\":\"entity\",\"name\":\"cu");
  EXPECT_EQ(report.added, 1U);
  EXPECT_EQ(report.refused, 7U);
  EXPECT_THAT(report.items[0].warnings, ElementsAre(HasSubstr("an entity that is not there")));
}

TEST_F(ServerMemory, ThreeKindsOfDamageOfTheWholeFileWriteNothing) {
  for (const std::string& text :
       {std::string("{\"type\":\"entity\",\"name\":"), std::string("[1,2,3]"),
        "{\"a\":" + std::string(100000, '['), std::string(64, '\0')}) {
    memory->plant("/memory.jsonl", text);
    const auto report = try_import(ImportFormat::kServerMemory, "/memory.jsonl");
    ASSERT_FALSE(report) << text.substr(0, 20);
    EXPECT_EQ(report.error().code, ErrorCode::kInvalid);
    EXPECT_FALSE(report.error().hint.empty()) << text.substr(0, 20);
    EXPECT_EQ(report.error().path, "/memory.jsonl");
    EXPECT_THAT(
        report.error().message,
        ::testing::AnyOf(HasSubstr("no line of the file is an entity"), HasSubstr("NUL bytes")));
    EXPECT_FALSE(memory->exists("/m/private"));
  }
}

TEST_F(ServerMemory, WhatOtherVersionsAddIsKeptWithTheEntityAndCountedOfRelations) {
  const auto report = take(
      "{\"type\":\"entity\",\"name\":\"A\",\"entityType\":null,\"observations\":[],"
      "\"createdAt\":\"2026-01-02T03:04:05Z\",\"importance\":0.5}\n"
      "{\"type\":\"relation\",\"from\":\"A\",\"to\":\"A\",\"relationType\":\"knows\","
      "\"since\":1999}\n");
  EXPECT_THAT(open().read("a")->memory.extra,
              ElementsAre(::testing::Pair(
                  "server_memory", R"({"createdAt":"2026-01-02T03:04:05Z","importance":0.5})")));
  EXPECT_THAT(
      report.notes,
      ElementsAre("1 relation says more than its type and its two ends, which is left out"));
}

TEST_F(ServerMemory, AnEntityTypeOfAnotherKindIsRefused) {
  const auto report = take(
      "{\"type\":\"entity\",\"name\":\"A\",\"entityType\":[\"t\"],\"observations\":[]}\n"
      "{\"type\":\"entity\",\"name\":\"B\",\"entityType\":\"t\",\"observations\":[]}\n");
  EXPECT_THAT(told(report),
              ElementsAre("/memory.jsonl:1 the entity's type is no text", "added private/b"));
}

TEST_F(ServerMemory, ARelationToNobodyMakesNoLink) {
  take(R"~({"type":"entity","name":"A","observations":[]}
{"type":"entity","name":"x","observations":[]}
{"type":"relation","from":"A","to":"no [[x]]","relationType":"[[x]]"}
{"type":"relation","from":"A","to":"[[[x]]]","relationType":"\\[[x]]"}
{"type":"relation","from":"A","to":"[x](x.md)","relationType":"C:\\"}
)~");
  EXPECT_EQ(
      open().read("a")->memory.body,
      "## Relations\n\n- \\[[x]] no \\[[x]]\n- \\\\\\[[x]] \\[[\\[x]]]\n- C:\\ \\[x](x.md)\n");
  const Store store = open();
  EXPECT_TRUE(links_of(store, "a")->out.empty());
}

TEST_F(ServerMemory, LinksHoldInAFolderToo) {
  how.folder = "graph";
  take(fixture("server-memory/memory.jsonl"));
  const Store store = open();
  const auto links = links_of(store, "graph/ada-lovelace");
  ASSERT_TRUE(links);
  ASSERT_EQ(links->out.size(), 2U);
  for (const auto& link : links->out) EXPECT_EQ(link.state, LinkState::kMemory);
}

TEST_F(ServerMemory, ANumberThatAnotherNameHasIsPassedOver) {
  std::string lines;
  for (const char* name : {"a 2", "a", "a!", "a?"})
    lines += "{\"type\":\"entity\",\"name\":\"" + std::string(name) + "\",\"observations\":[]}\n";
  EXPECT_THAT(told(take(lines)), ElementsAre("added private/a-2", "added private/a",
                                             "added private/a-3", "added private/a-4"));
}

TEST_F(ServerMemory, LongNamesThatDifferAtTheirEndStayApart) {
  std::string lines;
  for (const char* end : {"1", "2"})
    lines += "{\"type\":\"entity\",\"name\":\"" + std::string(150, 'n') + end +
             "\",\"observations\":[]}\n";
  EXPECT_EQ(take(lines).added, 2U);
}

TEST_F(ServerMemory, AFileThatIsCutAnywhereGivesItsWholeLinesAndTellsOfTheTornOne) {
  const std::string whole = fixture("server-memory/memory.jsonl");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    const bool torn = cut.back() != '\n' && whole[size] != '\n';
    const auto lines = std::count(cut.begin(), cut.end(), '\n') + (whole[size] == '\n' ? 1 : 0);
    memory->plant("/memory.jsonl", cut);
    const ImportPlace place{*memory, "/memory.jsonl", *memory->stat("/memory.jsonl")};
    const auto source = read_server_memory(place);
    ASSERT_EQ(source.has_value(), lines > 0) << size;
    if (!source) continue;
    // The third and the fifth line are relations.
    EXPECT_EQ(source->items.size(), static_cast<std::size_t>(std::min(lines, 2L) + lines / 4));
    EXPECT_EQ(source->bad.size(), torn ? 1U : 0U) << size;
  }
}

TEST_F(ServerMemory, NamesThatGiveOneSlugStayApart) {
  const std::string lines =
      "{\"type\":\"entity\",\"name\":\"a b\",\"observations\":[]}\n"
      "{\"type\":\"entity\",\"name\":\"a_b!\",\"observations\":[]}\n"
      "{\"type\":\"entity\",\"name\":\"../!\",\"observations\":[]}\n"
      "{\"type\":\"entity\",\"name\":\"README\",\"observations\":[]}\n";
  EXPECT_THAT(told(take(lines)),
              ElementsAre("added private/a-b", "added private/a-b-2", "added private/entity",
                          "added private/readme-entity"));
  EXPECT_EQ(take(lines).same, 4U);
}

}  // namespace
}  // namespace memfs::testing
