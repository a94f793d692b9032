// Settings of programs on a real file system: what goes in comes out, and what cannot be
// understood is left alone.
#include <gtest/gtest.h>

#include <memfs/setup.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "libmemfs/base/posix_file_system.h"
#include "tests/support/memory_fs.h"
#include "tests/support/temp_dir.h"

namespace memfs {
namespace {

namespace fs = std::filesystem;
using testing::TempDir;
using Outcome = SetupStep::Outcome;

class Setup : public ::testing::Test {
 protected:
  Setup() {
    fs::create_directories(dir_ / "home");
    fs::create_directories(dir_ / "project");
    places_.home = dir_ / "home";
    places_.project = dir_ / "project";
    places_.state = dir_ / "state";
    options_.program = dir_ / "bin/mem";
  }

  SetupReport install(std::string_view harness) {
    return done(set_up(posix_, places_, harness, options_));
  }
  SetupReport remove(std::string_view harness) {
    return done(take_out(posix_, places_, harness, options_));
  }
  static SetupReport done(Result<SetupReport> report) {
    EXPECT_TRUE(report) << report.error().path << ": " << report.error().message;
    return report ? *report : SetupReport();
  }
  Error refused(std::string_view harness) {
    auto report = set_up(posix_, places_, harness, options_);
    EXPECT_FALSE(report);
    return report ? Error() : report.error();
  }
  // Every file below home and project with its bytes; folders end in a slash.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> all;
    for (const char* top : {"home", "project"})
      for (const auto& entry : fs::recursive_directory_iterator(dir_ / top)) {
        const std::string rel = fs::relative(entry.path(), dir_.path()).string();
        if (entry.is_directory())
          all[rel + "/"] = "";
        else
          all[rel] = dir_.read(rel);
      }
    return all;
  }

  TempDir dir_;
  PosixFileSystem posix_;
  SetupPlaces places_;
  SetupOptions options_;
};

TEST_F(Setup, WhatGoesIntoNothingComesOutWithItsFilesAndFolders) {
  for (const bool project : {false, true}) {
    options_.project = project;
    options_.instructions = project;
    for (const std::string& harness : setup_harnesses()) {
      const auto before = everything();
      const SetupReport made = install(harness);
      EXPECT_GE(made.files.size(), harness == "gemini" && !project ? 1U : 2U) << harness;
      for (const SetupStep& step : made.steps) EXPECT_EQ(step.outcome, Outcome::kMade) << step.part;
      EXPECT_NE(everything(), before) << harness;
      const SetupReport again = install(harness);
      EXPECT_TRUE(again.files.empty()) << harness;
      for (const SetupStep& step : again.steps)
        EXPECT_EQ(step.outcome, Outcome::kKept) << step.part;
      remove(harness);
      EXPECT_EQ(everything(), before) << harness;
    }
  }
}

// Files as people have them; each is planted at every place where setup writes.
const std::vector<std::string> kJson = {
    "{}",
    "{\n}\n",
    "",
    "\xEF\xBB\xBF{\r\n\t\"theme\": \"dark\"\r\n}",
    "{ \"hooks\": { } }",
    "{\n  // mine\n  \"hooks\": {\n    \"SessionStart\": [\n      { \"hooks\": [{ \"type\": "
    "\"command\", \"command\": \"date\" }] },\n    ],\n  },\n}\n",
    "{\"mcpServers\":{\"x\":{\"command\":\"y\"}},\"servers\":{\"x\":{}},\"version\":1}",
    "{\n    \"servers\": {},\n    \"mcpServers\": {\n    }, \"hooks\": {\"SessionStart\": [], "
    "\"sessionStart\":[], \"BeforeAgent\": [ ]}\n}"};
const std::vector<std::string> kToml = {"", "model = \"o\"", "[a]\r\nb = 1\r\n",
                                        "[mcp_servers.x]\ncommand = \"y\"\n\n"};

TEST_F(Setup, WhatElseStandsInTheFilesStaysByteForByte) {
  for (const std::string& harness : setup_harnesses()) {
    options_.dry_run = true;
    const SetupReport wanted = install(harness);
    options_.dry_run = false;
    for (std::size_t i = 0; i < kJson.size(); ++i) {
      for (const SetupFile& file : wanted.files) {
        const std::string rel = fs::relative(file.path, dir_.path()).string();
        dir_.write(rel, rel.ends_with(".toml") ? kToml[i % kToml.size()] : kJson[i]);
      }
      const auto before = everything();
      install(harness);
      EXPECT_TRUE(install(harness).files.empty()) << harness << i;
      remove(harness);
      EXPECT_EQ(everything(), before) << harness << " " << i;
    }
  }
}

TEST_F(Setup, TheOldBytesAreKeptWhereNobodyElseReadsThem) {
  dir_.write("home/.cursor/mcp.json", "{\"secret\": \"x\"}");
  const SetupReport report = install("cursor");
  ASSERT_FALSE(report.files.empty());
  const std::string kept = report.files.front().kept;
  EXPECT_EQ(dir_.read(fs::relative(kept, dir_.path()).string()), "{\"secret\": \"x\"}");
  EXPECT_EQ(fs::status(kept).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Setup, AnEntryThatWasEditedStaysAndIsToldOf) {
  const std::string mine =
      "{\"mcpServers\": {\n\"mem\": {\"command\": \"mem\", \"args\": [\"mcp\"], \"env\": {\"A\": "
      "\"1\"}}}}";
  dir_.write("home/.gemini/settings.json", mine);
  const SetupReport report = install("gemini");
  EXPECT_EQ(report.steps.at(0).outcome, Outcome::kLeft);
  EXPECT_NE(report.steps.at(0).note.find("line 2"), std::string::npos) << report.steps.at(0).note;
  EXPECT_EQ(report.steps.at(1).outcome, Outcome::kMade);
  const SetupReport removed = remove("gemini");
  for (const SetupStep& step : removed.steps)
    EXPECT_EQ(step.outcome, step.part == "server" ? Outcome::kLeft : Outcome::kRemoved)
        << step.part;
  EXPECT_EQ(dir_.read("home/.gemini/settings.json"), mine);
}

TEST_F(Setup, AMemThatIsGoneGivesWayAndOneThatIsThereDoesNot) {
  install("claude-code");
  install("codex");
  const std::string old_program = options_.program;
  options_.program = dir_ / "elsewhere/mem";
  dir_.write("bin/mem", "");
  for (const char* harness : {"claude-code", "codex"}) {
    const SetupReport kept = install(harness);
    EXPECT_TRUE(kept.files.empty());
    for (const SetupStep& step : kept.steps) EXPECT_EQ(step.outcome, Outcome::kLeft);
  }
  fs::remove(old_program);
  for (const char* harness : {"claude-code", "codex"}) {
    for (const SetupStep& step : install(harness).steps)
      EXPECT_EQ(step.outcome, Outcome::kChanged) << step.part;
  }
  EXPECT_EQ(dir_.read("home/.claude/settings.json").find(old_program), std::string::npos);
  EXPECT_NE(dir_.read("home/.codex/config.toml").find(options_.program), std::string::npos);
  remove("claude-code");
  remove("codex");
  for (const auto& [path, bytes] : everything()) EXPECT_TRUE(path.ends_with('/')) << path << bytes;
}

TEST_F(Setup, IfOneFileCannotBeReadNoneIsWritten) {
  dir_.write("home/.claude/settings.json", "{\n  \"hooks\": oops\n}\n");
  const auto before = everything();
  const Error error = refused("claude-code");
  EXPECT_EQ(error.code, ErrorCode::kInvalid);
  EXPECT_EQ(error.path, dir_ / "home/.claude/settings.json");
  EXPECT_EQ(error.line, 2);
  EXPECT_FALSE(error.hint.empty());
  EXPECT_EQ(everything(), before);
}

TEST_F(Setup, IfAFolderTakesNoFileNoneIsWritten) {
  fs::create_symlink("nowhere", dir_ / "home/.claude");
  fs::create_directories(dir_ / "home/.codex");
  dir_.write("home/.cursor", "");
  const auto before = everything();
  EXPECT_EQ(refused("claude-code").path, dir_ / "home/.claude");
  EXPECT_EQ(refused("cursor").code, ErrorCode::kRefused);
  if (::geteuid() != 0) {
    ::chmod((dir_ / "home/.codex").c_str(), 0555);
    EXPECT_EQ(refused("codex").path, dir_ / "home/.codex");
    ::chmod((dir_ / "home/.codex").c_str(), 0755);
  }
  EXPECT_EQ(everything(), before);
}

TEST_F(Setup, ALinkStaysALinkAndTheFileItLeadsToIsWritten) {
  dir_.write("home/dotfiles/claude.json", "{}\n");
  fs::create_symlink("dotfiles/claude.json", dir_ / "home/.claude.json");
  install("claude-code");
  EXPECT_TRUE(fs::is_symlink(dir_ / "home/.claude.json"));
  EXPECT_NE(dir_.read("home/dotfiles/claude.json").find("mcpServers"), std::string::npos);
  remove("claude-code");
  EXPECT_EQ(dir_.read("home/dotfiles/claude.json"), "{}\n");
}

TEST_F(Setup, AReadOnlyFileALinkToNowhereAndAFolderAreRefused) {
  dir_.write("home/.cursor/mcp.json", "{}");
  ::chmod((dir_ / "home/.cursor/mcp.json").c_str(), 0444);
  EXPECT_EQ(refused("cursor").code, ErrorCode::kRefused);
  EXPECT_EQ(dir_.read("home/.cursor/mcp.json"), "{}");
  fs::create_symlink("nowhere", dir_ / "home/.claude.json");
  EXPECT_EQ(refused("claude-code").code, ErrorCode::kRefused);
  fs::create_directories(dir_ / "home/.gemini/settings.json");
  EXPECT_EQ(refused("gemini").code, ErrorCode::kRefused);
}

TEST_F(Setup, AnExistingFileKeepsItsModeAndANewOneOfAPersonIsTheirs) {
  dir_.write("home/.codex/config.toml", "a = 1\n");
  ::chmod((dir_ / "home/.codex/config.toml").c_str(), 0640);
  install("codex");
  EXPECT_EQ(fs::status(dir_ / "home/.codex/config.toml").permissions(), fs::perms(0640));
  EXPECT_EQ(fs::status(dir_ / "home/.codex/hooks.json").permissions(), fs::perms(0600));
}

TEST_F(Setup, ALineOfInstructionsGoesInOnlyWhenAskedAndComesOutUnasked) {
  options_.project = true;
  dir_.write("project/CLAUDE.md", "# Rules\r\nTabs.");
  install("claude-code");
  EXPECT_EQ(dir_.read("project/CLAUDE.md"), "# Rules\r\nTabs.");
  options_.instructions = true;
  install("claude-code");
  const std::string text = dir_.read("project/CLAUDE.md");
  EXPECT_TRUE(text.starts_with("# Rules\r\nTabs.\r\n\r\nWhat ")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);  // an empty one and the line
  options_.instructions = false;
  remove("claude-code");
  EXPECT_EQ(dir_.read("project/CLAUDE.md"), "# Rules\r\nTabs.");
}

TEST_F(Setup, ALineOfInstructionsThatWasEditedStays) {
  options_.project = options_.instructions = true;
  install("codex");
  std::string text = dir_.read("project/AGENTS.md");
  text.insert(0, "Always: ");
  dir_.write("project/AGENTS.md", text);
  EXPECT_EQ(install("codex").steps.back().outcome, Outcome::kLeft);
  remove("codex");
  EXPECT_EQ(dir_.read("project/AGENTS.md"), text);
}

TEST_F(Setup, AProgramWithABlankInItsPathIsQuotedForTheShell) {
  options_.program = dir_ / "it's here/mem";
  install("vscode");
  EXPECT_NE(dir_.read("home/.copilot/hooks/mem.json").find("'\\\\''s here/mem' hook session-start"),
            std::string::npos)
      << dir_.read("home/.copilot/hooks/mem.json");
  for (const SetupStep& step : install("vscode").steps) EXPECT_EQ(step.outcome, Outcome::kKept);
}

TEST_F(Setup, AProgramOfAnotherNameKnowsItsOwnEntries) {
  options_.program = dir_ / "bin/mem-1.2";
  for (const std::string& harness : setup_harnesses()) {
    const auto before = everything();
    install(harness);
    EXPECT_TRUE(install(harness).files.empty()) << harness;
    remove(harness);
    EXPECT_EQ(everything(), before) << harness;
  }
}

TEST_F(Setup, AFileThatHoldsOnlyAByteOrderMarkTakesTheLineOfInstructions) {
  options_.project = options_.instructions = true;
  dir_.write("project/GEMINI.md", "\xEF\xBB\xBF");
  EXPECT_EQ(install("gemini").steps.back().outcome, Outcome::kMade);
  remove("gemini");
  EXPECT_EQ(dir_.read("project/GEMINI.md"), "\xEF\xBB\xBF");
}

TEST_F(Setup, HooksThatCopilotReadsTooHaveAVersion) {
  install("vscode");
  EXPECT_TRUE(dir_.read("home/.copilot/hooks/mem.json").starts_with("{\n  \"version\": 1,\n"))
      << dir_.read("home/.copilot/hooks/mem.json");
}

TEST_F(Setup, HooksOfOthersBesideOursStayAndOursGo) {
  install("cursor");
  std::string text = dir_.read("home/.cursor/hooks.json");
  text.insert(text.find("\"sessionStart\": [") + 17, "{\"command\": \"date\"},");
  dir_.write("home/.cursor/hooks.json", text);
  remove("cursor");
  const std::string left = dir_.read("home/.cursor/hooks.json");
  EXPECT_NE(left.find("date"), std::string::npos);
  EXPECT_EQ(left.find("hook session-start"), std::string::npos);
}

TEST_F(Setup, ManyAtOnceLeaveWhatOneLeaves) {
  const auto before = everything();
  std::vector<std::thread> all;
  for (int i = 0; i < 8; ++i) {
    all.emplace_back([this] {
      PosixFileSystem own;
      for (const std::string& harness : setup_harnesses())
        EXPECT_TRUE(set_up(own, places_, harness, options_)) << harness;
    });
  }
  for (std::thread& one : all) one.join();
  for (const std::string& harness : setup_harnesses()) remove(harness);
  EXPECT_EQ(everything(), before);
}

TEST_F(Setup, WhatStandsThereTwiceGoesTwice) {
  install("claude-code");
  for (const char* file : {"home/.claude.json", "home/.claude/settings.json"}) {
    std::string text = dir_.read(file);
    const bool hooks = text.find("SessionStart") != std::string::npos;
    const std::size_t begin =
        hooks ? text.find('{', text.find("\"SessionStart\"")) : text.find("\"mem\"");
    const std::size_t end = hooks ? text.find("\n    ]", begin) : text.find("\n  }", begin);
    text.insert(begin, text.substr(begin, end - begin) + ",");
    dir_.write(file, text);
  }
  remove("claude-code");
  EXPECT_EQ((dir_.read("home/.claude.json") + dir_.read("home/.claude/settings.json")).find("mem"),
            std::string::npos)
      << dir_.read("home/.claude.json") << dir_.read("home/.claude/settings.json");
  for (const SetupStep& step : remove("claude-code").steps)
    EXPECT_EQ(step.outcome, Outcome::kAbsent) << step.part;
}

TEST_F(Setup, ADryRunTellsAndWritesNothing) {
  options_.dry_run = true;
  const auto before = everything();
  const SetupReport report = install("gemini");
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_NE(report.files.front().diff.find("+    \"mem\": {"), std::string::npos)
      << report.files.front().diff;
  EXPECT_EQ(everything(), before);
  EXPECT_FALSE(fs::exists(dir_ / "state"));
}

TEST_F(Setup, StatesTellWhatIsThere) {
  dir_.write("home/.codex/config.toml", "x = [\n");
  install("claude-code");
  for (const HarnessState& state : harness_states(posix_, places_, options_)) {
    EXPECT_EQ(state.found, state.name == "claude-code" || state.name == "codex") << state.name;
    EXPECT_EQ(state.problem.empty(), state.name != "codex");
    for (const SetupStep& step : state.steps)
      EXPECT_EQ(step.outcome, state.name == "claude-code" ? Outcome::kKept : Outcome::kAbsent);
  }
}

TEST_F(Setup, AHomeAtTheTopOfTheFileSystemIsAHomeToo) {
  testing::MemoryFs memory;
  places_.home = "/";
  places_.state = "/state";
  ASSERT_TRUE(set_up(memory, places_, "claude-code", options_));
  EXPECT_NE(memory.bytes_of("/.claude.json").find("mcpServers"), std::string::npos);
  ASSERT_TRUE(take_out(memory, places_, "claude-code", options_));
  EXPECT_FALSE(memory.exists("/.claude.json"));
  EXPECT_FALSE(memory.exists("/.claude"));
}

TEST_F(Setup, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  const Error error = refused("emacs");
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_NE(error.hint.find("claude-code"), std::string::npos);
}

}  // namespace
}  // namespace memfs
