// What becomes of changes that meet: files, fields and texts.
#include <gmock/gmock.h>
#include <memfs/resolve.h>

#include "tests/git/sync_world.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class SyncConflictTest : public SyncWorld {
 protected:
  // Both have the memory, and then each changes it.
  void both_have(const std::string& name, const std::string& bytes) {
    write("anna", name, bytes);
    sync("anna");
    sync("ben");
  }
  void meet_in_the_body() {
    both_have("a.md", "base\n");
    write("anna", "a.md", "From Anna.\n");
    sync("anna");
    write("ben", "a.md", "From Ben.\n");
  }
};

TEST_F(SyncConflictTest, TheSameKeyStaysReadableWithBothValues) {
  both_have("a.md", text("0001aa", "Base", "x\n"));
  write("anna", "a.md", text("0001aa", "Annas", "x\n"));
  sync("anna");
  write("ben", "a.md", text("0001aa", "Bens", "x\n"));
  const SyncReport report = sync("ben");
  EXPECT_THAT(told(report.undecided), ElementsAre("shared/a: title"));
  EXPECT_THAT(report.waiting, IsEmpty());
  EXPECT_EQ(report.pushed_to, "origin main");
  EXPECT_THAT(at_hub("a.md"), HasSubstr("title: Bens\n"));
  EXPECT_THAT(at_hub("a.md"), HasSubstr("- title: Annas\n"));
}

TEST_F(SyncConflictTest, TheSamePlaceOfATextWaitsForAPersonAndNothingIsPushed) {
  meet_in_the_body();
  write("ben", "fine.md", "y\n");
  const SyncReport report = sync("ben");
  EXPECT_THAT(told(report.waiting),
              ElementsAre("shared/a: changed on both sides in the same place"));
  EXPECT_EQ(report.pushed_to, "");
  EXPECT_EQ(at_hub("a.md"), "From Anna.\n");
  EXPECT_EQ(read("ben", "a.md"),
            "<<<<<<< yours\nFrom Ben.\n=======\nFrom Anna.\n>>>>>>> origin/main\n");
  EXPECT_EQ(git("ben", {"status", "--short"}), "UU .mem/shared/a.md\n");
  EXPECT_EQ(git("ben", {"show", ":3:.mem/shared/a.md"}), "From Anna.\n");
  EXPECT_EQ(told(sync("ben").waiting), told(report.waiting)) << "it says again what waits";
}

TEST_F(SyncConflictTest, OnceItIsDecidedTheNextSyncGoesOn) {
  meet_in_the_body();
  sync("ben");
  write("ben", "a.md", "From both.\n");
  const SyncReport report = sync("ben");
  EXPECT_THAT(report.waiting, IsEmpty());
  EXPECT_EQ(report.pushed_to, "origin main");
  EXPECT_EQ(at_hub("a.md"), "From both.\n");
  EXPECT_EQ(git("ben", {"status", "--short"}), "");
  sync("anna");
  EXPECT_EQ(read("anna", "a.md"), "From both.\n");
}

TEST_F(SyncConflictTest, ADecisionThatTheUserCommittedHimselfCountsToo) {
  meet_in_the_body();
  sync("ben");
  write("ben", "a.md", "From both.\n");
  git("ben", {"commit", "-q", "-am", "decided"});
  EXPECT_EQ(sync("ben").pushed_to, "origin main");
  EXPECT_EQ(at_hub("a.md"), "From both.\n");
}

TEST_F(SyncConflictTest, WhatOthersWriteAfterTheConflictIsMergedWithTheDecision) {
  meet_in_the_body();
  sync("ben");
  write("anna", "a.md", "From Anna.\n\nAnd more.\n");
  sync("anna");
  write("ben", "a.md", "From both.\n");
  const SyncReport report = sync("ben");
  EXPECT_THAT(told(report.waiting), ElementsAre(HasSubstr("shared/a")));
  EXPECT_EQ(read("ben", "a.md"),
            "<<<<<<< yours\nFrom both.\n=======\nFrom Anna.\n\nAnd more.\n>>>>>>> origin/main\n");
}

TEST_F(SyncConflictTest, ADecisionHoldsWhileAnotherFileComesToWait) {
  both_have("b.md", "base\n");
  meet_in_the_body();
  sync("ben");
  write("anna", "b.md", "Annas\n");
  sync("anna");
  write("ben", "a.md", "From both.\n");
  write("ben", "b.md", "Bens\n");
  EXPECT_THAT(told(sync("ben").waiting), ElementsAre(HasSubstr("shared/b:")));
  write("ben", "b.md", "Both.\n");
  EXPECT_THAT(sync("ben").waiting, IsEmpty());
  EXPECT_EQ(at_hub("a.md"), "From both.\n");
  EXPECT_EQ(at_hub("b.md"), "Both.\n");
}

TEST_F(SyncConflictTest, AConflictThatGitThrewAwayIsAskedAgain) {
  meet_in_the_body();
  sync("ben");
  git("ben", {"reset", "-q", "--hard"});
  EXPECT_EQ(read("ben", "a.md"), "From Ben.\n");
  EXPECT_THAT(told(sync("ben").waiting), ElementsAre(HasSubstr("shared/a")));
  EXPECT_EQ(at_hub("a.md"), "From Anna.\n") << "nobody has looked at Anna's yet";
}

TEST_F(SyncConflictTest, ResolvingForOursIsADecisionAlthoughTheFileIsAsItWas) {
  meet_in_the_body();
  sync("ben");
  Store store = open("ben");
  ResolveWish wish;
  wish.references = {"shared/a"};
  wish.take = Take::kOurs;
  ASSERT_TRUE(resolve_conflicts(store, wish));
  EXPECT_EQ(read("ben", "a.md"), "From Ben.\n");
  EXPECT_THAT(sync("ben").waiting, IsEmpty());
  EXPECT_EQ(at_hub("a.md"), "From Ben.\n");
}

TEST_F(SyncConflictTest, AbortGivesBackTheFileAsItWasCommitted) {
  meet_in_the_body();
  sync("ben");
  Store store = open("ben");
  const auto report = abort_sync(store);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(read("ben", "a.md"), "From Ben.\n");
  EXPECT_EQ(git("ben", {"status", "--short"}), "");
  const auto again = abort_sync(store);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kNotFound);
}

TEST_F(SyncConflictTest, WhatAbortReplacesIsInTheHistory) {
  meet_in_the_body();
  sync("ben");
  write("ben", "a.md", read("ben", "a.md") + "half a decision\n");
  Store store = open("ben");
  ASSERT_TRUE(abort_sync(store));
  std::string kept;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(temp / "home-ben/.local/state/mem/history")) {
    if (!entry.is_regular_file()) continue;
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path()).rdbuf();
    kept += bytes.str();
  }
  EXPECT_THAT(kept, HasSubstr("half a decision"));
}

TEST_F(SyncConflictTest, AnEditOutlivesADeletionOnEitherSide) {
  both_have("a.md", "base\n");
  both_have("b.md", "base\n");
  remove("anna", "a.md");
  write("anna", "b.md", "Annas\n");
  sync("anna");
  write("ben", "a.md", "Bens\n");
  remove("ben", "b.md");
  const SyncReport report = sync("ben");
  EXPECT_THAT(told(report.kept),
              ElementsAre("shared/a: changed here, removed by others: it stays",
                          "shared/b: removed here, changed by others: it stays"));
  EXPECT_EQ(at_hub("a.md"), "Bens\n");
  EXPECT_EQ(at_hub("b.md"), "Annas\n");
  EXPECT_EQ(read("ben", "b.md"), "Annas\n");
}

TEST_F(SyncConflictTest, AnEditFollowsTheMemoryToItsNewName) {
  both_have("a.md", text("0001aa", "A", "one\n\ntwo\n\nthree\n"));
  remove("anna", "a.md");
  write("anna", "moved/a.md", text("0001aa", "A", "ONE\n\ntwo\n\nthree\n"));
  sync("anna");
  write("ben", "a.md", text("0001aa", "A", "one\n\ntwo\n\nTHREE\n"));
  EXPECT_THAT(sync("ben").waiting, IsEmpty());
  EXPECT_FALSE(has("ben", "a.md"));
  EXPECT_THAT(at_hub("moved/a.md"), HasSubstr("ONE\n\ntwo\n\nTHREE\n"));
}

TEST_F(SyncConflictTest, AnEditNeverLandsInAnotherMemoryThatLooksAlike) {
  both_have("a.md", text("0001aa", "The staging host", "It is staging.example.org.\n"));
  remove("anna", "a.md");
  write("anna", "b.md", text("0002bb", "The staging host", "It is staging.example.net.\n"));
  sync("anna");
  write("ben", "a.md", text("0001aa", "The staging host", "It was staging.example.org.\n"));
  sync("ben");
  EXPECT_THAT(at_hub("a.md"), HasSubstr("It was staging.example.org."));
  EXPECT_THAT(at_hub("b.md"), HasSubstr("It is staging.example.net."));
  EXPECT_THAT(at_hub("b.md"), Not(HasSubstr("was")));
}

TEST_F(SyncConflictTest, TwoNewNamesForOneMemoryBecomeOne) {
  both_have("a.md", text("0001aa", "A", "x\n"));
  remove("anna", "a.md");
  write("anna", "by-anna.md", text("0001aa", "A", "x\n"));
  sync("anna");
  remove("ben", "a.md");
  write("ben", "by-ben.md", text("0001aa", "A", "x\n"));
  const SyncReport report = sync("ben");
  EXPECT_THAT(told(report.kept),
              ElementsAre("shared/by-anna: renamed on both sides, here to by-ben.md"));
  EXPECT_TRUE(has("ben", "by-anna.md"));
  EXPECT_FALSE(has("ben", "by-ben.md"));
}

TEST_F(SyncConflictTest, TwoNewMemoriesOfOneNameAreBothKept) {
  write("anna", "a.md", text("0001aa", "A", "Annas\n"));
  sync("anna");
  write("ben", "a.md", text("0002bb", "A", "Bens\n"));
  const SyncReport report = sync("ben");
  EXPECT_THAT(report.waiting, IsEmpty());
  EXPECT_THAT(told(report.kept), ElementsAre(HasSubstr("another file; this is yours")));
  EXPECT_THAT(at_hub("a.md"), HasSubstr("Annas"));
  EXPECT_THAT(at_hub("a-0002bb.md"), HasSubstr("Bens"));
}

TEST_F(SyncConflictTest, ANameThatWasGivenToAnotherMemoryMixesNoTexts) {
  both_have("a.md", text("0001aa", "A", "first\n"));
  std::filesystem::rename(temp / "anna/.mem/shared/a.md", temp / "anna/.mem/shared/b.md");
  write("anna", "a.md", text("0002bb", "B", "second\n"));
  sync("anna");
  std::filesystem::rename(temp / "ben/.mem/shared/a.md", temp / "ben/.mem/shared/c.md");
  sync("ben");
  EXPECT_THAT(read("ben", "b.md"), HasSubstr("first"));
  EXPECT_EQ(read("ben", "a.md"), text("0002bb", "B", "second\n"));
  EXPECT_FALSE(has("ben", "c.md"));
}

TEST_F(SyncConflictTest, AnEditedMemoryGivesItsNameToTheOneThatOthersGaveIt) {
  both_have("a.md", text("0001aa", "A", "first\n"));
  write("anna", "a.md", text("0002bb", "B", "second\n"));
  sync("anna");
  write("ben", "a.md", text("0001aa", "A", "first, edited\n"));
  const SyncReport report = sync("ben");
  EXPECT_THAT(report.waiting, IsEmpty());
  EXPECT_EQ(at_hub("a.md"), text("0002bb", "B", "second\n"));
  EXPECT_EQ(at_hub("a-0001aa.md"), text("0001aa", "A", "first, edited\n"));
}

TEST_F(SyncConflictTest, ADecisionAboutARenamedMemoryLeavesItsOldNameToAnother) {
  both_have("a.md", text("0001aa", "A", "base\n"));
  write("anna", "b.md", text("0001aa", "A", "Annas\n"));
  write("anna", "a.md", text("0002bb", "B", "second\n"));
  sync("anna");
  remove("ben", "a.md");
  write("ben", "c.md", text("0001aa", "A", "Bens\n"));
  EXPECT_THAT(told(sync("ben").waiting), ElementsAre(HasSubstr("shared/c:")));
  write("ben", "c.md", text("0001aa", "A", "Both\n"));
  EXPECT_THAT(sync("ben").waiting, IsEmpty());
  EXPECT_EQ(at_hub("a.md"), text("0002bb", "B", "second\n"));
  EXPECT_EQ(at_hub("c.md"), text("0001aa", "A", "Both\n"));
  EXPECT_FALSE(has("ben", "b.md"));
}

TEST_F(SyncConflictTest, WhatIsNoTextWaitsUntilGitIsToldWhichStays) {
  both_have("plan.png", std::string("base\0", 5));
  write("anna", "plan.png", std::string("anna\0", 5));
  sync("anna");
  write("ben", "plan.png", std::string("ben\0", 4));
  EXPECT_THAT(told(sync("ben").waiting), ElementsAre(HasSubstr("`git add` says which stays")));
  EXPECT_EQ(read("ben", "plan.png"), std::string("ben\0", 4));
  git("ben", {"checkout", "-q", "--theirs", ".mem/shared/plan.png"});
  git("ben", {"add", ".mem/shared/plan.png"});
  EXPECT_THAT(sync("ben").waiting, IsEmpty());
  EXPECT_EQ(read("ben", "plan.png"), std::string("anna\0", 5));
}

TEST_F(SyncConflictTest, SomebodyElsesConflictIsNotOurs) {
  both_have("a.md", "base\n");
  write("ben", "a.md", "stashed\n");
  git("ben", {"stash", "-q"});
  write("ben", "a.md", "now\n");
  git("ben", {"commit", "-q", "-am", "now"});
  try_git("ben", {"stash", "pop", "-q"});
  const auto report = try_sync("ben", at_once());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_THAT(report.error().message, HasSubstr("not merged yet"));
}

}  // namespace
}  // namespace memfs::testing
