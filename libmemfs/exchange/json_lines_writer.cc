// Our own JSON lines, written: each memory is one line with every byte of its file. The grammar is
// in docs/exchange.md. A line stands for itself: lines of several exports can be put together,
// sorted and picked out.
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/base64.h"
#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/exchange/json_lines.h"
#include "libmemfs/exchange/json_value.h"

namespace memfs {
namespace {

// For showing: what no JSON text can hold, or no program likes to read, is U+FFFD.
std::string shown(std::string_view text) {
  std::string made = to_valid_utf8(text);
  for (auto at = made.find('\0'); at != std::string::npos; at = made.find('\0', at))
    made.replace(at, 1, "\xEF\xBF\xBD");
  return json_string(made);
}

std::string text_or_null(std::string_view text) { return text.empty() ? "null" : shown(text); }

std::string date_or_null(const std::optional<Date>& date) {
  return date ? text_or_null(date->text) : "null";
}

std::string list(const std::vector<std::string>& words) {
  std::string made;
  for (const std::string& word : words) made += (made.empty() ? "" : ",") + shown(word);
  return "[" + made + "]";
}

// Many programs end a text at NUL, and none can hold what is not UTF-8.
bool is_text(std::string_view bytes) {
  return !find_invalid_utf8(bytes) && bytes.find('\0') == std::string_view::npos;
}

void add(std::string& line, std::string_view key, std::string_view json) {
  line += (line.empty() ? "\"" : ",\"") + std::string(key) + "\":";
  line += json;
}

std::string line_of(const ExportedMemory& exported) {
  const Memory& memory = exported.memory;
  const bool plain = is_text(exported.bytes);
  std::string line;
  add(line, "mem", "1");
  add(line, "scope", json_string(name_of(memory.scope)));
  add(line, "name", shown(memory.name));
  add(line, "etag", json_string(memory.etag));
  line += "," + fields_as_json(memory);
  add(line, "body", is_text(memory.body) ? json_string(memory.body) : "null");
  add(line, "text", plain ? json_string(exported.bytes) : "null");
  add(line, "base64", plain ? "null" : json_string(to_base64(exported.bytes)));
  return "{" + line + "}\n";
}

}  // namespace

std::string fields_as_json(const Memory& memory) {
  std::string line;
  add(line, "id", text_or_null(memory.id));
  add(line, "title", text_or_null(memory.title));
  add(line, "description", text_or_null(memory.description));
  add(line, "type", text_or_null(memory.type));
  add(line, "kind", text_or_null(memory.kind));
  add(line, "activation", text_or_null(memory.activation));
  add(line, "volatility", text_or_null(memory.volatility));
  add(line, "subject_key", text_or_null(memory.subject_key));
  add(line, "keywords", text_or_null(memory.keywords));
  add(line, "tags", list(memory.tags));
  add(line, "aliases", list(memory.aliases));
  add(line, "source", text_or_null(memory.source));
  add(line, "created_at", date_or_null(memory.created_at));
  add(line, "updated_at", date_or_null(memory.updated_at));
  add(line, "last_verified_at", date_or_null(memory.last_verified_at));
  add(line, "expires_at", date_or_null(memory.expires_at));
  add(line, "revision", memory.revision == 0 ? "null" : std::to_string(memory.revision));
  return line;
}

Result<ExportOutput> write_json_lines(const ExportInput& input) {
  ExportOutput output;
  std::string text;
  for (const ExportedMemory& exported : input.memories) text += line_of(exported);
  output.files.push_back({"", std::move(text)});
  output.memories = input.memories.size();
  return output;
}

}  // namespace memfs
