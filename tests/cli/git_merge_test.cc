// Memories in merges by the real git, with the driver and without.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/git_clones.h"

namespace memfs::testing {
namespace {

constexpr const char* kMemory =
    "---\ntitle: T\ntags: [a]\nid: mem-01aaaaaaaaaaaaaaaaaaaaaaaa\nrevision: 1\n---\none\ntwo\n"
    "three\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

class GitMerge : public ::testing::Test {
 protected:
  // Clones a and b that both have the memory m.md.
  void start(bool driver, const char* text = kMemory) {
    world.write("a", "m.md", text);
    world.commit("a");
    world.git("a", {"push", "-q"});
    world.clone("b", driver);
    if (driver)
      world.git("a", {"config", "merge.mem.driver",
                      MEM_EXECUTABLE " git merge-driver %O %A %B %L %P %S %X %Y"});
  }
  // Each clone commits a memory of its own, and the page with it.
  void add_under_a_committed_index() {
    for (const char* clone : {"a", "b"}) {
      world.temp().write(std::string(clone) + "/.mem/config.yaml",
                         "version: 1\nindex: committed\n");
      world.expect(clone, {"mem", "init", "-q"});
      world.expect(clone, {"mem", "add", std::string("From ") + clone, "--body", clone, "--scope",
                           "shared", "-q"});
      world.commit(clone);
    }
  }
  bool exists(const std::string& rel) { return std::filesystem::exists(world.temp() / rel); }
  std::string check(const std::string& clone) { return world.run(clone, {"mem", "check"}).out; }

  GitClones world;
};

TEST_F(GitMerge, BothOrdersOfMergingGiveTheSameBytes) {
  start(true);
  world.write("a", "m.md", with(with(kMemory, "[a]", "[a, b]"), "revision: 1", "revision: 2"));
  world.write("b", "m.md", with(with(kMemory, "two", "TWO"), "revision: 1", "revision: 2"));
  world.commit("a");
  world.commit("b");
  const std::string before = world.head("b");
  EXPECT_EQ(world.merge("b", "a").exit_code, 0);
  EXPECT_EQ(world.merge("a", "b", before).exit_code, 0);
  EXPECT_EQ(world.read("a", "m.md"), world.read("b", "m.md"));
  EXPECT_EQ(world.read("b", "m.md"),
            with(with(with(kMemory, "[a]", "[a, b]"), "two", "TWO"), "revision: 1", "revision: 3"));
  // Each merges the other's merge commit, again and again.
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(world.merge("b", "a").exit_code, 0);
    EXPECT_EQ(world.merge("a", "b").exit_code, 0);
  }
  EXPECT_NE(world.read("a", "m.md").find("revision: 3\n"), std::string::npos);
}

TEST_F(GitMerge, ConflictsInTheTextAreShownInGitsStyle) {
  start(true);
  world.write("a", "m.md", with(kMemory, "two", "TWO"));
  world.write("b", "m.md", with(kMemory, "two", "zwei"));
  world.commit("a");
  world.git("b", {"config", "merge.conflictStyle", "zdiff3"});
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  EXPECT_NE(world.read("b", "m.md")
                .find("<<<<<<< ours\nzwei\n||||||| base\ntwo\n=======\nTWO\n"
                      ">>>>>>> theirs\n"),
            std::string::npos)
      << world.read("b", "m.md");
  EXPECT_NE(world.expect("b", {"git", "status", "--short"}).find("UU .mem/shared/m.md"),
            std::string::npos);
  world.expect("b", {"mem", "resolve", "m", "--both"});
  EXPECT_EQ(world.expect("b", {"git", "status", "--short"}), "M  .mem/shared/m.md\n");
  EXPECT_NE(world.read("b", "m.md").find("zwei\nTWO\n"), std::string::npos);
}

TEST_F(GitMerge, AFailingDriverStopsTheMergeAndLosesNothing) {
  start(true);
  world.git("b",
            {"config", "merge.mem.driver", MEM_EXECUTABLE " git merge-driver /none %A %B %L %P"});
  world.write("a", "m.md", with(kMemory, "two", "TWO"));
  const std::string ours = with(kMemory, "one", "ONE");
  world.write("b", "m.md", ours);
  world.commit("a");
  EXPECT_NE(world.merge("b", "a").exit_code, 0);
  EXPECT_EQ(world.read("b", "m.md"), ours);
}

// To git any code up to 128 says that %A has both sides now: it would hold ours alone.
TEST_F(GitMerge, ADriverThatIsCalledInAWrongWaySaysSoWithACodeThatStopsGit) {
  for (const char* name : {"base", "ours", "theirs"}) world.write("a", name, name);
  const auto driver = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"mem", "-C", ".mem/shared", "git", "merge-driver"});
    return world.run("a", words).exit_code;
  };
  EXPECT_EQ(driver({}), 129);
  EXPECT_EQ(driver({"base", "ours", "theirs", "7"}), 129);
  EXPECT_EQ(driver({"base", "missing", "theirs", "7", "m.md"}), 129);
  EXPECT_EQ(driver({"base", "ours", ".", "7", "m.md"}), 129);
  EXPECT_EQ(world.read("a", "ours"), "ours");
}

TEST_F(GitMerge, NamesMayBeginWithADashAndMarkersAreNeverTooShortToFind) {
  for (const char* size : {"7", "0", "-1", "x", "", "3", "99999999999"}) {
    for (const char* name : {"base", "ours", "theirs"}) world.write("a", name, name);
    world.expect("a",
                 {"mem", "-C", ".mem/shared", "git", "merge-driver", "base", "ours", "theirs", size,
                  "-x.md", "--b", "-o", "-"},
                 1);
    EXPECT_EQ(world.read("a", "ours"), "<<<<<<< -o\nours\n=======\ntheirs\n>>>>>>> -\n") << size;
  }
}

TEST_F(GitMerge, AFileThatStillHasMarkersIsNeverToldToGitAsSettled) {
  start(false);
  world.write("a", "m.md", with(kMemory, "title: T", "title: a: ["));
  world.write("b", "m.md", with(kMemory, "title: T", "title: b: {"));
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  const std::string marked = world.read("b", "m.md");
  EXPECT_NE(world.expect("b", {"mem", "resolve"}, 1).find("line 2: git conflict markers"),
            std::string::npos);
  EXPECT_EQ(world.read("b", "m.md"), marked);
  // Somebody repairs the block and takes only some of the markers away.
  world.write("b", "m.md", with(kMemory, "two", "<<<<<<< HEAD\ntwo\n=======\nthree"));
  world.expect("b", {"mem", "resolve"}, 1);
  EXPECT_EQ(world.expect("b", {"git", "status", "--short"}), "UU .mem/shared/m.md\n");
  world.write("b", "m.md", kMemory);
  world.expect("b", {"mem", "resolve"});
  EXPECT_EQ(world.expect("b", {"git", "diff", "--name-only", "--diff-filter=U"}), "");
}

TEST_F(GitMerge, TheExampleOfAConflictOutlivesARealOne) {
  const std::string example = "```\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n```\n";
  const std::string base = with(kMemory, "one\n", example + "one\n");
  start(true, base.c_str());
  world.write("a", "m.md", with(base, "two", "TWO"));
  world.write("b", "m.md", with(base, "two", "zwei"));
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  world.expect("b", {"mem", "resolve", "m", "--theirs"});
  EXPECT_NE(world.read("b", "m.md").find(example + "one\nTWO\n"), std::string::npos);
  EXPECT_EQ(world.expect("b", {"git", "diff", "--name-only", "--diff-filter=U"}), "");
}

TEST_F(GitMerge, OnlyTheFileThatWasSettledIsStagedWhateverItsName) {
  start(true);
  world.write("a", "[m].md", with(kMemory, "id: mem-01a", "id: mem-01b"));
  world.write("b", "[m].md", with(with(kMemory, "id: mem-01a", "id: mem-01b"), "two", "TWO"));
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  world.write("b", "m.md", with(kMemory, "one", "ONE"));
  world.expect("b", {"mem", "resolve", "[m]", "--ours"});
  EXPECT_NE(world.expect("b", {"git", "status", "--short"}).find(" M .mem/shared/m.md"),
            std::string::npos);
}

// GI-5: git merges by lines, and the key stands twice.
TEST_F(GitMerge, AKeyThatACleanMergeDoubledIsFoundAndSettled) {
  start(false,
        "---\nid: mem-01aaaaaaaaaaaaaaaaaaaaaaaa\ntitle: T\nscope: s\ntype: project\ntags: [a]\n"
        "source: x\n---\nwalrus\n");
  const std::string base = world.read("b", "m.md");
  world.write("a", "m.md", with(base, "title: T\n", "expires_at: 2025-01-01\ntitle: T\n"));
  world.write("b", "m.md", with(base, "source: x\n", "source: x\nexpires_at: 2026-01-01\n"));
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 0) << "git sees no conflict";
  const std::string doubled = world.read("b", "m.md");
  const std::string problems = check("b");
  EXPECT_NE(problems.find("`expires_at` is given twice: lines 3 and 9"), std::string::npos)
      << problems;
  world.expect("b", {"mem", "update", "m", "--title", "U"}, 6);
  EXPECT_EQ(world.read("b", "m.md"), doubled) << "nothing is written to it";
  EXPECT_NE(world.expect("b", {"mem", "search", "walrus"}).find("shared/m"), std::string::npos)
      << "and it is not taken for expired";
  world.expect("b", {"mem", "resolve"}, 1);
  const std::string settled = world.read("b", "m.md");
  EXPECT_NE(settled.find("expires_at: 2025-01-01\n"), std::string::npos) << settled;
  EXPECT_NE(settled.find("  - expires_at: 2026-01-01\n"), std::string::npos) << settled;
  world.expect("b", {"mem", "resolve", "m", "--ours"});
  EXPECT_EQ(check("b").find("error:"), std::string::npos);
}

// GI-1, with a merge of a clone that has no driver.
TEST_F(GitMerge, MarkersInFrontMatterAreMergedByKey) {
  start(false);
  world.write("a", "m.md", with(with(kMemory, "[a]", "[a, x]"), "revision: 1", "revision: 2"));
  world.write("b", "m.md", with(with(kMemory, "[a]", "[a, y]"), "revision: 1", "revision: 3"));
  world.write("b", "other.md", "---\ntitle: O\n---\nx\n");
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  const std::string marked = world.read("b", "m.md");
  EXPECT_NE(world.expect("b", {"mem", "list"}).find("shared/m "), std::string::npos);
  world.expect("b", {"mem", "update", "m", "--title", "U"}, 6);
  EXPECT_EQ(world.read("b", "m.md"), marked);
  world.expect("b", {"mem", "resolve"});
  EXPECT_EQ(world.read("b", "m.md"),
            with(with(kMemory, "[a]", "[a, x, y]"), "revision: 1", "revision: 4"));
  EXPECT_EQ(world.expect("b", {"git", "diff", "--name-only", "--diff-filter=U"}), "");
  const std::string kept = world.expect("b", {"mem", "history", "m"});
  EXPECT_NE(kept.find("fix"), std::string::npos) << kept;
}

// Git's conflict spans lines that one side alone changed; what it knows of the base tells which.
TEST_F(GitMerge, MarkersAroundALineThatOneSideChangedAreNoConflictOfIt) {
  start(false);
  world.write("a", "m.md", with(kMemory, "title: T\ntags: [a]", "title: New\ntags: [a]"));
  world.write("b", "m.md", with(kMemory, "title: T\ntags: [a]", "title: T\ntags: [a, b]"));
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  world.expect("b", {"mem", "resolve"});
  EXPECT_NE(world.read("b", "m.md").find("title: New\ntags: [a, b]\nid:"), std::string::npos)
      << world.read("b", "m.md");
}

// GI-4
TEST_F(GitMerge, TwoHoldersOfASubjectAreNamedAndOneIsChosen) {
  start(true);
  world.write("a", "db-host.md", "---\ntitle: A\nsubject_key: db.host\n---\nwalrus x\n");
  world.write("b", "db-host-2.md", "---\ntitle: B\nsubject_key: db.host\n---\nwalrus y\n");
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 0);
  const std::string problems = check("b");
  EXPECT_NE(problems.find("db-host.md: error"), std::string::npos) << problems;
  EXPECT_NE(problems.find("db-host-2.md: error"), std::string::npos) << problems;
  world.expect("b", {"mem", "show", "subject:db.host"}, 4);
  const std::string found = world.expect("b", {"mem", "search", "walrus"});
  EXPECT_NE(found.find("shared/db-host-2"), std::string::npos);
  EXPECT_NE(found.find("shared/db-host:"), std::string::npos) << found;
  world.expect("b", {"mem", "resolve", "subject:db.host", "--keep", "shared/db-host"});
  world.expect("b", {"mem", "show", "subject:db.host"});
  world.expect("b", {"mem", "show", "shared/db-host-2"});
  EXPECT_EQ(check("b").find("error"), check("b").find("errors"));
}

TEST_F(GitMerge, ANumberThatStandsForTwoContentsIsANote) {
  start(true);
  world.expect("b", {"mem", "update", "m", "--append", "four"});
  EXPECT_EQ(check("b").find("revision-twice"), std::string::npos);
  world.write("b", "m.md", world.read("b", "m.md") + "by hand\n");
  EXPECT_NE(check("b").find("two contents: shared/m (2)"), std::string::npos) << check("b");
}

TEST_F(GitMerge, OneIdInTwoFilesIsSettledByChoosingItsKeeper) {
  start(true);
  std::filesystem::copy(world.temp() / "b/.mem/shared/m.md", world.temp() / "b/.mem/shared/n.md");
  world.expect("b", {"mem", "resolve", "mem-01aaaaaaaaaaaaaaaaaaaaaaaa", "--keep", "shared/m"});
  EXPECT_EQ(world.read("b", "m.md"), kMemory);
  EXPECT_EQ(world.read("b", "n.md").find("mem-01aaaaaaaaaaaaaaaaaaaaaaaa"), std::string::npos);
}

TEST_F(GitMerge, AnEditOutlivesADeletionAndSomebodyMayChooseOtherwise) {
  start(true);
  world.expect("a", {"mem", "forget", "m"});
  world.write("b", "m.md", with(kMemory, "two", "TWO"));
  world.commit("a");
  world.commit("b");
  const std::string edit = world.head("b");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  EXPECT_NE(check("b").find("merge-unfinished"), std::string::npos);
  world.expect("b", {"mem", "resolve"});
  EXPECT_EQ(world.read("b", "m.md"), with(kMemory, "two", "TWO"));
  world.commit("b");
  EXPECT_EQ(check("b").find("merge-unfinished"), std::string::npos);
  // The other way round, and for the deletion.
  EXPECT_EQ(world.merge("a", "b", edit).exit_code, 1);
  world.expect("a", {"mem", "resolve", "m", "--ours"});
  EXPECT_FALSE(exists("a/.mem/shared/m.md"));
  EXPECT_EQ(world.expect("a", {"git", "status", "--short"}), "");
  world.expect("a", {"mem", "restore", "m"});
}

TEST_F(GitMerge, TwoMemoriesOfOneNameGetAFileEach) {
  start(true);
  world.write("a", "db.md",
              "---\ntitle: DB\nid: mem-01bbbbbbbbbbbbbbbbbbbbbbbb\nrevision: 1\n---\nx\n");
  world.write("b", "db.md",
              "---\ntitle: DB\nid: mem-01cccccccccccccccccccccccc\nrevision: 1\n---\ny\n");
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  world.expect("b", {"mem", "resolve", "shared/db", "--both"});
  EXPECT_NE(world.expect("b", {"git", "status", "--short"}).find("A  .mem/shared/db-bbbbbb.md"),
            std::string::npos)
      << "both go into the commit of the merge";
  EXPECT_NE(world.expect("b", {"mem", "show", "mem-01cccccccccccccccccccccccc"}).find("y\n"),
            std::string::npos);
  EXPECT_NE(world.expect("b", {"mem", "show", "mem-01bbbbbbbbbbbbbbbbbbbbbbbb"}).find("x\n"),
            std::string::npos);
}

TEST_F(GitMerge, TwoMemoriesOfOneNameArePartedAfterAMergeByLines) {
  start(false);
  world.write("a", "db.md",
              "---\ntitle: DB\nid: mem-01bbbbbbbbbbbbbbbbbbbbbbbb\nrevision: 1\n---\nx\n");
  world.write("b", "db.md",
              "---\ntitle: DB\nid: mem-01cccccccccccccccccccccccc\nrevision: 1\n---\ny\n");
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  world.expect("b", {"mem", "resolve"}, 1);
  world.expect("b", {"mem", "resolve", "shared/db", "--both"});
  EXPECT_NE(world.expect("b", {"mem", "show", "mem-01bbbbbbbbbbbbbbbbbbbbbbbb"}).find("x\n"),
            std::string::npos);
  EXPECT_NE(world.expect("b", {"mem", "show", "mem-01cccccccccccccccccccccccc"}).find("y\n"),
            std::string::npos);
}

// GI-6
TEST_F(GitMerge, ACommittedIndexNeverStopsAMerge) {
  start(true);
  add_under_a_committed_index();
  EXPECT_EQ(world.merge("b", "a").exit_code, 0);
  const std::string merged = world.read("b", "INDEX.md");
  world.expect("b", {"mem", "index"});
  EXPECT_EQ(world.read("b", "INDEX.md"), merged) << "it is what it would be anyway";
}

TEST_F(GitMerge, AnIndexThatAnotherMergeSpoiledIsRenewed) {
  start(false);
  add_under_a_committed_index();
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  EXPECT_NE(world.read("b", "INDEX.md").find("<<<<<<<"), std::string::npos);
  world.expect("b", {"mem", "index"});
  const std::string page = world.read("b", "INDEX.md");
  EXPECT_EQ(page.find("<<<<<<<"), std::string::npos) << page;
  EXPECT_NE(page.find("From a"), std::string::npos);
  EXPECT_NE(page.find("From b"), std::string::npos);
}

TEST_F(GitMerge, CrissCrossMergesKeepEveryValue) {
  start(true);
  world.write("a", "m.md",
              with(with(kMemory, "title: T", "title: A"), "revision: 1", "revision: 2"));
  world.write("b", "m.md",
              with(with(kMemory, "title: T", "title: B"), "revision: 1", "revision: 2"));
  world.commit("a");
  world.commit("b");
  const std::string before = world.head("b");
  EXPECT_EQ(world.merge("b", "a").exit_code, 1);
  world.commit("b");
  EXPECT_EQ(world.merge("a", "b", before).exit_code, 1);
  world.commit("a");
  // a has A and keeps B, b the other way round; their merge has two bases.
  world.merge("b", "a");
  const std::string merged = world.read("b", "m.md");
  EXPECT_NE(merged.find("title: A\n"), std::string::npos) << merged;
  EXPECT_NE(merged.find("title: B\n"), std::string::npos) << merged;
  EXPECT_EQ(merged.find("<<<<"), std::string::npos) << merged;
}

TEST_F(GitMerge, ARenamedMemoryTakesTheOthersEditAlong) {
  start(true);
  world.expect("a", {"mem", "mv", "m", "deploy/rollback"});
  world.write("b", "m.md", with(kMemory, "two", "TWO"));
  world.commit("a");
  EXPECT_EQ(world.merge("b", "a").exit_code, 0);
  EXPECT_FALSE(exists("b/.mem/shared/m.md"));
  EXPECT_NE(world.read("b", "deploy/rollback.md").find("TWO"), std::string::npos);
}

}  // namespace
}  // namespace memfs::testing
