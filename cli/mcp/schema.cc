#include "cli/mcp/schema.h"

#include <vector>

namespace memfs::cli::schema {

using mcp::Json;

namespace {

Json typed(const char* type, std::string_view description) {
  Json schema = {{"type", type}};
  if (!description.empty()) schema["description"] = description;
  return schema;
}

Json names(std::initializer_list<const char*> words) {
  Json list = Json::array();
  for (const char* word : words) list.push_back(word);
  return list;
}

}  // namespace

Json text(std::string_view description) { return typed("string", description); }

Json choice(std::initializer_list<const char*> words, std::string_view description) {
  Json schema = typed("string", description);
  schema["enum"] = names(words);
  return schema;
}

Json texts(std::string_view description) { return list(text(), description); }

Json flag(std::string_view description) { return typed("boolean", description); }

Json number(std::uint64_t least, std::uint64_t most, std::string_view description) {
  Json schema = typed("integer", description);
  schema["minimum"] = least;
  schema["maximum"] = most;
  return schema;
}

Json fraction(std::string_view description) {
  Json schema = typed("number", description);
  schema["minimum"] = 0;
  schema["maximum"] = 1;
  return schema;
}

Json list(Json items, std::string_view description) {
  Json schema = typed("array", description);
  schema["items"] = std::move(items);
  return schema;
}

Json text_or_null() { return {{"type", {"string", "null"}}}; }

Json any() { return typed("object", {}); }

Json object(Json properties, std::initializer_list<const char*> required) {
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (required.size() > 0) schema["required"] = names(required);
  return schema;
}

Json arguments(Json properties, std::initializer_list<const char*> required) {
  properties["project"] = project();
  return object(std::move(properties), required);
}

Json result(Json properties, std::initializer_list<const char*> required) {
  properties["error"] = object({{"code", text()}, {"message", text()}}, {"code", "message"});
  Json schema = object(std::move(properties));
  schema["anyOf"] =
      Json::array({Json{{"required", names(required)}}, Json{{"required", {"error"}}}});
  return schema;
}

Json project() {
  return text("Absolute path of the project, if not the one this server was started for.");
}

}  // namespace memfs::cli::schema
