// Where a sync pushes to; and the memories of one person on several machines.
#include <gmock/gmock.h>

#include "libmemfs/git/sync_push.h"
#include "tests/git/sync_world.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProposalTest : public SyncWorld {
 protected:
  ProposalTest() { config = "version: 1\n"; }
  std::string branches() const {
    return git("hub.git", {"for-each-ref", "--format=%(refname:short)"});
  }
};

TEST_F(ProposalTest, TheDefaultBranchIsLeftToAPullRequest) {
  write("anna", "a.md", "x\n");
  const SyncReport report = sync("anna");
  EXPECT_EQ(report.pushed_to, "origin mem/anna-main");
  EXPECT_EQ(git("hub.git", {"ls-tree", "main:.mem"}).find("shared"), std::string::npos);
  EXPECT_EQ(at_hub("a.md", "mem/anna-main"), "x\n");
  write("anna", "b.md", "y\n");
  EXPECT_EQ(sync("anna").pushed_to, "origin mem/anna-main");
  EXPECT_EQ(branches(), "main\nmem/anna-main\n");
  EXPECT_EQ(sync("anna").pushed_to, "");
}

TEST_F(ProposalTest, OnceItIsMergedANewBranchBegins) {
  write("anna", "a.md", "x\n");
  sync("anna");
  git("hub.git", {"update-ref", "refs/heads/main", "refs/heads/mem/anna-main"});
  sync("anna");
  write("anna", "b.md", "y\n");
  EXPECT_EQ(sync("anna").pushed_to, "origin mem/anna-main-2");
  git("hub.git", {"branch", "-D", "mem/anna-main"});
  git("hub.git", {"branch", "-D", "mem/anna-main-2"});
  write("anna", "c.md", "z\n");
  EXPECT_EQ(sync("anna").pushed_to, "origin mem/anna-main") << "what is gone there is forgotten";
}

TEST_F(ProposalTest, ASecondCloneOfThePersonTakesUpTheSameBranch) {
  clone("laptop/anna");
  write("anna", "a.md", "x\n");
  sync("anna");
  write("laptop/anna", "b.md", "y\n");
  sign("anna");
  Store store = open("laptop/anna");
  const auto report = sync_shared(store, at_once());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->pushed_to, "origin mem/anna-main");
  EXPECT_EQ(read("laptop/anna", "a.md"), "x\n");
  EXPECT_EQ(at_hub("a.md", "mem/anna-main"), "x\n");
  EXPECT_EQ(at_hub("b.md", "mem/anna-main"), "y\n");
}

TEST_F(ProposalTest, CodeOfTheUpstreamIsInTheProposalSoThatItMergesCleanly) {
  temp.write("ben/code.c", "int bens;\n");
  git("ben", {"commit", "-q", "-am", "code"});
  git("ben", {"push", "-q"});
  write("anna", "a.md", "x\n");
  sync("anna");
  EXPECT_EQ(git("hub.git", {"show", "mem/anna-main:code.c"}), "int bens;\n");
  EXPECT_EQ(git("hub.git", {"diff", "--name-only", "main...mem/anna-main"}), ".mem/shared/a.md\n");
  EXPECT_EQ(temp.read("anna/code.c"), "int main;\n");
}

TEST_F(ProposalTest, AnUpstreamThatIsNotTheDefaultIsPushedTo) {
  git("anna", {"switch", "-q", "-c", "topic"});
  git("anna", {"push", "-q", "-u", "origin", "topic"});
  write("anna", "a.md", "x\n");
  EXPECT_EQ(sync("anna").pushed_to, "origin topic");
}

TEST_F(ProposalTest, ThePersonsOwnConfigurationWins) {
  temp.write("home-anna/.local/share/mem/config.yaml", "version: 1\nsync: {push: direct}\n");
  write("anna", "a.md", "x\n");
  EXPECT_EQ(sync("anna").pushed_to, "origin main");
}

TEST(PullRequestUrl, IsTheFirstAddressThatTheRemoteNames) {
  EXPECT_EQ(url_in("To hub\nremote: \nremote: Create a pull request for 'x' by visiting:\n"
                   "remote:      https://example.org/pull/new/x \nremote: http://other\n"),
            "https://example.org/pull/new/x");
  EXPECT_EQ(url_in("To https://example.org/hub\n"), "");
}

class PersonalTest : public SyncWorld {
 protected:
  void SetUp() override {
    SyncWorld::SetUp();
    run({"git", "init", "-q", "--bare", "-b", "main", temp / "own.git"});
  }
  std::string home(const std::string& machine) const {
    return temp / ("home-" + machine + "/.local/share/mem");
  }
  void note(const std::string& machine, const std::string& rel, const std::string& bytes) const {
    temp.write("home-" + machine + "/.local/share/mem/" + rel, bytes);
  }
  std::string noted(const std::string& machine, const std::string& rel) const {
    return temp.read("home-" + machine + "/.local/share/mem/" + rel);
  }
  Result<SyncReport> personal(const std::string& machine, const std::string& remote = {}) const {
    sign("anna");
    Store store = open(machine);
    return sync_personal(store, remote, at_once());
  }
};

TEST_F(PersonalTest, TwoMachinesThatKnewNothingOfEachOtherAreOne) {
  note("anna", "global/editor.md", "vim\n");
  note("anna", "projects/app-1/private/n.md", "mine\n");
  note("ben", "global/shell.md", "fish\n");
  const auto first = personal("anna", temp / "own.git");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->pushed_to, "origin main");
  const auto second = personal("ben", temp / "own.git");
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_THAT(told(second->merged),
              ElementsAre("global/editor: added", "projects/app-1/private/n: added"));
  ASSERT_TRUE(personal("anna"));
  EXPECT_EQ(noted("anna", "global/shell.md"), "fish\n");
  EXPECT_EQ(noted("ben", "projects/app-1/private/n.md"), "mine\n");
  const auto mode = std::filesystem::status(home("ben") + "/global/editor.md").permissions();
  EXPECT_EQ(mode & std::filesystem::perms::others_read, std::filesystem::perms::none);
  EXPECT_EQ(mode & std::filesystem::perms::group_read, std::filesystem::perms::none);
}

TEST_F(PersonalTest, TheRecordOfAProjectsPlacesKeepsThoseOfBothMachines) {
  const std::string start = "version: 1\nid: 01m8ntxdm0000000000000000a\nplaces:\n";
  note("anna", "projects/app-1/project.yaml", start + "  - /home/anna/app/.git\nremotes: []\n");
  note("ben", "projects/app-1/project.yaml", start + "  - /home/ben/app/.git\nremotes: []\n");
  ASSERT_TRUE(personal("anna", temp / "own.git"));
  const auto report = personal("ben", temp / "own.git");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->waiting, IsEmpty());
  EXPECT_THAT(noted("ben", "projects/app-1/project.yaml"), HasSubstr("/home/anna/app/.git"));
  EXPECT_THAT(noted("ben", "projects/app-1/project.yaml"), HasSubstr("/home/ben/app/.git"));
}

TEST_F(PersonalTest, LocksAndGeneratedPagesStayOnTheirMachine) {
  note("anna", "global/INDEX.md", "made\n");
  note("anna", "global/a.md", "x\n");
  ASSERT_TRUE(personal("anna", temp / "own.git"));
  EXPECT_EQ(git("own.git", {"ls-tree", "-r", "--name-only", "main"}),
            ".gitattributes\n.gitignore\nglobal/a.md\n");
}

TEST_F(PersonalTest, TheProjectsOwnRemoteIsRefused) {
  note("anna", "global/a.md", "x\n");
  const auto report = personal("anna", temp / "hub.git/");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_THAT(report.error().message, HasSubstr("the project's own remote"));
  EXPECT_FALSE(std::filesystem::exists(home("anna") + "/.git"));
}

TEST_F(PersonalTest, TheProjectsOwnRemoteIsRefusedHoweverItIsSpelled) {
  note("anna", "global/a.md", "x\n");
  std::filesystem::create_symlink(temp / "hub.git", temp / "elsewhere");
  git("anna", {"config", "url." + temp.path() + "/.insteadOf", "team:"});
  git("anna", {"remote", "add", "other", "git@Example.org:team/app.git"});
  git("anna", {"remote", "set-url", "--push", "other", "ssh://git@push.example.org:2222/app"});
  for (const std::string& url :
       {"file://" + (temp / "hub.git"), temp / "./hub", temp / "elsewhere",
        temp / "anna/../hub.git", std::string("https://me:word@example.org/team/app"),
        std::string("ssh://git@example.org:22/team/app.git/"),
        std::string("git@push.example.org:app.git")}) {
    const auto report = personal("anna", url);
    ASSERT_FALSE(report) << url;
    EXPECT_THAT(report.error().message, HasSubstr("the project's own remote")) << url;
  }
  EXPECT_FALSE(std::filesystem::exists(home("anna") + "/.git"));
}

TEST_F(PersonalTest, TheRemoteOfAnotherProjectIsRefusedAsWell) {
  note("anna", "global/a.md", "x\n");
  note("anna", "projects/app-01m8ntxdm0000000000000000a/project.yaml",
       "version: 1\nid: 01m8ntxdm0000000000000000a\nremotes:\n  - https://example.org/b.git\n");
  const auto report = personal("anna", "git@example.org:b");
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("the project's own remote"));
}

TEST_F(PersonalTest, ARepositoryWithOtherThingsInItIsRefusedBeforeAnythingIsPushed) {
  note("anna", "global/a.md", "x\n");
  run({"git", "clone", "-q", "--bare", temp / "hub.git", temp / "fork.git"});
  const auto report = personal("anna", temp / "fork.git");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_THAT(report.error().message, HasSubstr("other things than your memories"));
  EXPECT_EQ(git("fork.git", {"log", "--all", "--format=%s"}), "start\n");
  git("fork.git", {"branch", "-m", "trunk"});
  const auto other = personal("anna");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("has branches, but none called main"));
  EXPECT_EQ(git("fork.git", {"log", "--all", "--format=%s"}), "start\n");
}

TEST_F(PersonalTest, ANewRepositoryThatAHostGaveAReadmeIsTaken) {
  note("anna", "global/a.md", "x\n");
  run({"git", "init", "-q", "-b", "main", temp / "new"});
  temp.write("new/README.md", "# memories\n");
  git("new", {"add", "-A"});
  git("new", {"commit", "-q", "-m", "Initial commit"});
  git("new", {"push", "-q", temp / "own.git", "main"});
  EXPECT_TRUE(personal("anna", temp / "own.git"));
  EXPECT_EQ(git("own.git", {"show", "main:global/a.md"}), "x\n");
}

TEST_F(PersonalTest, AHomeInsideAnotherRepositoryIsRefused) {
  note("anna", "global/a.md", "x\n");
  git("home-anna", {"init", "-q"});
  const auto report = personal("anna", temp / "own.git");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kRefused);
  EXPECT_THAT(report.error().message, HasSubstr("another repository's work tree"));
}

TEST_F(PersonalTest, AnotherRemoteThanTheOneItHasIsNotTakenSilently) {
  note("anna", "global/a.md", "x\n");
  ASSERT_TRUE(personal("anna", temp / "own.git"));
  const auto report = personal("anna", temp / "other.git");
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().hint, HasSubstr("remote set-url origin"));
}

}  // namespace
}  // namespace memfs::testing
