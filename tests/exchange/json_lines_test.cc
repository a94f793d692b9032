// Our own JSON lines: nothing is lost on the way out and in, and what is wrong in a line is told.
#include <gmock/gmock.h>
#include <memfs/exchange.h>

#include "libmemfs/base/hash.h"
#include "libmemfs/exchange/base64.h"
#include "libmemfs/exchange/json_value.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Base64, AllBytesComeBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes) << i;
    bytes += static_cast<char>(i * 7);
  }
  EXPECT_EQ(to_base64("a"), "YQ==");
  EXPECT_EQ(to_base64("ab"), "YWI=");
  EXPECT_EQ(to_base64("abc\xFF"), "YWJj/w==");
}

TEST(Base64, OnlyOneSpellingIsTaken) {
  for (const char* text : {"YQ", "YQ=", "YR==", "YQ==\n", "Y", "====", "YQ==YQ==", "Y_=="})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

class JsonLines : public StoreFixture {
 protected:
  // A folder of scopes of its own, on the same disk.
  Store open_at(const std::string& root) {
    Environment environment;
    environment.working_directory = "/";
    environment.root = root;
    Store::Services services;
    services.fs = memory;
    services.clock = std::make_shared<FixedClock>(parse_date(now)->at);
    services.ids = std::make_shared<RepeatableIds>();
    services.threads = 1;
    services.lock_wait = std::chrono::milliseconds(0);
    return *Store::open(*discover_layout(*memory, environment), services);
  }
  std::string exported(const std::string& root = "/m") {
    ExportWish wish;
    const auto report = export_memories(open_at(root), wish);
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->text : "";
  }
  Result<ImportReport> try_import(const std::string& lines, const std::string& root = "/n") {
    memory->plant("/in.jsonl", lines);
    Store store = open_at(root);
    ImportWish wish;
    wish.format = ImportFormat::kJsonLines;
    wish.path = "/in.jsonl";
    wish.apply = true;
    return import_memories(store, wish);
  }
  std::vector<std::string> imported(const std::string& lines, const std::string& root = "/n") {
    const auto report = try_import(lines, root);
    if (!report) return {"failed: " + report.error().message};
    std::vector<std::string> told;
    for (const ImportItem& item : report->items)
      told.push_back(item.outcome == ImportOutcome::kRefused
                         ? std::to_string(item.line) + ": " + item.reason
                         : std::string(name_of(item.outcome)) + " " + item.ref);
    return told;
  }
  // "line: message" of a file that is not read at all; nothing is written then.
  std::string damage(const std::string& lines) {
    memory->plant("/in.jsonl", lines);
    const auto before = files_below(*memory, "/");
    const auto report = try_import(lines);
    EXPECT_TRUE(files_below(*memory, "/") == before);
    if (report) return "no damage";
    EXPECT_EQ(report.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(report.error().path, "/in.jsonl");
    EXPECT_THAT(report.error().hint, Not(IsEmpty()));
    return std::to_string(report.error().line) + ": " + report.error().message;
  }
  std::string in_private(const std::string& name) {
    return memory->bytes_of("/n/private/" + name + ".md");
  }
};

TEST_F(JsonLines, EveryByteOfEveryMemoryComesBack) {
  const std::string files[] = {
      "plain text, no newline",
      "---\ntitle: \"Größe\"\nother: {a: [1, 2]} # why\n---\n\n\nbody\n",
      "\xEF\xBB\xBF---\r\ntitle: 日本\r\n---\r\nb\r\n",
      "not utf-8 \xFF\xFE\n",
      std::string("nul \0 in it\n", 12),
      "---\ntitle: [unclosed\n---\nbroken block\n",
      "---\nid: mem-01m8ntxdm0enmq8bjj3bbhefbm\nrevision: 7\n---\nknown \"quotes\" \\ \x01 \x7F\n",
      "---\nexpires_at: 2020-01-01\n---\nlong gone\n"};
  // No link can hold it.
  const std::string odd = "/private/d/[a]: b#c.md";
  memory->plant("/m" + odd, "odd name\n");
  std::vector<std::string> places;
  for (const std::string& bytes : files) {
    const char* const scope = places.size() % 2 == 0 ? "/shared" : "/private";
    places.push_back(std::string(scope) + "/d/n" + std::to_string(places.size()) + ".md");
    memory->plant("/m" + places.back(), bytes);
  }
  const std::string lines = exported();
  for (const std::string& told : imported(lines)) EXPECT_THAT(told, StartsWith("added "));
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_EQ(memory->bytes_of("/n" + places[i]), files[i]);
  EXPECT_EQ(memory->bytes_of("/n" + odd), "odd name\n");
  EXPECT_EQ(exported("/n"), lines);
  for (const std::string& told : imported(lines)) EXPECT_THAT(told, StartsWith("same "));
}

TEST_F(JsonLines, ALineTellsOtherProgramsWhatItIs) {
  memory->plant("/m/shared/a.md",
                "---\ntitle: \"A \\\"b\\\"\"\ntags: [x, y]\ncreated: 2026-01-02\n---\nText\n");
  const std::string text = memory->bytes_of("/m/shared/a.md");
  EXPECT_EQ(exported(),
            R"({"mem":1,"scope":"shared","name":"a","etag":")" + content_hash(text) +
                R"(","id":null,"title":"A \"b\"","description":"Text","type":null,"kind":"fact",)"
                R"("activation":"relevant","volatility":null,"subject_key":null,"keywords":null,)"
                R"("tags":["x","y"],"aliases":[],"source":null,"created_at":"2026-01-02",)"
                R"("updated_at":null,"last_verified_at":null,"expires_at":null,"revision":null,)"
                R"("body":"Text\n","text":"---\ntitle: \"A \\\"b\\\"\"\ntags: [x, y]\n)"
                R"(created: 2026-01-02\n---\nText\n","base64":null})"
                "\n");
}

TEST_F(JsonLines, ALineThatWasChangedIsRefusedUnlessItsEtagIsRemoved) {
  const std::string line = R"("scope":"private","name":"a","text":"changed\n"})";
  const std::string etag = content_hash("text\n");
  EXPECT_THAT(imported(R"({"mem":1,"etag":")" + etag + "\"," + line + "\n{\"title\":\"x\"}\n"),
              ElementsAre("1: its text is not the one that was exported: `etag` does not fit",
                          "added private/x"));
  EXPECT_THAT(imported("{\"mem\":1," + line), ElementsAre("added private/a"));
  EXPECT_EQ(in_private("a"), "changed\n");
}

TEST_F(JsonLines, ALaterStateIsAnUpdateAndAnEarlierOneIsNot) {
  {
    Store store = open_at("/m");
    ASSERT_TRUE(store.create(wish("A", "one\n")));
  }
  const std::string old = exported();
  ASSERT_TRUE(open_at("/m").update("a", append("two\n")));
  const std::string later = exported();
  EXPECT_THAT(imported(old, "/m"),
              ElementsAre(HasSubstr("the one here is newer: revision 2, the source has 1")));
  EXPECT_THAT(imported(old), ElementsAre("added shared/a"));
  EXPECT_THAT(imported(later), ElementsAre("updated shared/a"));
  EXPECT_EQ(exported("/n"), later);
}

TEST_F(JsonLines, FieldsThatWereChangedBesideATextAreToldOf) {
  memory->plant("/m/shared/a.md", "---\ntitle: A\ntags: [x]\n---\nText\n");
  std::string lines = exported();
  EXPECT_THAT(try_import(lines)->items[0].warnings, IsEmpty());
  lines.replace(lines.find("[\"x\"]"), 5, "[\"y\"]");
  lines.replace(lines.find("Text\\n\",\"text"), 4, "Other");
  const auto report = try_import(lines);
  EXPECT_THAT(report->items[0].warnings,
              ElementsAre("its text counts, which says something else than `tags`, `body`"));
  EXPECT_EQ(report->same, 1U);
}

TEST_F(JsonLines, FieldsMakeAMemory) {
  EXPECT_THAT(
      imported(
          "\xEF\xBB\xBF{\"title\":\"Uso de pestañas\",\"body\":\"Siempre.\",\"tags\":[\"a b\",7],"
          "\"kind\":\"preference\",\"created_at\":\"2026-01-02\",\"stars\":3,\"draft\":false,"
          "\"by\":{\"z\":1,\"who\":\"Ana\"},\"none\":null,\"id\":\"x-1\",\"a: b\":\"c\"}\r\n\r\n"
          "{\"body\":\"only text\\n\",\"scope\":\"shared\",\"name\":\"deep/one\"}"),
      ElementsAre("added private/uso-de-pestañas", "added shared/deep/one"));
  EXPECT_EQ(in_private("uso-de-pestañas"),
            "---\ntitle: Uso de pestañas\nkind: preference\ntags: [a b, \"7\"]\naliases: [x-1]\n"
            "stars: 3\ndraft: false\nby: \"{\\\"z\\\":1,\\\"who\\\":\\\"Ana\\\"}\"\na-b: c\n"
            "source: jsonl:x-1\nid: mem-01m8ntxdm0w9fdyhv17pc7twbz\ncreated_at: 2026-01-02\n"
            "revision: 1\n---\nSiempre.\n");
  EXPECT_THAT(memory->bytes_of("/n/shared/deep/one.md"), EndsWith("\n---\nonly text\n"));
}

TEST_F(JsonLines, ASecondImportOfFieldsChangesNothing) {
  const std::string lines =
      "{\"title\":\"A\",\"body\":\"x\"}\n{\"title\":\"B\",\"id\":7}\n{\"name\":\"c\",\"body\":"
      "\"y\"}\n";
  EXPECT_THAT(imported(lines),
              ElementsAre("added private/a", "added private/b", "added private/c"));
  const auto before = files_below(*memory, "/n/private");
  EXPECT_THAT(imported(lines), ElementsAre("same private/a", "same private/b", "same private/c"));
  EXPECT_EQ(files_below(*memory, "/n/private"), before);
  EXPECT_THAT(imported("{\"title\":\"B\",\"body\":\"more\",\"id\":7}\n"),
              ElementsAre("updated private/b"));
}

TEST_F(JsonLines, AnEmptyFileIsAnEmptySource) {
  EXPECT_THAT(imported(""), IsEmpty());
  EXPECT_THAT(imported("\n\r\n"), IsEmpty());
}

TEST_F(JsonLines, AFileThatWasCutShortIsNotReadAtAll) {
  memory->plant("/m/shared/a.md", "one } {\n");
  memory->plant("/m/shared/b.md", "two } {\n");
  const std::string lines = exported();
  const std::size_t second = lines.find('\n') + 1;
  for (std::size_t size = second + 1; size + 1 < lines.size(); ++size)
    ASSERT_EQ(damage(lines.substr(0, size)),
              "2: the file ends in the middle of this line: it was cut short; nothing was imported")
        << size;
}

TEST_F(JsonLines, AFileOfAnotherKindIsNotReadAtAll) {
  EXPECT_EQ(damage("\n[{\"title\": \"A\"}]"),
            "1: it is one JSON array, and not an object on each line; nothing was imported");
  EXPECT_EQ(damage("# Notes\n\nSome text.\n"),
            "1: not one line can be read: this is no JSON; nothing was imported");
  EXPECT_EQ(damage("{\n  \"title\": \"A\"\n}\n"),
            "1: not one line can be read: it ends in the middle of a value; nothing was imported");
  EXPECT_EQ(damage(std::string(4096, '\0')),
            "0: the file holds nothing but NUL bytes: a write was lost");
}

TEST_F(JsonLines, WrongTypesAreToldWithTheirLineAndTheOthersGoOn) {
  EXPECT_THAT(imported("{\"title\":\"fine\"}\n"
                       "{\"title\":7,\"body\":\"b\"}\n"
                       "{\"title\":\"t\",\"body\":[1]}\n"
                       "{\"title\":\"t\",\"tags\":{\"a\":1}}\n"
                       "{\"title\":\"t\",\"scope\":\"team\"}\n"
                       "{\"mem\":2,\"text\":\"t\"}\n"
                       "{\"text\":\"t\",\"base64\":\"dA==\"}\n"
                       "{\"base64\":\"d\"}\n"
                       "{\"tags\":[\"a\"]}\n"
                       "{\"title\":\"a\",\"title\":\"b\"}\n"
                       "\"text\"\n"
                       "{\"title\":\"t\"} {\"title\":\"u\"}\n"),
              ElementsAre("added private/fine", "2: `title` is not a text",
                          "3: `body` is not a text", "4: `tags` is not a list of texts",
                          "5: there is no scope `team`", "6: the line is of another format: mem 2",
                          "7: both `text` and `base64` are there", "8: `base64` is not base64",
                          "9: the line has no text: neither `text` nor `title` nor `body`",
                          "10: the key `title` is given twice",
                          "11: a line of JSON that is no object", "12: this is no JSON"));
}

TEST_F(JsonLines, HostileLinesStayWhereTheyAre) {
  const auto named = [](const std::string& name) {
    return "{\"text\":\"x\\n\",\"name\":" + json_string(name) + "}\n";
  };
  std::string deep = "{\"title\":\"t\",\"x\":";
  deep += std::string(100000, '[') + std::string(100000, ']') + "}\n";
  EXPECT_THAT(
      imported(named("../out") + named("/etc/x") + named("a//b") + named("a/..") +
               named(".git/hooks/x") + named("CON") + named("a\n\x1B[31m") + deep +
               "{\"title\":\"t\",\"body\":\"a\\u0000b\"}\n{\"title\":\"\xFF\"}\n"),
      ElementsAre("1: a memory cannot be called ../out", "2: a memory cannot be called /etc/x",
                  "3: a memory cannot be called a//b", "4: a memory cannot be called a/..",
                  "5: a memory cannot be called .git/hooks/x", "added private/CON",
                  "added private/a-31m", "8: it is nested deeper than 64",
                  "9: a text holds a NUL character", "10: this is no JSON"));
}

TEST_F(JsonLines, HalfCharactersAreRefusedAndWholeOnesAreRead) {
  EXPECT_THAT(imported("{\"body\":\"\\ud83d\\ude00 \\u00e9 \\\\ud83d\",\"name\":\"a\"}\n"
                       "{\"body\":\"\\ud83d\"}\n{\"body\":\"\\ude00\\ud83d\"}\n"
                       "{\"body\":\"\\uD83D\\u0041\"}\n"),
              ElementsAre("added private/a", "2: this is no JSON", "3: this is no JSON",
                          "4: this is no JSON"));
  EXPECT_THAT(in_private("a"), EndsWith("\n---\n\xF0\x9F\x98\x80 \xC3\xA9 \\ud83d\n"));
}

TEST_F(JsonLines, AnExportOverAFileThatHoldsMoreIsRefused) {
  memory->plant("/m/shared/a.md", "one\n");
  memory->plant("/out.jsonl", "{\"title\":\"mine\"}\n");
  ExportWish wish;
  wish.path = "/out.jsonl";
  const auto report = export_memories(open_at("/m"), wish);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_EQ(memory->bytes_of("/out.jsonl"), "{\"title\":\"mine\"}\n");
  memory->plant("/out.jsonl", exported());
  memory->plant("/m/shared/b.md", "two\n");
  EXPECT_TRUE(export_memories(open_at("/m"), wish));
  EXPECT_EQ(memory->bytes_of("/out.jsonl"), exported());
}

}  // namespace
}  // namespace memfs::testing
