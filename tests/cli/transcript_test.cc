// Runs the console blocks of tests/cli/*.md and compares what they print.
//
// A block holds `$ command` lines (continued by `> ` lines), each followed by what it prints on
// both streams; a non-zero exit code is a last line `[exit N]`. Every file gets a home of its own,
// shown as ~, and starts in ~/project; ~/exchange is a copy of fixtures/exchange; clock and ids are
// fixed. With MEM_UPDATE_TRANSCRIPTS=1 the files are rewritten with what was printed, for review
// with git diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "libmemfs/base/process.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

class Shell {
 public:
  Shell() {
    fs::create_directories(home_ / "project");
    fs::create_directories(home_ / "bin");
    fs::create_symlink(MEM_EXECUTABLE, home_ / "bin/mem");
    fs::copy(fs::path(MEM_SOURCE_DIR) / "fixtures/exchange", home_ / "exchange",
             fs::copy_options::recursive);
    std::ofstream(home_ / ".cwd") << (home_ / "project").string();
  }

  std::string run(const std::string& command) {
    const std::string home = home_.string();
    const std::string script =
        "export HOME=" + home + " PATH=" + home +
        "/bin:$PATH MEM_NOW=2026-11-30T09:00:00Z "
        "MEM_TEST_IDS=1 LC_ALL=C.UTF-8 GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Ada "
        "GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada "
        "GIT_COMMITTER_EMAIL=ada@example.org; unset MEM_ROOT MEM_HOME XDG_DATA_HOME "
        "XDG_STATE_HOME XDG_CACHE_HOME EDITOR VISUAL; umask 022; cd \"$(cat " +
        home + "/.cwd)\"\n" + command + "\ncode=$?; pwd > " + home + "/.cwd; exit $code";
    const auto output = run_process({"bash", "-c", script});
    if (!output) return "cannot run: " + output.error().message + "\n";
    std::string text = output->out;
    replace_all(text, home, "~");
    if (!text.empty() && text.back() != '\n') text += "\n";
    if (output->exit_code != 0) text += "[exit " + std::to_string(output->exit_code) + "]\n";
    return text;
  }

 private:
  TempDir temp_;
  fs::path home_ = fs::path(temp_.path());
};

class Transcript : public ::testing::TestWithParam<std::string> {};

TEST_P(Transcript, PrintsWhatItShows) {
  const fs::path file = fs::path(MEM_SOURCE_DIR) / "tests/cli" / (GetParam() + ".md");
  std::ostringstream expected;
  expected << std::ifstream(file).rdbuf();
  const auto lines = lines_of(expected.str());
  Shell shell;
  std::string actual;
  int commands = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    actual += lines[i] + "\n";
    if (lines[i] != "```console") continue;
    ++i;
    while (i < lines.size() && lines[i] != "```") {
      ASSERT_TRUE(lines[i].starts_with("$ ")) << "line " << i + 1 << ": expected `$ command`";
      std::string command = lines[i].substr(2);
      actual += lines[i++] + "\n";
      while (i < lines.size() && lines[i].starts_with("> ")) {
        command += "\n" + lines[i].substr(2);
        actual += lines[i++] + "\n";
      }
      actual += shell.run(command);
      ++commands;
      while (i < lines.size() && lines[i] != "```" && !lines[i].starts_with("$ ")) ++i;
    }
    actual += "```\n";
  }
  EXPECT_GT(commands, 0) << "a transcript without commands shows nothing";
  if (std::getenv("MEM_UPDATE_TRANSCRIPTS") != nullptr) {
    std::ofstream(file) << actual;
  } else {
    EXPECT_EQ(actual, expected.str());
  }
}

std::vector<std::string> transcripts() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(MEM_SOURCE_DIR) / "tests/cli"))
    if (entry.path().extension() == ".md") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cli, Transcript, ::testing::ValuesIn(transcripts()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace memfs::testing
