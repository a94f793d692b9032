// Setting a clone up and taking that out again, with real git.
#include <memfs/git_install.h>
#include <sys/stat.h>

#include "libmemfs/git/hook_text.h"
#include "libmemfs/store/attributes.h"
#include "tests/support/git_project.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;
using Outcome = GitStep::Outcome;

class GitInstallTest : public GitProject {
 protected:
  GitInstallReport install(const GitInstallOptions& options = {}) {
    auto report = install_git(posix, layout(), options);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(GitInstallReport{});
  }
  GitInstallReport uninstall(const GitInstallOptions& options = {}) {
    auto report = uninstall_git(posix, layout(), options);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(GitInstallReport{});
  }
  static std::size_t count(const GitInstallReport& report, Outcome outcome) {
    std::size_t found = 0;
    for (const GitStep& step : report.steps) found += step.outcome == outcome ? 1 : 0;
    return found;
  }
  static GitStep step(const GitInstallReport& report, const std::string& part,
                      const std::string& what = {}) {
    for (const GitStep& found : report.steps)
      if (found.part == part && (what.empty() || found.what == what)) return found;
    ADD_FAILURE() << "there is no step " << part << " " << what;
    return {};
  }
  std::string hook(const std::string& name) { return temp.read("p/.git/hooks/" + name); }
  void write_hook(const std::string& name, const std::string& text, mode_t mode = 0755) {
    temp.write("p/.git/hooks/" + name, text);
    ASSERT_EQ(::chmod((temp / ("p/.git/hooks/" + name)).c_str(), mode), 0);
  }
  // Every file below .git, but for what changes with each look.
  std::map<std::string, std::string> everything() {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(temp / "p"))
      if (entry.is_regular_file() && entry.path().filename() != "index")
        files[entry.path()] = temp.read(fs::relative(entry.path(), temp.path()));
    return files;
  }
};

TEST_F(GitInstallTest, MakesAttributesDriverAndHooksAndThenNothingMore) {
  EXPECT_EQ(count(install(), Outcome::kMade), 7U);
  EXPECT_EQ(temp.read("p/.mem/.gitattributes"), kAttributes);
  EXPECT_EQ(git({"config", "--local", "merge.mem.driver"}), driver_line("mem") + "\n");
  for (const std::string_view name : kHooks)
    EXPECT_EQ(hook(std::string(name)), hook_script(name, {"mem", ""}));
  struct stat stat = {};
  ASSERT_EQ(::stat((temp / "p/.git/hooks/pre-commit").c_str(), &stat), 0);
  EXPECT_NE(stat.st_mode & 0100, 0U);
  const auto before = everything();
  EXPECT_EQ(count(install(), Outcome::kKept), 7U);
  EXPECT_EQ(everything(), before);
}

TEST_F(GitInstallTest, ADryRunSaysTheSameAndWritesNothing) {
  write_hook("pre-commit", "#!/bin/sh\nexit 0\n");
  const auto before = everything();
  GitInstallOptions dry;
  dry.dry_run = dry.seal = true;
  const GitInstallReport said = install(dry);
  EXPECT_EQ(everything(), before);
  GitInstallOptions wet;
  wet.seal = true;
  const GitInstallReport done = install(wet);
  ASSERT_EQ(said.steps.size(), done.steps.size());
  for (std::size_t i = 0; i < done.steps.size(); ++i) {
    EXPECT_EQ(said.steps[i].outcome, done.steps[i].outcome) << done.steps[i].what;
    EXPECT_EQ(said.steps[i].what, done.steps[i].what);
  }
}

TEST_F(GitInstallTest, UninstallingLeavesTheRepositoryAsItWas) {
  temp.write("p/.mem/.gitattributes", std::string(kAttributes));
  commit_all();
  write_hook("pre-commit", "#!/bin/bash\n\necho mine\nexit 0");
  git({"config", "user.name", "Somebody"});
  const auto before = everything();
  GitInstallOptions options;
  options.seal = true;
  install(options);
  EXPECT_NE(everything(), before);
  const GitInstallReport report = uninstall();
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(step(report, "hook", "pre-commit").outcome, Outcome::kChanged);
  EXPECT_EQ(step(report, "hook", "post-merge").outcome, Outcome::kRemoved);
  EXPECT_EQ(step(report, "attributes").outcome, Outcome::kLeft);
  EXPECT_EQ(count(uninstall(), Outcome::kRemoved), 0U);
}

TEST_F(GitInstallTest, AHookOfAPersonGetsLinesBehindItsFirst) {
  const std::string mine = "#!/usr/bin/env bash\necho mine\nexit 0\n";
  write_hook("pre-commit", mine, 0750);
  EXPECT_EQ(step(install(), "hook", "pre-commit").outcome, Outcome::kChanged);
  EXPECT_EQ(hook("pre-commit"), "#!/usr/bin/env bash\n" +
                                    hook_block("pre-commit", {"mem", ""}, false) +
                                    "echo mine\nexit 0\n");
  struct stat stat = {};
  ASSERT_EQ(::stat((temp / "p/.git/hooks/pre-commit").c_str(), &stat), 0);
  EXPECT_EQ(stat.st_mode & 07777U, 0750U);
}

TEST_F(GitInstallTest, AHookThatIsNoShellScriptOrIsNotRunOrIsALinkIsLeft) {
  write_hook("pre-commit", "#!/usr/bin/python3\nprint('mine')\n");
  write_hook("pre-merge-commit", "#!/bin/sh\nexit 0\n", 0644);
  temp.write("elsewhere", "#!/bin/sh\nexit 0\n");
  fs::create_directories(temp / "p/.git/hooks");
  fs::create_symlink(temp / "elsewhere", temp / "p/.git/hooks/post-merge");
  write_hook("post-checkout", "#!/bin/sh\n# >>> mem git hook >>> x\nmem\n");
  const auto before = everything();
  const GitInstallReport report = install();
  for (const char* name : {"pre-commit", "pre-merge-commit", "post-merge", "post-checkout"})
    EXPECT_EQ(step(report, "hook", name).outcome, Outcome::kLeft) << name;
  EXPECT_NE(step(report, "hook", "pre-commit").note.find("mem git hook pre-commit"),
            std::string::npos);
  EXPECT_EQ(temp.read("elsewhere"), "#!/bin/sh\nexit 0\n");
  for (const auto& [file, bytes] : before)
    if (file.find("/hooks/") != std::string::npos) {
      EXPECT_EQ(temp.read(fs::relative(file, temp.path())), bytes) << file;
    }
}

TEST_F(GitInstallTest, HooksThatLieElsewhereAreNotTouched) {
  for (const std::string& path : {std::string(".husky"), temp / "all-my-hooks"}) {
    git({"config", "core.hooksPath", path});
    const std::string folder = path.starts_with('/') ? path : temp / ("p/" + path);
    fs::create_directories(folder);
    EXPECT_EQ(step(install(), "hook", "pre-commit").outcome, Outcome::kLeft);
    EXPECT_TRUE(fs::is_empty(folder));
    std::ofstream(folder + "/pre-commit") << "#!/bin/sh\nmem git hook pre-commit\n";
    EXPECT_EQ(step(install(), "hook", "pre-commit").outcome, Outcome::kKept) << "somebody did it";
  }
  git({"config", "--unset", "core.hooksPath"});
  fs::remove_all(temp / "p/.git/hooks");
  fs::create_directory(temp / "outside");
  fs::create_symlink(temp / "outside", temp / "p/.git/hooks");
  EXPECT_EQ(step(install(), "hook", "pre-commit").outcome, Outcome::kLeft);
  EXPECT_TRUE(fs::is_empty(temp / "outside"));
}

TEST_F(GitInstallTest, AHooksPathInsideTheRepositoryIsUsed) {
  git({"config", "core.hooksPath", ".git/my-hooks"});
  EXPECT_EQ(step(install(), "hook", "pre-commit").outcome, Outcome::kMade);
  EXPECT_TRUE(fs::exists(temp / "p/.git/my-hooks/pre-commit"));
}

TEST_F(GitInstallTest, LinesFromBeforeTheHooksMovedAreTakenOutToo) {
  install();
  git({"config", "core.hooksPath", temp / "elsewhere"});
  uninstall();
  EXPECT_FALSE(fs::exists(temp / "p/.git/hooks/pre-commit"));
}

TEST_F(GitInstallTest, AWorktreeUsesTheHooksOfItsRepository) {
  temp.write("p/.mem/.gitattributes", std::string(kAttributes));
  write("a", memory("aa", "x"));
  commit_all();
  git({"worktree", "add", "-q", temp / "w"});
  const auto report = install_git(posix, layout_in(temp / "w"), {});
  ASSERT_TRUE(report);
  EXPECT_TRUE(fs::exists(temp / "p/.git/hooks/pre-commit"));
  EXPECT_EQ(count(install(), Outcome::kKept), 7U);
}

TEST_F(GitInstallTest, ADriverOfAnotherIsLeftAndOneOfAnotherMemIsRenewed) {
  git({"config", "merge.mem.driver", "my-merge %O %A %B"});
  EXPECT_EQ(step(install(), "driver").outcome, Outcome::kLeft);
  EXPECT_EQ(git({"config", "merge.mem.driver"}), "my-merge %O %A %B\n");
  EXPECT_EQ(step(uninstall(), "driver").outcome, Outcome::kLeft);
  git({"config", "merge.mem.driver", driver_line("/old/mem")});
  GitInstallOptions options;
  options.program = temp / "it's a 100% mem";
  EXPECT_EQ(step(install(options), "driver").outcome, Outcome::kChanged);
  EXPECT_EQ(git({"config", "merge.mem.driver"}), driver_line(options.program) + "\n");
  EXPECT_EQ(step(install(options), "driver").outcome, Outcome::kKept);
  uninstall(options);
  EXPECT_EQ(run_in(temp / "p", {"config", "--local", "--get-regexp", "^merge"}).exit_code, 1);
}

TEST_F(GitInstallTest, GloballyOnlyTheDriverIsSetUp) {
  const auto before = everything();
  GitInstallOptions global;
  global.global = true;
  const auto report = install_git(posix, layout(), global);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->steps.size(), 1U);
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(git({"config", "--global", "merge.mem.driver"}), driver_line("mem") + "\n");
  EXPECT_EQ(step(install(), "driver").outcome, Outcome::kKept) << "it counts here, too";
  ASSERT_TRUE(uninstall_git(posix, layout(), global));
  EXPECT_EQ(run_in("", {"config", "--global", "--get-regexp", "^merge"}).exit_code, 1);
  global.seal = true;
  EXPECT_FALSE(install_git(posix, layout(), global));
}

// The merge that a clone without mem makes through the driver's line is git's own.
TEST_F(GitInstallTest, WhereMemIsAbsentTheDriverMergesLines) {
  GitInstallOptions options;
  options.program = "/no/such place/mem";
  install(options);
  write("a", "# A\n1\n2\n3\n4\n5\n");
  commit_all();
  git({"checkout", "-q", "-b", "other"});
  write("a", "# A\n1\n2\n3\n4\nfive\n");
  commit_all();
  git({"checkout", "-q", "main"});
  write("a", "# A\none\n2\n3\n4\n5\n");
  commit_all();
  git({"merge", "-q", "--no-edit", "other"});
  EXPECT_EQ(read("a"), "# A\none\n2\n3\n4\nfive\n");
}

TEST_F(GitInstallTest, AttributesOfAnOlderMemAreRenewedAndThoseOfAPersonAddedTo) {
  temp.write("p/.mem/.gitattributes",
             "# Written by `mem init`: memories keep their bytes on every system.\n*.md -text\n");
  EXPECT_EQ(step(install(), "attributes").outcome, Outcome::kChanged);
  EXPECT_EQ(temp.read("p/.mem/.gitattributes"), kAttributes);
  temp.write("p/.mem/.gitattributes", "# mine\n*.png binary");
  EXPECT_EQ(step(install(), "attributes").outcome, Outcome::kChanged);
  EXPECT_EQ(temp.read("p/.mem/.gitattributes"), "# mine\n*.png binary\n*.md -text merge=mem\n");
  EXPECT_EQ(step(install(), "attributes").outcome, Outcome::kKept);
  temp.write("p/.mem/.gitattributes", "*.md text eol=lf\n");
  install();
  EXPECT_EQ(temp.read("p/.mem/.gitattributes"), "*.md text eol=lf\n*.md merge=mem\n");
  EXPECT_EQ(step(install(), "attributes").outcome, Outcome::kKept);
}

TEST_F(GitInstallTest, AnotherWordAboutMergingIsLeftAndTold) {
  temp.write("p/.mem/.gitattributes", "*.md merge=union\n");
  const GitStep left = step(install(), "attributes");
  EXPECT_EQ(left.outcome, Outcome::kLeft);
  EXPECT_NE(left.note.find("merge=union"), std::string::npos);
  EXPECT_EQ(temp.read("p/.mem/.gitattributes"), "*.md merge=union\n");
  fs::remove(temp / "p/.mem/.gitattributes");
  temp.write("p/.git/info/attributes", "*.md merge=ours\n");
  EXPECT_NE(step(install(), "attributes").note.find("ours"), std::string::npos);
}

TEST_F(GitInstallTest, ASharedFolderElsewhereHasAttributesOfItsOwn) {
  temp.write("p/.mem/config.yaml", "version: 1\nshared: docs/memory\n");
  fs::create_directories(temp / "p/docs/memory");
  const GitInstallReport report = install();
  EXPECT_EQ(report.to_commit, (std::vector<std::string>{"docs/memory/.gitattributes"}));
  EXPECT_EQ(temp.read("p/docs/memory/.gitattributes"), kAttributes);
  commit_all();
  EXPECT_TRUE(install().to_commit.empty());
}

TEST_F(GitInstallTest, AProjectBelowTheWorkTreeIsNamedToItsHooks) {
  fs::rename(temp / "p/.mem", temp / "p/mem-not");
  fs::create_directories(temp / "p/sub dir/.mem/shared");
  const auto report = install_git(posix, layout_in(temp / "p/sub dir"), {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_NE(hook("pre-commit").find("mem -C 'sub dir' git hook pre-commit"), std::string::npos);
  EXPECT_EQ(report->to_commit, (std::vector<std::string>{"sub dir/.mem/.gitattributes"}));
}

TEST_F(GitInstallTest, OutsideGitAndWithoutSharedMemoriesItIsRefused) {
  fs::create_directories(temp / "none/.mem/shared");
  const auto outside = install_git(posix, layout_in(temp / "none"), {});
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code, ErrorCode::kRefused);
  fs::remove_all(temp / "p/.mem");
  const auto without = install_git(posix, layout(), {});
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("mem init"), std::string::npos);
}

}  // namespace
}  // namespace memfs::testing
