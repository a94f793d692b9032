// Colleagues with a clone each of one bare repository, and real git.
#pragma once

#include <gtest/gtest.h>
#include <memfs/sync.h>

#include <cstdlib>
#include <filesystem>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/process.h"
#include "libmemfs/format/date.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {

class SyncWorld : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    ::setenv("GIT_CONFIG_SYSTEM", "/dev/null", 1);
    ::setenv("HOME", temp.path().c_str(), 1);
    for (const char* name : {"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"})
      ::setenv(name, "2026-11-30T09:00:00Z", 1);
    sign("seed");
    run({"git", "init", "-q", "--bare", "-b", "main", temp / "hub.git"});
    run({"git", "init", "-q", "-b", "main", temp / "seed"});
    temp.write("seed/.mem/.gitignore", "INDEX.md\n.mem.lock\n.mem-tmp-*\n");
    temp.write("seed/.mem/.gitattributes", "*.md -text\n");
    temp.write("seed/.mem/config.yaml", config);
    temp.write("seed/code.c", "int main;\n");
    git("seed", {"add", "-A"});
    git("seed", {"commit", "-q", "-m", "start"});
    git("seed", {"push", "-q", temp / "hub.git", "main"});
    for (const char* who : {"anna", "ben"}) clone(who);
  }
  void clone(const std::string& who) { run({"git", "clone", "-q", temp / "hub.git", temp / who}); }

  static void sign(const std::string& who) {
    for (const char* role : {"AUTHOR", "COMMITTER"}) {
      ::setenv(("GIT_" + std::string(role) + "_NAME").c_str(), who.c_str(), 1);
      ::setenv(("GIT_" + std::string(role) + "_EMAIL").c_str(), (who + "@example.org").c_str(), 1);
    }
  }
  static std::string run(const std::vector<std::string>& argv) {
    const auto done = run_process(argv);
    EXPECT_TRUE(done);
    EXPECT_EQ(done->exit_code, 0) << argv.back() << "\n" << done->out;
    return done->out;
  }
  std::string git(const std::string& who, const std::vector<std::string>& words) const {
    std::vector<std::string> argv = {"git", "-C", temp / who};
    argv.insert(argv.end(), words.begin(), words.end());
    return run(argv);
  }
  // Also for commands that may fail.
  int try_git(const std::string& who, const std::vector<std::string>& words) const {
    std::vector<std::string> argv = {"git", "-C", temp / who};
    argv.insert(argv.end(), words.begin(), words.end());
    return run_process(argv)->exit_code;
  }

  Store open(const std::string& who) const {
    PosixFileSystem fs;
    Environment environment;
    environment.working_directory = temp / who;
    environment.home = temp / ("home-" + who);
    std::filesystem::create_directories(environment.home);
    Store::Services services;
    services.clock = std::make_shared<FixedClock>(parse_date("2026-11-30T09:00:00Z")->at);
    services.lock_wait = std::chrono::milliseconds(0);
    services.threads = 1;
    return *Store::open(*discover_layout(fs, environment), services);
  }
  static SyncRequest at_once() {
    SyncRequest request;
    request.pause = [](std::chrono::milliseconds) {};
    return request;
  }
  Result<SyncReport> try_sync(const std::string& who, const SyncRequest& request) const {
    sign(who);
    Store store = open(who);
    return sync_shared(store, request);
  }
  SyncReport sync(const std::string& who, const SyncRequest& request = at_once()) const {
    auto report = try_sync(who, request);
    EXPECT_TRUE(report) << report.error().message << "\n" << report.error().hint;
    return report ? *report : SyncReport{};
  }

  std::string memory(const std::string& name) const { return ".mem/shared/" + name; }
  void write(const std::string& who, const std::string& name, const std::string& bytes) const {
    temp.write(who + "/" + memory(name), bytes);
  }
  std::string read(const std::string& who, const std::string& name) const {
    return temp.read(who + "/" + memory(name));
  }
  void remove(const std::string& who, const std::string& name) const {
    std::filesystem::remove(temp / (who + "/" + memory(name)));
  }
  bool has(const std::string& who, const std::string& name) const {
    return std::filesystem::exists(temp / (who + "/" + memory(name)));
  }
  // What the bare repository holds on a branch.
  std::string at_hub(const std::string& name, const std::string& branch = "main") const {
    return git("hub.git", {"show", branch + ":" + memory(name)});
  }
  // A memory as `mem add` writes it.
  static std::string text(const std::string& id, const std::string& title,
                          const std::string& body) {
    return "---\ntitle: " + title + "\nid: mem-01m8ntxdm00000000000" + id +
           "\ncreated_at: 2026-11-30T09:00:00Z\nupdated_at: 2026-11-30T09:00:00Z\n"
           "revision: 1\n---\n" +
           body;
  }
  static std::vector<std::string> told(const std::vector<SyncItem>& items) {
    std::vector<std::string> lines;
    for (const SyncItem& item : items) lines.push_back(item.ref + ": " + item.what);
    return lines;
  }

  std::string config = "version: 1\nsync: {push: direct}\n";
  TempDir temp;
};

}  // namespace memfs::testing
