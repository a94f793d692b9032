// The intake on its own: items as a reader gives them, a store on MemoryFs.
#include "libmemfs/exchange/intake.h"

#include <gmock/gmock.h>
#include <memfs/context.h>

#include "libmemfs/exchange/compose_item.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class IntakeTest : public StoreFixture {
 protected:
  // A note of a system whose notes have a title, a text and a place in a list.
  static Incoming note(const std::string& title, const std::string& text, int position) {
    Incoming item;
    item.bytes = *compose_item({text_key("title", title)}, body_of_text(text));
    item.source = "car:" + std::to_string(position);
    item.positional = true;
    item.path = "/source.json";
    item.line = position + 2;
    return item;
  }
  // A file of a tree.
  static Incoming page(const std::string& name, const std::string& bytes) {
    Incoming item;
    item.bytes = bytes;
    item.name = name;
    item.source = "markdown:" + name + ".md";
    item.path = "/vault/" + name + ".md";
    return item;
  }
  ImportReport import(Store& store, const std::vector<Incoming>& items,
                      const ImportProgress& go_on = {}) {
    ImportReport report;
    const auto done = Intake(StoreInside::of(store), wish).run(items, go_on, report);
    EXPECT_TRUE(done) << done.error().message;
    return report;
  }
  ImportReport import(const std::vector<Incoming>& items) {
    Store store = open();
    return import(store, items);
  }
  // "added shared/a", "refused: why"
  static std::vector<std::string> told(const ImportReport& report) {
    std::vector<std::string> lines;
    for (const ImportItem& item : report.items)
      lines.push_back(std::string(name_of(item.outcome)) + (item.outcome == ImportOutcome::kRefused
                                                                ? ": " + item.reason
                                                                : " " + item.ref));
    return lines;
  }
  // All files but what a store keeps for itself.
  std::map<std::string, std::string> memories() {
    auto files = files_below(*memory, "/m");
    std::erase_if(files, [](const auto& f) { return f.first.starts_with("/m/.state"); });
    return files;
  }
  // The same with what is kept beside them, but for caches.
  std::map<std::string, std::string> kept() {
    auto files = files_below(*memory, "/m");
    std::erase_if(files, [](const auto& f) { return f.first.starts_with("/m/.state/cache"); });
    return files;
  }
  void SetUp() override { wish.apply = true; }

  ImportWish wish{};
};

TEST_F(IntakeTest, AnItemBecomesAMemoryWithIdentityAndOrigin) {
  EXPECT_THAT(told(import({note("Tabs", "always tabs", 0)})), ElementsAre("added private/tabs"));
  const std::string bytes = file("private/tabs.md");
  EXPECT_THAT(bytes, ::testing::MatchesRegex("---\ntitle: Tabs\nsource: car:0\nid: mem-[a-z0-9]*\n"
                                             "created_at: 2026-11-30T09:00:00Z\nrevision: 1\n---\n"
                                             "always tabs\n"));
}

TEST_F(IntakeTest, ADryRunTellsTheSameAndWritesNothing) {
  wish.apply = false;
  const auto before = files_below(*memory, "/m");
  EXPECT_THAT(told(import({note("Tabs", "t", 0), note("Tabs", "u", 1)})),
              ElementsAre("added private/tabs", HasSubstr("added private/tabs-")));
  EXPECT_EQ(files_below(*memory, "/m"), before);
}

TEST_F(IntakeTest, TheSameImportAgainChangesNoByte) {
  const std::vector<Incoming> items = {note("A", "a", 0), note("A", "a", 1), note("B", "b", 2),
                                       page("deep/c", "no block\n"), page("D", "---\nx: 1\n---\n")};
  import(items);
  const auto before = kept();
  EXPECT_THAT(told(import(items)), ::testing::Each(HasSubstr("same private/")));
  EXPECT_EQ(kept(), before);
}

TEST_F(IntakeTest, WithoutTheLedgerTextsAreCompared) {
  wish.scope = Scope::kShared;
  const std::vector<Incoming> items = {note("A", "a", 0), note("B", "b", 1), page("c", "c\n")};
  import(items);
  const auto before = memories();
  for (const auto& [path, bytes] : files_below(*memory, "/m"))
    if (path.ends_with("/imports")) memory->plant(path, "no ledger");
  EXPECT_THAT(told(import(items)), ElementsAre("same shared/a", "same shared/b", "same shared/c"));
  EXPECT_EQ(memories(), before);
}

TEST_F(IntakeTest, WhatWasEditedHereIsLeftAloneWhenTheSourceDidNotChange) {
  import({note("A", "a", 0)});
  ASSERT_TRUE(open().update("a", append("mine\n")));
  const auto before = memories();
  EXPECT_THAT(told(import({note("A", "a", 0)})), ElementsAre("same private/a"));
  EXPECT_EQ(memories(), before);
}

TEST_F(IntakeTest, WhatChangedInTheSourceIsAnUpdateAndTheOldTextIsInHistory) {
  import({note("A", "first", 0), page("p", "one\n")});
  EXPECT_THAT(told(import({note("A", "second", 0), page("p", "two\n")})),
              ElementsAre("updated private/a", "updated private/p"));
  EXPECT_THAT(file("private/a.md"), HasSubstr("revision: 2\n---\nsecond\n"));
  EXPECT_THAT(file("private/a.md"), HasSubstr("created_at: 2026-11-30T09:00:00Z"));
  const auto old = open().revision("a", "1");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->memory.body, "first\n");
  EXPECT_THAT(told(import({note("A", "second", 0), page("p", "two\n")})),
              ElementsAre("same private/a", "same private/p"));
}

TEST_F(IntakeTest, AnUpdateChangesOnlyWhatTheSourceCanSay) {
  const auto spoken = [](const std::string& text) {
    Incoming item = note("Tabs", text, 0);
    item.says = {"title", "kind"};
    return item;
  };
  NewMemory rule = StoreFixture::wish("Tabs", "always\n", Scope::kPrivate);
  rule.fields.push_back(field("type", "feedback"));
  rule.fields.push_back(field("keywords", "indent"));
  ASSERT_TRUE(open().create(rule));
  EXPECT_THAT(told(import({spoken("always")})), ElementsAre("same private/tabs"));
  EXPECT_THAT(told(import({spoken("always tabs")})), ElementsAre("updated private/tabs"));
  const auto now_there = open().read("tabs");
  EXPECT_EQ(now_there->memory.type, "feedback");
  EXPECT_EQ(now_there->memory.keywords, "indent");
  EXPECT_EQ(open().load(now_there->memory)->body, "always tabs\n");
}

TEST_F(IntakeTest, ACopyWithTheSameIdIsToldAsOne) {
  const std::string bytes = "---\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\nrevision: 1\n---\nb\n";
  for (int round = 0; round < 2; ++round)
    EXPECT_THAT(told(import({page("a", bytes), page("b", bytes)})),
                ElementsAre(HasSubstr(round == 0 ? "added private/a" : "same private/a"),
                            HasSubstr("refused: another item has the same id")));
}

TEST_F(IntakeTest, AnItemOfAListIsToldWithItsOwnLine) {
  Incoming item = note("A", "a", 5);
  item.bytes = "---\ntitle: A\nexpires_at: [x]\n\t- y\n---\na\n";
  EXPECT_EQ(import({item}).items[0].line, 7);
}

TEST_F(IntakeTest, WhatChangedOnBothSidesIsRefusedUnlessForced) {
  import({note("A", "a", 0)});
  ASSERT_TRUE(open().update("a", append("mine\n")));
  const auto before = memories();
  EXPECT_THAT(told(import({note("A", "theirs", 0)})),
              ElementsAre("refused: it was changed here and in the source"));
  EXPECT_EQ(memories(), before);
  wish.force = true;
  EXPECT_THAT(told(import({note("A", "theirs", 0)})), ElementsAre("updated private/a"));
  EXPECT_THAT(file("private/a.md"), HasSubstr("revision: 3\n---\ntheirs\n"));
  EXPECT_EQ(open().revision("a", "2")->memory.body, "a\nmine\n");
}

TEST_F(IntakeTest, AReorderedListPointsNoNoteAtAnother) {
  import({note("A", "a", 0), note("B", "b", 1), note("C", "c", 2)});
  const auto before = memories();
  EXPECT_THAT(told(import({note("C", "c", 0), note("A", "a", 1), note("B", "b", 2)})),
              ElementsAre("same private/c", "same private/a", "same private/b"));
  EXPECT_EQ(memories(), before);
  EXPECT_THAT(told(import({note("A new one", "quite other words", 0), note("B", "b", 1)})),
              ElementsAre("added private/a-new-one", "same private/b"));
}

TEST_F(IntakeTest, WhatWasForgottenDoesNotComeBackUnlessForced) {
  import({note("A", "a", 0), note("B", "b", 1)});
  ASSERT_TRUE(open().forget("a"));
  EXPECT_THAT(told(import({note("A", "a", 0), note("B", "b", 1)})),
              ElementsAre("refused: it was imported before and forgotten since", "same private/b"));
  wish.force = true;
  EXPECT_THAT(told(import({note("A", "a", 0)})), ElementsAre("added private/a"));
}

TEST_F(IntakeTest, AnUndoTakesAWholeImportBackAndItCanBeImportedAgain) {
  import({note("Before", "b", 9)});
  now = "2026-11-30T10:00:00Z";
  import({note("A", "a", 0), note("B", "b", 1), page("p/q", "text\n")});
  const auto undone = open().undo();
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(open().list()->memories.size(), 1U);
  now = "2026-11-30T11:00:00Z";
  EXPECT_THAT(told(import({note("A", "a", 0), note("B", "b", 1), page("p/q", "text\n")})),
              ElementsAre("added private/a", "added private/b", "added private/p/q"));
}

TEST_F(IntakeTest, APromotedMemoryIsKnownInItsNewScope) {
  import({note("A", "a", 0)});
  ASSERT_TRUE(open().move({.from = "private/a", .to = "shared/"}));
  EXPECT_THAT(told(import({note("A", "a", 0)})), ElementsAre("same shared/a"));
  EXPECT_FALSE(memory->exists("/m/private/a.md"));
}

TEST_F(IntakeTest, ABadItemIsRefusedAndTheOthersGoOn) {
  const auto report =
      import({page("ok", "fine\n"), page("tab", "---\na:\n\t- x\n---\nb\n"), page("empty", ""),
              page("a:b", "text\n"), page("INDEX", "text\n"), page("last", "fine\n")});
  EXPECT_THAT(
      told(report),
      ElementsAre("added private/ok", "refused: a tab is used to indent",
                  HasSubstr("refused: the file is empty"), "refused: a memory cannot be called a:b",
                  "refused: a memory cannot be called INDEX", "added private/last"));
  EXPECT_EQ(report.items[1].line, 3);
  EXPECT_EQ(report.items[1].hint, "indent with blanks");
}

TEST_F(IntakeTest, TheGuardSeesEachItem) {
  wish.scope = Scope::kShared;
  const std::string key =
      "token ghp_"
      "x7Kq2Vn9Lm4Tz8Rb1Yc6Wd3Hf5Jg0PsAQeUi\n";
  const auto report = import({page("a", "fine\n"), page("b", key)});
  EXPECT_EQ(report.items[0].outcome, ImportOutcome::kAdded);
  ASSERT_EQ(report.items[1].outcome, ImportOutcome::kRefused);
  EXPECT_THAT(report.items[1].reason, HasSubstr("github"));
  EXPECT_FALSE(memory->exists("/m/shared/b.md"));
  for (const auto& [path, bytes] : files_below(*memory, "/m"))
    EXPECT_THAT(bytes, ::testing::Not(HasSubstr("x7Kq2Vn9"))) << path;
  wish.consent.redact = true;
  EXPECT_THAT(told(import({page("b", key)})), ElementsAre("added shared/b"));
  EXPECT_THAT(file("shared/b.md"), HasSubstr("[redacted: "));
  EXPECT_THAT(told(import({page("b", key)})), ElementsAre("same shared/b"));
}

TEST_F(IntakeTest, OneLiveMemoryPerSubjectAlsoAmongTheItems) {
  const auto with_subject = [](const std::string& name) {
    return page(name, "---\nsubject_key: project.branch\n---\n" + name + "\n");
  };
  EXPECT_THAT(told(import({with_subject("a"), with_subject("b")})),
              ElementsAre("added private/a", HasSubstr("refused: the subject project.branch is "
                                                       "held by private/a")));
}

TEST_F(IntakeTest, ABudgetStopsWhatIsTooMuchAndNothingElse) {
  memory->plant("/m/config.yaml", "version: 1\nbudget:\n  private:\n    characters: 40\n");
  const auto report = import(
      {note("A", std::string(30, 'a'), 0), note("B", std::string(30, 'b'), 1), note("C", "c", 2)});
  EXPECT_THAT(told(report), ElementsAre("added private/a", HasSubstr("refused: private would hold"),
                                        "added private/c"));
}

TEST_F(IntakeTest, AScopeThatIsNearlyFullByNowIsToldOnce) {
  memory->plant("/m/config.yaml", "version: 1\nbudget:\n  private:\n    entries: 10\n");
  std::vector<Incoming> items;
  for (int i = 0; i < 9; ++i) items.push_back(page("n" + std::to_string(i), "text\n"));
  EXPECT_THAT(import(items).notes, ElementsAre("private is 90 % full: 9 of 10 memories"));
  EXPECT_THAT(import(items).notes, ::testing::IsEmpty());
}

TEST_F(IntakeTest, NamesThatAreOneForOtherSystemsAreKeptApart) {
  const auto report =
      import({page("Note", "one\n"), page("note", "two\n"), page("NOTE", "three\n")});
  EXPECT_THAT(told(report), ElementsAre("added private/Note", HasSubstr("added private/note-"),
                                        HasSubstr("added private/NOTE-")));
  EXPECT_THAT(told(import({page("Note", "one\n"), page("note", "two\n"), page("NOTE", "three\n")})),
              ::testing::Each(HasSubstr("same")));
}

TEST_F(IntakeTest, AHandWrittenFileInThePlaceIsNeverReplacedUnasked) {
  memory->plant("/m/private/p.md", "mine\n");
  EXPECT_THAT(told(import({page("p", "theirs\n")})),
              ElementsAre("refused: a memory of that name is there and says something else"));
  EXPECT_EQ(file("private/p.md"), "mine\n");
  EXPECT_THAT(told(import({page("p", "mine\n")})), ElementsAre("same private/p"));
  EXPECT_EQ(file("private/p.md"), "mine\n");
}

TEST_F(IntakeTest, AWholeLineKeepsEveryByteAndItsIdentity) {
  Incoming item = page("x", "---\r\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\r\nrevision: 4\r\n---\r\nb");
  item.verbatim = true;
  item.source.clear();
  EXPECT_THAT(told(import({item})), ElementsAre("added private/x"));
  EXPECT_EQ(file("private/x.md"), item.bytes);
  Incoming newer = item;
  newer.bytes = "---\r\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\r\nrevision: 6\r\n---\r\nc";
  EXPECT_THAT(told(import({newer})), ElementsAre("updated private/x"));
  EXPECT_EQ(file("private/x.md"), newer.bytes);
  const auto report = import({item});
  EXPECT_THAT(told(report), ElementsAre(HasSubstr("refused: the one here is newer: revision 6")));
}

TEST_F(IntakeTest, AnInterruptedImportKeepsWhatIsDoneAndGoesOnLater) {
  std::vector<Incoming> items;
  for (int i = 0; i < 600; ++i) items.push_back(page("n" + std::to_string(i), "text\n"));
  Store store = open();
  const auto report =
      import(store, items, [](std::size_t done, std::size_t) { return done < 256; });
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.items.size(), 256U);
  EXPECT_EQ(open().list()->memories.size(), 256U);
  const auto rest = import(items);
  EXPECT_EQ(std::count_if(rest.items.begin(), rest.items.end(),
                          [](const ImportItem& i) { return i.outcome == ImportOutcome::kSame; }),
            256);
  EXPECT_EQ(open().list()->memories.size(), 600U);
}

TEST_F(IntakeTest, AKillAtAnyOperationLeavesWholeMemoriesOrNone) {
  const std::vector<Incoming> items = {note("A", "a", 0), page("deep/b", "b\n"),
                                       page("deep/c", "---\nx: 1\n---\nc\n")};
  int points = 0;
  for (int n = 1;; ++n) {
    memory = std::make_shared<MemoryFs>();
    memory->plant("/m/private/deep/c.md", "mine\n");
    const auto faults = std::make_shared<FaultFs>(*memory);
    const auto hold = std::shared_ptr<FileSystem>(faults, &faults->fs());
    Store store = open(hold);
    ImportReport report;
    faults->arm(n, FaultFs::Mode::kCrash);
    const auto done = Intake(StoreInside::of(store), wish).run(items, {}, report);
    const bool finished = done && !report.failure && faults->operations() < n;
    memory->crash();
    EXPECT_EQ(file("private/deep/c.md"), "mine\n");
    for (const auto& [name, text] :
         {std::pair("private/a.md", "a\n"), std::pair("private/deep/b.md", "b\n")}) {
      if (!memory->exists("/m/" + std::string(name))) continue;
      EXPECT_THAT(file(name), ::testing::EndsWith(std::string("revision: 1\n---\n") + text)) << n;
    }
    const auto again = import(items);  // goes on
    EXPECT_TRUE(memory->exists("/m/private/a.md") && memory->exists("/m/private/deep/b.md")) << n;
    EXPECT_EQ(again.items.size(), 3U) << n;
    if (finished) break;
    ++points;
  }
  EXPECT_GE(points, 20);
}

TEST_F(IntakeTest, AFullDiskEndsTheImportAndTellsWhatStands) {
  const auto faults = std::make_shared<FaultFs>(*memory);
  const auto hold = std::shared_ptr<FileSystem>(faults, &faults->fs());
  Store store = open(hold);
  std::vector<Incoming> items;
  for (int i = 0; i < 5; ++i) items.push_back(page("n" + std::to_string(i), "text\n"));
  faults->arm(14, FaultFs::Mode::kFailOnce);
  const auto report = import(store, items);
  ASSERT_TRUE(report.failure);
  for (const ImportItem& item : report.items)
    EXPECT_EQ(item.outcome == ImportOutcome::kAdded, memory->exists("/m/" + item.ref + ".md"))
        << item.ref;
}

TEST_F(IntakeTest, APurgeForgetsTheImportToo) {
  import({note("A", "a", 0)});
  const std::string id = open().read("a")->memory.id;
  ASSERT_TRUE(open().forget("a", true));
  for (const auto& [path, bytes] : files_below(*memory, "/m"))
    EXPECT_THAT(bytes, ::testing::Not(HasSubstr(id))) << path;
}

}  // namespace
}  // namespace memfs::testing
