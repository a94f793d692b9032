#include "tests/exchange/exchange_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NotesFiles : public ExchangeFixture {
 protected:
  ImportReport newt(const std::string& text) {
    memory->plant("/n/NOTES.md", text);
    return import(ImportFormat::kNewt, "/n/NOTES.md");
  }
  std::vector<std::string> bodies() {
    std::vector<std::string> texts;
    Store store = open();
    const auto listing = store.list();
    for (const Memory& listed : listing->memories) texts.push_back(store.load(listed)->body);
    std::sort(texts.begin(), texts.end());
    return texts;
  }
};

TEST_F(NotesFiles, EntriesBetweenPartLinesComeInAsNotes) {
  const auto report = newt(fixture("newt/NOTES.md"));
  EXPECT_EQ(report.added, 3U);
  EXPECT_EQ(report.items[1].line, 3);
  EXPECT_THAT(bodies(),
              ElementsAre("The staging host is called owl\n", "User prefers concise answers\n",
                          "部署在周二进行。\nNever on Fridays.\n"));
  const auto listing = open().list();
  for (const Memory& note : listing->memories) EXPECT_THAT(note.tags, ElementsAre("note"));
}

TEST_F(NotesFiles, TheOlderFormHasAnEntryEachLine) {
  newt(fixture("newt/OLD_NOTES.md"));
  EXPECT_THAT(bodies(),
              ElementsAre("Tests run with ./dev test\n", "The linter wants 100 columns\n"));
}

TEST_F(NotesFiles, TheTripThereAndBackLosesNothing) {
  newt(fixture("newt/NOTES.md"));
  const std::string text = exported(ExportFormat::kNewt).text;
  EXPECT_EQ(text, fixture("newt/NOTES.md"));
  const auto before = kept();
  EXPECT_EQ(newt(text).same, 3U);
  EXPECT_EQ(kept(), before);
  other_machine();
  newt(text);
  EXPECT_EQ(exported(ExportFormat::kNewt).text, text);
}

TEST_F(NotesFiles, ASingleEntryOfSeveralLinesStaysOne) {
  newt("one\ntwo\n§\n");
  const std::string text = exported(ExportFormat::kNewt).text;
  other_machine();
  newt(text);
  EXPECT_THAT(bodies(), ElementsAre("one\ntwo\n"));
}

TEST_F(NotesFiles, ASingleEntryKeepsItsBullet) {
  newt("- keep\n§\n");
  const std::string text = exported(ExportFormat::kNewt).text;
  other_machine();
  newt(text);
  EXPECT_THAT(bodies(), ElementsAre("- keep\n"));
}

TEST_F(NotesFiles, AnEmptyBulletIsNoEntry) {
  EXPECT_EQ(newt("- one\n- \n*\n\n* two\n").added, 2U);
  EXPECT_THAT(bodies(), ElementsAre("one\n", "two\n"));
}

TEST_F(NotesFiles, LineEndsOfWindowsAndAMarkInFrontMakeNoDifference) {
  const auto report = newt("\xEF\xBB\xBFone\r\n§\r\n\r\ntwo\r\nlines\r\n § \r\n§\r\n");
  EXPECT_EQ(report.items[1].line, 4);
  EXPECT_THAT(bodies(), ElementsAre("one\n", "two\r\nlines\n"));
}

TEST_F(NotesFiles, EqualEntriesAreTwoAndStayTwo) {
  EXPECT_EQ(newt("same\n§\nsame\n§\nother\n").added, 3U);
  const auto before = kept();
  EXPECT_EQ(newt("same\n§\nsame\n§\nother\n").same, 3U);
  EXPECT_EQ(newt("other\n§\nsame\n§\nsame\n").same, 3U) << "reordered";
  EXPECT_EQ(kept(), before);
}

TEST_F(NotesFiles, MoreTextThanTheOthersHoldIsToldOf) {
  Store store = open();
  ASSERT_TRUE(store.create(StoreFixture::wish("Long", std::string(2000, 'x') + "\n")));
  EXPECT_THAT(exported(ExportFormat::kNewt).notes,
              ::testing::Not(::testing::Contains(HasSubstr("2200"))));
  ASSERT_TRUE(store.create(StoreFixture::wish("ยาว", "ก" + std::string(200, 'y') + "\n")));
  EXPECT_THAT(
      exported(ExportFormat::kNewt).notes,
      ::testing::Contains(HasSubstr("2215 characters, and newt and hermes-agent take 2200")));
}

TEST_F(NotesFiles, HermesTellsWhatIsAboutTheUser) {
  memory->plant("/h/MEMORY.md", fixture("hermes/MEMORY.md"));
  memory->plant("/h/USER.md", fixture("hermes/USER.md"));
  EXPECT_EQ(import(ImportFormat::kHermes, "/h").added, 4U);
  std::size_t users = 0;
  const auto listing = open().list();
  for (const Memory& note : listing->memories) users += note.type == "user" ? 1U : 0U;
  EXPECT_EQ(users, 2U);
  const auto before = kept();
  EXPECT_EQ(import(ImportFormat::kHermes, "/h").same, 4U);
  EXPECT_EQ(kept(), before);
  const std::string text = exported(ExportFormat::kNewt).text;
  other_machine();
  memory->plant("/h/MEMORY.md", text);
  EXPECT_EQ(import(ImportFormat::kHermes, "/h/MEMORY.md").added, 4U);
  EXPECT_EQ(exported(ExportFormat::kNewt).text, text);
}

TEST_F(NotesFiles, TheTwoFilesOfHermesGoOutAsTheyCameIn) {
  memory->plant("/h/MEMORY.md", fixture("hermes/MEMORY.md"));
  memory->plant("/h/USER.md", fixture("hermes/USER.md"));
  import(ImportFormat::kHermes, "/h");
  memory->plant("/out/MEMORY.md", "");
  EXPECT_THAT(exported(ExportFormat::kNewt, "/out/USER.md").notes,
              ::testing::Contains("2 memories are not about the user (type: user): for MEMORY.md"));
  EXPECT_THAT(exported(ExportFormat::kNewt, "/out/MEMORY.md").notes,
              ::testing::Contains("2 memories are about the user (type: user): for USER.md"));
  EXPECT_EQ(memory->bytes_of("/out/USER.md"), memory->bytes_of("/h/USER.md"));
  EXPECT_EQ(memory->bytes_of("/out/MEMORY.md"), memory->bytes_of("/h/MEMORY.md"));
  EXPECT_EQ(import(ImportFormat::kHermes, "/out").same, 4U);
}

TEST_F(NotesFiles, WhatHermesHoldsOfTheUserHasALimitOfItsOwn) {
  memory->plant("/h/USER.md", std::string(1376, 'x') + "\n");
  import(ImportFormat::kHermes, "/h");
  EXPECT_THAT(
      exported(ExportFormat::kNewt, "/h/USER.md").notes,
      ::testing::Contains(HasSubstr("1376 characters, and newt and hermes-agent take 1375")));
  EXPECT_THAT(exported(ExportFormat::kNewt).notes,
              ::testing::Not(::testing::Contains(HasSubstr("1376 characters"))));
}

TEST_F(NotesFiles, AFileOfHermesWithOneEntryOfSeveralLinesIsNotTakenForTheOlderForm) {
  memory->plant("/h/USER.md", "Name: Ada\n- from London\n");
  EXPECT_EQ(import(ImportFormat::kHermes, "/h").added, 1U);
  Store store = open();
  ASSERT_TRUE(store.create(StoreFixture::wish("Not of the user")));
  EXPECT_EQ(exported(ExportFormat::kNewt, "/h/USER.md").unchanged, 1U);
}

// hermes-agent refuses to write to a file that is not what it makes of it: one part line after the
// last entry, or one without an entry behind it, is enough.
TEST_F(NotesFiles, AFileOfHermesHoldsNothingButWhatItWouldWriteItself) {
  memory->plant("/h/USER.md", "Name: Ada\n- from London");
  import(ImportFormat::kHermes, "/h");
  EXPECT_EQ(exported(ExportFormat::kNewt, "/h/USER.md").files.size(), 1U);
  EXPECT_EQ(memory->bytes_of("/h/USER.md"), "Name: Ada\n- from London\n");
  EXPECT_EQ(import(ImportFormat::kHermes, "/h").same, 1U);
}

TEST_F(NotesFiles, ATitleThatTheTextDoesNotSayIsKept) {
  Store store = open();
  ASSERT_TRUE(store.create(StoreFixture::wish("Release branch", "release/7.x\n")));
  const std::string text = exported(ExportFormat::kNewt).text;
  EXPECT_EQ(text, "Release branch: release/7.x\n");
  other_machine();
  newt(text);
  EXPECT_EQ(exported(ExportFormat::kNewt).text, text);
}

TEST_F(NotesFiles, ANoteThatWasEditedGoesOutWithoutWhatItSaidBefore) {
  newt("User prefers vi\n§\nOther\n");
  Store store = open();
  Change change;
  change.body = {BodyEdit::Kind::kSet, "User prefers helix\n", {}};
  ASSERT_TRUE(store.update("user-prefers-vi", change));
  const auto report = exported(ExportFormat::kNewt);
  EXPECT_EQ(report.text, "User prefers helix\n§\nOther\n");
  EXPECT_THAT(report.notes, ::testing::Contains("1 title that its note does not say is left out"));
  memory->plant("/n/OUT.md", report.text);
  EXPECT_EQ(import(ImportFormat::kNewt, "/n/OUT.md").same, 2U);
}

TEST_F(NotesFiles, MemoriesThatWentOutAsEntriesAreTheSameWhenTheyComeBack) {
  Store store = open();
  NewMemory titled = StoreFixture::wish("Release branch", "release/7.x\n");
  titled.scope = Scope::kPrivate;
  ASSERT_TRUE(store.create(titled));
  NewMemory rule = StoreFixture::wish("Always tabs", "Always tabs\n");
  rule.scope = Scope::kPrivate;
  rule.fields.push_back({"kind", "preference"});
  ASSERT_TRUE(store.create(rule));
  const std::string text = exported(ExportFormat::kNewt).text;
  const auto before = kept();
  EXPECT_EQ(newt(text).same, 2U);
  EXPECT_EQ(newt("New\n§\n" + text).added, 1U);
  EXPECT_EQ(open().read("always-tabs")->memory.kind, "preference");
  for (const char* path : {"/m/private/release-branch.md", "/m/private/always-tabs.md"})
    EXPECT_EQ(memory->bytes_of(path), before.at(path));
}

TEST_F(NotesFiles, AnEntryOfHermesThatMovesToTheOtherFileIsAboutTheUserThen) {
  memory->plant("/h/MEMORY.md", "Works in UTC+1\n");
  import(ImportFormat::kHermes, "/h");
  memory->plant("/h/MEMORY.md", "");
  memory->plant("/h/USER.md", "Works in UTC+1\n");
  EXPECT_EQ(import(ImportFormat::kHermes, "/h").updated, 1U);
  EXPECT_EQ(open().read("works-in-utc-1")->memory.type, "user");
}

TEST_F(NotesFiles, DamagedEntriesAreToldAndTheOthersComeIn) {
  const auto report =
      newt("fine\n§\ncut \xE6\x9D\n§\nnul " + std::string(1, '\0') + "\n§\n\n§\nlast\n");
  EXPECT_THAT(told(report),
              ElementsAre("added private/fine", HasSubstr("/n/NOTES.md:3 the entry"),
                          HasSubstr("/n/NOTES.md:5 the entry"), "added private/last"));
}

TEST_F(NotesFiles, AFileWithoutTextIsNoSourceAndAnEmptyOneIsEmpty) {
  for (const std::string& bytes : {std::string(50, '\0'), std::string("\xFF\xFE\x00\x01", 4)}) {
    memory->plant("/n/NOTES.md", bytes);
    const auto report = try_import(ImportFormat::kNewt, "/n/NOTES.md");
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kInvalid);
    EXPECT_FALSE(memory->exists("/m/private"));
  }
  EXPECT_TRUE(newt("").items.empty());
  EXPECT_FALSE(try_import(ImportFormat::kHermes, "/n")) << "neither of its files is there";
}

TEST_F(NotesFiles, HostileEntriesStayText) {
  EXPECT_EQ(newt("---\nid: mem-x\n---\n§\n../../etc/passwd\n§\n\x1B[31mred\n§\n§ inside § a line\n")
                .refused,
            0U);
  for (const auto& [path, bytes] : files_below(*memory, "/"))
    EXPECT_TRUE(path.starts_with("/m/") || path.starts_with("/n/")) << path;
  EXPECT_THAT(bodies(), ::testing::Contains("---\nid: mem-x\n---\n"));
}

TEST_F(NotesFiles, AMemoryWithAPartLineCannotBeAnEntryAndIsToldOf) {
  Store store = open();
  ASSERT_TRUE(store.create(StoreFixture::wish("A", "a\n§\nb\n")));
  EXPECT_THAT(exported(ExportFormat::kNewt).notes,
              ::testing::Contains(HasSubstr("1 memory holds a line § of its own")));
}

}  // namespace
}  // namespace memfs::testing
