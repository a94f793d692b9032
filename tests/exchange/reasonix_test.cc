// A Reasonix memory folder on its way in.
#include "tests/exchange/folder_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Reasonix : public FolderTest {
 protected:
  Reasonix() : FolderTest(ImportFormat::kReasonix) {}

  void plant_fact(const std::string& keys, const std::string& rel = "a.md") {
    plant(rel, "---\nname: a\n" + keys + "---\n\nbody\n");
  }
  std::string bytes_with(const std::string& keys, const std::string& rel = "a.md") {
    plant_fact(keys, rel);
    return item(rel).bytes;
  }
};

TEST_F(Reasonix, TheFixtureIsReadWhole) {
  plant_fixture();
  const ImportSource source = read();
  EXPECT_EQ(source.items.size(), 7U);
  EXPECT_THAT(source.bad, IsEmpty());
  EXPECT_THAT(
      source.notes,
      ElementsAre("1 forgotten fact was not brought back; to have one, copy its file out of "
                  ".archive in /src and import again",
                  "2 earlier revisions stay in .revisions in /src: the history here begins with "
                  "the import",
                  "1 global fact about the user had no activation, which means always loaded "
                  "there: pinned"));
}

TEST_F(Reasonix, AFactKeepsEveryByteWhereBothReadTheSame) {
  plant_fixture();
  const Incoming fact = item("release-branch.md");
  EXPECT_EQ(fact.bytes, memory->bytes_of("/src/release-branch.md"));
  EXPECT_EQ(fact.name, "release-branch");
  EXPECT_EQ(fact.scope, Scope::kPrivate);
  EXPECT_THAT(fact.warnings, IsEmpty());
}

TEST_F(Reasonix, AllFieldsArriveInTheStore) {
  plant_fixture();
  import();
  const Memory fact = found("private/release-branch");
  EXPECT_EQ(fact.id, "mem-5b1f0c9a7d3e42868f10c2b4a6d8e9f1");
  EXPECT_EQ(fact.revision, 3U);
  EXPECT_EQ(fact.title, "Release branch");
  EXPECT_EQ(fact.description, "Which branch releases are cut from: 7.x until October");
  EXPECT_EQ(fact.type, "project");
  EXPECT_EQ(fact.volatility, "volatile");
  EXPECT_EQ(fact.subject_key, "project.release_branch");
  EXPECT_EQ(fact.keywords, "release cut 发布 分支");
  EXPECT_EQ(fact.expires_at->text, "2026-12-31T00:00:00Z");
  EXPECT_EQ(fact.last_verified_at->text, "2026-07-20T16:40:11.5Z");
  EXPECT_EQ(fact.created_at->text, "2026-03-02T09:15:00.123456789Z");
}

TEST_F(Reasonix, TheTypeIsTheOneThatIsMeantAndNotTheOneForOldVersions) {
  plant_fixture();
  import();
  EXPECT_EQ(found("code-review").type, "feedback");
  EXPECT_EQ(found("release-branch").type, "project");
}

TEST_F(Reasonix, AFolderOrAKeyTellsWhatIsGlobal) {
  plant_fact("", "project/p.md");
  plant_fact("", "global/g.md");
  plant_fact("metadata:\n  scope: global\n", "project/k.md");
  EXPECT_EQ(item("project/p.md").scope, Scope::kPrivate);
  EXPECT_EQ(item("global/g.md").scope, Scope::kGlobal);
  EXPECT_EQ(item("project/k.md").scope, Scope::kGlobal);
  EXPECT_EQ(item("project/p.md").name, "p");
  memory->plant("/home/memory/global/x.md", "x\n");
  EXPECT_EQ(try_read("/home/memory/global")->items.at(0).scope, Scope::kGlobal);
}

TEST_F(Reasonix, GlobalFactsAboutTheUserWithoutActivationArePinned) {
  EXPECT_THAT(bytes_with("metadata:\n  type: user\n", "global/a.md"),
              HasSubstr("activation: pinned\n"));
  EXPECT_THAT(bytes_with("activation: relevant\nmetadata:\n  type: user\n", "global/a.md"),
              Not(HasSubstr("pinned")));
  EXPECT_THAT(bytes_with("metadata:\n  type: user\n  fact_type: project\n", "global/a.md"),
              Not(HasSubstr("pinned")));
  EXPECT_THAT(bytes_with("metadata:\n  type: user\n"), Not(HasSubstr("pinned")));
}

TEST_F(Reasonix, ADayEndsWhereItBeginsAsItDoesThere) {
  plant_fact("expires_at: 2027-01-04\n");
  const Incoming fact = item("a.md");
  EXPECT_THAT(fact.bytes, HasSubstr("expires_at: 2027-01-04T00:00:00Z\n"));
  EXPECT_THAT(fact.warnings,
              ElementsAre("it ends where that day begins, as it did there: 2027-01-04T00:00:00Z"));
}

TEST_F(Reasonix, NeverAndNoneAreNoEnd) {
  EXPECT_EQ(bytes_with("expires_at: never\n"), "---\nname: a\n---\n\nbody\n");
  EXPECT_EQ(bytes_with("expires_at: None\n"), "---\nname: a\n---\n\nbody\n");
}

TEST_F(Reasonix, ASubjectKeyThatIsNoneHereIsKeptUnderAnotherName) {
  EXPECT_THAT(bytes_with("subject_key: Project.Release\n"),
              HasSubstr("subject_key: project.release\n"));
  plant_fact("subject_key: 发布.分支\n");
  const Incoming fact = item("a.md");
  EXPECT_THAT(fact.bytes, HasSubstr("reasonix_subject_key: 发布.分支\n"));
  EXPECT_THAT(fact.bytes, Not(HasSubstr("\nsubject_key:")));
  EXPECT_THAT(fact.warnings, ElementsAre(HasSubstr("is kept as reasonix_subject_key")));
}

TEST_F(Reasonix, FilesOfOldVersionsHaveUnquotedValuesAndNoIds) {
  plant_fixture();
  import();
  const Memory note = found("old-note");
  EXPECT_EQ(note.title, "Port: 8443, not 443");
  EXPECT_EQ(note.description, "The gateway listens on 8443: see issue #77");
  EXPECT_EQ(note.type, "reference");
  EXPECT_TRUE(note.id.starts_with("mem-"));
}

TEST_F(Reasonix, TextInGb18030BecomesUtf8WithAWarning) {
  plant_fixture();
  const Incoming fact = item("数据库备份.md");
  EXPECT_EQ(fact.bytes,
            "---\nname: 数据库备份\ndescription: 数据库每天凌晨三点备份\nmetadata:\n"
            "  type: reference\n---\n\n数据库每天凌晨三点备份,备份放在 nas01 上,保留三十天。\n");
  EXPECT_THAT(fact.warnings,
              ElementsAre("it was no UTF-8 and was read as GB18030: look at its text"));
}

TEST_F(Reasonix, AHandWrittenLineOfTheIndexBecomesAMemory) {
  plant_fixture();
  const Incoming line = item("MEMORY.md#1");
  EXPECT_THAT(line.bytes, HasSubstr("\nAsk Wei before touching the billing tables.\n"));
  EXPECT_EQ(line.line, 8);
}

TEST_F(Reasonix, ASecondImportChangesNoByte) {
  plant_fixture();
  EXPECT_EQ(import().added, 7U);
  const auto before = kept();
  EXPECT_EQ(import().same, 7U);
  EXPECT_EQ(kept(), before);
}

TEST_F(Reasonix, NothingIsLostOnTheWayOutAndInAgain) {
  plant_fixture();
  import();
  const auto before = meanings(false);
  ASSERT_EQ(before.size(), 7U);
  EXPECT_EQ(export_folder("/out").memories, 7U);
  move_to_new_store("/out");
  import(ImportFormat::kClaudeCode, "/out");
  EXPECT_EQ(meanings(false), before);
}

TEST_F(Reasonix, SeveralProjectsAtOnceAreAMistake) {
  plant("projects/-home-ana-shop/memory/a.md", "a\n");
  const auto source = try_read();
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kUsage);
  EXPECT_EQ(source.error().message, "this folder holds the memories of several projects");
  EXPECT_THAT(source.error().hint, HasSubstr("/src/projects/PROJECT/memory"));
}

TEST_F(Reasonix, AFileThatWasCutShortIsTold) {
  plant("a.md", "---\nid: mem-1\nrevision: 2\nname: cu");
  EXPECT_THAT(told(read().bad),
              ElementsAre("a.md:1:1: the block opened on line 1 is never closed"));
}

TEST_F(Reasonix, ValuesOfOtherTypesAreTold) {
  plant_fact("revision: many\n", "a.md");
  plant_fact("title: {a: b}\n", "b.md");
  plant_fact("expires_at: [2026]\n", "c.md");
  EXPECT_THAT(told(read().bad),
              ElementsAre("a.md:3:11: `revision` is not a whole number from 1 to 2^53-1: `many`",
                          "c.md:3:13: `expires_at` must be a single value"));
  // What such a system reads as text is text.
  EXPECT_THAT(item("b.md").bytes, HasSubstr("title: \"{a: b}\"\n"));
}

TEST_F(Reasonix, HostileFilesAreToldAndWriteNothing) {
  plant("anchors.md", "---\nname: &a x\nb: &b [*a, *a]\n---\n");
  plant("bytes.md", "---\nname: \x80\xff\x81 \n---\n");
  plant("nul.md", std::string(64, '\0'));
  memory->plant_link("/src/.archive", "/etc");
  const ImportSource source = read();
  EXPECT_EQ(source.items.size(), 0U);
  EXPECT_THAT(told(source.bad),
              ElementsAre(HasSubstr("anchors.md:"), "bytes.md:2:7: a byte that is not UTF-8",
                          "nul.md:1:1: a NUL byte: the file is damaged"));
  EXPECT_EQ(import().refused, 3U);
  EXPECT_FALSE(memory->exists("/m/private"));
}

}  // namespace
}  // namespace memfs::testing
