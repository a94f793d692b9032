// A bare repository and clones of it, each with a home of its own, on the real git and the real
// mem.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libmemfs/base/process.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {

class GitClones {
 public:
  GitClones() {
    git("", {"init", "-q", "--bare", "-b", "main", "origin.git"});
    clone("a");
    expect("a", {"git", "checkout", "-q", "-b", "main"});
    expect("a", {"mem", "init", "-q"});
    temp_.write("a/.mem/.gitattributes", "*.md -text merge=mem\n");
    commit("a");
    expect("a", {"git", "push", "-q", "-u", "origin", "main"});
  }

  // A clone with the name; with `driver` its git merges memories with mem.
  void clone(const std::string& name, bool driver = true) {
    git("", {"clone", "-q", "origin.git", name});
    if (driver)
      git(name, {"config", "merge.mem.driver", MEM_EXECUTABLE " git merge-driver %O %A %B %L %P"});
  }

  // "git" or "mem" and its words, in a clone.
  ProcessOutput run(const std::string& clone, std::vector<std::string> words) const {
    if (words.front() == "mem") words.front() = MEM_EXECUTABLE;
    const std::string folder = clone.empty() ? temp_.path() : temp_ / clone;
    words.insert(words.begin(), {"env", "-C", folder});
    ProcessOptions options;
    options.without = {"GIT_", "MEM_", "XDG_"};
    options.environment = {"HOME=" + temp_.path() + "/home-" + clone,
                           "GIT_CONFIG_GLOBAL=/dev/null",
                           "GIT_CONFIG_NOSYSTEM=1",
                           "GIT_AUTHOR_NAME=" + (clone.empty() ? "x" : clone),
                           "GIT_AUTHOR_EMAIL=x@example.org",
                           "GIT_COMMITTER_NAME=" + (clone.empty() ? "x" : clone),
                           "GIT_COMMITTER_EMAIL=x@example.org"};
    const auto output = run_process(words, options);
    EXPECT_TRUE(output) << output.error().message;
    return output ? *output : ProcessOutput{};
  }
  // The same, which must end with this exit code.
  std::string expect(const std::string& clone, const std::vector<std::string>& words,
                     int code = 0) const {
    const auto output = run(clone, words);
    std::string line;
    for (const std::string& word : words) line += word + " ";
    EXPECT_EQ(output.exit_code, code) << clone << ": " << line << "\n" << output.out;
    return output.out;
  }
  void git(const std::string& clone, std::vector<std::string> words) const {
    words.insert(words.begin(), "git");
    expect(clone, words);
  }

  void write(const std::string& clone, const std::string& rel, std::string_view bytes) const {
    temp_.write(clone + "/.mem/shared/" + rel, bytes);
  }
  std::string read(const std::string& clone, const std::string& rel) const {
    return temp_.read(clone + "/.mem/shared/" + rel);
  }
  void commit(const std::string& clone) const {
    git(clone, {"add", "-A", "."});
    run(clone, {"git", "commit", "-qm", "x"});
  }
  std::string head(const std::string& clone) const {
    return expect(clone, {"git", "rev-parse", "HEAD"}).substr(0, 40);
  }
  // Commits, and merges what `from` has committed, or one commit of it.
  ProcessOutput merge(const std::string& clone, const std::string& from,
                      std::string commit_of_it = {}) const {
    commit(clone);
    if (commit_of_it.empty()) commit_of_it = head(from);
    git(clone, {"fetch", "-q", "../" + from, "main"});
    return run(clone, {"git", "merge", "-q", "--no-edit", commit_of_it});
  }
  const TempDir& temp() const { return temp_; }

 private:
  TempDir temp_;
};

}  // namespace memfs::testing
