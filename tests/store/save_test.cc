// One call that changes the memory it names, or makes it.
#include <gtest/gtest.h>

#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {
namespace {

class SaveTest : public StoreFixture {
 protected:
  static SaveWish named(const std::string& name, const std::string& body) {
    SaveWish wish;
    wish.name = name;
    wish.body = body;
    return wish;
  }
  std::string saved_ref(const SaveWish& wish) {
    const auto result = open().save(wish);
    return result ? result->ref() : result.error().message;
  }
};

TEST_F(SaveTest, ANameThatNobodyHasMakesAPrivateMemory) {
  const auto made = open().save(named("release-branch", "release/7.x\n"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->created);
  EXPECT_EQ(made->ref(), "private/release-branch");
  EXPECT_EQ(made->memory.title, "Release branch");
}

TEST_F(SaveTest, TheSameNameAgainChangesThatMemory) {
  ASSERT_TRUE(open().save(named("release-branch", "release/7.x\n")));
  const auto changed = open().save(named("release-branch", "release/8.x\n"));
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_FALSE(changed->created);
  EXPECT_EQ(changed->memory.revision, 2U);
  EXPECT_EQ(changed->memory.body, "release/8.x\n");
}

TEST_F(SaveTest, WordsBecomeANameAndTheTitle) {
  const auto made = open().save(named("Release branch of 2026", "release/7.x\n"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->ref(), "private/release-branch-of-2026");
  EXPECT_EQ(made->memory.title, "Release branch of 2026");
  const auto again = open().save(named("Release branch of 2026", "release/8.x\n"));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->created);
}

TEST_F(SaveTest, WithoutANameTheTitleOrTheTextGivesIt) {
  SaveWish wish = named("", "Releases are cut from 7.x\n");
  EXPECT_EQ(saved_ref(wish), "private/releases-are-cut-from-7-x");
  wish.fields = {field("title", "発布ブランチ")};
  wish.body = "something else entirely";
  EXPECT_EQ(saved_ref(wish), "private/発布ブランチ");
}

TEST_F(SaveTest, ANameInAFolderIsNotTheNameInAnother) {
  EXPECT_EQ(saved_ref(named("deploy/rollback", "press the red button\n")),
            "private/deploy/rollback");
  EXPECT_EQ(saved_ref(named("rollback", "of the data base: from the dump\n")), "private/rollback");
  EXPECT_EQ(open().read("private/deploy/rollback")->memory.revision, 1U);
}

TEST_F(SaveTest, AScopedNameDecidesTheScope) {
  EXPECT_EQ(saved_ref(named("global/editor", "vi\n")), "global/editor");
  SaveWish wish = named("editor", "emacs\n");
  wish.scope = Scope::kShared;
  EXPECT_EQ(saved_ref(wish), "shared/editor");
  wish.name = "global/editor";
  EXPECT_EQ(open().save(wish).error().code, ErrorCode::kUsage);
}

TEST_F(SaveTest, ABareNameOfTwoMemoriesIsAConflictThatNamesBoth) {
  ASSERT_TRUE(open().save(named("global/editor", "vi\n")));
  ASSERT_TRUE(open().save(named("shared/editor", "emacs\n")));
  const auto both = open().save(named("editor", "nano\n"));
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, ErrorCode::kConflict);
  EXPECT_NE(both.error().hint.find("shared/editor or global/editor"), std::string::npos);
}

TEST_F(SaveTest, AReferenceIsNeverMade) {
  SaveWish wish = named("", "text\n");
  wish.reference = "mem-01jb0000000000000000000000";
  EXPECT_EQ(open().save(wish).error().code, ErrorCode::kNotFound);
  wish.reference = open().save(named("editor", "vi\n"))->memory.id;
  const auto changed = open().save(wish);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->memory.body, "text\n");
}

TEST_F(SaveTest, WhatIsLeftOutStaysAndWhatIsClearedGoes) {
  SaveWish wish = named("editor", "vi\n");
  wish.fields = {field("type", "user"), field("keywords", "text"), field("title", "The editor")};
  ASSERT_TRUE(open().save(wish));
  SaveWish change = named("editor", "vim\n");
  FieldEdit keywords = field("keywords", "");
  keywords.clear = true;
  change.fields = {keywords};
  const auto changed = open().save(change);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->memory.type, "user");
  EXPECT_EQ(changed->memory.title, "The editor");
  EXPECT_EQ(changed->memory.keywords, "");
}

TEST_F(SaveTest, AChangeOfAFieldNeedsNoBodyAndANewMemoryDoes) {
  EXPECT_EQ(open().save(named("editor", " \n")).error().code, ErrorCode::kUsage);
  ASSERT_TRUE(open().save(named("editor", "vi\n")));
  SaveWish wish;
  wish.name = "editor";
  wish.fields = {field("type", "user")};
  const auto changed = open().save(wish);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->memory.body, "vi\n");
}

TEST_F(SaveTest, AnExpectedRevisionThatIsNotThereChangesNothing) {
  SaveWish wish = named("editor", "vi\n");
  wish.expected_revision = 1;
  EXPECT_EQ(open().save(wish).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(open().save(named("editor", "vi\n")));
  wish.expected_revision = 2;
  wish.body = "ed\n";
  EXPECT_EQ(open().save(wish).error().code, ErrorCode::kConflict);
  EXPECT_EQ(open().read("editor")->memory.body, "vi\n");
}

TEST_F(SaveTest, IfAbsentNeverChangesAMemory) {
  ASSERT_TRUE(open().save(named("editor", "vi\n")));
  SaveWish wish = named("editor", "an operating system\n");
  wish.if_absent = true;
  EXPECT_EQ(open().save(wish).error().code, ErrorCode::kConflict);
  EXPECT_EQ(open().read("editor")->memory.revision, 1U);
}

TEST_F(SaveTest, AMemoryOfAnotherScopeIsNotMovedByTheWay) {
  const auto made = open().save(named("global/editor", "vi\n"));
  SaveWish wish = named("", "vim\n");
  wish.reference = made->memory.id;
  wish.scope = Scope::kPrivate;
  const auto refused = open().save(wish);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_NE(refused.error().hint.find("mem mv"), std::string::npos);
}

TEST_F(SaveTest, ANameThatCouldLeadOutOfTheScopeIsRefused) {
  for (const char* name : {"../x", "/etc/passwd", "a/../../x", ".git/config", "INDEX"}) {
    const auto refused = open().save(named(name, "text\n"));
    if (refused) {
      EXPECT_EQ(refused->ref().find(".."), std::string::npos) << name;
      EXPECT_TRUE(refused->memory.path.starts_with("/m/private/")) << refused->memory.path;
      EXPECT_EQ(refused->memory.name.find(".git"), std::string::npos);
    }
  }
  EXPECT_TRUE(files_below(*memory, "/m/private/.git").empty());
}

class ReadOnlyTest : public StoreFixture {
 protected:
  Store open_read_only() {
    Store::Services services;
    services.fs = memory;
    services.clock = std::make_shared<FixedClock>(parse_date(now)->at);
    services.ids = std::make_shared<RepeatableIds>();
    services.threads = 1;
    services.read_only = true;
    return *Store::open(memory_layout(*memory), services);
  }
  // Everything but the search index.
  std::map<std::string, std::string> kept() {
    auto files = files_below(*memory, "/m");
    std::erase_if(files,
                  [](const auto& file) { return file.first.starts_with("/m/.state/cache/"); });
    return files;
  }
};

TEST_F(ReadOnlyTest, EveryWriteIsRefusedAndNothingChanges) {
  ASSERT_TRUE(open().create(wish("Editor", "vi\n")));
  ASSERT_TRUE(open().create(wish("Gone", "x\n")));
  ASSERT_TRUE(open().forget("gone"));
  const auto before = kept();
  Store store = open_read_only();
  SaveWish save;
  save.name = "new";
  save.body = "text\n";
  const ErrorCode refused = ErrorCode::kRefused;
  EXPECT_EQ(store.create(wish("Other")).error().code, refused);
  EXPECT_EQ(store.save(save).error().code, refused);
  EXPECT_EQ(store.update("editor", set("type", "user")).error().code, refused);
  EXPECT_EQ(store.forget("editor").error().code, refused);
  EXPECT_EQ(store.forget("gone", true).error().code, refused);
  EXPECT_EQ(store.recover("gone").error().code, refused);
  EXPECT_EQ(store.verify("editor").error().code, refused);
  EXPECT_EQ(store.adopt("editor").error().code, refused);
  EXPECT_EQ(store.undo().error().code, refused);
  EXPECT_EQ(store.trust("editor").error().code, refused);
  EXPECT_EQ(store.restore("editor", "1").error().code, refused);
  EXPECT_EQ(store.move({"editor", "other"}).error().code, refused);
  EXPECT_EQ(store.refresh_index(Scope::kShared).error().code, refused);
  EXPECT_EQ(store.prune("", HistoryPolicy{}, false).error().code, refused);
  EXPECT_TRUE(kept() == before) << "files differ";
}

TEST_F(ReadOnlyTest, ReadingWorksAndCountsNothing) {
  ASSERT_TRUE(open().create(wish("Editor", "vi\n")));
  const auto before = kept();
  Store store = open_read_only();
  const auto found = store.read("editor");
  ASSERT_TRUE(found);
  store.note_read(found->memory);
  EXPECT_EQ(store.list()->memories.size(), 1U);
  EXPECT_TRUE(kept() == before) << "files differ";
}

}  // namespace
}  // namespace memfs::testing
