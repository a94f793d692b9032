// A project under git in a folder of its own, away from whatever the machine configures.
#pragma once

#include <gtest/gtest.h>
#include <memfs/layout.h>
#include <memfs/store.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/process.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {

// Variables of this process that are as they were when the object goes.
class Surroundings {
 public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  ~Surroundings() {
    for (const auto& [name, value] : before_) {
      if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }
  void set(const std::string& name, const std::string& value) {
    remember(name);
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  void unset(const std::string& name) {
    remember(name);
    ::unsetenv(name.c_str());
  }

 private:
  void remember(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    before_.emplace(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
  }
  std::map<std::string, std::optional<std::string>> before_;
};

class GitProject : public ::testing::Test {
 protected:
  GitProject() {
    for (const char* name : {"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "MEM_ROOT", "MEM_HOME",
                             "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "MEM_AGENT"})
      around.unset(name);
    for (const char* who : {"AUTHOR", "COMMITTER"}) {
      around.set("GIT_" + std::string(who) + "_NAME", "Ada");
      around.set("GIT_" + std::string(who) + "_EMAIL", "ada@example.org");
      around.set("GIT_" + std::string(who) + "_DATE", "2026-11-30T09:00:00Z");
    }
    around.set("GIT_CONFIG_SYSTEM", "/dev/null");
    around.set("GIT_CONFIG_GLOBAL", temp / "gitconfig");
    around.set("GIT_EDITOR", "true");
    around.set("HOME", temp / "home");
    std::filesystem::create_directories(temp / "home");
    git_in("", {"init", "-q", "-b", "main", temp / "p"});
    std::filesystem::create_directories(temp / "p/.mem/shared");
  }

  ProcessOutput run_in(const std::string& folder, std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder.empty() ? temp.path() : folder});
    const auto output = run_process(words);
    return output ? *output : ProcessOutput{-1, output.error().message};
  }
  // What git, which must succeed, prints.
  std::string git_in(const std::string& folder, std::vector<std::string> words) {
    const ProcessOutput output = run_in(folder, std::move(words));
    EXPECT_EQ(output.exit_code, 0) << output.out;
    return output.out;
  }
  std::string git(std::vector<std::string> words) { return git_in(temp / "p", std::move(words)); }
  void commit_all(const std::string& message = "x") {
    git({"add", "-A"});
    git({"commit", "-q", "--no-verify", "-m", message});
  }

  Layout layout_in(const std::string& folder) {
    Environment environment;
    environment.working_directory = folder;
    environment.home = temp / "home";
    auto layout = discover_layout(posix, environment);
    EXPECT_TRUE(layout);
    return layout.value_or(Layout{});
  }
  Layout layout() { return layout_in(temp / "p"); }
  Store store_in(const std::string& folder) { return *Store::open(layout_in(folder)); }
  Store store() { return store_in(temp / "p"); }

  // A file as mem writes it. `number`: of its id, two digits.
  static std::string memory(const std::string& number, const std::string& body,
                            const std::string& more = {}, int revision = 1) {
    return "---\ntitle: Memory " + number + "\n" + more + "id: mem-01m8n2sak0tn2v5x9yb6c0de" +
           number + "\nrevision: " + std::to_string(revision) + "\n---\n" + body + "\n";
  }
  void write(const std::string& name, const std::string& bytes) {
    temp.write("p/.mem/shared/" + name + ".md", bytes);
  }
  std::string read(const std::string& name) { return temp.read("p/.mem/shared/" + name + ".md"); }
  // The bytes in git's index.
  std::string staged(const std::string& name) {
    return git({"show", ":.mem/shared/" + name + ".md"});
  }

  TempDir temp;
  Surroundings around;
  PosixFileSystem posix;
};

}  // namespace memfs::testing
