// What is staged is checked, and hand edits are sealed, with real git.
#include <memfs/git_hooks.h>

#include "tests/support/git_project.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;

class StagedTest : public GitProject {
 protected:
  CheckReport check(const std::vector<std::string>& environment = {}) {
    Store here = store();
    auto report = check_staged(here, environment);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(CheckReport{});
  }
  CommitCheck commit_check() {
    Store here = store();
    auto done = check_commit(here);
    EXPECT_TRUE(done) << done.error().message;
    return done.value_or(CommitCheck{});
  }
  std::string codes() {
    std::string out;
    for (const Problem& problem : check().problems)
      out += fs::path(problem.path).stem().string() + ":" + problem.code + " ";
    return out;
  }
  void add(const std::string& name) { git({"add", ".mem/shared/" + name + ".md"}); }
};

TEST_F(StagedTest, NothingStagedIsNoMemoryLookedAt) {
  write("a", memory("aa", "x"));
  EXPECT_EQ(check().memories, 0U);
  temp.write("p/readme.md", "<<<<<<< a\n=======\n>>>>>>> b\n");
  git({"add", "readme.md"});
  EXPECT_EQ(check().memories, 0U) << "other files are nobody's business";
}

TEST_F(StagedTest, TheIndexIsCheckedAndNotTheWorkTree) {
  write("a", "---\ntitle: a: b\n---\nx\n");
  add("a");
  write("a", memory("aa", "x"));
  EXPECT_EQ(codes(), "a:yaml-colon ");
  add("a");
  write("a", "---\ntitle: a: b\n---\nx\n");
  EXPECT_EQ(codes(), "");
  EXPECT_EQ(check().memories, 1U);
}

// Case 33, and its like in the body.
TEST_F(StagedTest, MarkersOfAConflictAreErrorsAndWarningsAreNone) {
  write("a",
        "---\nid: a1\ntitle: T\n<<<<<<< HEAD\nrevision: 4\n=======\nrevision: 5\n>>>>>>> "
        "topic\n---\n");
  write("b", "# B\n\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> topic\n");
  write("c", "# C\n\n<<<<<<< HEAD\nhalf of an example\n");
  write("d", "---\ntitle: D\ntitel: odd\n---\nx\n");
  write("e", memory("ee", "x", "merge_conflict:\n  - title: Their title\n"));
  git({"add", "-A"});
  EXPECT_EQ(codes(), "a:conflict-marker b:conflict-marker ");
}

TEST_F(StagedTest, OnlyWhatTheCommitChangesIsLookedAt) {
  write("a", "---\ntitle: a: b\n---\nx\n");
  commit_all();
  write("b", memory("bb", "x"));
  add("b");
  EXPECT_EQ(codes(), "");
  fs::remove(temp / "p/.mem/shared/a.md");
  git({"add", "-A"});
  EXPECT_EQ(codes(), "") << "a file that goes has no errors";
}

TEST_F(StagedTest, AnEmptyFileIsAnErrorAndPagesAndLinksAreNone) {
  write("a", "");
  write("INDEX", "<<<<<<< a\n=======\n>>>>>>> b\n");
  temp.write("p/.mem/shared/.hidden/x.md", "");
  fs::create_symlink("a.md", temp / "p/.mem/shared/l.md");
  git({"add", "-f", "-A"});
  EXPECT_EQ(codes(), "a:empty-file ");
}

const std::string kToken =
    "token ghp_" + std::string("R4nd0mT0k3nV4lu3F0rT3st1ngPurp0s3sA1b2") + "\n";

TEST_F(StagedTest, ACredentialStopsTheCommitThatBringsItAndNoLaterOne) {
  write("a", "# A\n\n" + kToken);
  git({"add", "-A"});
  ASSERT_EQ(codes(), "a:guard-github-token ");
  commit_all();
  write("a", "# A\n\nmore text\n\n" + kToken);
  git({"add", "-A"});
  EXPECT_EQ(codes(), "") << "it is in the history already";
  write("b", "# B\n\n" + kToken);
  git({"add", "-A"});
  EXPECT_EQ(codes(), "b:guard-github-token ");
}

TEST_F(StagedTest, APolicyOfTheProjectLetsACredentialPass) {
  temp.write("p/.mem/config.yaml",
             "version: 1\nguard:\n  allow:\n    - {rule: github-token, path: shared/a}\n");
  write("a", "# A\n\n" + kToken);
  git({"add", "-A"});
  EXPECT_EQ(codes(), "");
}

TEST_F(StagedTest, AnIdThatAnotherFileOfTheIndexHasIsAnError) {
  write("a", memory("aa", "one"));
  commit_all();
  write("b", memory("aa", "two"));
  add("b");
  const CheckReport report = check();
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_EQ(report.problems[0].code, "duplicate-id");
  EXPECT_NE(report.problems[0].message.find("shared/a"), std::string::npos);
  // A rename is none, since the other file goes.
  git({"rm", "-q", "--cached", ".mem/shared/a.md"});
  EXPECT_EQ(codes(), "");
}

// Case 36.
TEST_F(StagedTest, ASubjectThatAnotherMemoryOfTheIndexHoldsIsAnError) {
  write("a", memory("aa", "one", "subject_key: db.host\n"));
  write("c", memory("cc", "old", "subject_key: db.port\nexpires_at: 2020-01-01\n"));
  commit_all();
  write("b", memory("bb", "two", "subject_key: db.host\n"));
  write("d", memory("dd", "new", "subject_key: db.port\n"));
  git({"add", "-A"});
  EXPECT_EQ(codes(), "b:subject-clash ") << "what is past its end holds nothing";
  // It is the index that counts: there the other one has given the subject up …
  write("a", memory("aa", "one"));
  EXPECT_EQ(codes(), "b:subject-clash ");
  add("a");
  EXPECT_EQ(codes(), "");
  // … whatever the work tree says.
  write("a", memory("aa", "one", "subject_key: db.host\n"));
  EXPECT_EQ(codes(), "");
}

TEST_F(StagedTest, ManyNewMemoriesAreComparedWithAllOthers) {
  write("old", memory("00", "old", "subject_key: s.s7\n"));
  commit_all();
  for (int i = 10; i < 40; ++i)
    write("m" + std::to_string(i),
          memory(std::to_string(i), "x", "subject_key: s.s" + std::to_string(i) + "\n"));
  write("m41", memory("41", "x", "subject_key: s.s7\n"));
  git({"add", "-A"});
  EXPECT_EQ(codes(), "m41:subject-clash ");
}

TEST_F(StagedTest, AnotherIndexCanBeNamed) {
  write("a", memory("aa", "x"));
  commit_all();
  fs::copy_file(temp / "p/.git/index", temp / "other-index");
  write("a", "---\ntitle: a: b\n---\nx\n");
  const std::string other = "GIT_INDEX_FILE=" + temp / "other-index";
  around.set("GIT_INDEX_FILE", temp / "other-index");
  git({"add", "-A"});
  around.unset("GIT_INDEX_FILE");
  EXPECT_EQ(codes(), "");
  EXPECT_EQ(check({other}).problems.size(), 1U);
}

TEST_F(StagedTest, AWorktreeChecksItsOwnIndex) {
  write("a", memory("aa", "x"));
  commit_all();
  git({"worktree", "add", "-q", temp / "w"});
  temp.write("w/.mem/shared/b.md", memory("aa", "copy"));
  git_in(temp / "w", {"add", "-A"});
  Store there = store_in(temp / "w");
  EXPECT_EQ(check_staged(there)->problems.size(), 1U);
  EXPECT_EQ(codes(), "");
}

class SealTest : public StagedTest {
 protected:
  SealTest() {
    git({"config", "mem.seal", "true"});
    temp.write("p/.mem/.gitattributes", "*.md -text\n");
    temp.write("p/.mem/.gitignore", ".mem.lock\n");
    write("a", memory("aa", "one", "", 3));
    commit_all();
  }
};

TEST_F(SealTest, AStagedHandEditGetsTheNextRevisionInIndexWorkTreeAndHistory) {
  write("a", memory("aa", "two", "", 3));
  add("a");
  const CommitCheck done = commit_check();
  ASSERT_EQ(done.sealed.size(), 1U);
  EXPECT_EQ(done.sealed[0].ref, "shared/a");
  EXPECT_EQ(done.sealed[0].revision, 4U);
  EXPECT_EQ(staged("a"), memory("aa", "two", "", 4));
  EXPECT_EQ(read("a"), memory("aa", "two", "", 4));
  EXPECT_EQ(git({"status", "--porcelain"}), "M  .mem/shared/a.md\n");
  Store here = store();
  const auto before = here.revision("shared/a", "3");
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(before->bytes, memory("aa", "two", "", 3));
  EXPECT_TRUE(commit_check().sealed.empty()) << "once is enough";
}

TEST_F(SealTest, WithoutTheSettingNothingIsSealed) {
  git({"config", "--unset", "mem.seal"});
  write("a", memory("aa", "two", "", 3));
  add("a");
  EXPECT_TRUE(commit_check().sealed.empty());
  EXPECT_EQ(staged("a"), memory("aa", "two", "", 3));
}

TEST_F(SealTest, WritesOfMemFilesWithoutIdentityAndNewOnesStayAsTheyAre) {
  write("plain", "# P\n\nx\n");
  commit_all();
  write("a", memory("aa", "two", "", 4));
  write("plain", "# P\n\ny\n");
  write("new", memory("nn", "x", "", 1));
  git({"add", "-A"});
  EXPECT_TRUE(commit_check().sealed.empty());
  EXPECT_EQ(staged("a"), memory("aa", "two", "", 4));
  EXPECT_EQ(staged("plain"), "# P\n\ny\n");
}

TEST_F(SealTest, WhatIsStagedInPartIsLeftAndTold) {
  write("a", memory("aa", "two", "", 3));
  add("a");
  write("a", memory("aa", "two and more", "", 3));
  const CommitCheck done = commit_check();
  EXPECT_TRUE(done.sealed.empty());
  ASSERT_EQ(done.unsealed.size(), 1U);
  EXPECT_EQ(staged("a"), memory("aa", "two", "", 3));
  EXPECT_EQ(read("a"), memory("aa", "two and more", "", 3));
}

TEST_F(SealTest, ACommitWithErrorsSealsNothing) {
  write("a", memory("aa", "two", "", 3));
  write("b", "---\ntitle: a: b\n---\n");
  git({"add", "-A"});
  EXPECT_EQ(commit_check().report.problems.size(), 1U);
  EXPECT_EQ(staged("a"), memory("aa", "two", "", 3));
}

TEST_F(SealTest, AMergeIsSealedWhereItIsNobodysOwnText) {
  git({"checkout", "-q", "-b", "other"});
  write("a", memory("aa", "theirs", "", 4));
  commit_all();
  git({"checkout", "-q", "main"});
  write("a", memory("aa", "ours", "", 4));
  write("b", memory("bb", "ours"));
  commit_all();
  ASSERT_EQ(run_in(temp / "p", {"merge", "-q", "other"}).exit_code, 1);
  write("a", memory("aa", "ours and theirs", "", 4));
  add("a");
  EXPECT_EQ(commit_check().sealed.size(), 1U);
  EXPECT_EQ(staged("a"), memory("aa", "ours and theirs", "", 5));
  write("a", memory("aa", "theirs", "", 4));
  add("a");
  EXPECT_TRUE(commit_check().sealed.empty()) << "it is one parent's very file";
}

TEST_F(SealTest, NothingIsSealedWhileGitReplaysCommits) {
  write("a", memory("aa", "two", "", 3));
  add("a");
  for (const char* sign : {"CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge/x", "rebase-apply/x"}) {
    temp.write("p/.git/" + std::string(sign), "x");
    EXPECT_TRUE(commit_check().sealed.empty()) << sign;
    fs::remove(temp / ("p/.git/" + std::string(sign)));
    if (std::string(sign).find('/') != std::string::npos)
      fs::remove(fs::path(temp / ("p/.git/" + std::string(sign))).parent_path());
  }
  EXPECT_EQ(commit_check().sealed.size(), 1U);
}

TEST_F(SealTest, WhatCannotBeSealedIsCommittedAsItIs) {
  write("a", memory("aa", "two", "", 3));
  add("a");
  std::ofstream(temp / "home/file") << "x";
  Layout broken = layout();
  broken.state = temp / "home/file/state";
  Store here = *Store::open(broken);
  const auto done = check_commit(here);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->sealed.empty());
  EXPECT_EQ(done->unsealed.size(), 1U);
  EXPECT_EQ(staged("a"), memory("aa", "two", "", 3));
  EXPECT_EQ(read("a"), memory("aa", "two", "", 3));
}

class RefreshTest : public GitProject {};

TEST_F(RefreshTest, APageThatGitIgnoresFollowsTheFilesAndATrackedOneDoesNot) {
  temp.write("p/.mem/.gitignore", "INDEX.md\n");
  write("a", memory("aa", "one"));
  Store here = store();
  ASSERT_TRUE(refresh_shared(here));
  EXPECT_FALSE(fs::exists(temp / "p/.mem/shared/INDEX.md")) << "nobody asked for one";
  ASSERT_TRUE(here.refresh_index(Scope::kShared));
  write("b", memory("bb", "two"));
  ASSERT_TRUE(refresh_shared(here));
  EXPECT_NE(read("INDEX").find("Memory bb"), std::string::npos);
  git({"add", "-f", "-A"});
  git({"commit", "-qm", "x"});
  write("c", memory("cc", "three"));
  ASSERT_TRUE(refresh_shared(here));
  EXPECT_EQ(read("INDEX").find("Memory cc"), std::string::npos);
}

}  // namespace
}  // namespace memfs::testing
