#include "libmemfs/base/hash.h"
#include "libmemfs/exchange/base64.h"
#include "libmemfs/exchange/json_value.h"
#include "tests/exchange/exchange_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JsonLines : public ExchangeFixture {
 protected:
  ImportReport take(const std::string& text) {
    memory->plant("/backup.jsonl", text);
    return import(ImportFormat::kJsonLines, "/backup.jsonl");
  }
  // The memories alone.
  std::map<std::string, std::string> memories() {
    auto files = kept();
    std::erase_if(files, [](const auto& f) {
      return f.first.starts_with("/m/.state") || f.first.ends_with("INDEX.md");
    });
    return files;
  }
};

TEST_F(JsonLines, EveryByteOfEveryMemoryComesBack) {
  const std::map<std::string, std::string> files = {
      {"/m/private/a.md", "\xEF\xBB\xBF---\r\ntitle: A # why\r\nid: x\r\n---\r\nno newline"},
      {"/m/private/deep/记忆.md", "两行\n"},
      {"/m/shared/broken.md", "---\ntitle: \"open\n---\nb\n"},
      {"/m/shared/latin.md", "caf\xE9 \x01\x7F \xED\xA0\x80\n"},
      {"/m/shared/nul.md", std::string("a\0b\n", 4)},
      {"/m/global/Odd: name#1.md",
       "a\xE2\x80\xA8"
       "b \\ \" \n"},
      {"/m/global/own.md", "---\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\nrevision: 4\n---\nb\n"}};
  for (const auto& [path, bytes] : files) memory->plant(path, bytes);
  const std::string text = exported(ExportFormat::kJsonLines).text;
  other_machine();
  EXPECT_THAT(told(take(text)), ::testing::Each(HasSubstr("added ")));
  EXPECT_EQ(memories(), files);
  EXPECT_EQ(exported(ExportFormat::kJsonLines).text, text);
  const auto before = kept();
  EXPECT_EQ(take(text).same, files.size());
  EXPECT_EQ(kept(), before);
}

TEST_F(JsonLines, ALaterStateIsAnUpdateAndAnEarlierOneIsNot) {
  {
    Store store = open();
    ASSERT_TRUE(store.create(StoreFixture::wish("A", "one\n")));
  }
  const std::string old = exported(ExportFormat::kJsonLines).text;
  ASSERT_TRUE(open().update("a", append("two\n")));
  const std::string later = exported(ExportFormat::kJsonLines).text;
  const auto latest = memories();
  EXPECT_THAT(told(take(old)), ElementsAre(HasSubstr("the one here is newer: revision 2")));
  EXPECT_EQ(memories(), latest);
  other_machine();
  EXPECT_EQ(take(old).added, 1U);
  EXPECT_EQ(take(later).updated, 1U);
  EXPECT_EQ(memories(), latest);
}

TEST_F(JsonLines, LinesOfOtherProgramsBecomeMemories) {
  const auto report = take(
      "{\"title\":\"Tabs\",\"body\":\"always\",\"tags\":[\"style\"],\"kind\":\"preference\","
      "\"weight\":3,\"more\":{\"a\":[1]}}\n\n{\"name\":\"x/"
      "y\",\"scope\":\"shared\",\"body\":\"b\"}\n");
  EXPECT_THAT(told(report), ElementsAre("added private/tabs", "added shared/x/y"));
  EXPECT_THAT(file("private/tabs.md"),
              HasSubstr("title: Tabs\ntags: [style]\nkind: preference\nweight: 3\n"
                        "more: \"{\\\"a\\\":[1]}\"\n"));
}

TEST_F(JsonLines, DamagedLinesAreToldAndTheOthersComeIn) {
  const std::string good = "{\"mem\":1,\"scope\":\"shared\",\"name\":\"ok\",\"text\":\"t\\n\"}\n";
  const auto report =
      take(good + "{\"mem\":1,\"scope\":\"shared\",\"name\":\"cut\",\"te\n" +
           "[]\n{\"mem\":2,\"body\":\"b\"}\n"
           "{\"mem\":1,\"scope\":\"mine\",\"name\":\"a\",\"text\":\"t\"}\n"
           "{\"mem\":1,\"scope\":\"shared\",\"name\":\"../../up\",\"text\":\"t\"}\n"
           "{\"mem\":1,\"scope\":\"shared\",\"name\":\".hid/x\",\"text\":\"t\"}\n"
           "{\"mem\":1,\"scope\":\"shared\",\"name\":\"h\",\"etag\":\"00\",\"text\":\"t\"}\n"
           "{\"mem\":1,\"scope\":\"shared\",\"name\":\"h\",\"base64\":\"a?==\"}\n"
           "{\"mem\":1,\"scope\":\"shared\",\"name\":\"e\",\"text\":\"\"}\n"
           "{\"bad key\":1,\"body\":\"b\"}\n{\"title\":\"no body\"}\n{\"mem\":1,\"scope\":\"sha");
  EXPECT_EQ(report.added, 1U);
  EXPECT_EQ(report.refused, 12U);
  for (const ImportItem& item : report.items) EXPECT_GT(item.line, 0) << item.reason;
  EXPECT_THAT(memories(), ElementsAre(std::pair("/m/shared/ok.md", "t\n")));
}

TEST_F(JsonLines, AFileWithoutAnyGoodLineIsNoSource) {
  memory->plant("/backup.jsonl", "PK\x03\x04 binary\n\xFF\xFE\n");
  const auto report = try_import(ImportFormat::kJsonLines, "/backup.jsonl");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(report.error().line, 1);
  EXPECT_FALSE(memory->exists("/m/private"));
}

TEST(JsonValue, KnowsTheLineOfEachValueAndOfEachFault) {
  const auto value = parse_json("{\n \"a\": [\n  {\"b\": 1}\n ]\n}", "/x.json");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->find("a")->items[0].line, 3);
  const auto fault = parse_json("{\n \"a\": 1,\n  x\n}", "/x.json");
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().line, 3);
  EXPECT_EQ(fault.error().column, 3);
  EXPECT_EQ(parse_json("[1, 2", "/x.json").error().message, "it ends in the middle of a value");
  for (const char* text :
       {"\"\\ud800\"", "\"\\u0000\"", "\"\xFF\"", "nul", "", "1 2", "{\"a\":1,\"a\":2}"})
    EXPECT_FALSE(parse_json(text, "/x.json")) << text;
  const std::string same = R"({"a":[1,-2.50,1e400,true,null],"b":{"ü":"\"\n"}})";
  EXPECT_EQ(json_text(*parse_json(same, "/x.json")), same);
}

TEST(Base64, GivesBackWhatItGot) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(bytes_of_base64(base64_of(bytes)), bytes);
    bytes += static_cast<char>(i * 37);
  }
  EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
  for (const char* text : {"Zg=", "Z===", "Zg==Zg==", "Zm 9", "===="})
    EXPECT_FALSE(bytes_of_base64(text)) << text;
}

}  // namespace
}  // namespace memfs::testing
