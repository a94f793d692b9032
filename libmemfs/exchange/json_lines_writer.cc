// Our own JSON lines, written: each memory is one line with every byte of its file. The grammar is
// in docs/exchange.md. A line stands for itself: lines of several exports can be put together,
// sorted and picked out.
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/base64.h"
#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/setup/json_text.h"

namespace memfs {
namespace {

std::string text_or_null(std::string_view text) {
  return text.empty() ? "null" : setup::json_string(to_valid_utf8(text));
}

std::string date_or_null(const std::optional<Date>& date) {
  return date ? text_or_null(date->text) : "null";
}

std::string list(const std::vector<std::string>& words) {
  std::string made;
  for (const std::string& word : words)
    made += (made.empty() ? "" : ",") + setup::json_string(to_valid_utf8(word));
  return "[" + made + "]";
}

// Many programs end a text at NUL, and none can hold what is not UTF-8.
bool is_text(std::string_view bytes) {
  return !find_invalid_utf8(bytes) && bytes.find('\0') == std::string_view::npos;
}

class Line {
 public:
  void add(std::string_view key, std::string_view json) {
    text_ += (text_.empty() ? "{\"" : ",\"") + std::string(key) + "\":";
    text_ += json;
  }
  std::string take() { return std::move(text_) + "}\n"; }

 private:
  std::string text_{};
};

// What other programs want to know without reading front matter.
void add_fields(Line& line, const Memory& memory) {
  line.add("id", text_or_null(memory.id));
  line.add("title", text_or_null(memory.title));
  line.add("description", text_or_null(memory.description));
  line.add("type", text_or_null(memory.type));
  line.add("kind", text_or_null(memory.kind));
  line.add("activation", text_or_null(memory.activation));
  line.add("volatility", text_or_null(memory.volatility));
  line.add("subject_key", text_or_null(memory.subject_key));
  line.add("keywords", text_or_null(memory.keywords));
  line.add("tags", list(memory.tags));
  line.add("aliases", list(memory.aliases));
  line.add("source", text_or_null(memory.source));
  line.add("created_at", date_or_null(memory.created_at));
  line.add("updated_at", date_or_null(memory.updated_at));
  line.add("last_verified_at", date_or_null(memory.last_verified_at));
  line.add("expires_at", date_or_null(memory.expires_at));
  line.add("revision", memory.revision == 0 ? "null" : std::to_string(memory.revision));
}

std::string line_of(const ExportedMemory& exported) {
  const Memory& memory = exported.memory;
  Line line;
  line.add("mem", "1");
  line.add("scope", setup::json_string(name_of(memory.scope)));
  line.add("name", setup::json_string(to_valid_utf8(memory.name)));
  line.add("etag", setup::json_string(memory.etag));
  add_fields(line, memory);
  const bool plain = is_text(exported.bytes);
  line.add("body", is_text(memory.body) ? setup::json_string(memory.body) : "null");
  line.add("text", plain ? setup::json_string(exported.bytes) : "null");
  line.add("base64", plain ? "null" : setup::json_string(to_base64(exported.bytes)));
  return line.take();
}

}  // namespace

Result<ExportOutput> write_json_lines(const ExportInput& input) {
  ExportOutput output;
  std::string text;
  for (const ExportedMemory& exported : input.memories) text += line_of(exported);
  output.files.push_back({"", std::move(text)});
  output.memories = input.memories.size();
  return output;
}

}  // namespace memfs
