#include "libmemfs/setup/harness.h"

#include <algorithm>

#include "libmemfs/base/file_system.h"
#include "libmemfs/setup/json_text.h"

namespace memfs::setup {
namespace {

constexpr std::string_view kSessionStart = "hook session-start";
constexpr std::string_view kPrompt = "hook prompt";

Entry server(Form form, const std::string& container) {
  return {"server", form, {container}, "mem"};
}

Entry hook(std::string_view part, Form form, const std::string& event) {
  return {std::string(part), form, {"hooks", event}, ""};
}

Entry version() { return {"", Form::kVersion, {}, "version"}; }

std::string or_else(const std::string& folder, const std::string& usual) {
  return folder.empty() ? usual : folder;
}

struct Folders {
  std::string claude, claude_json, codex, cursor, gemini, copilot, code;
};

// The person's.
Folders folders_of(const SetupPlaces& places) {
  const std::string& home = places.home;
  Folders folders;
  folders.claude = or_else(places.claude, join_path(home, ".claude"));
  // Beside the folder, unless that was moved.
  folders.claude_json = join_path(or_else(places.claude, home), ".claude.json");
  folders.codex = or_else(places.codex, join_path(home, ".codex"));
  folders.cursor = join_path(home, ".cursor");
  folders.gemini = join_path(home, ".gemini");
  folders.copilot = join_path(home, ".copilot");
#ifdef __APPLE__
  folders.code = join_path(home, "Library/Application Support/Code/User");
#else
  folders.code = join_path(or_else(places.config_home, join_path(home, ".config")), "Code/User");
#endif
  return folders;
}

std::vector<EntryFile> claude_files(const SetupPlaces& places, bool project) {
  const Folders own = folders_of(places);
  const std::string servers = project ? join_path(places.project, ".mcp.json") : own.claude_json;
  const std::string folder = project ? join_path(places.project, ".claude") : own.claude;
  return {{servers, {server(Form::kTypedServer, "mcpServers")}},
          {join_path(folder, "settings.json"),
           {hook(kSessionStart, Form::kGroup, "SessionStart"),
            hook(kPrompt, Form::kGroup, "UserPromptSubmit")}}};
}

std::vector<EntryFile> codex_files(const SetupPlaces& places, bool project) {
  const std::string folder =
      project ? join_path(places.project, ".codex") : folders_of(places).codex;
  return {{join_path(folder, "config.toml"),
           {{"server", Form::kTomlServer, {"mcp_servers", "mem"}, ""}}},
          {join_path(folder, "hooks.json"),
           {hook(kSessionStart, Form::kGroup, "SessionStart"),
            hook(kPrompt, Form::kGroup, "UserPromptSubmit")}}};
}

// What a hook before a prompt prints does not reach the model there.
std::vector<EntryFile> cursor_files(const SetupPlaces& places, bool project) {
  const std::string folder =
      project ? join_path(places.project, ".cursor") : folders_of(places).cursor;
  return {{join_path(folder, "mcp.json"), {server(Form::kServer, "mcpServers")}},
          {join_path(folder, "hooks.json"),
           {version(), hook(kSessionStart, Form::kCall, "sessionStart")}}};
}

std::vector<EntryFile> gemini_files(const SetupPlaces& places, bool project) {
  const std::string folder =
      project ? join_path(places.project, ".gemini") : folders_of(places).gemini;
  return {
      {join_path(folder, "settings.json"),
       {server(Form::kServer, "mcpServers"), hook(kSessionStart, Form::kNamedGroup, "SessionStart"),
        hook(kPrompt, Form::kNamedGroup, "BeforeAgent")}}};
}

// As with Cursor, only the session's start takes a context. The folders of hooks are also those of
// Copilot's command line and cloud agent, which take no file without a version.
std::vector<EntryFile> vscode_files(const SetupPlaces& places, bool project) {
  const Folders own = folders_of(places);
  const std::string servers =
      join_path(project ? join_path(places.project, ".vscode") : own.code, "mcp.json");
  const std::string hooks = project ? join_path(places.project, ".github/hooks/mem.json")
                                    : join_path(own.copilot, "hooks/mem.json");
  return {{servers, {server(Form::kTypedServer, "servers")}},
          {hooks, {version(), hook(kSessionStart, Form::kTypedCall, "SessionStart")}}};
}

std::string instructions_path(std::string_view harness, const SetupPlaces& places, bool project) {
  const Folders own = folders_of(places);
  const std::string& top = places.project;
  if (harness == "claude-code") return join_path(project ? top : own.claude, "CLAUDE.md");
  if (harness == "codex") return join_path(project ? top : own.codex, "AGENTS.md");
  if (harness == "gemini") return join_path(project ? top : own.gemini, "GEMINI.md");
  return project ? join_path(top, "AGENTS.md") : std::string();
}

bool is_hook(const Entry& entry) { return entry.part.starts_with("hook "); }

std::string quoted(const std::string& program) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+").find(c) != std::string_view::npos;
  };
  if (std::all_of(program.begin(), program.end(), plain)) return program;
  std::string out = "'";
  for (const char c : program) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string unquoted(std::string_view word) {
  if (word.size() < 2 || word.front() != '\'' || word.back() != '\'') return std::string(word);
  std::string out;
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    if (word.substr(i).starts_with("'\\''")) i += 3;
    out += word[i];
  }
  return out;
}

}  // namespace

const std::vector<Harness>& harnesses() {
  static const std::vector<Harness> all = {{"claude-code", "Claude Code"},
                                           {"codex", "Codex"},
                                           {"cursor", "Cursor"},
                                           {"gemini", "Gemini CLI"},
                                           {"vscode", "VS Code"}};
  return all;
}

const Harness* find_harness(std::string_view name) {
  for (const Harness& harness : harnesses())
    if (harness.name == name) return &harness;
  return nullptr;
}

std::vector<EntryFile> files_of(std::string_view harness, const SetupPlaces& places, bool project) {
  if (harness == "claude-code") return claude_files(places, project);
  if (harness == "codex") return codex_files(places, project);
  if (harness == "cursor") return cursor_files(places, project);
  if (harness == "gemini") return gemini_files(places, project);
  return vscode_files(places, project);
}

std::optional<EntryFile> instructions_of(std::string_view harness, const SetupPlaces& places,
                                         bool project) {
  const std::string path = instructions_path(harness, places, project);
  if (path.empty()) return std::nullopt;
  return EntryFile{path, {{"instructions", Form::kLine, {}, ""}}};
}

std::vector<std::string> traces_of(std::string_view harness, const SetupPlaces& places) {
  const Folders own = folders_of(places);
  if (harness == "claude-code") return {own.claude, own.claude_json};
  if (harness == "codex") return {own.codex};
  if (harness == "cursor") return {own.cursor};
  if (harness == "gemini") return {own.gemini};
  return {own.code};
}

std::string hook_command(const Entry& entry, const std::string& program) {
  return quoted(program) + " " + entry.part;
}

std::string value_of(const Entry& entry, const std::string& program) {
  const std::string call = is_hook(entry) ? json_string(hook_command(entry, program)) : "";
  std::string typed = "{\"type\":\"command\",\"command\":" + call + "}";
  switch (entry.form) {
    case Form::kServer:
      return "{\"command\":" + json_string(program) + ",\"args\":[\"mcp\"]}";
    case Form::kTypedServer:
      return "{\"type\":\"stdio\",\"command\":" + json_string(program) + ",\"args\":[\"mcp\"]}";
    case Form::kTomlServer:
    case Form::kLine:
      return "What earlier sessions learned is kept by mem: ask its tool `recall` before you "
             "search "
             "or ask, and `remember` what later sessions should know. " +
             std::string(kLineMark);
    case Form::kVersion:
      return "1";
    case Form::kGroup:
      return "{\"hooks\":[" + typed + "]}";
    case Form::kNamedGroup:
      return "{\"hooks\":[{\"name\":\"mem\",\"type\":\"command\",\"command\":" + call +
             ",\"timeout\":5000}]}";
    case Form::kCall:
      return "{\"command\":" + call + "}";
    case Form::kTypedCall:
      return typed;
  }
  return {};
}

std::optional<std::string> program_of(const Entry& entry, std::string_view command,
                                      std::string_view own) {
  const std::size_t at = command.find(" " + entry.part);
  if (!is_hook(entry) || at == command.npos) return std::nullopt;
  std::string program = unquoted(command.substr(0, at));
  const std::string name = leaf_of(program);
  if (name != "mem" && name != leaf_of(own)) return std::nullopt;
  return program;
}

}  // namespace memfs::setup
