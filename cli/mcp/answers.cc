#include "cli/mcp/answers.h"

#include "cli/json_parts.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/untrusted.h"
#include "cli/wording.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

// "private/editor, 12 characters", one of what an error lists.
std::string spoken_row(const Error::Row& row) {
  std::string line;
  for (const auto& [key, value] : row.cells) {
    if (key == "hash" || key == "kind" || value.empty()) continue;
    const bool counts = key == "characters" || key == "line" || key == "column";
    line += (line.empty() ? "" : ", ") + (counts ? key + " " : "") + to_valid_utf8(value);
  }
  return "- " + line;
}

}  // namespace

std::string refusal_text(const Error& said) {
  const Error error = guarded_error(said);
  std::string text = place_of(error.path, error.line, error.column) + error.message;
  if (!error.hint.empty()) text += "\n" + error.hint;
  for (const Error::Row& row : error.rows) text += "\n" + spoken_row(row);
  for (const auto& [key, value] : error.details)
    if (key == "left_out") text += "\n- and " + value + " more";
  return text;
}

mcp::ToolResult answer(mcp::Json structured) { return {std::move(structured), {}, false}; }

mcp::ToolResult refusal(const Error& error) {
  return {{{"error", refusal_parts(error)}}, refusal_text(error), true};
}

mcp::Json refusal_parts(const Error& error) { return error_parts(guarded_error(error)); }

mcp::Json forget_answer(const ForgetResult& result) {
  return guarded_texts({{"id", or_null(result.id)},
                        {"ref", result.ref},
                        {"archived_as", result.archived_as},
                        {"usage", usage_json(result.usage)}});
}

mcp::Json write_answer(const WriteResult& result) {
  mcp::Json json = written_json(result);
  json["created"] = result.created;
  if (result.restored) json["restored"] = revision_json(*result.restored);
  return guarded_texts(std::move(json));
}

mcp::Json write_schema() {
  using namespace schema;
  return schema::result({{"id", text_or_null()},
                         {"ref", text()},
                         {"path", text()},
                         {"revision", number(0, 1ULL << 53U)},
                         {"etag", text()},
                         {"created", flag()},
                         {"changed", flag()},
                         {"usage", any()},
                         {"warnings", texts()}},
                        {"ref", "path", "revision", "etag", "changed", "usage"});
}

}  // namespace memfs::cli
