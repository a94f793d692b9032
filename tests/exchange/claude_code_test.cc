// A memory folder of Claude Code, in and out.
#include "libmemfs/exchange/claude_code_file.h"

#include "libmemfs/format/memory_reader.h"
#include "tests/exchange/folder_fixture.h"

namespace memfs::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class ClaudeCode : public FolderTest {
 protected:
  ClaudeCode() : FolderTest(ImportFormat::kClaudeCode) {}

  std::string out(const std::string& rel) { return memory->bytes_of("/out/" + rel); }
  void create(NewMemory wanted) {
    const auto done = open().create(wanted);
    ASSERT_TRUE(done) << done.error().message;
  }
  static std::size_t lines_of(const std::string& page) {
    return static_cast<std::size_t>(std::count(page.begin(), page.end(), '\n'));
  }
};

TEST_F(ClaudeCode, TopicFilesKeepEveryByte) {
  plant_fixture();
  for (const std::string rel :
       {"build-presets.md", "debugging.md", "user-ana.md", "team/fehlersuche.md"})
    EXPECT_EQ(item(rel).bytes, memory->bytes_of("/src/" + rel)) << rel;
  EXPECT_EQ(item("team/fehlersuche.md").name, "team/fehlersuche");
}

TEST_F(ClaudeCode, OurFieldsComeFromItsKeys) {
  plant_fixture();
  import();
  const Memory presets = found("build-presets");
  EXPECT_EQ(presets.title, "build-presets");
  EXPECT_EQ(presets.type, "feedback");
  EXPECT_EQ(presets.description,
            "Always configure with a preset: CMakePresets.json has debug, release and asan");
  EXPECT_EQ(found("user-ana").title, "Who Ana is");
  EXPECT_EQ(found("user-ana").type, "user");
  EXPECT_EQ(found("debugging").title, "Debugging the ledger");
}

TEST_F(ClaudeCode, EachNoteOfTheIndexBecomesAMemory) {
  plant_fixture();
  const ImportSource source = read();
  std::vector<std::string> notes;
  for (const Incoming& one : source.items)
    if (one.line > 0) notes.push_back(std::to_string(one.line) + " " + one.title);
  EXPECT_THAT(notes, ElementsAre("6 Old rollout notes",
                                 "10 Commit subjects are whole sentences, at most 72 characters",
                                 "11 Money is an integer of cents everywhere",
                                 "17 shop_test may be dropped at any time",
                                 "18 shop_replay must never be dropped",
                                 "22 The staging cluster sleeps from 20:00 to 06:00 UTC."));
  EXPECT_EQ(item("MEMORY.md#5").bytes,
            "---\ntitle: shop_replay must never be dropped\n"
            "keywords: Conventions, Test databases\n---\n"
            "`shop_replay` must never be dropped\n");
}

TEST_F(ClaudeCode, ALinkToAMissingFileIsTold) {
  plant_fixture();
  EXPECT_THAT(item("MEMORY.md#1").warnings,
              ElementsAre("it points to rollout-2025.md, which is not there: the line itself is "
                          "taken over"));
}

TEST_F(ClaudeCode, WhatOnlyTheIndexSaysOfAFileIsTold) {
  plant("a.md", "---\nname: a\ndescription: The long answer\n---\nb\n");
  plant("MEMORY.md", "- [A](a.md) — the long ANSWER\n- [A](a.md) — something else\n");
  EXPECT_THAT(read().notes, ElementsAre("1 line of MEMORY.md says something about a file that the "
                                        "file does not; only the file was taken over"));
}

TEST_F(ClaudeCode, ABlockThatYamlRefusesIsMendedWithAWarning) {
  plant("a.md", "---\nname: A\ndescription: the hub: what it is\ntype: project\n---\nb\n");
  const Incoming mended = item("a.md");
  EXPECT_EQ(mended.bytes,
            "---\nname: A\ndescription: \"the hub: what it is\"\ntype: project\n---\nb\n");
  EXPECT_THAT(mended.warnings, ElementsAre("put into quotes, which YAML needs: `description`"));
}

TEST_F(ClaudeCode, OtherFilesAreToldAndStay) {
  plant("a.md", "a\n");
  plant("notes.txt", "x\n");
  plant(".draft.md", "x\n");
  EXPECT_THAT(read().notes, ElementsAre("2 files are no markdown, or hidden, and stayed where "
                                        "they are"));
}

TEST_F(ClaudeCode, AnEmptyFolderIsNoError) {
  memory->plant("/src/MEMORY.md", "# Memory\n");
  const ImportSource source = read();
  EXPECT_THAT(source.items, IsEmpty());
  EXPECT_THAT(source.bad, IsEmpty());
}

TEST_F(ClaudeCode, TheFolderOfAProjectIsAMistakeThatNamesItsMemory) {
  plant("session.jsonl", "{}\n");
  plant("memory/MEMORY.md", "- a note\n");
  const auto source = try_read();
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kUsage);
  EXPECT_EQ(source.error().hint, "mem import claude-code /src/memory");
}

TEST_F(ClaudeCode, ASecondImportChangesNoByte) {
  plant_fixture();
  EXPECT_EQ(import().added, 10U);
  const auto before = kept();
  EXPECT_EQ(import().same, 10U);
  EXPECT_EQ(kept(), before);
}

TEST_F(ClaudeCode, WhatCameFromThereGoesBackByteForByte) {
  plant_fixture();
  import();
  export_folder("/out");
  for (const std::string rel :
       {"build-presets.md", "debugging.md", "user-ana.md", "team/fehlersuche.md"})
    EXPECT_EQ(out(rel), memory->bytes_of("/src/" + rel)) << rel;
}

TEST_F(ClaudeCode, KeysOfTheFilesOwnThatAreCalledAsOursGoBackToo) {
  const std::string foreign = "---\nid: mem-00ff\nrevision: 3\ncreated_at: 2026-01-01\n---\nb\n";
  const std::string dated = "---\ncreated_at: 2026-01-01\nrevision: 4\nname: n\n---\nb2\n";
  plant("foreign.md", foreign);
  plant("dated.md", dated);
  plant("bare.md", "no block\n");
  import();
  EXPECT_THAT(file("private/bare.md"), HasSubstr("source: claude-code:bare.md"));
  export_folder("/out");
  EXPECT_EQ(out("foreign.md"), foreign);
  EXPECT_EQ(out("dated.md"), dated);
  EXPECT_EQ(out("bare.md"), "no block\n");
}

TEST_F(ClaudeCode, WhatWasChangedHereGoesOutWithTheRest) {
  plant("a.md", "---\nname: a\nmetadata: \n  type: user\n---\nb\n");
  import();
  ASSERT_TRUE(open().update("a", set("kind", "preference")));
  ASSERT_TRUE(open().update("a", append("more\n")));
  export_folder("/out");
  EXPECT_THAT(out("a.md"),
              StartsWith("---\nname: a\nmetadata: \n  type: user\nkind: preference\n"));
  EXPECT_THAT(out("a.md"), ::testing::EndsWith("\n---\nb\nmore\n"));
}

TEST_F(ClaudeCode, AFolderInTheFolderHasAnIndexOfItsOwn) {
  plant("team/MEMORY.md", "- [X](x.md) — x\n- [Up](../a.md)\n- team note\n");
  plant("team/x.md", "x\n");
  plant("a.md", "a\n");
  std::vector<std::string> sources;
  for (const Incoming& one : read().items) sources.push_back(one.source);
  EXPECT_THAT(sources, ElementsAre("claude-code:a.md", "claude-code:team/MEMORY.md#1",
                                   "claude-code:team/MEMORY.md#2", "claude-code:team/x.md"));
}

TEST_F(ClaudeCode, AnExportIntoTheFolderOfTheImportLosesNothing) {
  plant_fixture();
  import();
  const std::string page = memory->bytes_of("/src/MEMORY.md");
  const ExportReport report = export_folder("/src");
  EXPECT_EQ(report.unchanged, 4U);
  EXPECT_EQ(memory->bytes_of(report.kept), page);
  EXPECT_EQ(import().same, 10U);
}

TEST_F(ClaudeCode, AnIndexWithANoteThatWasNotImportedIsNotReplaced) {
  plant_fixture();
  import();
  const std::string page = memory->bytes_of("/src/MEMORY.md") + "\nA note of today.\n";
  plant("MEMORY.md", page);
  ExportWish wish;
  wish.format = ExportFormat::kClaudeCode;
  wish.path = "/src";
  const auto report = export_memories(open(), wish);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_EQ(memory->bytes_of("/src/MEMORY.md"), page);
}

TEST_F(ClaudeCode, ImportExportImportLosesNothing) {
  plant_fixture();
  import();
  const auto before = meanings();
  export_folder("/out");
  move_to_new_store("/out");
  EXPECT_EQ(import(ImportFormat::kClaudeCode, "/out").added, 10U);
  EXPECT_EQ(meanings(), before);
  EXPECT_EQ(import(ImportFormat::kClaudeCode, "/out").same, 10U);
}

TEST_F(ClaudeCode, AMemoryOfOursGetsTheKeysThatItsReadersWant) {
  NewMemory rule = wish("No force pushes", "Not to `main`.\n", Scope::kPrivate);
  rule.fields.push_back(field("kind", "preference"));
  create(rule);
  export_folder("/out");
  EXPECT_THAT(out("no-force-pushes.md"),
              StartsWith("---\nname: no-force-pushes\ndescription: Not to `main`.\nmetadata:\n"
                         "  type: feedback\n# mem: the keys above are for Claude Code\n"
                         "title: No force pushes\nkind: preference\n"));
  EXPECT_EQ(out("MEMORY.md"),
            "# Memory\n\n- [No force pushes](no-force-pushes.md) — Not to `main`.\n");
}

TEST_F(ClaudeCode, AStandingRuleIsOneStillAfterTheTrip) {
  NewMemory rule = wish("No force pushes", "Not to `main`.\n", Scope::kPrivate);
  rule.fields.push_back(field("kind", "preference"));
  rule.fields.push_back(field("activation", "pinned"));
  rule.fields.push_back(field("subject_key", "git.force"));
  create(rule);
  const std::string before = file("private/no-force-pushes.md");
  export_folder("/out");
  EXPECT_EQ(import(ImportFormat::kClaudeCode, "/out").same, 1U);
  move_to_new_store("/out");
  import(ImportFormat::kClaudeCode, "/out");
  const Memory again = found("private/no-force-pushes");
  EXPECT_EQ(again.kind, "preference");
  EXPECT_EQ(again.activation, "pinned");
  EXPECT_EQ(again.subject_key, "git.force");
  EXPECT_THAT(before, HasSubstr(again.id));
  EXPECT_FALSE(again.has_description);
}

TEST_F(ClaudeCode, TheSameExportAgainWritesNothing) {
  create(wish("One", "1\n"));
  EXPECT_EQ(export_folder("/out").files.size(), 2U);
  const ExportReport again = export_folder("/out");
  EXPECT_THAT(again.files, IsEmpty());
  EXPECT_EQ(again.unchanged, 2U);
}

TEST_F(ClaudeCode, NamesOfTwoScopesDoNotMeet) {
  create(wish("Port", "8443\n", Scope::kPrivate));
  create(wish("Port", "443\n", Scope::kShared));
  const ExportReport report = export_folder("/out");
  EXPECT_THAT(out("port.md"), HasSubstr("8443"));
  EXPECT_THAT(out("port-shared.md"), HasSubstr("\n---\n443\n"));
  EXPECT_THAT(report.notes, Contains("the folder does not tell which scope a memory is of"));
}

TEST_F(ClaudeCode, PinnedOnesAndRulesComeFirst) {
  create(wish("A fact", "1\n"));
  NewMemory rule = wish("B rule", "2\n");
  rule.fields.push_back(field("kind", "preference"));
  create(rule);
  NewMemory pinned = wish("C pinned", "3\n");
  pinned.fields.push_back(field("activation", "pinned"));
  create(pinned);
  export_folder("/out");
  EXPECT_EQ(out("MEMORY.md"),
            "# Memory\n\n- [C pinned](c-pinned.md) — 3\n- [B rule](b-rule.md) — 2\n"
            "- [A fact](a-fact.md) — 1\n");
}

TEST_F(ClaudeCode, NothingInATitleIsMarkupOfTheIndex) {
  NewMemory odd = wish("a](x.md) [b", "see [c](d.md) <!-- e\n");
  create(odd);
  export_folder("/out");
  EXPECT_THAT(out("MEMORY.md"),
              HasSubstr("- [a\\](x.md) \\[b](a-x-md-b.md) — see \\[c\\](d.md) \\<"));
  EXPECT_EQ(import(ImportFormat::kClaudeCode, "/out").items.size(), 1U);
}

ExportInput many(std::size_t count, std::size_t description) {
  ExportInput input;
  for (std::size_t i = 0; i < count; ++i) {
    ExportedMemory one;
    one.memory.name = "m" + std::to_string(1000 + i);
    one.memory.title = one.memory.name;
    one.memory.description = std::string(description, 'd');
    one.memory.has_description = true;
    one.bytes = "---\ntitle: x\n---\n";
    input.memories.push_back(std::move(one));
  }
  return input;
}

TEST_F(ClaudeCode, TheIndexHasAtMost200LinesAndTellsTheRest) {
  const std::string whole = write_claude_code(many(198, 1))->files.back().bytes;
  EXPECT_EQ(lines_of(whole), 200U);
  EXPECT_THAT(whole, Not(HasSubstr("more in this folder")));
  const std::string cut = write_claude_code(many(199, 1))->files.back().bytes;
  EXPECT_EQ(lines_of(cut), 200U);
  EXPECT_TRUE(cut.ends_with("\n… and 2 more in this folder, not listed here\n"));
}

TEST_F(ClaudeCode, TheIndexHasAtMost25KilobytesOfWholeLines) {
  const std::string page = write_claude_code(many(190, 150))->files.back().bytes;
  EXPECT_LE(page.size(), 25'000U);
  EXPECT_GT(page.size(), 24'700U);
  const std::size_t listed = lines_of(page) - 3;
  EXPECT_TRUE(page.ends_with("d\n… and " + std::to_string(190 - listed) +
                             " more in this folder, not listed here\n"));
}

TEST_F(ClaudeCode, AFileThatWasCutShortIsTold) {
  plant("a.md", "---\nname: a\ndescription: \"in the mid");
  EXPECT_THAT(told(read().bad),
              ElementsAre("a.md:1:1: the block opened on line 1 is never closed"));
}

TEST_F(ClaudeCode, ValuesOfOtherTypesAreTold) {
  plant("a.md", "---\nname: a\ndescription: [x, y]\n---\nb\n");
  plant("b.md", "---\n- a\n- list\n---\nb\n");
  const ImportSource source = read();
  EXPECT_THAT(told(source.bad), ElementsAre("a.md:3:14: `description` must be a single value",
                                            StartsWith("b.md:2:")));
}

TEST_F(ClaudeCode, HostileFilesAreToldAndWriteNothing) {
  plant("MEMORY.md", "- [x](../../../etc/passwd.md)\n\x07\n");
  plant("bomb.md", "---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n");
  plant("utf8.md", "body \xc0\xaf\n");
  const ImportSource source = read();
  EXPECT_THAT(source.items, IsEmpty());
  EXPECT_THAT(told(source.bad),
              ElementsAre("MEMORY.md:2:1: a control character",
                          "bomb.md:2:1: the front matter has anchors or aliases: it is read but "
                          "never written",
                          "utf8.md:1:6: a byte that is not UTF-8"));
  import();
  EXPECT_FALSE(memory->exists("/m/private"));
}

std::string there_and_back(const std::string& file) {
  Problem empty;
  const auto memory = read_memory({Scope::kPrivate, "a.md", "/a.md"}, file, &empty);
  const std::string there = claude_file(*memory, file, "a.md");
  EXPECT_NE(there, file);
  return from_claude_file(there, "a.md");
}

TEST(ClaudeCodeFile, WhatIsPutOnAFileIsTakenOffToTheLastByte) {
  for (const std::string file :
       {"no block\n", "---\n---\n", "---\r\ntitle: T\r\ntype: user\r\n---\r\nb\r\n",
        "---\nname: a\ntitle: T\n---\nbody\n", "---\nmetadata: 1\n# mine\n---\nbody\n",
        "\xEF\xBB\xBF---\ntitle: T\n---\nbody\n", "\xEF\xBB\xBFno block\n", "---\n\nrule\n"})
    EXPECT_EQ(there_and_back(file), file);
}

TEST(ClaudeCodeFile, KeysOfSomebodyElseStay) {
  for (const std::string file :
       {"no block\n", "---\nname: a\n---\n", "---\nname: a\ndescription: b\ntitle: b\n---\nb\n",
        "---\nname: broken", "---\n# mem: the keys above are for Claude Code\n---\nx\n",
        "---\nname: renamed\n# mem: the keys above are for Claude Code\n---\nx\n"})
    EXPECT_EQ(from_claude_file(file, "a.md"), file);
}

TEST_F(ClaudeCode, APageOfVeryManyPointersIsComparedWithinABound) {
  plant("a.md", "---\nname: a\n---\nbody\n");
  std::string page = "# Memory\n\n";
  for (int i = 0; i < 3000; ++i) page += "- [A](a.md) — says what the file does not\n";
  plant("MEMORY.md", page);
  EXPECT_THAT(read().notes, Contains(HasSubstr("1000 lines of MEMORY.md say something")));
}

}  // namespace
}  // namespace memfs::testing
