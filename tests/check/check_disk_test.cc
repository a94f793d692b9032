// What the check sees on a real disk: second names, permissions, odd files, and what git knows.
#include <gtest/gtest.h>
#include <memfs/check.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/process.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;

// The system refuses root nothing: for a while a root process is somebody else, who owns the
// folder.
class AsNobody {
 public:
  explicit AsNobody(const TempDir& temp) : was_(geteuid()) {
    if (was_ != 0) return;
    for (const auto& entry : fs::recursive_directory_iterator(temp.path()))
      EXPECT_EQ(::lchown(entry.path().c_str(), kNobody, kNobody), 0);
    EXPECT_EQ(::chown(temp.path().c_str(), kNobody, kNobody), 0);
    EXPECT_EQ(::seteuid(kNobody), 0);
  }
  ~AsNobody() {
    if (was_ != 0) return;
    EXPECT_EQ(::seteuid(0), 0);
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  uid_t was_;
};

class CheckDiskTest : public ::testing::Test {
 protected:
  CheckReport check_at(const Layout& layout, bool fix = false) {
    Store store = *Store::open(layout);
    return *check_store(store, {fix});
  }
  CheckReport check() { return check_at(*layout_at(temp.path())); }

  static std::vector<Problem> with_code(const CheckReport& report, const std::string& code) {
    std::vector<Problem> found;
    for (const Problem& problem : report.problems)
      if (problem.code == code) found.push_back(problem);
    return found;
  }

  TempDir temp;
};

// Case 101.
TEST_F(CheckDiskTest, ASecondNameOfAFileIsANote) {
  temp.write("shared/a.md", "# one\n");
  fs::create_hard_link(temp / "shared/a.md", temp / "keep.txt");
  const auto found = with_code(check(), "hard-link");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::kInfo);
}

// Cases 102 and 103.
TEST_F(CheckDiskTest, WhatIsNoFileAndNamesThatAreNotUtf8AreToldAtOnce) {
  temp.write("shared/a.md", "# one\n");
  temp.write("shared/\xFF\xFE.md", "# two\n");
  ASSERT_EQ(mkfifo((temp / "shared/p.md").c_str(), 0600), 0);
  fs::create_directory(temp / "shared/d.md");
  fs::create_symlink("/dev/zero", temp / "shared/z.md");
  const CheckReport report = check();
  EXPECT_EQ(with_code(report, "not-a-file").size(), 2U);
  EXPECT_EQ(with_code(report, "link").size(), 1U);
  ASSERT_EQ(with_code(report, "name-utf8").size(), 1U);
  EXPECT_NE(with_code(report, "name-utf8")[0].path.find("\\xff\\xfe.md"), std::string::npos)
      << with_code(report, "name-utf8")[0].path;
}

// Case 88.
TEST_F(CheckDiskTest, AFileThatCannotBeReadHidesNoOther) {
  temp.write("shared/a.md", "# one\n");
  temp.write("shared/b.md", "# two\n");
  fs::permissions(temp / "shared/b.md", fs::perms::none);
  const AsNobody nobody(temp);
  const CheckReport report = check();
  EXPECT_EQ(report.memories, 1U);
  EXPECT_EQ(with_code(report, "unreadable").size(), 1U);
}

TEST_F(CheckDiskTest, AnOpenPrivateFolderIsAWarningIfOthersGetThatFar) {
  temp.write("private/a.md", "# one\n");
  temp.write("shared/b.md", "# two\n");
  chmod((temp / "private").c_str(), 0755);
  chmod(temp.path().c_str(), 0700);
  EXPECT_EQ(with_code(check(), "private-permissions").size(), 0U) << "the folder above is closed";
  chmod(temp.path().c_str(), 0755);
  const auto found = with_code(check(), "private-permissions");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].hint, "chmod -R go-rwx " + temp / "private");
  chmod((temp / "private").c_str(), 0700);
  EXPECT_EQ(with_code(check(), "private-permissions").size(), 0U) << "the cure is one";
}

// A project under git with one committed memory.
class CheckGitTest : public CheckDiskTest {
 protected:
  CheckGitTest() {
    git({"init", "-q"});
    temp.write("p/.mem/shared/a.md", memory("one"));
    git({"add", "-A"});
    git({"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "x"});
  }

  static std::string memory(const std::string& body) {
    return "---\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\ntitle: T\nrevision: 1\n---\n" + body + "\n";
  }
  void git(std::vector<std::string> words) {
    fs::create_directories(temp / "p");
    words.insert(words.begin(), {"git", "-C", temp / "p"});
    const auto output = run_process(words);
    ASSERT_TRUE(output && output->exit_code == 0) << (output ? output->out : "no git");
  }
  Layout layout() {
    PosixFileSystem system;
    Environment environment;
    environment.working_directory = temp / "p";
    environment.home = temp / "home";
    return *discover_layout(system, environment);
  }
};

TEST_F(CheckGitTest, TheCopyThatGitDoesNotKnowGetsANewId) {
  temp.write("p/.mem/shared/aaa.md", memory("two"));
  const CheckReport before = check_at(layout());
  ASSERT_EQ(with_code(before, "duplicate-id").size(), 2U);
  const CheckReport report = check_at(layout(), true);
  EXPECT_EQ(temp.read("p/.mem/shared/a.md"), memory("one"));
  EXPECT_EQ(temp.read("p/.mem/shared/aaa.md").find("01m8n2sak0tn2v5x9yb6c0dehj"),
            std::string::npos);
  EXPECT_EQ(with_code(report, "duplicate-id").size(), 0U);
}

TEST_F(CheckGitTest, WhereGitKnowsBothNoneIsTheCopy) {
  temp.write("p/.mem/shared/aaa.md", memory("two"));
  git({"add", "-A"});
  const CheckReport report = check_at(layout(), true);
  EXPECT_EQ(with_code(report, "duplicate-id").size(), 2U);
  EXPECT_EQ(temp.read("p/.mem/shared/aaa.md"), memory("two"));
}

// Case 135.
TEST_F(CheckGitTest, AResetThatTakesMemoriesIsToldOnce) {
  temp.write("p/.mem/shared/b.md", "# two\n");
  git({"add", "-A"});
  git({"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "y"});
  check_at(layout());
  git({"reset", "-q", "--hard", "HEAD~1"});
  const CheckReport report = check_at(layout());
  ASSERT_EQ(with_code(report, "vanished").size(), 1U);
  EXPECT_NE(with_code(report, "vanished")[0].hint.find("git reflog"), std::string::npos);
  EXPECT_EQ(with_code(check_at(layout()), "vanished").size(), 0U);
  EXPECT_FALSE(fs::exists(temp / "p/.mem/shared/b.md")) << "nothing brings it back unasked";
}

}  // namespace
}  // namespace memfs::testing
