// The log, taking writes back, and what a purge leaves alone.
#include <gtest/gtest.h>

#include "libmemfs/base/hash.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {
namespace {

class UndoTest : public StoreFixture {
 protected:
  std::vector<std::string> told() {
    std::vector<std::string> found;
    const auto log = open().log({});
    for (const WriteEntry& entry : *log)
      found.push_back(std::string(name_of(entry.operation)) + " " + entry.ref() +
                      (entry.undone ? " undone" : ""));
    return found;
  }
  using Told = std::vector<std::string>;
};

TEST_F(UndoTest, EveryKindOfWriteIsTakenBackInTurn) {
  memory->plant("/m/private/hand.md", "typed\n");
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  ASSERT_TRUE(open().update("a", append("two")));
  ASSERT_TRUE(open().adopt("hand"));
  ASSERT_TRUE(open().move({.from = "hand", .to = "global"}));
  now = "2026-12-01T00:00:00Z";
  ASSERT_TRUE(open().verify("a"));
  ASSERT_TRUE(open().forget("a"));
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(open().undo()) << i;
  EXPECT_EQ(open().undo().error().code, ErrorCode::kNotFound);
  EXPECT_EQ(without_owned(file("private/hand.md")), "typed\n");
  EXPECT_FALSE(memory->exists("/m/shared/a.md"));
  EXPECT_EQ(open().archived()->front().memory.body, "one\n");
}

TEST_F(UndoTest, AHandEditStopsAnUndoAndStays) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  ASSERT_TRUE(open().update("a", append("two")));
  const std::string typed = file("shared/a.md") + "typed\n";
  memory->plant("/m/shared/a.md", typed);
  EXPECT_EQ(open().undo().error().code, ErrorCode::kConflict);
  EXPECT_EQ(file("shared/a.md"), typed);
}

TEST_F(UndoTest, AnAdoptionThatOnlyCountedTheRevisionIsTakenBackOnce) {
  ASSERT_TRUE(open().create(wish("B", "b\n")));
  memory->plant("/m/shared/a.md",
                "---\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\ncreated_at: 2026-01-01\n---\none\n");
  ASSERT_TRUE(open().adopt("a"));
  ASSERT_TRUE(open().undo());
  EXPECT_EQ(open().undo()->undone.ref(), "shared/b") << "the one before, not the same again";
}

TEST_F(UndoTest, AForgottenFileComesBackAsItWasForgotten) {
  memory->plant("/m/shared/n.md", "first\n");
  ASSERT_TRUE(open().forget("n"));
  for (int i = 0; i < 12; ++i) {
    memory->plant("/m/shared/n.md", "text " + std::to_string(i) + "\n");
    ASSERT_TRUE(open().forget("n")) << "all in one second";
  }
  memory->plant("/m/shared/n.md", "first\n");
  ASSERT_TRUE(open().forget("n"));
  ASSERT_TRUE(open().undo());
  EXPECT_EQ(file("shared/n.md"), "first\n");
  ASSERT_TRUE(open().forget("n"));
  ASSERT_TRUE(open().recover("n"));
  EXPECT_EQ(file("shared/n.md"), "first\n") << "the last that was forgotten";
}

TEST_F(UndoTest, AMoveOfAFileEditedByHandTellsOfTheEdit) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  memory->plant("/m/shared/a.md", file("shared/a.md") + "typed\n");
  ASSERT_TRUE(open().move({.from = "a", .to = "global"}));
  EXPECT_EQ(told(), (Told{"move global/a", "add shared/a", "by-hand shared/a"}));
}

TEST_F(UndoTest, APurgeSparesWhatHadTheSameName) {
  const auto first = open().create(wish("Note", "first\n"));
  ASSERT_TRUE(open().forget("note"));
  now = "2026-12-01T00:00:00Z";
  ASSERT_TRUE(open().create(wish("Note", "second\n")));
  ASSERT_TRUE(open().forget("note", true));
  EXPECT_EQ(told(), (Told{"purge shared/", "forget shared/note", "add shared/note"}));
  ASSERT_TRUE(open().recover(first->memory.id));
  ASSERT_TRUE(open().forget(first->memory.id));
  memory->plant("/m/shared/note.md", "without id\n");
  ASSERT_TRUE(open().forget("shared/note", true));
  EXPECT_EQ(open().archived()->size(), 1U) << "the first one, which has an id";
  EXPECT_EQ(told().size(), 6U) << "two purges among them";
}

TEST_F(UndoTest, AForgottenMemoryCanStillBePurged) {
  const auto made = open().create(wish("A", "walrus\n", Scope::kPrivate));
  ASSERT_TRUE(open().update("a", append("more")));
  const std::string copy = file("private/a.md");
  ASSERT_TRUE(open().forget("a"));
  memory->plant("/m/shared/a.md", copy);
  EXPECT_EQ(open().forget("private/a", true).error().code, ErrorCode::kConflict)
      << "it lives on elsewhere";
  (void)(*memory->open("/m/shared"))->remove("a.md");
  ASSERT_TRUE(open().forget("a", true));
  for (const auto& [path, bytes] : files_below(*memory, "/m"))
    EXPECT_EQ(bytes.find("walrus"), std::string::npos) << path;
  EXPECT_EQ(open().forget("a", true).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(open().recover(made->memory.id).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(open().undo().error().code, ErrorCode::kRefused) << "a purge is final";
}

TEST_F(UndoTest, TheLastWriteOfOneMemoryIsTakenBackByItsName) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  ASSERT_TRUE(open().create(wish("B", "other\n")));
  ASSERT_TRUE(open().update("a", append("two")));
  ASSERT_TRUE(open().update("b", append("more")));
  const auto undone = open().undo("a");
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(open().read("a")->memory.body, "one\n");
  EXPECT_EQ(open().read("b")->memory.body, "other\nmore\n");
  // A hand edit of one memory does not stand in the way of another's.
  memory->plant("/m/shared/b.md", file("shared/b.md") + "typed\n");
  EXPECT_EQ(open().undo("b").error().code, ErrorCode::kConflict);
  EXPECT_TRUE(open().undo("a"));
  EXPECT_EQ(open().undo("nothing").error().code, ErrorCode::kNotFound);
}

TEST_F(UndoTest, AMemoryThatWasReachedThroughALinkComesBack) {
  memory->plant("/m/shared/data.txt", "text\n");
  memory->plant_link("/m/shared/m.md", "data.txt");
  ASSERT_TRUE(open().forget("m"));
  ASSERT_TRUE(open().undo());
  EXPECT_EQ(file("shared/m.md"), "text\n");
}

TEST_F(UndoTest, AStrangerUnderAForgottenNameDoesNotGetItsHistory) {
  ASSERT_TRUE(open().create(wish("Note", "first\n")));
  ASSERT_TRUE(open().forget("note"));
  memory->plant("/m/shared/note.md", "---\ntitle: [broken\n---\nstranger\n");
  EXPECT_EQ(open().history("note")->revisions.size(), 1U);
}

TEST_F(UndoTest, APurgeFindsWhatWasArchivedInAnotherScope) {
  ASSERT_TRUE(open().create(wish("A", "walrus\n", Scope::kPrivate)));
  const std::string copy = file("private/a.md");
  ASSERT_TRUE(open().forget("a"));
  memory->plant("/m/shared/a.md", copy);
  ASSERT_TRUE(open().forget("shared/a", true));
  for (const auto& [path, bytes] : files_below(*memory, "/m"))
    EXPECT_EQ(bytes.find("walrus"), std::string::npos) << path;
}

}  // namespace
}  // namespace memfs::testing
