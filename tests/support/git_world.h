// Machines, each with a home and a clone of one repository, and the real git between them.
#pragma once

#include <gtest/gtest.h>
#include <memfs/store.h>

#include <filesystem>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/process.h"
#include "libmemfs/format/date.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {

class GitWorld {
 public:
  GitWorld() { git("", {"init", "-q", "--bare", "-b", "main", world / "hub.git"}); }

  // The work tree of a person: "<world>/ada/project".
  std::string at(const std::string& who) const { return world / (who + "/project"); }
  void clone(const std::string& who, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {"clone", "-q"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"file://" + (world / "hub.git"), at(who)});
    git("", words);
  }

  // What git prints; it must succeed. `day` of November 2026 dates commits.
  std::string git(const std::string& who, const std::vector<std::string>& words, int day = 1) {
    const auto done = try_git(who, words, day);
    EXPECT_EQ(done.exit_code, 0) << words.front() << ": " << done.out;
    return done.out;
  }
  ProcessOutput try_git(const std::string& who, const std::vector<std::string>& words, int day = 1,
                        const std::string& input = {}) {
    const std::string two_digits = (day < 10 ? "0" : "") + std::to_string(day);
    const std::string date = "2026-11-" + two_digits + "T00:00:00Z";
    const std::string name = who.empty() ? "nobody" : who;
    ProcessOptions options;
    options.input = input;
    options.without = {"GIT_", "HOME=", "XDG_"};
    options.environment = {"HOME=" + (world / name), "GIT_CONFIG_GLOBAL=/dev/null",
                           "GIT_CONFIG_SYSTEM=/dev/null", "LC_ALL=C.UTF-8"};
    for (const char* role : {"AUTHOR", "COMMITTER"}) {
      const std::string variable = std::string("GIT_") + role;
      options.environment.push_back(variable + "_NAME=" + name);
      options.environment.push_back(variable + "_EMAIL=" + name + "@example.org");
      options.environment.push_back(variable + "_DATE=" + date);
    }
    std::vector<std::string> argv = {"git", "-C", who.empty() ? world.path() : at(who)};
    argv.insert(argv.end(), words.begin(), words.end());
    const auto done = run_process(argv, options);
    EXPECT_TRUE(done);
    return done ? *done : ProcessOutput{-1};
  }
  // Everything in the work tree; gives the commit's name.
  std::string commit(const std::string& who, int day, const std::string& subject = "m") {
    git(who, {"add", "-A"}, day);
    git(who, {"commit", "-q", "-m", subject}, day);
    return head(who);
  }
  void push(const std::string& who) { git(who, {"push", "-q", "origin", "HEAD"}); }
  void pull(const std::string& who) { git(who, {"pull", "-q", "--no-rebase", "--no-edit"}); }
  std::string head(const std::string& who) {
    std::string name = git(who, {"rev-parse", "HEAD"});
    if (name.ends_with('\n')) name.pop_back();
    return name;
  }

  // Of a file in the shared folder.
  void write(const std::string& who, const std::string& rel, const std::string& bytes) {
    world.write(who + "/project/.mem/shared/" + rel, bytes);
  }
  std::string read(const std::string& who, const std::string& rel) {
    return world.read(who + "/project/.mem/shared/" + rel);
  }
  void remove(const std::string& who, const std::string& rel) {
    std::filesystem::remove_all(at(who) + "/.mem/shared/" + rel);
  }

  Store open(const std::string& who, const std::string& folder = "") const {
    PosixFileSystem fs;
    Environment environment;
    environment.working_directory = folder.empty() ? at(who) : folder;
    environment.home = world / who;
    Store::Services services;
    services.clock = std::make_shared<FixedClock>(parse_date("2026-11-30T12:00:00Z")->at);
    services.writer = who;
    return *Store::open(*discover_layout(fs, environment), services);
  }

  TempDir world;
};

// A memory as mem writes it; `id` is filled up with zeros in front.
inline std::string memory_text(const std::string& id, int revision, const std::string& body,
                               const std::string& more = "") {
  return "---\ntitle: T\n" + more + "id: mem-" + std::string(26 - id.size(), '0') + id +
         "\nrevision: " + std::to_string(revision) + "\n---\n" + body + "\n";
}

}  // namespace memfs::testing
