#include "cli/mcp/protocol/shaping.h"

#include <algorithm>
#include <utility>

namespace memfs::mcp {

namespace {

void add_text(Json& json, const char* name, const std::string& text) {
  if (!text.empty()) json[name] = text;
}

// Titles came with 2025-06-18.
void add_title(Json& json, const std::string& title, Revision revision) {
  if (revision >= Revision::k2025_06_18) add_text(json, "title", title);
}

Json text_block(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

}  // namespace

Json server_info_json(const ServerInfo& info, Revision revision) {
  Json json = {{"name", info.name}, {"version", info.version}};
  add_title(json, info.title, revision);
  return json;
}

Json capabilities_json(const ServerInfo& info, Revision revision) {
  Json json = {{"tools", Json::object()}};
  if (info.resources) json["resources"] = {{"subscribe", true}, {"listChanged", true}};
  if (info.prompts) json["prompts"] = Json::object();
  if (info.completions && revision >= Revision::k2025_03_26) json["completions"] = Json::object();
  return json;
}

Json shape(const Tool& tool, Revision revision) {
  Json json = {{"name", tool.name}};
  add_title(json, tool.title, revision);
  add_text(json, "description", tool.description);
  json["inputSchema"] = tool.input_schema;
  if (revision >= Revision::k2025_06_18 && !tool.output_schema.is_null())
    json["outputSchema"] = tool.output_schema;
  if (revision >= Revision::k2025_03_26)
    json["annotations"] = {{"readOnlyHint", tool.read_only},
                           {"destructiveHint", tool.destructive},
                           {"idempotentHint", tool.idempotent},
                           {"openWorldHint", tool.open_world}};
  return json;
}

Json shape(const Resource& resource, Revision revision) {
  Json json = {{"uri", resource.uri}, {"name", resource.name}};
  add_title(json, resource.title, revision);
  add_text(json, "description", resource.description);
  add_text(json, "mimeType", resource.mime_type);
  if (resource.size) json["size"] = *resource.size;
  return json;
}

Json shape(const ResourceTemplate& resource, Revision revision) {
  Json json = {{"uriTemplate", resource.uri_template}, {"name", resource.name}};
  add_title(json, resource.title, revision);
  add_text(json, "description", resource.description);
  add_text(json, "mimeType", resource.mime_type);
  return json;
}

Json shape(const Prompt& prompt, Revision revision) {
  Json json = {{"name", prompt.name}};
  add_title(json, prompt.title, revision);
  add_text(json, "description", prompt.description);
  for (const PromptArgument& argument : prompt.arguments) {
    Json entry = {{"name", argument.name}};
    add_title(entry, argument.title, revision);
    add_text(entry, "description", argument.description);
    entry["required"] = argument.required;
    json["arguments"].push_back(std::move(entry));
  }
  return json;
}

Json shape(const ToolResult& result, Revision revision) {
  const bool structured = result.structured.is_object();
  const bool as_json = result.text.empty() && structured;
  Json json = {{"content", {text_block(as_json ? to_text(result.structured) : result.text)}}};
  if (structured && revision >= Revision::k2025_06_18)
    json["structuredContent"] = result.structured;
  if (result.is_error) json["isError"] = true;
  return json;
}

Json shape(const std::vector<ResourceText>& contents, Revision /*revision*/) {
  Json json = {{"contents", Json::array()}};
  for (const ResourceText& content : contents) {
    Json entry = {{"uri", content.uri}};
    add_text(entry, "mimeType", content.mime_type);
    entry["text"] = content.text;
    json["contents"].push_back(std::move(entry));
  }
  return json;
}

Json shape(const PromptText& prompt, Revision /*revision*/) {
  Json json = Json::object();
  add_text(json, "description", prompt.description);
  json["messages"] = Json::array();
  for (const PromptMessage& message : prompt.messages)
    json["messages"].push_back({{"role", message.from_assistant ? "assistant" : "user"},
                                {"content", text_block(message.text)}});
  return json;
}

Json shape(const Completion& completion, Revision /*revision*/) {
  constexpr std::size_t kMost = 100;  // the schema's maxItems
  const std::size_t count = std::min(completion.values.size(), kMost);
  Json json = {{"values", Json::array()}};
  for (std::size_t i = 0; i < count; ++i) json["values"].push_back(completion.values[i]);
  if (completion.total) json["total"] = *completion.total;
  json["hasMore"] = completion.has_more || count < completion.values.size();
  return {{"completion", std::move(json)}};
}

void add_cache_hint(Json& result, int ttl_ms, Revision revision) {
  if (!is_stateless(revision)) return;
  result["ttlMs"] = ttl_ms;
  result["cacheScope"] = "private";
}

Json finish_result(Json result, const ServerInfo& info, Revision revision) {
  if (!is_stateless(revision)) return result;
  result["resultType"] = "complete";
  result["_meta"]["io.modelcontextprotocol/serverInfo"] = server_info_json(info, revision);
  return result;
}

}  // namespace memfs::mcp
