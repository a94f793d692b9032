#include <memfs/store.h>

#include <gtest/gtest.h>
#include <memfs/check.h>

#include <algorithm>
#include <set>

#include "libmemfs/base/hash.h"
#include "tests/support/store_fixture.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

class StoreTest : public StoreFixture {};

std::string detail(const Error& error, const std::string& key) {
  for (const auto& [name, value] : error.details)
    if (name == key) return value;
  return "";
}

TEST_F(StoreTest, ANewMemoryIsAFileWithAllItsFieldsInOrder) {
  Store store = open();
  NewMemory asked = wish("Release branch", "Cut from `release/7.x`.\n");
  asked.fields.insert(asked.fields.begin(), field("keywords", "发布 分支"));
  asked.fields.push_back(field("type", "project"));
  asked.fields.push_back(field("expires_at", "2027-01-31"));
  const auto made = store.create(asked);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->ref(), "shared/release-branch");
  EXPECT_EQ(made->expires, "2027-01-31T23:59:59Z");
  EXPECT_EQ(file("shared/release-branch.md"),
            "---\ntitle: Release branch\ntype: project\nkeywords: 发布 分支\nexpires_at: "
            "2027-01-31\nid: " +
                made->memory.id +
                "\ncreated_at: 2026-11-30T09:00:00Z\nupdated_at: 2026-11-30T09:00:00Z\nrevision: "
                "1\n---\nCut from `release/7.x`.\n");
  EXPECT_EQ(store.read("release-branch")->memory.etag, made->memory.etag);
}

TEST_F(StoreTest, TitlesThatGiveTheSameNameGetFilesOfTheirOwn) {
  Store store = open();
  std::set<std::string> names;
  for (const char* title : {"C", "C++", "C#", "c", "C?", "🚀", "🎯", "!!!", "记忆", "con", "INDEX",
                            "../../etc/cron", "-rf", ".git", "a\nb"})
    names.insert(store.create(wish(title))->memory.name);
  EXPECT_EQ(names.size(), 15U);
  for (const std::string& name : names) {
    EXPECT_EQ(name.find('/'), std::string::npos);
    EXPECT_NE(name.front(), '-');
    EXPECT_NE(name.front(), '.');
  }
  EXPECT_EQ(store.list()->memories.size(), 15U);
}

TEST_F(StoreTest, ABlankTitleIsRefused) {
  Store store = open();
  EXPECT_EQ(store.create(wish("  ")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(store.create(NewMemory{}).error().code, ErrorCode::kUsage);
  EXPECT_TRUE(store.list()->memories.empty());
}

TEST_F(StoreTest, ATitleIsMadeOfTheFirstWords) {
  EXPECT_EQ(title_from_text("Releases are cut from main"), "Releases are cut from main");
  EXPECT_EQ(title_from_text("one two three four five six seven eight nine"),
            "one two three four five six seven eight…");
  EXPECT_EQ(title_from_text("# Typed title\n\nbody"), "Typed title");
  EXPECT_EQ(title_from_text("- item"), "item");
  EXPECT_EQ(title_from_text("-dash"), "-dash");
  std::string long_word;
  for (int i = 0; i < 70; ++i) long_word += "字";
  EXPECT_EQ(title_from_text(long_word).size(), 60 * 3 + std::string("…").size());
  EXPECT_EQ(title_from_text("  \n "), "");
}

TEST_F(StoreTest, ABodyThatBringsItsOwnBlockIsKeptVerbatim) {
  Store store = open();
  const std::string body = "---\ntitle: Mine\nciteKey: k9\n---\n# H\n";
  const auto made = store.create(wish("Other", body));
  EXPECT_EQ(made->memory.body, body);
  EXPECT_EQ(made->memory.title, "Other");
}

TEST_F(StoreTest, AnUpdateCountsTheRevisionUpAndKeepsTheOldBytes) {
  Store store = open();
  const auto made = store.create(wish("A", "one\n"));
  const std::string old = file("shared/a.md");
  now = "2026-12-01T00:00:00Z";
  Store later = open();
  const auto updated = later.update("a", append("two"));
  ASSERT_TRUE(updated);
  EXPECT_EQ(updated->memory.revision, 2U);
  EXPECT_EQ(updated->memory.body, "one\ntwo\n");
  EXPECT_EQ(updated->memory.updated_at->text, "2026-12-01T00:00:00Z");
  EXPECT_EQ(updated->memory.created_at->text, "2026-11-30T09:00:00Z");
  EXPECT_EQ(memory->bytes_of("/m/.state/history/" + made->memory.id + "/0000000001-" +
                             content_hash(old) + ".md"),
            old);
}

TEST_F(StoreTest, AChangeThatChangesNothingWritesNothing) {
  Store store = open();
  (void)store.create(wish("A"));
  auto recorder = std::make_shared<RecordingFs>(*memory);
  Store watched = open(std::shared_ptr<FileSystem>(recorder, &recorder->fs()));
  const auto same = watched.update("a", set("title", "A"));
  ASSERT_TRUE(same);
  EXPECT_FALSE(same->changed);
  EXPECT_EQ(recorder->changes(), recorder->count("lock"));
}

TEST_F(StoreTest, ReadingWritesNothing) {
  Store store = open();
  (void)store.create(wish("A"));
  auto recorder = std::make_shared<RecordingFs>(*memory);
  Store watched = open(std::shared_ptr<FileSystem>(recorder, &recorder->fs()));
  (void)watched.list();
  (void)watched.read("a");
  (void)check_store(watched, {.remember = false});
  (void)watched.archived();
  (void)watched.refresh_index(Scope::kShared, true);
  EXPECT_EQ(recorder->changes(), 0);
  EXPECT_GT(recorder->count("read"), 0);
}

TEST_F(StoreTest, TagsAloneDoNotMakeAMemoryLookFresher) {
  Store store = open();
  (void)store.create(wish("A"));
  now = "2026-12-01T00:00:00Z";
  Store later = open();
  Change change;
  FieldEdit tags;
  tags.key = "tags";
  tags.items = {"x", "y"};
  change.fields.push_back(tags);
  const auto updated = later.update("a", change);
  EXPECT_EQ(updated->memory.revision, 2U);
  EXPECT_EQ(updated->memory.updated_at->text, "2026-11-30T09:00:00Z");
  EXPECT_EQ(updated->memory.tags, (std::vector<std::string>{"x", "y"}));
}

TEST_F(StoreTest, AHandWrittenFileStaysWithoutABlockOnABodyEdit) {
  memory->plant("/m/shared/notes.md", "# Deploy steps\nrun it\n");
  Store store = open();
  const auto updated = store.update("notes", append("then rest"));
  ASSERT_TRUE(updated) << updated.error().message;
  EXPECT_EQ(file("shared/notes.md"), "# Deploy steps\nrun it\nthen rest\n");
  EXPECT_TRUE(check_store(store)->problems.empty());
}

TEST_F(StoreTest, TheFirstMetadataEditGivesAHandWrittenFileItsBlock) {
  memory->plant("/m/shared/notes.md", "# Deploy steps\nrun it\n");
  Store store = open();
  ASSERT_TRUE(store.update("notes", set("type", "project")));
  const std::string text = file("shared/notes.md");
  EXPECT_TRUE(text.starts_with("---\ntype: project\nid: mem-")) << text;
  EXPECT_TRUE(text.ends_with("\nrevision: 1\n---\n# Deploy steps\nrun it\n")) << text;
}

TEST_F(StoreTest, AForeignIdStaysAndOursStandsBesideIt) {
  memory->plant("/m/shared/p.md", "---\nid: intro\ntitle: P\n---\nb\n");
  Store store = open();
  const auto updated = store.update("p", set("type", "project"));
  ASSERT_TRUE(updated);
  EXPECT_TRUE(updated->memory.id.starts_with("mem-"));
  EXPECT_NE(file("shared/p.md").find("id: intro\n"), std::string::npos);
  EXPECT_NE(file("shared/p.md").find("mem_id: mem-"), std::string::npos);
  EXPECT_EQ(store.read("intro")->memory.name, "p") << "the foreign id is an alias";
}

TEST_F(StoreTest, ABrokenBlockIsNeverWritten) {
  const std::string broken = "---\nid: a1\ntitle: Fix: the parser\nrevision: 1\n---\nwalrus\n";
  memory->plant("/m/shared/a.md", broken);
  memory->plant("/m/shared/c.md", "---\nid: c1\ntitle: ok\nrevision: 1\n---\nthree\n");
  Store store = open();
  const auto refused = store.update("a", set("title", "U"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(refused.error().line, 3);
  EXPECT_EQ(refused.error().column, 11);
  EXPECT_EQ(store.update("a", append("x")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(store.forget("a", true).error().code, ErrorCode::kInvalid) << "no purge of the unread";
  EXPECT_EQ(file("shared/a.md"), broken);
  EXPECT_EQ(store.list()->memories.size(), 2U);
  EXPECT_TRUE(store.update("c1", set("title", "better"))) << "the neighbour is unaffected";
}

TEST_F(StoreTest, AWrongValueBlocksOnlyItsOwnKeyAndClearingCures) {
  memory->plant("/m/shared/a.md", "---\ntitle: A\nexpires_at: tomorrow\n---\nb\n");
  Store store = open();
  EXPECT_FALSE(store.update("a", set("expires_at", "2030-01-01")).has_value());
  EXPECT_TRUE(store.update("a", set("title", "B")));
  Change clear;
  FieldEdit edit;
  edit.key = "expires_at";
  edit.clear = true;
  clear.fields.push_back(edit);
  EXPECT_TRUE(store.update("a", clear));
  EXPECT_EQ(file("shared/a.md").find("expires_at"), std::string::npos);
}

TEST_F(StoreTest, OfTwoUpdatesWithTheSameExpectedRevisionOneWins) {
  Store store = open();
  (void)store.create(wish("A"));
  Change change = append("x");
  change.expected_revision = 1;
  EXPECT_TRUE(store.update("a", change));
  const auto lost = store.update("a", change);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kConflict);
  EXPECT_EQ(detail(lost.error(), "revision"), "2");
  EXPECT_EQ(detail(lost.error(), "etag"), store.read("a")->memory.etag);
}

TEST_F(StoreTest, AHandEditUnderTheSameRevisionIsAConflictAndASealedRevision) {
  Store store = open();
  const auto made = store.create(wish("A", "one\n"));
  const std::string edited = file("shared/a.md") + "typed by hand\n";
  memory->plant("/m/shared/a.md", edited);
  Change change = append("x");
  change.expected_revision = 1;
  const auto lost = store.update("a", change);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kConflict);
  EXPECT_EQ(detail(lost.error(), "revision"), "2");
  const auto now_there = store.read("a");
  EXPECT_EQ(now_there->memory.revision, 2U);
  EXPECT_EQ(now_there->memory.body, "one\ntyped by hand\n");
  EXPECT_EQ(memory->bytes_of("/m/.state/history/" + made->memory.id + "/0000000001-" +
                             content_hash(edited) + ".md"),
            edited);
  change.expected_revision = 2;
  EXPECT_TRUE(store.update("a", change));
}

TEST_F(StoreTest, IfMatchIsTheStrongCheck) {
  Store store = open();
  const auto made = store.create(wish("A"));
  Change change = append("x");
  change.if_match = made->memory.etag;
  EXPECT_TRUE(store.update("a", change));
  EXPECT_EQ(store.update("a", change).error().code, ErrorCode::kConflict);
}

TEST_F(StoreTest, AnEditorThatSavesDuringTheWriteKeepsItsFileAndTheCallerIsTold) {
  Store store = open();
  (void)store.create(wish("A", "one\n"));
  const std::string edited = file("shared/a.md") + "saved by the editor\n";
  WrappingFs racing(*memory, [&](const Operation& op) -> Result<void> {
    if (op.verb == "exchange") memory->plant("/m/shared/a.md", edited);
    return {};
  });
  Store raced = open(std::shared_ptr<FileSystem>(memory, &racing));
  const auto lost = raced.update("a", append("x"));
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kConflict);
  EXPECT_EQ(file("shared/a.md"), edited);
}

TEST_F(StoreTest, ASubjectHasOneLiveHolderInEachScope) {
  Store store = open();
  NewMemory first = wish("DB host", "db1\n");
  first.fields.push_back(field("subject_key", "db.host"));
  const auto made = store.create(first);
  NewMemory second = wish("DB host two", "db2\n");
  second.fields.push_back(field("subject_key", "db.host"));
  const auto refused = store.create(second);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_EQ(detail(refused.error(), "holder_id"), made->memory.id);
  EXPECT_EQ(detail(refused.error(), "holder_ref"), "shared/db-host");
  EXPECT_EQ(detail(refused.error(), "holder_revision"), "1");
  EXPECT_EQ(detail(refused.error(), "holder_value"), "db1");
  second.scope = Scope::kPrivate;
  EXPECT_TRUE(store.create(second)) << "another scope, another holder";
  (void)store.create(wish("Plain"));
  EXPECT_FALSE(store.update("shared/plain", set("subject_key", "db.host")).has_value());
  EXPECT_EQ(store.read("subject:db.host")->memory.scope, Scope::kPrivate);
}

TEST_F(StoreTest, ExpiredAndArchivedMemoriesHoldNoSubject) {
  Store store = open();
  NewMemory old = wish("Old");
  old.fields.push_back(field("subject_key", "k"));
  old.fields.push_back(field("expires_at", "2026-11-29"));
  (void)store.create(old);
  NewMemory fresh = wish("Fresh");
  fresh.fields.push_back(field("subject_key", "k"));
  EXPECT_TRUE(store.create(fresh));
  EXPECT_FALSE(store.update("old", set("expires_at", "2030-01-01")).has_value())
      << "it would come back to life beside the new holder";
  ASSERT_TRUE(store.forget("fresh"));
  EXPECT_TRUE(store.update("old", set("expires_at", "2030-01-01")));
  EXPECT_EQ(store.recover("fresh").error().code, ErrorCode::kConflict);
}

TEST_F(StoreTest, ForgettingArchivesAndRecoveringBringsBackAsANewRevision) {
  Store store = open();
  const auto made = store.create(wish("A", "one\n"));
  const auto forgotten = store.forget("a");
  ASSERT_TRUE(forgotten);
  EXPECT_FALSE(memory->exists("/m/shared/a.md"));
  EXPECT_TRUE(memory->exists(forgotten->archived_as));
  EXPECT_EQ(store.archived()->size(), 1U);
  EXPECT_EQ(store.read("a").error().code, ErrorCode::kNotFound);
  const auto back = store.recover(made->memory.id);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->memory.revision, 2U);
  EXPECT_EQ(back->memory.body, "one\n");
  EXPECT_TRUE(store.archived()->empty());
  EXPECT_EQ(store.recover("a").error().code, ErrorCode::kNotFound);
}

TEST_F(StoreTest, APlainFileComesBackByteForByte) {
  memory->plant("/m/shared/n.md", "just text");
  Store store = open();
  ASSERT_TRUE(store.forget("n"));
  ASSERT_TRUE(store.recover("n"));
  EXPECT_EQ(file("shared/n.md"), "just text");
}

TEST_F(StoreTest, RecoveringNeverReplacesANewcomer) {
  Store store = open();
  (void)store.create(wish("A", "one\n"));
  (void)store.forget("a");
  (void)store.create(wish("A", "two\n"));
  EXPECT_EQ(store.recover("a").error().code, ErrorCode::kConflict);
  EXPECT_NE(file("shared/a.md").find("two"), std::string::npos);
}

TEST_F(StoreTest, APurgeLeavesNoTrace) {
  Store store = open();
  (void)store.create(wish("A", "secret-token\n"));
  (void)store.update("a", append("more"));
  (void)store.forget("a");
  (void)store.recover("a");
  ASSERT_TRUE(store.forget("a", true));
  const auto state = *memory->open("/m");
  std::vector<std::string> folders = {""};
  while (!folders.empty()) {
    const std::string folder = folders.back();
    folders.pop_back();
    const auto entries = state->list(folder);
    for (const DirEntry& entry : *entries) {
      const std::string rel = join_path(folder, entry.name);
      if (entry.kind == FileKind::kDirectory) {
        folders.push_back(rel);
      } else {
        EXPECT_EQ(memory->bytes_of("/m/" + rel).find("secret-token"), std::string::npos) << rel;
      }
    }
  }
}

TEST_F(StoreTest, APurgeOfACopySparesTheOriginal) {
  Store store = open();
  const auto made = store.create(wish("A"));
  (void)store.update("a", append("more"));
  memory->plant("/m/shared/copy.md", file("shared/a.md"));
  EXPECT_EQ(store.forget("shared/copy", true).error().code, ErrorCode::kConflict);
  EXPECT_TRUE(memory->exists("/m/.state/history/" + made->memory.id));
  EXPECT_EQ(store.update("shared/copy", append("x"))->memory.name, "copy")
      << "the one that was named";
}

TEST_F(StoreTest, APurgeOfACopyInAnotherScopeSparesTheOriginal) {
  Store store = open();
  const auto made = store.create(wish("A", "b\n", Scope::kPrivate));
  (void)store.update("private/a", append("more"));
  memory->plant("/m/shared/copy.md", file("private/a.md"));
  EXPECT_EQ(store.forget("shared/copy", true).error().code, ErrorCode::kConflict);
  EXPECT_TRUE(memory->exists("/m/.state/history/" + made->memory.id));
}

TEST_F(StoreTest, OneUnusableScopeLeavesTheOthersAlone) {
  memory->plant("/m/shared", "a file where the folder should be");
  memory->plant("/m/private/a.md", "# a\n");
  Store store = open();
  const auto listing = store.list();
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->memories.size(), 1U);
  EXPECT_EQ(listing->problems.size(), 1U);
  EXPECT_TRUE(store.update("a", append("x")));
  EXPECT_TRUE(check_store(store));
}

TEST_F(StoreTest, AWriteNeverFallsBackToAnotherMemory) {
  memory->plant("/m/private/rollback.md", "# one\n");
  memory->plant("/m/private/deploy/rollback.md", "# two\n");
  bool gone = false;
  WrappingFs racing(*memory, [&](const Operation& op) -> Result<void> {
    if (op.verb == "lock" && !gone) {
      gone = true;
      (void)(*memory->open("/m/private"))->remove("rollback.md");
    }
    return {};
  });
  Store raced = open(std::shared_ptr<FileSystem>(memory, &racing));
  EXPECT_EQ(raced.forget("rollback").error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(memory->exists("/m/private/deploy/rollback.md"));
}

TEST_F(StoreTest, ABareNameReadsTheNearestScopeButWritesNowhere) {
  Store store = open();
  (void)store.create(wish("Note", "team\n", Scope::kShared));
  (void)store.create(wish("Note", "mine\n", Scope::kPrivate));
  const auto found = store.read("note");
  EXPECT_EQ(found->memory.scope, Scope::kPrivate);
  EXPECT_EQ(found->shadows, std::vector<std::string>{"shared/note"});
  const auto refused = store.forget("note");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_EQ(detail(refused.error(), "candidate"), "private/note");
  EXPECT_TRUE(store.forget("shared/note"));
}

TEST_F(StoreTest, AReferenceMayBeTheEndOfAnIdOrALeafName) {
  memory->plant("/m/shared/deploy/rollback.md", "# R\n");
  Store store = open();
  const auto made = store.create(wish("A"));
  const std::string& id = made->memory.id;
  EXPECT_EQ(store.read(id.substr(id.size() - 6))->memory.name, "a");
  EXPECT_EQ(store.read("rollback")->memory.name, "deploy/rollback");
  EXPECT_EQ(store.read("shared/deploy/rollback.md")->memory.name, "deploy/rollback");
  const auto missing = store.read("rolback");
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

TEST_F(StoreTest, ACopiedFileMakesItsIdAmbiguous) {
  Store store = open();
  const auto made = store.create(wish("A"));
  memory->plant("/m/shared/a2.md", file("shared/a.md"));
  EXPECT_EQ(store.read(made->memory.id).error().code, ErrorCode::kConflict);
  const auto check = check_store(store);
  int errors = 0;
  for (const Problem& problem : check->problems) errors += problem.code == "duplicate-id" ? 1 : 0;
  EXPECT_EQ(errors, 2);
}

TEST_F(StoreTest, ReplacingNeedsTextThatOccursExactlyOnce) {
  Store store = open();
  (void)store.create(wish("A", "one two one\n"));
  Change change;
  change.body = {BodyEdit::Kind::kReplace, "2", "one"};
  EXPECT_EQ(store.update("a", change).error().code, ErrorCode::kInvalid);
  change.body.old = "none";
  EXPECT_EQ(store.update("a", change).error().code, ErrorCode::kInvalid);
  change.body.old = "two";
  EXPECT_EQ(store.update("a", change)->memory.body, "one 2 one\n");
}

TEST_F(StoreTest, AppendingKeepsTheFilesNewlines) {
  memory->plant("/m/shared/w.md", "---\r\ntitle: W\r\n---\r\nx");
  Store store = open();
  ASSERT_TRUE(store.update("w", append("y")));
  EXPECT_TRUE(file("shared/w.md").ends_with("x\r\ny\r\n"));
}

TEST_F(StoreTest, ABodyThatWouldReadAsABlockIsRefusedForAPlainFile) {
  memory->plant("/m/shared/n.md", "text\n");
  Store store = open();
  Change change;
  change.body = {BodyEdit::Kind::kSet, "---\ntitle: x\n---\nb\n", {}};
  EXPECT_EQ(store.update("n", change).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(file("shared/n.md"), "text\n");
}

TEST_F(StoreTest, UnknownAndOwnedFieldsCannotBeSet) {
  Store store = open();
  (void)store.create(wish("A"));
  EXPECT_EQ(store.update("a", set("revision", "9")).error().code, ErrorCode::kUsage);
  EXPECT_EQ(store.update("a", set("colour", "red")).error().code, ErrorCode::kUsage);
  EXPECT_EQ(store.update("a", set("type", "cat")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(store.update("a", set("subject_key", "数据")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(store.update("a", set("expires_at", "2026-02-30")).error().code, ErrorCode::kInvalid);
}

TEST_F(StoreTest, AdoptionGivesAnIdentityAndNoNewDate) {
  memory->plant("/m/shared/n.md", "---\ntitle: N\n---\ntext\n");
  Store store = open();
  const auto adopted = store.adopt("n");
  ASSERT_TRUE(adopted);
  EXPECT_TRUE(adopted->memory.id.starts_with("mem-"));
  EXPECT_EQ(adopted->memory.revision, 1U);
  EXPECT_FALSE(adopted->memory.updated_at);
  EXPECT_TRUE(adopted->memory.created_at);
  EXPECT_FALSE(store.adopt("n")->changed);
}

TEST_F(StoreTest, AMoveBetweenScopesKeepsTheIdentity) {
  Store store = open();
  const auto made = store.create(wish("A", "b\n", Scope::kPrivate));
  const auto moved = store.move({.from = "a", .to = "shared"});
  ASSERT_TRUE(moved) << moved.error().message;
  ASSERT_EQ(moved->moved.size(), 1U);
  const Memory& there = moved->moved.front().after;
  EXPECT_EQ(there.ref(), "shared/a");
  EXPECT_EQ(there.id, made->memory.id);
  EXPECT_EQ(there.revision, 2U);
  EXPECT_FALSE(memory->exists("/m/private/a.md"));
  EXPECT_EQ(memory->bytes_of("/m/private/INDEX.md").find("a.md"), std::string::npos);
  (void)store.create(wish("A", "c\n", Scope::kPrivate));
  EXPECT_EQ(store.move({.from = "private/a", .to = "shared"}).error().code, ErrorCode::kConflict);
}

TEST_F(StoreTest, AnotherProjectsJournalAndADamagedOneStopNobody) {
  memory->plant("/m/.state/journal/damaged", "mem-journal 1\nchange\n");
  memory->plant("/m/.state/journal/other",
                "mem-journal 1\nchange\n6:/other\n4:x.md\n384\n-\n1:x\n");
  const std::string payload = memory->bytes_of("/m/.state/journal/other");
  memory->plant("/m/.state/journal/other", payload + "end " + content_hash(payload) + "\n");
  Store store = open();
  ASSERT_TRUE(store.create(wish("A", "b\n", Scope::kPrivate)));
  EXPECT_TRUE(store.move({.from = "a", .to = "shared"})) << "no lock is taken twice";
  EXPECT_TRUE(memory->exists("/m/.state/journal/other"));
  std::multiset<std::string> codes;
  const auto checked = check_store(store);
  for (const Problem& problem : checked->problems) codes.insert(problem.code);
  EXPECT_EQ(codes.count("journal-damaged"), 1U);
  EXPECT_EQ(codes.count("interrupted"), 1U);
}

TEST_F(StoreTest, AJournalWhoseFolderIsGoneStopsNobody) {
  std::string pending =
      "mem-journal 1\nchange\n9:/m/shared\n4:x.md\n384\n-\n1:x\nchange\n10:/m/private\n4:x.md\n"
      "384\n1:x\n-\n";
  pending += "end " + content_hash(pending) + "\n";
  memory->plant("/m/private/x.md", "x");
  memory->plant("/m/.state/journal/move", pending);
  Store store = open();
  EXPECT_TRUE(store.create(wish("A", "b\n", Scope::kPrivate)));
  EXPECT_TRUE(store.create(wish("A", "b\n", Scope::kGlobal)));
  EXPECT_EQ(file("private/x.md"), "x");
  EXPECT_TRUE(memory->exists("/m/.state/journal/move"));
  (void)memory->make_directories("/m/shared", 0755);
  EXPECT_TRUE(open().create(wish("B", "b\n", Scope::kPrivate)));
  EXPECT_EQ(file("shared/x.md"), "x");
  EXPECT_FALSE(memory->exists("/m/private/x.md"));
}

TEST_F(StoreTest, AHeldLockEndsInABoundedWait) {
  Store store = open();
  (void)store.create(wish("A"));
  const auto held = (*memory->open("/m/shared"))->try_lock(".mem.lock", 0600);
  ASSERT_NE(*held, nullptr);
  EXPECT_EQ(store.update("a", append("x")).error().code, ErrorCode::kBusy);
}

TEST_F(StoreTest, FilesInTheWrongPlacesAreReportedAndNothingElseSuffers) {
  memory->plant("/m/shared/empty.md", "");
  memory->plant("/m/shared/zero.md", std::string(300, '\0'));
  memory->plant("/m/shared/ok.md", "# ok\n");
  memory->plant("/m/shared/.a.md.tmp123", "half");
  memory->plant("/m/shared/README.md", "a page");
  memory->plant("/m/shared/nested/.git/HEAD", "x");
  memory->plant("/m/shared/nested/x.md", "# not ours\n");
  memory->plant_link("/m/shared/leak.md", "/etc/passwd");
  memory->plant_link("/m/shared/up.md", "../private/x.md");
  memory->plant_link("/m/shared/dangling.md", "none.md");
  memory->plant_link("/m/shared/loop", ".");
  Store store = open();
  const auto listing = store.list();
  ASSERT_EQ(listing->memories.size(), 1U);
  std::multiset<std::string> codes;
  for (const Problem& problem : listing->problems) codes.insert(problem.code);
  EXPECT_EQ(codes.count("empty-file"), 1U);
  EXPECT_EQ(codes.count("nul-filled"), 1U);
  EXPECT_GE(codes.count("link"), 3U);
  EXPECT_EQ(codes.count("nested-repository"), 1U);
}

TEST_F(StoreTest, ALinkInsideTheScopeIsWrittenThrough) {
  memory->plant("/m/shared/.real/a.txt", "---\ntitle: T\n---\nb\n");
  memory->plant_link("/m/shared/a.md", ".real/a.txt");
  Store store = open();
  ASSERT_TRUE(store.update("a", set("title", "U")));
  EXPECT_NE(file("shared/.real/a.txt").find("title: U"), std::string::npos);
  EXPECT_EQ(file("shared/a.md"), ".real/a.txt") << "still a link";
}

TEST_F(StoreTest, FilesMovedByHandAreFoundByTheirId) {
  Store store = open();
  const auto made = store.create(wish("A"));
  memory->plant("/m/shared/sub/b.md", file("shared/a.md"));
  (void)(*memory->open("/m/shared"))->remove("a.md");
  EXPECT_EQ(store.read(made->memory.id)->memory.name, "sub/b");
  EXPECT_EQ(store.update(made->memory.id, append("x"))->memory.name, "sub/b");
  EXPECT_EQ(file("shared/INDEX.md").find("(a.md)"), std::string::npos);
}

TEST_F(StoreTest, AFileThatGoesAwayDuringTheWalkIsNoProblem) {
  memory->plant("/m/shared/a.md", "# a\n");
  memory->plant("/m/shared/b.md", "# b\n");
  WrappingFs racing(*memory, [&](const Operation& op) -> Result<void> {
    if (op.verb == "read" && op.path.ends_with("/a.md"))
      (void)(*memory->open("/m/shared"))->remove("a.md");
    return {};
  });
  Store raced = open(std::shared_ptr<FileSystem>(memory, &racing));
  const auto listing = raced.list();
  EXPECT_EQ(listing->memories.size(), 1U);
  EXPECT_TRUE(listing->problems.empty());
}

TEST_F(StoreTest, CheckNamesWhatIsWrongBetweenFiles) {
  memory->plant("/m/shared/Note.md", "# one\n");
  memory->plant("/m/shared/note.md", "# two\n");
  memory->plant("/m/shared/a:b.md", "# colon\n");
  memory->plant("/m/shared/s1.md", "---\nsubject_key: k\n---\n1\n");
  memory->plant("/m/shared/s2.md", "---\nsubject_key: k\n---\n2\n");
  Store store = open();
  std::multiset<std::string> codes;
  const auto checked = check_store(store);
  for (const Problem& problem : checked->problems) codes.insert(problem.code);
  EXPECT_EQ(codes.count("name-clash"), 1U);
  EXPECT_EQ(codes.count("name-unportable"), 1U);
  EXPECT_EQ(codes.count("subject-clash"), 2U);
  EXPECT_EQ(store.read("subject:k").error().code, ErrorCode::kConflict)
      << "never the one that the directory lists first";
}

TEST_F(StoreTest, FixSweepsLeftOversAndKeepsTheirBytes) {
  memory->plant("/m/shared/a.md", "# a\n");
  memory->plant("/m/shared/.mem-tmp-1-1", "bytes of an edit");
  Store store = open();
  ASSERT_TRUE(check_store(store, {.fix = true}));
  EXPECT_FALSE(memory->exists("/m/shared/.mem-tmp-1-1"));
  EXPECT_EQ(
      memory->bytes_of("/m/.state/history/strays/" + content_hash("bytes of an edit") + ".md"),
      "bytes of an edit");
  EXPECT_TRUE(check_store(store)->problems.empty());
}

TEST_F(StoreTest, AWriteDoesNotChooseBetweenAnIdAndAName) {
  memory->plant("/m/shared/first.md", "---\nid: second\nrevision: 1\n---\none\n");
  memory->plant("/m/shared/second.md", "---\nrevision: 1\n---\ntwo\n");
  EXPECT_EQ(open().read("second")->memory.name, "first") << "an id is surer";
  EXPECT_EQ(open().update("second", append("x")).error().code, ErrorCode::kConflict);
  EXPECT_TRUE(open().update("shared/second", append("x")));
}

TEST_F(StoreTest, AMemoryMayBeCalledLikeAFile) {
  memory->plant("/m/shared/a.md", "one\n");
  memory->plant("/m/shared/a.md.md", "two\n");
  EXPECT_EQ(open().read("shared/a.md")->memory.name, "a.md");
  EXPECT_EQ(open().read("shared/a")->memory.name, "a");
}

TEST_F(StoreTest, ASubjectIsThatOfItsLiveHolder) {
  memory->plant("/m/shared/old.md",
                "---\nsubject_key: a.b\nexpires_at: 2026-01-01\nrevision: 1\n---\nold\n");
  EXPECT_EQ(open().read("subject:a.b")->memory.name, "old") << "the only one";
  memory->plant("/m/shared/new.md", "---\nsubject_key: a.b\nrevision: 1\n---\nnew\n");
  EXPECT_EQ(open().read("subject:a.b")->memory.name, "new");
  EXPECT_TRUE(open().update("subject:a.b", append("x")));
}

TEST_F(StoreTest, HistoryFromBeforeAMemoryHadAnIdGoesWithItAndIsPurged) {
  memory->plant("/m/shared/a.md", "secret-token\n");
  ASSERT_TRUE(open().adopt("a"));
  ASSERT_TRUE(open().update("a", append("more")));
  const auto dir = *memory->open("/m");
  const auto histories = dir->list(".state/history");
  EXPECT_EQ(histories->size(), 1U);
  ASSERT_TRUE(open().forget("a", true));
  const auto left = dir->list(".state/history");
  EXPECT_TRUE(left->empty());
}

TEST_F(StoreTest, APurgeAlsoClearsIndexesOfPlacesWhereTheTextWasBefore) {
  memory->plant("/m/private/sec.md", "secret-token\n");
  (void)open().list();
  const auto dir = *memory->open("/m");
  (void)dir->make_directory("shared", 0700);
  ASSERT_TRUE(dir->rename("private/sec.md", "shared/sec.md"));
  (void)open().list();
  ASSERT_TRUE(open().forget("shared/sec", true));
  std::vector<std::string> folders = {".state/cache"};
  while (!folders.empty()) {
    const std::string folder = folders.back();
    folders.pop_back();
    const auto entries = dir->list(folder);
    for (const DirEntry& entry : *entries) {
      const std::string rel = join_path(folder, entry.name);
      if (entry.kind == FileKind::kDirectory) folders.push_back(rel);
      EXPECT_FALSE(entry.name.ends_with(".seg") &&
                   memory->bytes_of("/m/" + rel).find("secret") != std::string::npos)
          << rel;
    }
  }
}

TEST_F(StoreTest, AFileThatSomebodyBrokeGetsAnEarlierStateBack) {
  Store store = open();
  const std::string id = store.create(wish("A", "one\n"))->memory.id;
  (void)store.update("a", append("two"));
  const std::string broken = "---\ntitle: [oops\n---\nthree\n";
  memory->plant("/m/shared/a.md", broken);
  ASSERT_EQ(store.update("a", set("title", "B")).error().code, ErrorCode::kInvalid);
  const auto history = store.history("a");
  ASSERT_TRUE(history);
  ASSERT_EQ(history->revisions.size(), 3U);
  const auto restored = store.restore("a", "1");
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->memory.id, id);
  EXPECT_EQ(restored->memory.body, "one\n");
  EXPECT_EQ(restored->memory.revision, 3U);
  // Nothing of what stood there is lost.
  bool kept = false;
  const auto all = store.history("a");
  for (const Revision& revision : all->revisions)
    kept = kept || store.revision("a", revision.label)->bytes == broken;
  EXPECT_TRUE(kept);
}

TEST_F(StoreTest, AnUpdateMaySayThatTheMemoryStillHolds) {
  Store store = open();
  (void)store.create(wish("A"));
  now = "2026-12-24T00:00:00Z";
  Store later = open();
  Change change;
  change.verified = true;
  const auto verified = later.update("a", change);
  ASSERT_TRUE(verified);
  EXPECT_EQ(verified->memory.last_verified_at->text, "2026-12-24T00:00:00Z");
  EXPECT_EQ(verified->memory.updated_at->text, "2026-11-30T09:00:00Z");
  NewMemory fresh = wish("B", "other\n");
  fresh.verified = true;
  EXPECT_EQ(later.create(fresh)->memory.last_verified_at->text, "2026-12-24T00:00:00Z");
}

TEST_F(StoreTest, TheArchiveTellsWhenAMemoryWasForgotten) {
  Store store = open();
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(store.create(wish("A", "text " + std::to_string(i) + "\n")));
    ASSERT_TRUE(store.forget("a"));
  }
  const auto archived = store.archived();
  ASSERT_EQ(archived->size(), 2U);
  for (const ArchivedMemory& copy : *archived) EXPECT_EQ(copy.archived, now);
}

}  // namespace
}  // namespace memfs::testing
