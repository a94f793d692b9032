// What the check reports, and what it keeps quiet about.
#include "tests/check/check_fixture.h"

namespace memfs::testing {
namespace {

class CheckTest : public CheckFixture {};

TEST_F(CheckTest, ATwoLineFileWrittenByHandHasNoProblem) {
  write("shared/notes.md", "# Deploy steps\nrun it\n");
  write("shared/foreign.md",
        "---\nid: 42\nname: X\ncreated: 2020-01-01\naliases: [y]\n---\nbody\n");
  const CheckReport report = check();
  EXPECT_EQ(codes_of(report), "");
  EXPECT_EQ(report.memories, 2U);
}

// Case 36.
TEST_F(CheckTest, ASubjectThatTwoClonesGaveIsAnErrorThatNamesBothFiles) {
  write("shared/db-host.md", "---\nsubject_key: db.host\n---\nx marks\n");
  write("shared/db-host-2.md", "---\nsubject_key: db.host\n---\ny ploughs\n");
  const auto found = problems("subject-clash");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].severity, Severity::kError);
  EXPECT_NE(found[0].message.find("shared/db-host"), std::string::npos);
  EXPECT_NE(found[0].ref, found[1].ref);
  EXPECT_EQ(open().read("subject:db.host").error().code, ErrorCode::kConflict);
}

TEST_F(CheckTest, AnExpiredMemoryHoldsNoSubject) {
  write("shared/old.md", "---\nsubject_key: k\nexpires_at: 2020-01-01\n---\nx\n");
  write("shared/new.md", "---\nsubject_key: k\n---\ny\n");
  EXPECT_EQ(codes(), "");
}

// Case 51.
TEST_F(CheckTest, ACopiedFileIsTwoErrors) {
  add("A", "the walrus sleeps on the rocks today\n");
  write("shared/a2.md", file("shared/a.md"));
  EXPECT_EQ(problems("duplicate-id").size(), 2U);
  EXPECT_EQ(problems("near-duplicate").size(), 0U) << "said once";
}

// Case 53.
TEST_F(CheckTest, AnEditedIndexPageIsANote) {
  add("A");
  EXPECT_EQ(codes(), "");
  write("shared/INDEX.md", file("shared/INDEX.md") + "- my own line\n");
  EXPECT_EQ(codes(), "") << "text around the list is the user's";
  std::string page = file("shared/INDEX.md");
  page.erase(page.find("- [A]"), page.find('\n', page.find("- [A]")) + 1 - page.find("- [A]"));
  write("shared/INDEX.md", page);
  EXPECT_EQ(codes(), "index-stale ");
  EXPECT_EQ(open().list()->memories.size(), 1U) << "facts are never read from the page";
}

// Case 55.
TEST_F(CheckTest, AnIndexPageWithConflictMarkersOrDoubledByAUnionIsRenewedWhole) {
  add("A");
  const std::string page = file("shared/INDEX.md");
  write("shared/INDEX.md", "mine\n<<<<<<< HEAD\n" + page + "=======\n" + page + ">>>>>>> topic\n");
  EXPECT_EQ(codes(), "index-stale ");
  EXPECT_EQ(mended_of(check(true)), "renewed INDEX.md (INDEX.md)\n");
  EXPECT_EQ(file("shared/INDEX.md"), "mine\n" + page);
  write("shared/INDEX.md", page + page);
  check(true);
  EXPECT_EQ(file("shared/INDEX.md"), page);
}

TEST_F(CheckTest, AnIndexPageOfNulBytesHoldsNothingAndIsMadeAnew) {
  add("A");
  const std::string page = file("shared/INDEX.md");
  write("shared/INDEX.md", std::string(300, '\0'));
  const auto found = problems("index-stale");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "INDEX.md holds nothing but NUL bytes");
  EXPECT_EQ(mended_of(check(true)),
            "renewed INDEX.md, which held nothing but NUL bytes (INDEX.md)\n");
  EXPECT_EQ(file("shared/INDEX.md"), page);
}

TEST_F(CheckTest, SomebodysOwnIndexPageIsLeftAlone) {
  write("shared/a.md", "x\n");
  write("shared/INDEX.md", "# My pages\n");
  EXPECT_EQ(codes_of(check(true)), "index-foreign ");
  EXPECT_EQ(file("shared/INDEX.md"), "# My pages\n");
}

// Case 79.
TEST_F(CheckTest, NamesThatWindowsCannotHaveAreErrors) {
  for (const char* name : {"con", "AUX", "nul.x", "com1", "LPT9", "a:b", "what?", "x ", "a|b"})
    write(std::string("shared/") + name + ".md", std::string("about ") + name + "\n");
  EXPECT_EQ(problems("name-unportable").size(), 8U) << "only `x .md` is no trouble";
}

// Case 48.
TEST_F(CheckTest, ANameThatANearerScopeHasIsANoteOnTheFartherOne) {
  write("private/note.md", "one\n");
  write("shared/Note.md", "two\n");
  write("global/note.md", "three\n");
  const auto found = problems("shadowed");
  ASSERT_EQ(found.size(), 2U);
  for (const Problem& problem : found) {
    EXPECT_NE(problem.ref, "private/note");
    EXPECT_NE(problem.message.find("reads private/note"), std::string::npos) << problem.message;
  }
}

TEST_F(CheckTest, AMisspeltKeyIsAWarningWithItsLineAndWhatWasMeant) {
  write("shared/a.md", "---\nTitle: T\nexpire_at: 2027-01-01\nsubject-key: k\ntag: [x]\n---\nb\n");
  const auto found = problems("misspelt-key");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[1].line, 3);
  EXPECT_EQ(found[1].message, "`expire_at` is no key of mem's: did you mean `expires_at`?");
  EXPECT_NE(found[3].message.find("`tags`"), std::string::npos);
}

TEST_F(CheckTest, KeysOfOtherToolsAreOneNoteForTheWholeScope) {
  for (int i = 0; i < 30; ++i)
    write("shared/a" + std::to_string(i) + ".md",
          "---\nlayout: post\nweight: " + std::to_string(i) + "\n---\nbody\n");
  const auto found = problems("unknown-keys");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "30 memories have keys that mem keeps as they are and does not use: `layout`, "
            "`weight`");
}

TEST_F(CheckTest, ALinkToAPageOrADotFileIsNoMemory) {
  write("shared/a.md", "# a\n");
  write("shared/INDEX.md", "# mine\n");
  write("shared/.hidden.md", "# h\n");
  memory->plant_link("/m/shared/page.md", "INDEX.md");
  memory->plant_link("/m/shared/dot.md", ".hidden.md");
  const CheckReport report = check();
  EXPECT_EQ(report.memories, 1U);
  EXPECT_EQ(with_code(report, "link").size(), 2U);
}

TEST_F(CheckTest, TwoMemoriesThatSayTheSameAreOneNote) {
  const std::string text =
      "Releases are cut from the branch release/7.x since the split, and hot fixes go there first "
      "before they reach trunk; ask Ada before you tag one.\n";
  write("shared/one.md", "# Releases\n" + text);
  write("shared/two.md", "# Releases\n" + text);
  write("private/three.md", "# Releases\n" + text + "Please.\n");
  write("shared/other.md", "Backups of the database are kept in the cellar of the old office.\n");
  const auto found = problems("near-duplicate");
  ASSERT_EQ(found.size(), 2U);
  for (const Problem& problem : found) EXPECT_EQ(problem.severity, Severity::kInfo);
}

TEST_F(CheckTest, NearDuplicatesAreFoundAmongTheTitlesOfWhatMemWrote) {
  add("How we deploy the gateway", "Run the script in tools.\n");
  write("shared/note.md", file("shared/how-we-deploy-the-gateway.md"));
  remove("shared/how-we-deploy-the-gateway.md");
  std::string other = file("shared/note.md");
  other.replace(other.find("id: mem-"), 12, "id: mem-0000");
  other.replace(other.find("Run the script in tools."), 24, "Ask Ada on Monday morning.");
  write("shared/other.md", other);
  EXPECT_EQ(problems("near-duplicate").size(), 1U);
}

TEST_F(CheckTest, NearDuplicatesAreFoundInScriptsWithoutBlanks) {
  const std::string text =
      "发布分支从主干切出，热修复先进入发布分支，然后再合并回主干；打标签之前请先询问艾达，"
      "她负责维护发布日程和变更日志。";
  write("shared/one.md", text + "\n");
  write("shared/two.md", "说明：" + text + "\n");
  write("shared/other.md", "数据库的备份保存在旧办公室的地下室里，钥匙由门卫保管，周末不开放。\n");
  EXPECT_EQ(problems("near-duplicate").size(), 1U);
}

TEST_F(CheckTest, ANumberOrANegationMakesTwoTextsDifferent) {
  const std::string text =
      "The gateway of the staging cluster listens on port 8443 and is restarted every night by "
      "the timer of the host, so that its certificates are read anew.\n";
  write("shared/one.md", text);
  std::string other = text;
  write("shared/two.md", other.replace(other.find("8443"), 4, "9443"));
  EXPECT_EQ(problems("near-duplicate").size(), 0U);
}

TEST_F(CheckTest, ARuleOrATaskStateThatMemWroteAsAFactIsANote) {
  add("Always answer in English", "Also in code comments.\n");
  add("PR #12 merged today", "The parser is done.\n");
  write("shared/hand.md", "# Always answer in English\n");
  const CheckReport report = check();
  ASSERT_EQ(with_code(report, "rule-as-fact").size(), 1U) << "nobody nags about hand-written ones";
  EXPECT_EQ(with_code(report, "progress-as-fact").size(), 1U);
  Store store = open();
  ASSERT_TRUE(store.update("always-answer-in-english", set("kind", "preference")));
  EXPECT_EQ(problems("rule-as-fact").size(), 0U);
}

TEST_F(CheckTest, AConflictInTheTextIsAnErrorAndTheExampleOfOneIsNot) {
  const std::string conflict = "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> topic\n";
  write("shared/real.md", "text\n" + conflict);
  write("shared/example.md", "Git writes:\n```\n" + conflict + "```\n");
  const auto found = problems("conflict-marker");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].ref, "shared/real");
  EXPECT_EQ(found[0].severity, Severity::kError);
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[1].severity, Severity::kWarning);
}

TEST_F(CheckTest, BookkeepingWithoutAnIdIsNoticedOnlyWhereMemWroteIt) {
  write("shared/lost.md", "---\ntitle: T\ncreated_at: 2026-01-01\nrevision: 3\n---\nb\n");
  write("shared/foreign.md", "---\ntitle: U\nrevision: 3\n---\nc\n");
  const auto found = problems("revision-without-id");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].ref, "shared/lost");
}

TEST_F(CheckTest, EveryProblemThatIsReportedIsInTheTable) {
  write("shared/a.md", "---\nid: a1\ntitle: A\nrevision: 3\ntitle: B\n---\nb\n");
  write("shared/b.md", "---\nTitle: x\nexpires_at: tomorrow\nrevision: 010\n---\nb\n");
  write("shared/c:d.md", "");
  write("shared/.mem-tmp-1-1", "half");
  const CheckReport report = check();
  EXPECT_GE(report.problems.size(), 6U);
  for (const Problem& problem : report.problems) {
    const ProblemKind* kind = find_problem_kind(problem.code);
    ASSERT_NE(kind, nullptr) << problem.code;
    EXPECT_GE(problem.severity, kind->severity) << problem.code;
    EXPECT_LE(problem.severity, kind->mildest) << problem.code;
  }
}

}  // namespace
}  // namespace memfs::testing
