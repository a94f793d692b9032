#include "cli/hook_input.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "libmemfs/base/utf8.h"
#include "libmemfs/setup/json_text.h"

namespace memfs::cli {
namespace {

constexpr std::size_t kLongest = std::size_t{1} << 20U;

int milliseconds_until(std::chrono::steady_clock::time_point end) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

// Adds what is there; false at the end.
bool read_some(std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

std::string string_of(const setup::JsonNode& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const setup::JsonNode* value = object.find(name);
    if (value != nullptr && value->is_array() && !value->items.empty())
      value = &value->items.front().value;
    if (value != nullptr && value->is_string()) return value->text;
  }
  return {};
}

// Whether a folder is told. What is told and no text must not become that of another project.
bool tells_folder(const setup::JsonNode& object) {
  for (const char* name : {"cwd", "workspace_roots"}) {
    const setup::JsonNode* value = object.find(name);
    if (value != nullptr && value->kind != setup::JsonNode::Kind::kNull) return true;
  }
  return false;
}

}  // namespace

HookInput read_hook_input(std::chrono::steady_clock::time_point patience) {
  std::string text;
  if (::isatty(STDIN_FILENO) == 1) return {};
  while (text.size() <= kLongest) {
    pollfd wait = {STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&wait, 1, milliseconds_until(patience));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || !read_some(text)) break;
  }
  return text.size() > kLongest ? HookInput() : hook_input_of(text);
}

HookInput hook_input_of(std::string_view json) {
  const auto root = setup::parse_json(json);
  HookInput input;
  if (!root || !root->is_object()) return input;
  input.event = string_of(*root, {"hook_event_name", "hookEventName"});
  input.session = string_of(*root, {"session_id", "sessionId", "conversation_id"});
  input.folder = string_of(*root, {"cwd", "workspace_roots"});
  input.nowhere = input.folder.empty() && tells_folder(*root);
  input.prompt = string_of(*root, {"prompt"});
  return input;
}

std::optional<HookFormat> hook_format_named(std::string_view name) {
  if (name == "text") return HookFormat::kText;
  if (name == "json") return HookFormat::kSpecific;
  if (name == "cursor") return HookFormat::kCursor;
  return std::nullopt;
}

HookFormat hook_format_of(std::string_view event) {
  if (event == "sessionStart" || event == "beforeSubmitPrompt") return HookFormat::kCursor;
  const bool known = event == "SessionStart" || event == "UserPromptSubmit" ||
                     event == "BeforeAgent" || event == "SubagentStart";
  return known ? HookFormat::kSpecific : HookFormat::kText;
}

std::string hook_output(HookFormat format, const std::string& event, const std::string& text) {
  const std::string json = setup::json_string(to_valid_utf8(text));
  switch (format) {
    case HookFormat::kText:
      return text.empty() || text.ends_with('\n') ? text : text + "\n";
    case HookFormat::kSpecific:
      if (text.empty()) return {};
      return "{\"hookSpecificOutput\":{\"hookEventName\":" + setup::json_string(event) +
             ",\"additionalContext\":" + json + "}}\n";
    case HookFormat::kCursor:
      if (event == "beforeSubmitPrompt") return "{\"continue\":true}\n";
      return text.empty() ? "{}\n" : "{\"additional_context\":" + json + "}\n";
  }
  return {};
}

}  // namespace memfs::cli
