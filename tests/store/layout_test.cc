// Which folders a command works on, on the real file system with real git repositories.
#include <memfs/layout.h>
#include <memfs/store.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/process.h"
#include "libmemfs/store/attributes.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;

class LayoutTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(home.path() + "/w"); }
  std::string work(const std::string& rel) { return home.path() + "/w/" + rel; }

  void git(const std::vector<std::string>& words) {
    std::vector<std::string> argv = {"git",
                                     "-c",
                                     "user.name=A",
                                     "-c",
                                     "user.email=a@example.org",
                                     "-c",
                                     "init.defaultBranch=main"};
    argv.insert(argv.end(), words.begin(), words.end());
    const auto done = run_process(argv);
    ASSERT_TRUE(done);
    ASSERT_EQ(done->exit_code, 0) << done->out;
  }
  void make_repo(const std::string& rel) {
    git({"init", "-q", work(rel)});
    git({"-C", work(rel), "commit", "-q", "--allow-empty", "-m", "first"});
  }
  Layout at(const std::string& rel) {
    Environment environment;
    environment.working_directory = work(rel);
    environment.home = home.path();
    auto layout = discover_layout(posix, environment);
    EXPECT_TRUE(layout) << layout.error().message;
    return layout.value_or(Layout{});
  }
  // The private folder after a first private write from there.
  std::string private_of(const std::string& rel) {
    Layout layout = at(rel);
    const auto ready = prepare_scope(posix, layout, Scope::kPrivate, clock, ids);
    EXPECT_TRUE(ready) << ready.error().message;
    return layout.folder(Scope::kPrivate).path;
  }
  static std::string read_whole(const std::string& file) {
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
  }
  static std::string codes(const Layout& layout) {
    std::string out;
    for (const Problem& note : layout.notes) out += note.code + " ";
    return out;
  }

  TempDir home;
  PosixFileSystem posix;
  SystemClock clock;
  RandomIds ids;
};

TEST_F(LayoutTest, ReadingMakesNothing) {
  make_repo("proj");
  (void)at("proj");
  EXPECT_FALSE(fs::exists(home / ".local"));
}

TEST_F(LayoutTest, AGitWorkTreeHasPrivateAndGlobalBeforeInitAndSharedAfterIt) {
  make_repo("proj");
  fs::create_directories(work("proj/deep/down"));
  Layout layout = at("proj/deep/down");
  EXPECT_EQ(layout.project_root, work("proj"));
  EXPECT_FALSE(layout.folder(Scope::kShared).usable);
  EXPECT_TRUE(layout.folder(Scope::kGlobal).usable);
  ASSERT_TRUE(init_project(posix, layout));
  EXPECT_EQ(at("proj/deep").folder(Scope::kShared).path, work("proj/.mem/shared"));
  const auto again = init_project(posix, layout);
  EXPECT_TRUE(again->made.empty()) << "safe to repeat";
}

TEST_F(LayoutTest, InitRenewsTheAttributesOfAnOlderMemAndNoOthers) {
  make_repo("p");
  const std::string file = work("p/.mem/.gitattributes");
  fs::create_directories(work("p/.mem"));
  const std::string older =
      "# Written by `mem init`: memories keep their bytes on every system.\n*.md -text\n";
  std::ofstream(file) << older;
  Layout layout = at("p");
  const auto report = init_project(posix, layout);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->renewed, (std::vector<std::string>{".mem/.gitattributes"}));
  EXPECT_EQ(read_whole(file), kAttributes);
  EXPECT_TRUE(init_project(posix, layout)->renewed.empty());
  std::ofstream(file) << older << "# mine\n";
  EXPECT_TRUE(init_project(posix, layout)->renewed.empty());
  EXPECT_EQ(read_whole(file), older + "# mine\n");
}

TEST_F(LayoutTest, PrivateMemoriesSurviveAMoveAndAreSharedByWorktrees) {
  make_repo("proj");
  const std::string folder = private_of("proj");
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  git({"-C", work("proj"), "worktree", "add", "-q", work("wt")});
  EXPECT_EQ(private_of("wt"), folder);
  git({"-C", work("proj"), "checkout", "-q", "-b", "old-branch"});
  EXPECT_EQ(private_of("proj"), folder) << "any branch";
  git({"-C", work("proj"), "worktree", "remove", work("wt")});
  fs::rename(work("proj"), work("renamed"));
  EXPECT_EQ(private_of("renamed"), folder);
  EXPECT_EQ(codes(at("renamed")), "");
}

TEST_F(LayoutTest, TwoClonesHaveStoresOfTheirOwnUntilLinked) {
  make_repo("origin");
  git({"clone", "-q", work("origin"), work("one")});
  git({"clone", "-q", work("origin"), work("two")});
  const std::string one = private_of("one");
  EXPECT_EQ(codes(at("two")), "known-project ");
  const std::string two = private_of("two");
  EXPECT_NE(one, two);
  git({"clone", "-q", work("origin"), work("three")});
  Layout three = at("three");
  ASSERT_TRUE(link_project(posix, three, at("one").project_id));
  EXPECT_EQ(private_of("three"), one);
  EXPECT_EQ(private_of("one"), one);
  EXPECT_EQ(link_project(posix, three, "nothing").error().code, ErrorCode::kNotFound);
}

TEST_F(LayoutTest, ACopiedRepositoryGetsAStoreOfItsOwnAndIsTold) {
  make_repo("proj");
  const std::string original = private_of("proj");
  fs::copy(work("proj"), work("copy"), fs::copy_options::recursive);
  EXPECT_EQ(codes(at("copy")), "copied-project ");
  EXPECT_EQ(at("copy").folder(Scope::kPrivate).path, "");
  EXPECT_NE(private_of("copy"), original);
  EXPECT_EQ(private_of("proj"), original);
  EXPECT_EQ(codes(at("copy")), "");
}

TEST_F(LayoutTest, PathsThatLookAlikeNeverShareAStore) {
  for (const char* rel : {"a-b", "a/b", "b"}) fs::create_directories(work(rel));
  const std::string dashed = private_of("a-b");
  const std::string nested = private_of("a/b");
  EXPECT_NE(dashed, nested);
  EXPECT_NE(private_of("b"), nested);
  EXPECT_EQ(private_of("a-b"), dashed);
  EXPECT_EQ(private_of("a/b"), nested);
}

TEST_F(LayoutTest, ACommittedConfigurationReachesNobodysPrivateMemories) {
  make_repo("victim");
  const std::string secret = private_of("victim");
  make_repo("hostile");
  fs::create_directory_symlink(fs::path(secret).parent_path(), work("hostile/sneak"));
  for (const std::string& shared :
       {std::string("../victim/.mem/shared"), secret, std::string("sneak/private"),
        std::string(".."), std::string("a/../../x")}) {
    home.write("w/hostile/.mem/config.yaml",
               "version: 1\nshared: " + shared + "\nproject: " + at("victim").project_id + "\n");
    const Layout layout = at("hostile");
    EXPECT_EQ(layout.folder(Scope::kShared).path, work("hostile/.mem/shared")) << shared;
    EXPECT_EQ(codes(layout), "config config ");
    EXPECT_NE(layout.folder(Scope::kPrivate).path, secret);
  }
  home.write("w/hostile/.mem/config.yaml", "version: 1\nshared: docs/memory\n");
  EXPECT_EQ(at("hostile").folder(Scope::kShared).path, work("hostile/docs/memory"));
}

TEST_F(LayoutTest, ACommittedLinkReachesNobodysMemoriesEither) {
  make_repo("victim");
  const std::string secret = private_of("victim");
  make_repo("hostile");
  fs::create_directories(work("hostile/.mem"));
  fs::create_directory_symlink(secret, work("hostile/.mem/shared"));
  EXPECT_FALSE(at("hostile").folder(Scope::kShared).usable);
  EXPECT_EQ(codes(at("hostile")), "shared-outside ");
  make_repo("hostile2");
  fs::create_directories(work("elsewhere/shared"));
  fs::create_directory_symlink(work("elsewhere"), work("hostile2/.mem"));
  EXPECT_FALSE(at("hostile2").folder(Scope::kShared).usable);
}

TEST_F(LayoutTest, AGitFileThatItsRepositoryDoesNotKnowLeadsNowhere) {
  make_repo("victim");
  const std::string secret = private_of("victim");
  home.write("w/unpacked/.git", "gitdir: " + work("victim/.git") + "\n");
  EXPECT_EQ(at("unpacked").git_common_dir, "");
  EXPECT_NE(private_of("unpacked"), secret);
}

TEST_F(LayoutTest, AFolderOrLinkCalledGitLeadsNowhereElseEither) {
  make_repo("victim");
  const std::string secret = private_of("victim");
  home.write("w/unpacked/.git/HEAD", "ref: refs/heads/main\n");
  home.write("w/unpacked/.git/commondir", work("victim/.git") + "\n");
  home.write("w/unpacked/.git/gitdir", work("unpacked/.git") + "\n");
  EXPECT_NE(private_of("unpacked"), secret);
  fs::create_directories(work("linked"));
  fs::create_directory_symlink(work("victim/.git"), work("linked/.git"));
  EXPECT_NE(private_of("linked"), secret);
  EXPECT_EQ(private_of("victim"), secret);
}

TEST_F(LayoutTest, ASubmoduleHasAStoreOfItsOwn) {
  make_repo("inner");
  make_repo("outer");
  git({"-c", "protocol.file.allow=always", "-C", work("outer"), "submodule", "add", "-q",
       work("inner"), "sub"});
  EXPECT_EQ(at("outer/sub").git_common_dir, work("outer/.git/modules/sub"));
  EXPECT_NE(private_of("outer/sub"), private_of("outer"));
}

TEST_F(LayoutTest, AConfigurationThatIsALinkKeepsItsId) {
  make_repo("proj");
  fs::rename(work("proj/.git/config"), work("config-elsewhere"));
  fs::create_symlink(work("config-elsewhere"), work("proj/.git/config"));
  const std::string folder = private_of("proj");
  EXPECT_EQ(private_of("proj"), folder);
}

TEST_F(LayoutTest, TwoWorkTreesOverOneConfigurationDoNotTakeTheIdFromEachOther) {
  make_repo("proj");
  const std::string folder = private_of("proj");
  fs::create_directories(work("second/.git"));
  for (const char* part : {"HEAD", "config", "objects", "refs"})
    fs::create_symlink(work("proj/.git/") + part, work("second/.git/") + part);
  Layout second = at("second");
  EXPECT_FALSE(second.folder(Scope::kPrivate).usable) << second.folder(Scope::kPrivate).path;
  EXPECT_FALSE(prepare_scope(posix, second, Scope::kPrivate, clock, ids));
  EXPECT_EQ(private_of("proj"), folder);
  ASSERT_TRUE(link_project(posix, second, at("proj").project_id));
  EXPECT_EQ(private_of("second"), folder);
  EXPECT_EQ(private_of("proj"), folder);
}

TEST_F(LayoutTest, AFolderOutsideGitCanBeLinkedAwayFromAnEmptyStoreOfItsOwn) {
  make_repo("proj");
  const std::string folder = private_of("proj");
  fs::create_directories(work("plain"));
  fs::remove(private_of("plain"));
  Layout plain = at("plain");
  ASSERT_TRUE(link_project(posix, plain, at("proj").project_id));
  EXPECT_EQ(at("plain").folder(Scope::kPrivate).path, folder);
  Layout root = *layout_at(work("plain"));
  EXPECT_EQ(link_project(posix, root, at("proj").project_id).error().code, ErrorCode::kRefused);
}

TEST_F(LayoutTest, ADamagedRecordHidesNoMemoriesAndIsNeverReplaced) {
  make_repo("proj");
  const std::string folder = private_of("proj");
  const std::string record = fs::path(folder).parent_path().string() + "/project.yaml";
  std::ofstream(record) << "id: [oops\n";
  EXPECT_EQ(at("proj").folder(Scope::kPrivate).path, folder);
  EXPECT_EQ(private_of("proj"), folder);
  EXPECT_EQ(fs::file_size(record), 10U);
  fs::create_directories(work("plain"));
  const std::string plain = private_of("plain");
  std::ofstream(fs::path(plain).parent_path() / "project.yaml") << "id: [oops\n";
  EXPECT_FALSE(at("plain").folder(Scope::kPrivate).usable) << "no second store beside it";
}

TEST_F(LayoutTest, AStaleLayoutUsesTheStoreThatAnotherProcessMade) {
  make_repo("proj");
  Layout stale = at("proj");
  const std::string folder = private_of("proj");
  ASSERT_TRUE(prepare_scope(posix, stale, Scope::kPrivate, clock, ids));
  EXPECT_EQ(stale.folder(Scope::kPrivate).path, folder);
}

TEST_F(LayoutTest, WithoutAHomeThereIsAClearErrorAndNoRelativePath) {
  Environment environment;
  environment.working_directory = home.path();
  const auto failed = discover_layout(posix, environment);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kInvalid);
  environment.xdg_data_home = "relative";
  EXPECT_FALSE(discover_layout(posix, environment).has_value());
  environment.root = home / "r";
  EXPECT_TRUE(discover_layout(posix, environment));
}

TEST_F(LayoutTest, TheSearchUpwardsStopsAtHome) {
  fs::create_directories(home / "outer/home/dir");
  fs::create_directories(home / "outer/.mem");
  Environment environment;
  environment.working_directory = home / "outer/home/dir";
  environment.home = home / "outer/home";
  EXPECT_FALSE(discover_layout(posix, environment)->has_mem_folder);
}

TEST_F(LayoutTest, AnUnusableScopeSaysWhy) {
  make_repo("proj");
  Layout layout = at("proj");
  const auto refused = prepare_scope(posix, layout, Scope::kShared, clock, ids);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_NE(refused.error().message.find("mem init"), std::string::npos);
}

}  // namespace
}  // namespace memfs::testing
