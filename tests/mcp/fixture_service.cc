#include "tests/mcp/fixture_service.h"

#include <stdexcept>
#include <utility>

namespace memfs::testing {

using mcp::Json;

namespace {

Json object_schema(Json properties) {
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

mcp::Tool make_tool(const std::string& name, Json properties) {
  mcp::Tool tool;
  tool.name = name;
  tool.title = "The tool " + name;
  tool.description = "For tests: " + name;
  tool.input_schema = object_schema(std::move(properties));
  return tool;
}

mcp::ToolResult text_result(std::string text) {
  mcp::ToolResult result;
  result.text = std::move(text);
  return result;
}

// As far as `n` says, unless the client has had enough.
mcp::ToolResult count_to(const Json& arguments, mcp::CallContext& context) {
  const Json* n = mcp::member(arguments, "n");
  const int last = n != nullptr && n->is_number_integer() ? n->get<int>() : 0;
  int reached = 0;
  while (reached < last && !context.cancelled()) {
    ++reached;
    context.progress(reached, last, "at " + std::to_string(reached));
  }
  mcp::ToolResult result;
  result.structured = {{"reached", reached}};
  return result;
}

mcp::ToolResult refusal() {
  mcp::ToolResult result;
  result.structured = {{"error", "refused"}};
  result.text = "that is refused";
  result.is_error = true;
  return result;
}

}  // namespace

FixtureService::FixtureService(int resources) : resource_count_(resources) {
  info_ = {"fixture", "A fixture", "1.2.3", "For tests.", true, true, true, 60'000};
  tools_ = {make_tool("echo", Json::object()),
            make_tool("say", {{"text", {{"type", "string"}}}}),
            make_tool("refuse", Json::object()),
            make_tool("throw", Json::object()),
            make_tool("count", {{"n", {{"type", "integer"}}}}),
            make_tool("touch", {{"uri", {{"type", "string"}}}})};
  tools_[0].read_only = tools_[0].idempotent = true;
  tools_[0].output_schema = object_schema(Json::object());
  prompts_ = {{"greet", "Greet", "A greeting", {{"who", "Who", "Whom to greet", true}}}};
}

mcp::ToolResult FixtureService::call(const mcp::Tool& tool, const Json& arguments,
                                     mcp::CallContext& context) {
  ++calls_;
  roots_at_call_ = roots_;
  if (tool.name == "echo") return {arguments, "", false};
  if (tool.name == "refuse") return refusal();
  if (tool.name == "throw") throw std::runtime_error("thrown by a tool");
  if (tool.name == "count") return count_to(arguments, context);
  const std::string* text = mcp::string_member(arguments, tool.name == "say" ? "text" : "uri");
  if (tool.name == "touch" && text != nullptr) changes_.add(*text);
  return text_result(text == nullptr ? "nothing" : *text);
}

std::vector<mcp::Resource> FixtureService::resources() {
  std::vector<mcp::Resource> all;
  for (int i = 1; i <= resource_count_; ++i) {
    const std::string number = std::to_string(i);
    all.push_back({"note://" + number, "note-" + number, "Note " + number, "", "text/plain", 7});
  }
  return all;
}

std::vector<mcp::ResourceTemplate> FixtureService::resource_templates() {
  return {{"note://{number}", "note", "A note", "By its number", "text/plain"}};
}

Result<std::vector<mcp::ResourceText>> FixtureService::read(const std::string& uri) {
  for (const mcp::Resource& resource : resources())
    if (resource.uri == uri)
      return std::vector<mcp::ResourceText>{{uri, "text/plain", "This is " + resource.name}};
  return make_error(ErrorCode::kNotFound, "no such note").with_hint("list the resources");
}

Result<mcp::PromptText> FixtureService::prompt(const mcp::Prompt& /*prompt*/,
                                               const mcp::Arguments& arguments) {
  return mcp::PromptText{"A greeting", {{"Greet " + arguments.at("who"), false}, {"Hello", true}}};
}

Result<mcp::Completion> FixtureService::complete(const mcp::CompletionRequest& request) {
  mcp::Completion completion;
  for (int i = 1; i <= resource_count_; ++i)
    if (const auto number = std::to_string(i); number.starts_with(request.value))
      completion.values.push_back(number);
  completion.total = completion.values.size();
  return completion;
}

}  // namespace memfs::testing
