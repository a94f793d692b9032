#include <memfs/context.h>

#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/json_value.h"
#include "tests/exchange/exchange_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Car : public ExchangeFixture {
 protected:
  void plant(const std::string& text) { memory->plant("/car/assistant.json", text); }
  ImportReport take() { return import(ImportFormat::kCar, "/car/assistant.json"); }
  Error refusal() {
    const auto before = files_below(*memory, "/");
    const auto report = try_import(ImportFormat::kCar, "/car/assistant.json");
    EXPECT_FALSE(report);
    EXPECT_EQ(files_below(*memory, "/"), before) << "something was written";
    return report ? Error() : report.error();
  }
};

TEST_F(Car, NotesOfEveryDialectComeIn) {
  plant(fixture("car/assistant.json"));
  const auto report = take();
  EXPECT_THAT(told(report),
              ElementsAre("added private/user-prefers-tabs", "added private/发布分支",
                          "added private/deploy-runbook", "added private/before-kinds",
                          "added private/from-a-newer-car"));
  EXPECT_EQ(report.items[2].line, 12);
  EXPECT_THAT(report.items[4].warnings, ElementsAre(HasSubstr("its kind `episode` is not known")));
  const auto kind = [&](const char* name) { return open().read(name)->memory.kind; };
  EXPECT_EQ(kind("user-prefers-tabs"), "preference");
  EXPECT_EQ(kind("发布分支"), "fact");
  EXPECT_EQ(kind("deploy-runbook"), "procedure");
  EXPECT_EQ(kind("before-kinds"), "fact");
  EXPECT_EQ(kind("from-a-newer-car"), "fact");
  EXPECT_EQ(open().read("发布分支")->memory.body, "发布从 release/7.x 切出。\nHot fixes too.\n");
}

TEST_F(Car, TheTripThereAndBackLosesNothing) {
  plant(fixture("car/assistant.json"));
  take();
  const std::string first = exported(ExportFormat::kCar).text;
  EXPECT_THAT(first, HasSubstr("\"kind\": \"episode\",\n    \"confidence\": 0.75"));
  memory->plant("/car/assistant.json", first);
  const auto before = kept();
  EXPECT_THAT(told(take()), ::testing::Each(HasSubstr("private/")));
  other_machine();
  EXPECT_EQ(take().added, 5U);
  EXPECT_EQ(exported(ExportFormat::kCar).text, first);
}

TEST_F(Car, SubjectsAndTextsOfAnyShapeComeBackAsTheyWere) {
  const std::vector<std::string> subjects = {"a\nb",
                                             " padded ",
                                             "\ttab",
                                             "",
                                             "  ",
                                             "# head",
                                             "- [ ] to do",
                                             "'quoted'",
                                             "a: b #c",
                                             "null",
                                             "2026-01-01",
                                             "e\u0301",
                                             "a\r\nb",
                                             "\"",
                                             "\u2028",
                                             "\u00a0nbsp\u00a0",
                                             std::string(300, 'x')};
  const std::vector<std::string> bodies = {
      "1",    "2\n",       "\n\n3", "4\r\n5", "---\na: b\n---\n6", "  7", "\uFEFF8", "9 \n\n\n",
      "# 10", "11\n---\n", "",      "\n"};
  std::string text = "[";
  std::multiset<std::string> given;
  for (std::size_t i = 0; i < subjects.size() * bodies.size(); ++i) {
    const std::string subject = json_string(subjects[i % subjects.size()]);
    const std::string& body = bodies[i / subjects.size()];
    const std::string note = "{\"subject\":" + subject + ",\"body\":" +
                             json_string(std::to_string(i).substr(0, body.empty() ? 0 : 9) + body) +
                             ",\"kind\":\"fact\"}";
    if (body.empty() && trim(subjects[i % subjects.size()]).empty()) continue;
    text += (given.empty() ? "" : ",") + note;
    given.insert(note);
  }
  plant(text + "]");
  ASSERT_EQ(take().added, given.size());
  const auto out = parse_json(exported(ExportFormat::kCar).text, "/out.json");
  ASSERT_TRUE(out);
  std::multiset<std::string> came;
  for (const JsonValue& note : out->items) came.insert(json_text(note));
  EXPECT_EQ(came, given);
}

TEST_F(Car, AMemoryWithoutATitleGoesOutUnderTheOneThatItIsShownBy) {
  memory->plant("/m/private/rollback.md", "# Rolling back\n\nSwap the slots.\n");
  EXPECT_THAT(exported(ExportFormat::kCar).text, HasSubstr("\"subject\": \"Rolling back\""));
}

TEST_F(Car, NotesThatTheTargetHasStayInTheirPlaceAndNewOnesFollow) {
  plant("[]");
  Store store = open();
  ASSERT_TRUE(store.create(StoreFixture::wish("Bridges", "b\n")));
  ASSERT_TRUE(store.create(StoreFixture::wish("Docks", "d\n")));
  exported(ExportFormat::kCar, "/car/assistant.json");
  ASSERT_TRUE(store.create(StoreFixture::wish("Airports", "a\n")));
  ASSERT_TRUE(store.create(StoreFixture::wish("Canals", "c\n")));
  exported(ExportFormat::kCar, "/car/assistant.json");
  const std::string text = memory->bytes_of("/car/assistant.json");
  std::vector<std::string> subjects;
  const auto notes = parse_json(text, "");
  ASSERT_TRUE(notes);
  for (const JsonValue& note : notes->items) subjects.push_back(*note.string("subject"));
  EXPECT_THAT(subjects, ElementsAre("Bridges", "Docks", "Airports", "Canals"));
  EXPECT_EQ(exported(ExportFormat::kCar, "/car/assistant.json").unchanged, 1U);
}

TEST_F(Car, WhatOnlyCarKnowsAndSomebodyBrokeIsToldOf) {
  memory->plant("/m/private/y.md", "---\ntitle: Y\ncar: no JSON\n---\ny\n");
  EXPECT_THAT(exported(ExportFormat::kCar).notes,
              ::testing::Contains(HasSubstr("CAR holds title")));
}

TEST_F(Car, ARuleOfTheConstraintDialectIsStillOneAfterTheTrip) {
  plant(R"([{"subject":"Tabs","body":"Always tabs","kind":"constraint"}])");
  take();
  plant(exported(ExportFormat::kCar).text);
  other_machine();
  take();
  const auto context = assemble_context(open(), {}, parse_date(now)->at);
  ASSERT_TRUE(context);
  EXPECT_THAT(context->text, HasSubstr("# Rules"));
  EXPECT_THAT(context->text, HasSubstr("Always tabs"));
}

TEST_F(Car, TheSameAgainChangesNothing) {
  plant(fixture("car/assistant.json"));
  take();
  const auto before = kept();
  EXPECT_EQ(take().same, 5U);
  EXPECT_EQ(kept(), before);
}

TEST_F(Car, ACorruptStoreIsToldFromAnEmptyAndAMissingOne) {
  EXPECT_EQ(refusal().code, ErrorCode::kNotFound);
  plant("[]");
  EXPECT_TRUE(take().items.empty());
  for (const char* text : {"", " \n", "[{\"subject\": \"a\", \"body\"", "{}", "\"x\"", "[1,]"}) {
    plant(text);
    const Error error = refusal();
    EXPECT_EQ(error.code, ErrorCode::kInvalid) << text;
    EXPECT_EQ(error.path, "/car/assistant.json") << text;
    EXPECT_GT(error.line, 0) << text;
    EXPECT_FALSE(error.hint.empty()) << text;
  }
  plant(std::string(100, '\0'));
  EXPECT_THAT(refusal().message, HasSubstr("NUL bytes"));
  plant("[" + std::string(100000, '['));
  EXPECT_THAT(refusal().message, HasSubstr("nested deeper than 64"));
  plant("[\n{\"subject\":\"a\",\"body\":\"b\"\n,\"body\":\"c\"}]");
  EXPECT_THAT(refusal().message, HasSubstr("`body` is given twice"));
}

TEST_F(Car, AFileThatIsCutAnywhereIsNoListOfFewerNotes) {
  const std::string whole = fixture("car/assistant.json");
  const std::size_t end = whole.rfind(']');
  for (std::size_t size = 0; size <= end; ++size) {
    plant(whole.substr(0, size));
    EXPECT_FALSE(try_import(ImportFormat::kCar, "/car/assistant.json")) << size;
  }
  EXPECT_FALSE(memory->exists("/m/private"));
}

TEST_F(Car, NotesOfWrongTypesAreToldWithTheirLine) {
  plant(
      "[\n 7,\n {\"subject\":\"a\"},\n {\"subject\":1,\"body\":\"b\"},\n"
      " {\"subject\":\"k\",\"body\":\"b\",\"kind\":3},\n {\"subject\":\"ok\",\"body\":\"b\"}\n]");
  const auto report = take();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(report.items[i].hint.empty()) << i;
  EXPECT_THAT(told(report),
              ElementsAre("/car/assistant.json:2 a note is an object with subject and body",
                          "/car/assistant.json:3 the note has no text for `body`",
                          "/car/assistant.json:4 the note has no text for `subject`",
                          "/car/assistant.json:5 the note's kind is no text", "added private/ok"));
}

TEST_F(Car, HostileNotesStayInTheirPlace) {
  plant(R"([{"subject":"../../etc/passwd","body":"---\ntitle: x\n---\nb"},)"
        R"({"subject":"a\u001b[31m: - #","body":""},{"subject":"","body":"no subject"}])");
  const auto report = take();
  EXPECT_EQ(report.added, 3U);
  for (const auto& [path, bytes] : files_below(*memory, "/"))
    EXPECT_TRUE(path.starts_with("/m/") || path.starts_with("/car/")) << path;
  EXPECT_EQ(open().read("etc-passwd")->memory.body, "---\ntitle: x\n---\nb\n");
  const std::string text = exported(ExportFormat::kCar).text;
  EXPECT_THAT(text, HasSubstr("\"subject\": \"\",\n    \"body\": \"no subject\""));
}

TEST_F(Car, ATargetThatHoldsMoreIsNotReplaced) {
  plant(R"([{"subject":"mine","body":"only here"}])");
  Store store = open();
  ASSERT_TRUE(store.create(StoreFixture::wish("Other")));
  ExportWish out;
  out.format = ExportFormat::kCar;
  out.path = "/car/assistant.json";
  const auto refused = export_memories(store, out);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_THAT(memory->bytes_of("/car/assistant.json"), HasSubstr("only here"));
  plant("{ torn");
  EXPECT_FALSE(export_memories(store, out)) << "a corrupt one is never overwritten";
  EXPECT_EQ(memory->bytes_of("/car/assistant.json"), "{ torn");
  out.force = true;
  const auto forced = export_memories(store, out);
  ASSERT_TRUE(forced);
  EXPECT_EQ(memory->bytes_of(forced->kept), "{ torn");
  out.force = false;
  ASSERT_TRUE(store.create(StoreFixture::wish("Another")));
  EXPECT_TRUE(export_memories(store, out)) << "it is as the last export left it";
  EXPECT_EQ(export_memories(store, out)->unchanged, 1U);
}

TEST_F(Car, ATargetThatWasTakenInMayBeReplaced) {
  plant(fixture("car/assistant.json"));
  take();
  Store store = open();
  ASSERT_TRUE(store.create(StoreFixture::wish("New here")));
  EXPECT_EQ(exported(ExportFormat::kCar, "/car/assistant.json").files.size(), 1U);
  EXPECT_THAT(memory->bytes_of("/car/assistant.json"), HasSubstr("New here"));
  EXPECT_EQ(take().refused, 0U);
}

TEST_F(Car, WhatCarCannotSayStaysWhenItsListComesBack) {
  memory->plant("/n/NOTES.md", "The staging host is called owl\n");
  import(ImportFormat::kNewt, "/n/NOTES.md");
  plant(exported(ExportFormat::kCar).text);
  const auto before = kept();
  EXPECT_EQ(take().same, 1U);
  EXPECT_EQ(memories_of(kept()), memories_of(before));
}

TEST_F(Car, ANoteThatWasEditedHereGoesBackToItsList) {
  plant(fixture("car/assistant.json"));
  take();
  ASSERT_TRUE(open().update("before-kinds", append("and more\n")));
  exported(ExportFormat::kCar, "/car/assistant.json");
  EXPECT_THAT(memory->bytes_of("/car/assistant.json"), HasSubstr("An old note\\nand more"));
  plant(fixture("car/assistant.json"));
  ASSERT_TRUE(open().forget("before-kinds"));
  ExportWish out;
  out.format = ExportFormat::kCar;
  out.path = "/car/assistant.json";
  EXPECT_FALSE(export_memories(open(), out)) << "a note whose memory is gone would be lost";
}

TEST_F(Car, AnEmptyTargetIsADamagedStoreAndNotWrittenTo) {
  plant("");
  Store store = open();
  ASSERT_TRUE(store.create(StoreFixture::wish("A")));
  ExportWish out;
  out.format = ExportFormat::kCar;
  out.path = "/car/assistant.json";
  const auto refused = export_memories(store, out);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_EQ(memory->bytes_of("/car/assistant.json"), "");
}

}  // namespace
}  // namespace memfs::testing
