// What the check and the store make of what git does to files: newlines, branches, resets.
#include <gtest/gtest.h>
#include <memfs/check.h>
#include <memfs/search.h>

#include <fstream>

#include "tests/support/git_world.h"

namespace memfs::testing {
namespace {

class GitSideTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world.clone("ada");
    world.git("ada", {"checkout", "-q", "-B", "main"});
    std::filesystem::create_directories(world.at("ada") + "/.mem/shared");
  }
  void init(const std::string& who) {
    PosixFileSystem fs;
    Environment environment;
    environment.working_directory = world.at(who);
    environment.home = world.world / who;
    auto layout = discover_layout(fs, environment);
    ASSERT_TRUE(layout);
    ASSERT_TRUE(init_project(fs, *layout));
  }
  // "vanished warning: 1 memory is gone …": message of each problem of the code.
  std::string found(const std::string& who, const std::string& code) {
    Store store = world.open(who);
    const auto report = check_store(store, {});
    if (!report) return report.error().message;
    std::string text;
    for (const Problem& problem : report->problems)
      if (problem.code == code)
        text += std::string(name_of(problem.severity)) + ": " + problem.message + "\n";
    return text;
  }
  static std::string names(const Store& store) {
    const auto listing = store.list({Scope::kShared});
    std::string text;
    for (const Memory& memory : listing->memories) text += memory.name + " " + memory.etag + "\n";
    return text;
  }
  static std::string hits(const Store& store, const std::string& query) {
    SearchRequest request;
    request.query = query;
    request.limit = 1000;
    const auto result = search(store, request, parse_date("2026-11-30T12:00:00Z")->at);
    if (!result) return result.error().message;
    std::vector<std::string> refs;
    for (const Hit& hit : result->hits) refs.push_back(hit.memory.ref());
    std::sort(refs.begin(), refs.end());
    std::string text;
    for (const std::string& ref : refs) text += ref + "\n";
    return text;
  }
  std::string status(const std::string& who) {
    return world.git(who, {"status", "--porcelain", "-uall"});
  }
  // The open store, one that reads what is cached, and one that reads all files anew agree.
  void expect_as_from_scratch(const Store& open_all_along, const std::string& moment) {
    const Store cached = world.open("ada");
    const std::string here = names(cached);
    const std::string words = hits(cached, "walrus");
    std::filesystem::remove_all(world.world / "ada/.cache");
    const Store fresh = world.open("ada");
    EXPECT_EQ(names(open_all_along), names(fresh)) << moment;
    EXPECT_EQ(here, names(fresh)) << moment;
    EXPECT_EQ(words, hits(fresh, "walrus")) << moment;
    EXPECT_EQ(hits(open_all_along, "walrus"), words) << moment;
  }

  GitWorld world;
};

TEST_F(GitSideTest, InClonesWithAutocrlfBytesAreTheSameAndTheStatusStaysClean) {
  init("ada");
  world.write("ada", "unix.md", memory_text("a", 1, "one\ntwo"));
  world.write("ada", "dos.md", "---\r\ntitle: D\r\n---\r\none\r\ntwo\r\n");
  world.write("ada", "sub/mixed.md", "one\r\ntwo\n");
  world.commit("ada", 1);
  world.push("ada");
  world.clone("bob", {"-c", "core.autocrlf=true"});
  world.clone("carl", {"-c", "core.autocrlf=input"});
  const std::string expected = names(world.open("ada"));
  for (const std::string who : {"bob", "carl"}) {
    Store store = world.open(who);
    EXPECT_EQ(names(store), expected) << who;
    EXPECT_EQ(hits(store, "two"), "shared/dos\nshared/sub/mixed\nshared/unix\n") << who;
    ASSERT_TRUE(store.refresh_index(Scope::kShared));
    EXPECT_EQ(found(who, "newlines"), "") << who;
    EXPECT_EQ(status(who), "") << who;
    Change change;
    change.body = {BodyEdit::Kind::kReplace, "2", "two"};
    ASSERT_TRUE(store.update("unix", change));
    ASSERT_TRUE(store.update("dos", change));
    EXPECT_EQ(status(who), " M .mem/shared/dos.md\n M .mem/shared/unix.md\n") << who;
    EXPECT_EQ(world.read(who, "dos.md").find("\r\n2\r\n") == std::string::npos, false) << who;
    world.git(who, {"checkout", "-q", "."});
  }
  Store bob = world.open("bob");
  Change change;
  change.body = {BodyEdit::Kind::kReplace, "2", "two"};
  ASSERT_TRUE(bob.update("dos", change));
  world.commit("bob", 2);
  world.push("bob");
  world.git("ada", {"pull", "-q", "origin", "main"});
  EXPECT_EQ(names(world.open("ada")), names(world.open("bob")));
}

TEST_F(GitSideTest, WithoutAttributesCrlfFilesWorkAndTheCheckSaysWhatIsMissing) {
  world.write("ada", "a.md", "---\ntitle: A\ntags: [x]\n---\none walrus\ntwo\n");
  world.write("ada", "b.md", "by hand, a walrus\n");
  world.commit("ada", 1);
  world.push("ada");
  world.clone("bob", {"-c", "core.autocrlf=true"});
  ASSERT_EQ(world.read("bob", "b.md"), "by hand, a walrus\r\n");
  Store store = world.open("bob");
  EXPECT_EQ(hits(store, "walrus"), "shared/a\nshared/b\n");
  const std::string note =
      "info: git may change the newlines of memories here: no attribute keeps it from that\n";
  EXPECT_EQ(found("bob", "newlines"), note);
  EXPECT_EQ(found("ada", "newlines"), note);
  EXPECT_EQ(found("bob", "control-character"), "");
  EXPECT_EQ(status("bob"), "");
  Change change;
  change.fields = {{"title", "B"}};
  change.body = {BodyEdit::Kind::kReplace, "2", "two"};
  ASSERT_TRUE(store.update("a", change));
  const std::string text = world.read("bob", "a.md");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), std::count(text.begin(), text.end(), '\r'));
  // Without a .gitignore the page and the lock are seen, too.
  EXPECT_EQ(world.git("bob", {"diff", "--name-only"}), ".mem/shared/a.md\n");
  EXPECT_NE(world.git("bob", {"diff", "--no-color"}).find("-two\n+2\n"), std::string::npos);
  world.git("bob", {"commit", "-qam", "m"}, 2);
  // What the hint says helps.
  init("bob");
  world.commit("bob", 3);
  world.git("bob", {"rm", "-rq", "--cached", ".mem"});
  world.git("bob", {"checkout", "HEAD", "--", ".mem"});
  world.push("bob");
  world.git("ada", {"pull", "-q", "origin", "main"});
  EXPECT_EQ(names(world.open("bob")), names(world.open("ada")));
  EXPECT_EQ(status("bob"), "");
  EXPECT_EQ(found("bob", "newlines"), "");
}

TEST_F(GitSideTest, OutsideGitNobodyAsksForAttributes) {
  world.write("ada", "a.md", "one\n");
  std::filesystem::remove_all(world.at("ada") + "/.git");
  EXPECT_EQ(found("ada", "newlines"), "");
}

TEST_F(GitSideTest, InTheMiddleOfCheckoutsStashesAndRebasesResultsAreThoseOfTheTree) {
  for (int i = 0; i < 60; ++i)
    world.write("ada", "a" + std::to_string(i) + ".md", "walrus " + std::to_string(i) + "\n");
  world.commit("ada", 1);
  world.push("ada");
  const Store store = world.open("ada");
  expect_as_from_scratch(store, "at first");
  world.git("ada", {"checkout", "-q", "-b", "topic"});
  for (int i = 0; i < 60; ++i) {
    if (i % 3 == 0) world.remove("ada", "a" + std::to_string(i) + ".md");
    if (i % 3 == 1) world.write("ada", "a" + std::to_string(i) + ".md", "no longer\n");
    if (i % 6 == 2) world.write("ada", "b" + std::to_string(i) + ".md", "another walrus\n");
  }
  world.commit("ada", 2);
  expect_as_from_scratch(store, "on the other branch");
  world.git("ada", {"checkout", "-q", "main"});
  expect_as_from_scratch(store, "back again");
  world.write("ada", "a5.md", "stashed\n");
  world.write("ada", "new.md", "a new walrus\n");
  expect_as_from_scratch(store, "before the stash");
  world.git("ada", {"stash", "-q", "-u"});
  expect_as_from_scratch(store, "stashed");
  EXPECT_EQ(hits(store, "walrus").find("shared/new\n"), std::string::npos);
  world.git("ada", {"stash", "pop", "-q"});
  expect_as_from_scratch(store, "popped");
  world.commit("ada", 3);
  // Somebody else was faster.
  world.clone("bob");
  world.remove("bob", "a7.md");
  world.write("bob", "a5.md", "theirs\n");
  world.commit("bob", 4);
  world.push("bob");
  EXPECT_NE(world.try_git("ada", {"pull", "-q", "--rebase", "origin", "main"}).exit_code, 0);
  expect_as_from_scratch(store, "in the middle of a rebase");
  EXPECT_EQ(hits(store, "walrus").find("shared/a7\n"), std::string::npos);
  world.git("ada", {"rebase", "--abort"});
  expect_as_from_scratch(store, "taken back");
  EXPECT_NE(hits(store, "walrus").find("shared/a7\n"), std::string::npos);
}

TEST_F(GitSideTest, ABranchThatDoesNotHaveAMemoryLosesNothing) {
  world.write("ada", "a.md", "one\n");
  world.commit("ada", 1);
  world.git("ada", {"checkout", "-q", "-b", "topic"});
  world.write("ada", "b.md", "two\n");
  world.commit("ada", 2);
  EXPECT_EQ(found("ada", "vanished"), "");
  world.git("ada", {"checkout", "-q", "main"});
  EXPECT_EQ(found("ada", "vanished"), "");
  world.git("ada", {"checkout", "-q", "topic"});
  EXPECT_EQ(found("ada", "vanished"), "");
  world.git("ada", {"checkout", "-q", "--detach", "main"});
  EXPECT_EQ(found("ada", "vanished"), "");
  // But a commit that only the reflog has is lost for most people …
  world.write("ada", "c.md", "three\n");
  world.commit("ada", 3);
  EXPECT_EQ(found("ada", "vanished"), "");
  world.git("ada", {"checkout", "-q", "main"});
  EXPECT_EQ(found("ada", "vanished"), "warning: 1 memory is gone since the last check: c\n");
  // … and so is what was never committed.
  world.write("ada", "d.md", "four\n");
  EXPECT_EQ(found("ada", "vanished"), "");
  world.remove("ada", "d.md");
  world.git("ada", {"checkout", "-q", "topic"});
  EXPECT_EQ(found("ada", "vanished"), "warning: 1 memory is gone since the last check: d\n");
}

TEST_F(GitSideTest, WhatAColleagueDeletedIsANoteAndComesBack) {
  world.write("ada", "a.md", "one\n");
  world.write("ada", "b.md", "two\n");
  world.commit("ada", 1);
  world.push("ada");
  world.clone("bob");
  EXPECT_EQ(found("bob", "vanished"), "");
  world.remove("ada", "a.md");
  world.commit("ada", 2);
  world.push("ada");
  world.pull("bob");
  EXPECT_EQ(found("bob", "vanished"),
            "info: 1 memory was deleted by a commit since the last check: a\n");
  EXPECT_EQ(found("bob", "vanished"), "");
  ASSERT_TRUE(world.open("bob").recover("a"));
  EXPECT_EQ(world.read("bob", "a.md"), "one\n");
}

TEST_F(GitSideTest, AResetToATreeWithoutMostMemoriesResurrectsNothingAndIsToldOnce) {
  for (int i = 0; i < 12; ++i)
    world.write("ada", "a" + std::to_string(i) + ".md", "walrus " + std::to_string(i) + "\n");
  world.commit("ada", 1);
  world.push("ada");
  world.clone("bob");
  const Store store = world.open("bob");
  EXPECT_EQ(found("bob", "vanished"), "");
  // Ada rewrites what is published: one commit with one memory.
  world.git("ada", {"checkout", "-q", "--orphan", "new"});
  world.git("ada", {"rm", "-rqf", "."});
  world.write("ada", "a1.md", "walrus 1\n");
  world.commit("ada", 2);
  world.git("ada", {"push", "-q", "-f", "origin", "new:main"});
  world.git("bob", {"fetch", "-q"});
  world.git("bob", {"reset", "-q", "--hard", "origin/main"});
  const std::string one = "shared/a1\n";
  EXPECT_EQ(hits(store, "walrus"), one);
  EXPECT_EQ(hits(world.open("bob"), "walrus"), one);
  EXPECT_EQ(store.list()->memories.size(), 1U);
  EXPECT_EQ(found("bob", "vanished"),
            "warning: 11 memories are gone since the last check: a0, a10, a11, a2, a3, a4, a5, a6, "
            "a7, a8, …\n");
  EXPECT_EQ(found("bob", "vanished"), "");
  EXPECT_EQ(hits(world.open("bob"), "walrus"), one);
  EXPECT_EQ(status("bob"), "");
}

}  // namespace
}  // namespace memfs::testing
