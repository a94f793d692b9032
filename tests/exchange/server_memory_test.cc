#include <memfs/links.h>

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
    EXPECT_FALSE(report.error().hint.empty() && report.error().line == 0);
    EXPECT_FALSE(memory->exists("/m/private"));
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
