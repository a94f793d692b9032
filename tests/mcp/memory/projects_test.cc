// Which project's memories a server serves: the right ones, or a clear refusal; never another's.
#include <unistd.h>

#include <filesystem>

#include "libmemfs/base/posix_file_system.h"
#include "tests/mcp/memory/memory_talk.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

namespace stdfs = std::filesystem;

class ProjectsTest : public MemoryTalk {
 protected:
  ProjectsTest() {
    real = std::make_shared<PosixFileSystem>();
    home = stdfs::canonical(dir.path()).string() + "/home";
    stdfs::create_directories(home);
    place.environment.home = home;
    place.environment.working_directory = home;
  }
  // A repository in the home folder, with one private memory that says which it is.
  std::string repository(const std::string& name) {
    const std::string path = home + "/" + name;
    stdfs::create_directories(path + "/.git/refs");
    stdfs::create_directories(path + "/.git/objects");
    dir.write("home/" + name + "/.git/HEAD", "ref: refs/heads/main\n");
    dir.write("home/" + name + "/.git/config", "[core]\n\trepositoryformatversion = 0\n");
    cli::ServerPlace there = place;
    there.chosen = path;
    serve(there);
    done("remember", {{"name", "where"}, {"body", "private of " + name}});
    return path;
  }
  std::string folder(const std::string& name) {
    stdfs::create_directories(home + "/" + name);
    return home + "/" + name;
  }
  // The folder "fix" is one of the repository now.
  void make_worktree(const std::string& name) {
    const std::string rel = name + "/.git/worktrees/fix";
    folder(rel);
    dir.write("home/" + rel + "/commondir", "../..\n");
    dir.write("home/" + rel + "/gitdir", home + "/fix/.git\n");
    dir.write("home/" + rel + "/HEAD", "ref: refs/heads/fix\n");
    folder("fix");
    dir.write("home/fix/.git", "gitdir: " + home + "/" + rel + "\n");
  }
  // Whose private memory a server sees, "" for none.
  std::string seen(const Json& more = Json::object()) {
    Json arguments = {{"refs", {"private/where"}}};
    arguments.update(more);
    const Json result = call("read_memory", arguments);
    if (result.value("isError", false)) return "";
    std::string body = result["structuredContent"]["memories"][0]["body"];
    return body.substr(std::string("private of ").size(), body.find('\n') - 11);
  }
  std::string seen_from(const std::string& working_directory) {
    cli::ServerPlace there = place;
    there.environment.working_directory = working_directory;
    serve(there);
    return seen();
  }
  // With roots, given before the first question.
  std::string seen_with_roots(const std::string& working_directory,
                              const std::vector<std::string>& roots) {
    cli::ServerPlace there = place;
    there.environment.working_directory = working_directory;
    serve(there);
    service().set_roots(roots);
    return seen();
  }
  // A write to the private scope is refused with what to do.
  void expect_global_only() {
    const Json error = refused("remember", {{"name", "x"}, {"body", "y"}});
    EXPECT_EQ(error["code"], "refused") << text();
    EXPECT_NE(text().find("project"), std::string::npos) << text();
    EXPECT_EQ(refused("remember", {{"name", "x"}, {"scope", "shared"}, {"body", "y"}})["code"],
              "refused");
    EXPECT_EQ(done("remember", {{"name", "g"}, {"scope", "global"}, {"body", "of all"}})["ref"],
              "global/g");
  }

  TempDir dir{};
  std::string home{};
  cli::ServerPlace place{};
};

TEST_F(ProjectsTest, TheWorkingDirectoryCountsIfItIsInARepository) {
  const std::string shop = repository("shop");
  EXPECT_EQ(seen_from(shop), "shop");
  EXPECT_EQ(seen_from(folder("shop/src/deep")), "shop");
}

TEST_F(ProjectsTest, FromTheHomeFolderOrTheRootThereIsOnlyTheGlobalScope) {
  repository("shop");
  for (const std::string& start : {home, std::string("/"), folder("plain")}) {
    EXPECT_EQ(seen_from(start), "") << start;
    expect_global_only();
  }
}

TEST_F(ProjectsTest, AHomeFolderInGitIsNoProjectUnlessItSaysSo) {
  repository(".");
  EXPECT_EQ(seen_from(home), "");
  expect_global_only();
  EXPECT_EQ(seen_from(folder("notes")), "") << "nor is a folder in it";
  stdfs::create_directories(home + "/.mem");
  EXPECT_EQ(seen_from(home), ".");
}

TEST_F(ProjectsTest, AFolderWithDotMemIsOneWithoutGit) {
  stdfs::create_directories(home + "/plain/.mem");
  seen_from(home + "/plain");
  EXPECT_EQ(done("remember", {{"name", "a"}, {"body", "b"}})["ref"], "private/a");
}

TEST_F(ProjectsTest, RootsGoBeforeTheWorkingDirectory) {
  const std::string shop = repository("shop");
  const std::string bank = repository("bank");
  EXPECT_EQ(seen_with_roots(shop, {"file://" + bank}), "bank");
  EXPECT_EQ(seen_with_roots(home, {"file://" + bank}), "bank");
  EXPECT_EQ(seen_with_roots(shop, {}), "shop") << "a client without folders says nothing";
}

TEST_F(ProjectsTest, TheFirstRootThatIsAProjectCounts) {
  const std::string bank = repository("bank");
  EXPECT_EQ(seen_with_roots(home, {"https://example.org", "file:///nowhere", "file://" + home,
                                   "file:///", "file://" + bank}),
            "bank");
}

TEST_F(ProjectsTest, RootsThatAreNoProjectsDoNotLeadToAnother) {
  const std::string shop = repository("shop");
  EXPECT_EQ(seen_with_roots(shop, {"file:///", "file://" + home}), "");
  expect_global_only();
}

TEST_F(ProjectsTest, ARootWithoutGitIsAProjectOfItsOwn) {
  repository("shop");
  const std::string plain = folder("plain folder");
  EXPECT_EQ(seen_with_roots(home, {"file://" + home + "/plain%20folder"}), "");
  EXPECT_EQ(done("remember", {{"name", "where"}, {"body", "private of plain"}})["ref"],
            "private/where");
  EXPECT_EQ(seen_with_roots(home, {"file://localhost" + home + "/plain%20folder"}), "plain");
}

TEST_F(ProjectsTest, TheHarnessesVariableGoesBeforeTheWorkingDirectory) {
  const std::string shop = repository("shop");
  const std::string bank = repository("bank");
  place.of_harness = {bank};
  EXPECT_EQ(seen_from(shop), "bank");
  place.of_harness = {"/nowhere", ""};
  EXPECT_EQ(seen_from(shop), "shop");
}

TEST_F(ProjectsTest, WhatThePersonChoseGoesBeforeAll) {
  const std::string shop = repository("shop");
  const std::string bank = repository("bank");
  place.chosen = shop;
  place.of_harness = {bank};
  EXPECT_EQ(seen_with_roots(bank, {"file://" + bank}), "shop");
}

TEST_F(ProjectsTest, ACallNamesAnotherProjectByItsPath) {
  const std::string shop = repository("shop");
  const std::string bank = repository("bank");
  EXPECT_EQ(seen_from(shop), "shop");
  EXPECT_EQ(seen({{"project", bank}}), "bank");
  EXPECT_EQ(seen({{"project", bank + "/.git/.."}}), "bank");
  EXPECT_EQ(seen(), "shop");
}

TEST_F(ProjectsTest, AProjectThatIsNoneIsRefused) {
  seen_from(repository("shop"));
  const auto refusal = [&](const std::string& project) {
    return refused("recall", {{"query", "x"}, {"project", project}})["code"].get<std::string>();
  };
  EXPECT_EQ(refusal("relative/path"), "usage");
  EXPECT_EQ(refusal("/nowhere/at/all"), "not-found");
  EXPECT_EQ(refusal(home), "refused");
  EXPECT_EQ(refusal("/"), "refused");
  EXPECT_EQ(refusal(home + "/shop/.git/HEAD"), "not-found") << "a file";
}

TEST_F(ProjectsTest, AWorktreeSharesTheRepositorysMemories) {
  repository("shop");
  make_worktree("shop");
  EXPECT_EQ(seen_from(home + "/fix"), "shop");
}

TEST_F(ProjectsTest, WhatIsMadeWhileTheServerRunsIsSeen) {
  const std::string shop = repository("shop");
  seen_from(shop);
  EXPECT_EQ(refused("remember", {{"name", "a"}, {"scope", "shared"}, {"body", "b"}})["code"],
            "refused");
  stdfs::create_directories(shop + "/.mem/shared");
  EXPECT_EQ(done("remember", {{"name", "a"}, {"scope", "shared"}, {"body", "b"}})["ref"],
            "shared/a");
  dir.write("home/.local/share/mem/config.yaml",
            "version: 1\nbudget:\n  shared: {characters: 5}\n");
  EXPECT_EQ(
      refused("remember", {{"name", "c"}, {"scope", "shared"}, {"body", "too long"}})["reason"],
      "budget");
}

TEST_F(ProjectsTest, ALinkThatLeadsElsewhereByNowIsAnotherProject) {
  for (const char* name : {"shop", "bank"})
    folder(repository(name).substr(home.size() + 1) + "/src");
  stdfs::create_directory_symlink(home + "/shop/src", home + "/work");
  EXPECT_EQ(seen_from(home + "/work"), "shop");
  stdfs::remove(home + "/work");
  stdfs::create_directory_symlink(home + "/bank/src", home + "/work");
  EXPECT_EQ(seen(), "bank");
}

TEST_F(ProjectsTest, ARepositoryMadeAboveTheTargetOfALinkIsSeen) {
  folder("shop/src");
  stdfs::create_directory_symlink(home + "/shop/src", home + "/work");
  EXPECT_EQ(seen_from(home + "/work"), "");
  stdfs::create_directories(home + "/shop/.mem");
  EXPECT_EQ(done("remember", {{"name", "a"}, {"body", "b"}})["ref"], "private/a");
}

TEST_F(ProjectsTest, ARepositoryThatIsNotWholeYetIsSeenWhenItIs) {
  const std::string shop = repository("shop");
  stdfs::remove(shop + "/.git/HEAD");
  EXPECT_EQ(seen_from(shop), "");
  dir.write("home/shop/.git/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(seen(), "shop");
}

TEST_F(ProjectsTest, AWorktreesFileThatNamesAnotherRepositoryByNowCounts) {
  for (const char* name : {"shop", "bank"}) repository(name);
  make_worktree("shop");
  EXPECT_EQ(seen_from(home + "/fix"), "shop");
  make_worktree("bank");
  EXPECT_EQ(seen(), "bank");
}

TEST_F(ProjectsTest, TheFolderOfRootMayBecomeAnother) {
  stdfs::create_directory_symlink(folder("one"), home + "/store");
  place.environment.root = home + "/store";
  serve(place);
  done("remember", {{"name", "where"}, {"body", "private of one"}});
  stdfs::remove(home + "/store");
  stdfs::create_directory_symlink(folder("two"), home + "/store");
  EXPECT_EQ(seen(), "");
}

TEST_F(ProjectsTest, APathWithANulIsNone) {
  const std::string shop = repository("shop");
  const std::string path = shop + std::string("\0x", 2);
  EXPECT_EQ(refused("recall", {{"query", "x"}, {"project", path}})["code"], "usage");
}

TEST_F(ProjectsTest, OneFolderByRootServesNoOther) {
  const std::string shop = repository("shop");
  place.environment.root = home + "/store";
  serve(place);
  EXPECT_EQ(done("remember", {{"name", "a"}, {"body", "b"}})["path"], home + "/store/private/a.md");
  EXPECT_EQ(refused("recall", {{"query", "x"}, {"project", shop}})["code"], "usage");
}

TEST_F(ProjectsTest, AStoreThatACallNamedIsWatchedOnceItIsServed) {
  place.chosen = repository("shop");
  Store::Services services;
  services.fs = real;
  cli::Projects projects(place, services);
  const auto named = projects.store(place.chosen);
  ASSERT_TRUE(named);
  (void)(*named)->take_changes();
  EXPECT_EQ((*named)->changes_descriptor(), -1);
  const auto served = projects.store("");
  ASSERT_TRUE(served);
  (void)(*served)->take_changes();
  EXPECT_GE((*served)->changes_descriptor(), 0);
}

TEST(PathOfUri, TakesLocalFilesOnly) {
  EXPECT_EQ(cli::path_of_uri("file:///a/b%20c"), "/a/b c");
  EXPECT_EQ(cli::path_of_uri("FILE://localhost/a"), "/a");
  EXPECT_FALSE(cli::path_of_uri("file://other/a").has_value());
  EXPECT_FALSE(cli::path_of_uri("file:///a%0").has_value());
  EXPECT_FALSE(cli::path_of_uri("file:///a%00b").has_value());
  EXPECT_FALSE(cli::path_of_uri("https://example.org/a").has_value());
}

}  // namespace
}  // namespace memfs::testing
