// A process that dies at any operation of a write, on the real file system: what its death leaves
// behind (lock file, temporary files) stops nobody, and the file is old or new.
#include <gtest/gtest.h>
#include <memfs/check.h>
#include <memfs/store.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "libmemfs/base/posix_file_system.h"
#include "tests/support/temp_dir.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

// Runs `job` in a child process and returns its exit code.
int in_child(const std::function<int()>& job) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(job());
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Store open_on(const std::string& root, std::shared_ptr<FileSystem> fs = nullptr) {
  Store::Services services;
  services.fs = std::move(fs);
  services.threads = 1;
  services.lock_wait = std::chrono::milliseconds(0);
  return *Store::open(*layout_at(root), services);
}

Change append(const std::string& text) {
  Change change;
  change.body = {BodyEdit::Kind::kAppend, text, {}};
  return change;
}

TEST(ProcessKill, AnUpdateThatDiesAnywhereLeavesTheOldOrTheNewFile) {
  const TempDir temp;
  ASSERT_TRUE(open_on(temp.path()).create({Scope::kShared, {{"title", "A"}}, "start\n"}));
  constexpr int kDied = 99;
  int deaths = 0;
  std::string body = "start\n";
  for (int n = 1;; ++n) {
    const std::string line = "line " + std::to_string(n);
    const int code = in_child([&] {
      PosixFileSystem posix;
      int count = 0;
      WrappingFs killer(posix, [&](const Operation& op) -> Result<void> {
        if (op.changes && ++count == n) ::_exit(kDied);
        return {};
      });
      Store store =
          open_on(temp.path(), std::shared_ptr<FileSystem>(std::shared_ptr<void>(), &killer));
      return store.update("a", append(line)) ? 0 : 1;
    });
    const auto found = open_on(temp.path()).read("a");
    ASSERT_TRUE(found) << "killed at operation " << n;
    EXPECT_TRUE(found->memory.problems.empty());
    const bool fresh = found->memory.body == body + line + "\n";
    EXPECT_TRUE(fresh || found->memory.body == body) << "killed at operation " << n;
    body = found->memory.body;
    if (code == 0) {
      EXPECT_TRUE(fresh);
      break;
    }
    ASSERT_EQ(code, kDied);
    ++deaths;
  }
  EXPECT_GE(deaths, 15);
  Store after = open_on(temp.path());
  EXPECT_TRUE(check_store(after, {.fix = true}));
  EXPECT_TRUE(check_store(after)->problems.empty()) << "left-overs are swept";
}

// As an ordinary user: root may write everywhere.
int as_nobody(const std::function<int()>& job) {
  return in_child([&] {
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return 77;
    return job();
  });
}

TEST(OrdinaryUser, ReadsWhatCannotBeWrittenAndIsToldWhyAWriteFails) {
  const TempDir temp;
  namespace fs = std::filesystem;
  temp.write("shared/a.md", "# walrus\n");
  temp.write("shared/secret.md", "# hidden\n");
  fs::permissions(temp.path(), fs::perms(0755));
  fs::permissions(temp / "shared/secret.md", fs::perms(0000));
  fs::permissions(temp / "shared", fs::perms(0555));
  EXPECT_EQ(as_nobody([&] {
              Store store = open_on(temp.path());
              const auto listing = store.list();
              if (!listing || listing->memories.size() != 1) return 1;
              if (listing->problems.size() != 1 || listing->problems[0].code != "unreadable")
                return 2;
              const auto failed = store.update("a", append("x"));
              if (failed || failed.error().code != ErrorCode::kIo) return 3;
              if (failed.error().hint.empty() || failed.error().os_error != EACCES) return 4;
              return 0;
            }),
            0);
  fs::permissions(temp / "shared", fs::perms(0755));
  EXPECT_EQ(temp.read("shared/a.md"), "# walrus\n");
  for (const auto& entry : fs::directory_iterator(temp / "shared"))
    EXPECT_EQ(entry.path().extension(), ".md") << "no litter";
}

TEST(FullDisk, KeepsTheOldFileAndSaysSo) {
  const TempDir temp;
  ASSERT_TRUE(open_on(temp.path()).create({Scope::kShared, {{"title", "A"}}, "start\n"}));
  PosixFileSystem posix;
  WrappingFs full(posix, [](const Operation& op) -> Result<void> {
    if (op.verb != "write" || op.path.find("/shared/") == std::string::npos) return {};
    Error error = make_error(ErrorCode::kIo, "cannot write: No space left on device").at(op.path);
    error.os_error = ENOSPC;
    return error;
  });
  Store store = open_on(temp.path(), std::shared_ptr<FileSystem>(std::shared_ptr<void>(), &full));
  const auto failed = store.update("a", append("more"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().os_error, ENOSPC);
  EXPECT_EQ(failed.error().path, temp / "shared/a.md") << "the memory's path, not a temporary one";
  EXPECT_EQ(open_on(temp.path()).read("a")->memory.body, "start\n");
  Store checked = open_on(temp.path());
  EXPECT_TRUE(check_store(checked)->problems.empty()) << "no litter";
}

}  // namespace
}  // namespace memfs::testing
