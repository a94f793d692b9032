#include <gtest/gtest.h>
#include <memfs/links.h>

#include "libmemfs/format/memory_reader.h"
#include "tests/support/store_fixture.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

constexpr char kHead[] = "---\nid: a1\ntitle: T\nrevision: 1\n---\n";

class Move : public StoreFixture {
 protected:
  void write(const std::string& path, const std::string& bytes) {
    memory->plant("/m/" + path, bytes);
  }
  Result<MoveResult> move(const std::string& from, const std::string& to) {
    return open().move({.from = from, .to = to});
  }
  std::string body(const std::string& rel) {
    const std::string bytes = file(rel);
    const auto end = bytes.find("\n---\n");
    return bytes.starts_with("---\n") && end != std::string::npos ? bytes.substr(end + 5) : bytes;
  }
};

TEST_F(Move, ARenameRewritesEveryFormOfLinkAndNothingElse) {
  write("shared/Old.md", kHead + std::string("x\n"));
  write("shared/Old Two.md", "x\n");
  write("shared/Sprint #4.md", "x\n");
  write("shared/dir/Old.md", "x\n");
  write("private/from.md",
        "[[Old]] [[old]] [[Old|x]] [[Old#Part 1]] [[Old#Part 1|x]] ![[Old]] [[Old Two]]\n"
        "[[Sprint #4]] `[[Old]]` [[dir/Old]] [[Old.md]] [[shared/Old]] [[ Old ]] [[a1]]\n"
        "[t](../shared/Old.md#p \"q\") ![i](<../shared/Old.md>) \\[[Old]]\n\n    [[Old]]\n\n"
        "[ref]: ../shared/Old.md\n\n| A |\n|---|\n| [[Old\\|alias]] |\n");
  const auto moved = move("Old", "New");
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->links.size(), 13U);
  EXPECT_TRUE(moved->left.empty());
  EXPECT_EQ(file("private/from.md"),
            "[[New]] [[New]] [[New|x]] [[New#Part 1]] [[New#Part 1|x]] ![[New]] [[Old Two]]\n"
            "[[Sprint #4]] `[[Old]]` [[dir/Old]] [[New.md]] [[shared/New]] [[ New ]] [[a1]]\n"
            "[t](../shared/New.md#p \"q\") ![i](<../shared/New.md>) \\[[Old]]\n\n    [[Old]]\n\n"
            "[ref]: ../shared/New.md\n\n| A |\n|---|\n| [[New\\|alias]] |\n");
  EXPECT_FALSE(memory->exists("/m/shared/Old.md"));
  EXPECT_EQ(file("shared/New.md"), kHead + std::string("x\n")) << "a name is no part of the file";
}

TEST_F(Move, ANameThatLinksOrOtherSystemsCannotHaveIsRefused) {
  write("shared/old.md", kHead);
  for (const char* name : {"New|Name", "a#b", "a[b]", "a^b", "a\nb", "con", "x/../y", "-a", ".a",
                           "INDEX", "a:b", "a.", "/", ""}) {
    const auto moved = move("old", name);
    ASSERT_FALSE(moved) << name;
    EXPECT_EQ(moved.error().code, ErrorCode::kUsage) << name;
  }
  EXPECT_EQ(move("old", std::string(300, 'a')).error().code, ErrorCode::kUsage);
  EXPECT_EQ(move("old", "old").error().code, ErrorCode::kUsage);
  EXPECT_EQ(move("gone", "x").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(file("shared/old.md"), kHead);
}

TEST_F(Move, ATakenNameIsAConflictInAnyCaseAndNormalForm) {
  write("shared/old.md", kHead);
  write("shared/Café.md", "x\n");
  const auto moved = move("old", "cafe\u0301");
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::kConflict);
  EXPECT_NE(moved.error().message.find("shared/Café"), std::string::npos);
  // Its own name in another case is not taken.
  ASSERT_TRUE(move("Café", "café"));
  EXPECT_TRUE(memory->exists("/m/shared/café.md"));
}

TEST_F(Move, TheMemorysOwnLinksGoAlongToAnotherFolder) {
  write("shared/deploy/steps.md",
        "---\nid: a1\ntitle: T\nrevision: 4\nupdated_at: 2026-01-01\n---\n"
        "[a](other.md) [b](../top.md) [[other]] ![p](img/p.png) [gone](img/q.png) [[./other]]\n");
  write("shared/deploy/other.md", "x\n");
  write("shared/deploy/img/p.png", "x");
  write("shared/top.md", "[s](deploy/steps.md)\n");
  write("shared/ops/other.md", "x\n");
  ASSERT_TRUE(move("steps", "ops/steps"));
  EXPECT_EQ(file("shared/ops/steps.md"),
            "---\nid: a1\ntitle: T\nrevision: 5\nupdated_at: 2026-01-01\n---\n"
            "[a](../deploy/other.md) [b](../top.md) [[deploy/other]] ![p](../deploy/img/p.png) "
            "[gone](img/q.png) [[deploy/other]]\n");
  EXPECT_EQ(file("shared/top.md"), "[s](ops/steps.md)\n");
}

TEST_F(Move, ANewNameThatHidesAnotherMemoryChangesTheLinksToThatOne) {
  write("shared/note.md", "x\n");
  write("private/other.md", "x\n");
  write("private/from.md", "[[note]] [[other]]\n");
  ASSERT_TRUE(move("private/other", "note"));
  EXPECT_EQ(file("private/from.md"), "[[shared/note]] [[note]]\n");
}

TEST_F(Move, AFolderMovesAsAWhole) {
  write("shared/deploy/a.md", "[[b]] [[deploy/b]] [b](b.md)\n");
  write("shared/deploy/sub/b.md", "[a](../a.md)\n");
  write("shared/deploy/b.md", "x\n");
  write("shared/deploy/keep.txt", "x");
  write("shared/from.md", "[[deploy/a]] [[a]] [x](deploy/sub/b.md) [[sub/b]]\n");
  const auto moved = move("deploy/", "ops/prod");
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->moved.size(), 3U);
  EXPECT_EQ(file("shared/ops/prod/a.md"), "[[b]] [[ops/prod/b]] [b](b.md)\n");
  EXPECT_EQ(file("shared/ops/prod/sub/b.md"), "[a](../a.md)\n");
  EXPECT_EQ(file("shared/from.md"), "[[ops/prod/a]] [[a]] [x](ops/prod/sub/b.md) [[sub/b]]\n");
  EXPECT_TRUE(memory->exists("/m/shared/deploy/keep.txt"));
  EXPECT_FALSE(memory->exists("/m/shared/deploy/sub"));
  // Into itself, where each goes to the place of another one.
  ASSERT_TRUE(move("shared/ops", "ops/prod"));
  EXPECT_TRUE(memory->exists("/m/shared/ops/prod/prod/sub/b.md"));
  EXPECT_FALSE(memory->exists("/m/shared/ops/prod/a.md"));
  EXPECT_EQ(file("shared/from.md"),
            "[[ops/prod/prod/a]] [[a]] [x](ops/prod/prod/sub/b.md) [[sub/b]]\n");
}

TEST_F(Move, ATargetMayBeAScopeOrAFolder) {
  write("private/deploy/a.md", kHead);
  ASSERT_TRUE(move("a1", "shared"));
  EXPECT_TRUE(memory->exists("/m/shared/deploy/a.md"));
  ASSERT_TRUE(move("a1", "ops/"));
  EXPECT_TRUE(memory->exists("/m/shared/ops/a.md"));
  ASSERT_TRUE(move("a1", "global/b.md"));
  EXPECT_TRUE(memory->exists("/m/global/b.md"));
  ASSERT_TRUE(move("a1", "private/"));
  EXPECT_TRUE(memory->exists("/m/private/b.md"));
  EXPECT_EQ(open().read("a1")->memory.revision, 4U) << "another scope is a revision, a name is not";
}

TEST_F(Move, AcrossScopesAPathBecomesAnAddressThatHoldsEverywhere) {
  write("private/a.md", kHead);
  write("private/b.md", "[a](a.md#x) [[a]]\n");
  ASSERT_TRUE(move("a", "shared/"));
  EXPECT_EQ(file("private/b.md"), "[a](mem://shared/a#x) [[a]]\n");
  ASSERT_TRUE(move("a", "shared/c d"));
  EXPECT_EQ(file("private/b.md"), "[a](mem://shared/c%20d#x) [[c d]]\n");
}

TEST_F(Move, LinksOfSharedMemoriesToWhatOnlyThePersonHasAreTold) {
  write("shared/a.md", kHead);
  write("shared/b.md", "[[a]] [[a1]]\n");
  write("private/c.md", "[[a]]\n");
  write("private/d.md", "x\n");
  write("private/e.md", "[[d]]\n");
  const auto moved = move("a", "private/");
  ASSERT_EQ(moved->warnings.size(), 1U);
  EXPECT_TRUE(moved->warnings[0].starts_with("2 links of shared memories lead"))
      << moved->warnings[0];
  const auto with_links = move("e", "shared/");
  ASSERT_EQ(with_links->warnings.size(), 1U);
  EXPECT_TRUE(with_links->warnings[0].starts_with("1 link of a shared memory leads"));
  EXPECT_TRUE(move("b", "x/b")->warnings.empty()) << "that was so before";
}

TEST_F(Move, ADryRunTellsTheSameAndWritesNothing) {
  write("shared/old.md", kHead);
  write("private/from.md", "a\n[[old]]\n");
  const auto told = open().move({.from = "old", .to = "x/new", .dry_run = true});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->moved.front().after.ref(), "shared/x/new");
  ASSERT_EQ(told->links.size(), 1U);
  EXPECT_EQ(told->links[0].line, 2);
  EXPECT_EQ(told->links[0].after, "new");
  EXPECT_EQ(file("private/from.md"), "a\n[[old]]\n");
  EXPECT_FALSE(memory->exists("/m/shared/.mem.lock"));
  EXPECT_FALSE(memory->exists("/m/.state/journal"));
  const auto done = move("old", "x/new");
  EXPECT_EQ(done->links[0].after, told->links[0].after);
  // A scope that is not there yet.
  EXPECT_TRUE(open().move({.from = "new", .to = "global/", .dry_run = true}));
  EXPECT_FALSE(memory->exists("/m/global"));
}

TEST_F(Move, AFileThatCannotBeUnderstoodKeepsItsLinksAndIsNamed) {
  write("shared/old.md", kHead);
  write("shared/broken.md", "---\ntitle: [oops\n---\nsee [[old]]\n");
  const auto moved = move("old", "new");
  ASSERT_TRUE(moved);
  EXPECT_EQ(file("shared/broken.md"), "---\ntitle: [oops\n---\nsee [[old]]\n");
  ASSERT_EQ(moved->left.size(), 1U);
  EXPECT_EQ(moved->left[0].ref, "shared/broken");
  EXPECT_EQ(moved->left[0].line, 4);
}

TEST_F(Move, AFileThatCannotBeUnderstoodMayGetAnotherNameButNoOtherScope) {
  const std::string bytes = "---\ntitle: [oops\n---\n[o](other.md) [[a]]\n";
  write("shared/deploy/broken.md", bytes);
  write("shared/deploy/other.md", "x\n");
  write("shared/a.md", "[[broken]] [b](deploy/broken.md)\n");
  EXPECT_EQ(move("broken", "private/").error().code, ErrorCode::kInvalid);
  const auto moved = move("deploy/broken", "ops/torn");
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(file("shared/ops/torn.md"), bytes);
  EXPECT_EQ(file("shared/a.md"), "[[torn]] [b](ops/torn.md)\n");
  ASSERT_EQ(moved->left.size(), 1U);
  EXPECT_EQ(moved->left[0].text, "other.md");
}

TEST_F(Move, AnUndoTakesTheWholeMoveBackWithItsLinks) {
  write("shared/deploy/a.md", kHead + std::string("[[b]]\n"));
  write("shared/deploy/b.md", "x\n");
  write("private/from.md", "[[Deploy/A]] [b](mem://shared/deploy/b) [[a.md]]\n");
  ASSERT_TRUE(move("deploy/", "ops/"));
  EXPECT_EQ(file("private/from.md"), "[[ops/a]] [b](mem://shared/ops/b) [[a.md]]\n");
  const auto undone = open().undo();
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(undone->moved_back, 2U);
  EXPECT_EQ(file("private/from.md"), "[[Deploy/A]] [b](mem://shared/deploy/b) [[a.md]]\n")
      << "as it was typed";
  EXPECT_EQ(file("shared/deploy/a.md"), kHead + std::string("[[b]]\n"));
  EXPECT_FALSE(memory->exists("/m/shared/ops"));
  EXPECT_EQ(open().undo().error().code, ErrorCode::kNotFound) << "nothing else was written";
}

TEST_F(Move, WhereOneTakesThePlaceOfAnotherEachKeepsItsOwnHistory) {
  write("shared/deploy/prod/prod/x.md", "one\n");
  write("shared/deploy/prod/x.md", "two\n");
  ASSERT_TRUE(open().update("deploy/prod/prod/x", append("more")));
  ASSERT_TRUE(open().update("deploy/prod/x", append("more")));
  ASSERT_TRUE(move("deploy/prod/", "deploy/"));
  const auto bytes_before = [&](const std::string& reference) {
    const auto states = open().history(reference);
    EXPECT_EQ(states->revisions.size(), 2U) << reference;
    return open().revision(reference, states->revisions.back().label)->bytes;
  };
  EXPECT_EQ(bytes_before("deploy/prod/x"), "one\n");
  EXPECT_EQ(bytes_before("deploy/x"), "two\n");
  ASSERT_TRUE(open().undo());
  EXPECT_EQ(bytes_before("deploy/prod/prod/x"), "one\n");
  EXPECT_EQ(bytes_before("deploy/prod/x"), "two\n");
}

TEST_F(Move, AfterAnUndoTheMoveBeforeItIsTakenBackAlthoughItsLinksHadFollowed) {
  ASSERT_TRUE(open().create(wish("Old")));
  ASSERT_TRUE(open().create(wish("From", "[[old]] is [[gone]]\n", Scope::kPrivate)));
  ASSERT_TRUE(move("from", "global/"));
  ASSERT_TRUE(move("old", "new"));
  ASSERT_TRUE(open().undo());
  ASSERT_TRUE(memory->exists("/m/shared/old.md"));
  const auto undone = open().undo();
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(undone->undone.ref(), "global/from");
  EXPECT_EQ(body("private/from.md"), "[[old]] is [[gone]]\n");
}

TEST_F(Move, PathsToWhatIsNoMemoryFollowFromAFolderInAnyNormalForm) {
  write("shared/Cafe\u0301/x.md", "![p](p.png) [f](pics/) [h](.hidden.md) [g](gone.md)\n");
  write("shared/Cafe\u0301/p.png", "p");
  write("shared/Cafe\u0301/pics/q.png", "q");
  write("shared/Cafe\u0301/.hidden.md", "h");
  const auto moved = move("Café/x", "x");
  ASSERT_TRUE(moved);
  EXPECT_EQ(file("shared/x.md"),
            "![p](Cafe\u0301/p.png) [f](Cafe\u0301/pics/) [h](Cafe\u0301/.hidden.md) "
            "[g](gone.md)\n");
  EXPECT_TRUE(moved->left.empty());
}

TEST_F(Move, ALinkThatStillLeadsThereStaysWhateverPartsOfTheNameItSpells) {
  write("shared/deploy/a.md", "[[./b]] [[shared/b]] [b](b.md)\n");
  write("shared/deploy/b.md", "x\n");
  ASSERT_TRUE(move("deploy/", "ops/"));
  EXPECT_EQ(file("shared/ops/a.md"), "[[./b]] [[shared/b]] [b](b.md)\n");
}

TEST_F(Move, AFolderThatChangesItsCaseAloneIsSpeltAnew) {
  write("shared/Ops/run.md", "x\n");
  write("shared/from.md", "[r](Ops/run.md) [[Ops/run]] [[run]] [u](mem://shared/Ops/run)\n");
  ASSERT_TRUE(move("Ops/", "ops/"));
  EXPECT_EQ(file("shared/from.md"),
            "[r](ops/run.md) [[ops/run]] [[run]] [u](mem://shared/ops/run)\n");
}

TEST_F(Move, ADryRunTellsOfWhatCannotBeWritten) {
  write("shared/old.md", "x\n");
  write("global/from.md", "[[old]]\n");
  WrappingFs closed(*memory, [](const Operation& op) -> Result<void> {
    const bool refused = op.path.starts_with("/m/global") && (op.changes || op.verb == "access");
    if (refused) return make_error(ErrorCode::kIo, "read-only");
    return {};
  });
  const auto store = [&] { return open(std::shared_ptr<FileSystem>(memory, &closed)); };
  for (const bool dry : {true, false}) {
    EXPECT_EQ(store().move({.from = "from", .to = "f", .dry_run = dry}).error().code,
              ErrorCode::kIo);
    EXPECT_EQ(store().move({.from = "old", .to = "global/", .dry_run = dry}).error().code,
              ErrorCode::kIo);
    const auto moved = store().move({.from = "old", .to = "new", .dry_run = dry});
    ASSERT_TRUE(moved) << moved.error().message;
    EXPECT_TRUE(moved->links.empty());
    ASSERT_EQ(moved->left.size(), 1U);
    EXPECT_EQ(moved->left[0].why, "its scope cannot be written");
    EXPECT_EQ(moved->usage.entries, 1U);
  }
}

TEST_F(Move, AFileWhereAFolderShouldBeIsAConflict) {
  write("shared/old.md", "x\n");
  write("shared/notes", "no folder\n");
  for (const bool dry : {true, false}) {
    const auto moved = open().move({.from = "old", .to = "notes/deep/old", .dry_run = dry});
    ASSERT_FALSE(moved);
    EXPECT_EQ(moved.error().code, ErrorCode::kConflict);
    EXPECT_EQ(moved.error().path, "/m/shared/notes");
  }
}

TEST_F(Move, ALinkThatMakesItsFileTooLargeIsLeftAndNamed) {
  write("shared/a.md", "x\n");
  const std::string full = "[[a]]\n\n    " + std::string(kMaxFile - 11, 'x');
  write("shared/full.md", full);
  const auto moved = move("a", "a-much-longer-name");
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->left.size(), 1U);
  EXPECT_TRUE(file("shared/full.md") == full);
}

TEST_F(Move, AnUndoBringsBackATitleThatALinkCouldNotKeep) {
  write("shared/exp.md", "---\nid: x1\ntitle: Same\nrevision: 1\n---\nx\n");
  write("shared/s.md", "---\nid: x2\ntitle: Same\nrevision: 1\n---\nx\n");
  write("private/from.md", "[[Same]]\n");
  ASSERT_TRUE(move("s", "a/s"));
  EXPECT_EQ(file("private/from.md"), "[[exp]]\n") << "the title leads to the other one now";
  ASSERT_TRUE(open().undo());
  EXPECT_EQ(file("private/from.md"), "[[Same]]\n");
}

TEST_F(Move, TheOldBytesOfARewrittenFileAreInItsHistory) {
  write("shared/old.md", kHead);
  write("shared/from.md", "---\nid: f1\ntitle: F\nrevision: 3\n---\n[[old]]\n");
  ASSERT_TRUE(move("old", "new"));
  EXPECT_EQ(open().read("f1")->memory.revision, 4U);
  EXPECT_EQ(open().revision("f1", "3")->bytes,
            "---\nid: f1\ntitle: F\nrevision: 3\n---\n[[old]]\n");
}

}  // namespace
}  // namespace memfs::testing
