// Our own JSON lines: every byte of every memory, a line each.
//
//   line := { "mem": 1, "scope": scope, "name": name, "etag": hash, "text": file | "base64": file,
//             "title": text, … }
//
// `text` is the whole file; where it is no UTF-8 or holds NUL characters `base64` has it instead.
// `etag` is the hash of its bytes. The fields behind are for other programs and are not read. A
// line without `mem` was made by one of those: fields by the names of the front matter, `body`, and
// maybe `name` and `scope`.
#include <algorithm>
#include <array>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/base64.h"
#include "libmemfs/exchange/compose_item.h"
#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/exchange/import_reader.h"
#include "libmemfs/exchange/json_value.h"
#include "libmemfs/exchange/source_files.h"
#include "libmemfs/format/field_table.h"

namespace memfs {
namespace {

Error bad(std::string message, std::string hint = {}) {
  return make_error(ErrorCode::kInvalid, std::move(message)).with_hint(std::move(hint));
}

bool is_simple_key(std::string_view key) {
  return !key.empty() && key.size() <= 100 && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  }) && key.front() != '-';
}

// `scope` and `name` of a line, if it has them.
Result<void> take_place(const JsonValue& line, Incoming& item) {
  if (const JsonValue* scope = line.find("scope"); scope != nullptr) {
    item.scope = scope_named(scope->text);
    if (!item.scope) return bad("there is no such scope: " + escape_for_terminal(scope->text));
  }
  if (const JsonValue* name = line.find("name"); name != nullptr) {
    if (!name->is(JsonValue::Kind::kString) || name->text.empty())
      return bad("the line's name is no text");
    item.name = name->text;
  }
  return {};
}

Result<Incoming> whole_file(const JsonValue& line) {
  Incoming item;
  item.verbatim = true;
  MEMFS_TRY(take_place(line, item));
  if (!item.scope || item.name.empty()) return bad("the line has no scope or no name");
  if (const std::string* text = line.string("text"); text != nullptr) {
    item.bytes = *text;
  } else if (const std::string* base64 = line.string("base64"); base64 != nullptr) {
    auto bytes = bytes_of_base64(*base64);
    if (!bytes) return bad("the line's base64 is damaged");
    item.bytes = std::move(*bytes);
  } else {
    return bad("the line has no `text` and no `base64`");
  }
  const std::string* etag = line.string("etag");
  if (etag != nullptr && *etag != content_hash(item.bytes))
    return bad("the text is not the one that was exported: its hash is another",
               "take `etag` out of the line if it was changed on purpose");
  return item;
}

Result<KeyEdit> key_of(const std::string& key, const JsonValue& value) {
  if (!is_simple_key(key))
    return bad("`" + escape_for_terminal(key) + "` cannot be a key of a memory");
  switch (value.kind) {
    case JsonValue::Kind::kString:
      return text_key(key, value.text);
    case JsonValue::Kind::kNumber:
    case JsonValue::Kind::kBoolean:
      return bare_key(key, value.text);
    case JsonValue::Kind::kNull:
      return text_key(key, "");
    case JsonValue::Kind::kObject:
      return text_key(key, json_text(value));
    case JsonValue::Kind::kArray:
      break;
  }
  std::vector<std::string> items;
  for (const JsonValue& one : value.items)
    items.push_back(one.is(JsonValue::Kind::kString) ? one.text : json_text(one));
  return list_key(key, std::move(items));
}

// A line of another program.
Result<Incoming> fields(const JsonValue& line, int number) {
  Incoming item;
  MEMFS_TRY(take_place(line, item));
  item.source = "jsonl:" + std::to_string(number);
  item.positional = true;
  std::vector<KeyEdit> keys;
  const std::string* body = line.string("body");
  if (body == nullptr) return bad("the line has neither `text` nor `body`");
  for (const auto& [key, value] : line.members) {
    if (key == "scope" || key == "name" || key == "body" || key == "etag") continue;
    MEMFS_ASSIGN(KeyEdit edit, key_of(key, value));
    keys.push_back(std::move(edit));
  }
  MEMFS_ASSIGN(item.bytes, compose_item(keys, body->ends_with('\n') ? *body : body_of_text(*body)));
  return item;
}

Result<Incoming> item_of(std::string_view text, const std::string& path, int number) {
  MEMFS_ASSIGN(const JsonValue line, parse_json(text, path, number));
  if (!line.is(JsonValue::Kind::kObject)) return bad("the line is no object");
  const JsonValue* version = line.find("mem");
  if (version != nullptr && version->text != "1")
    return bad("the line is of a later version: mem " + escape_for_terminal(version->text),
               "a newer mem reads it");
  auto item = version == nullptr ? fields(line, number) : whole_file(line);
  if (item)
    if (const std::string* title = line.string("title")) item->title = *title;
  return item;
}

bool is_text(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos && !find_invalid_utf8(bytes);
}

void put(std::string& line, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  std::string shown(value);
  // No reader of JSON likes them; the file itself is in `base64`.
  for (std::size_t at = 0; (at = shown.find('\0', at)) != std::string::npos;)
    shown.replace(at, 1, "\xEF\xBF\xBD");
  line += "," + json_string(key) + ":" + json_string(shown);
}

std::string line_of(const ExportedMemory& one) {
  const Memory& memory = one.memory;
  std::string line = "{\"mem\":1";
  put(line, "scope", name_of(memory.scope));
  put(line, "name", memory.name);
  put(line, "etag", content_hash(one.bytes));
  if (is_text(one.bytes)) {
    line += ",\"text\":" + json_string(one.bytes);
  } else {
    line += ",\"base64\":" + json_string(base64_of(one.bytes));
  }
  put(line, "title", memory.title);
  put(line, "description", memory.description);
  put(line, "type", memory.type);
  put(line, "kind", memory.kind);
  put(line, "id", memory.id);
  if (!memory.tags.empty()) {
    line += ",\"tags\":[";
    for (std::size_t i = 0; i < memory.tags.size(); ++i)
      line += (i > 0 ? "," : "") + json_string(memory.tags[i]);
    line += "]";
  }
  return line + "}\n";
}

}  // namespace

Result<ImportSource> read_json_lines(const ImportPlace& place) {
  MEMFS_ASSIGN(const SourceFile file, read_source_file(place, "jsonl"));
  ImportSource source;
  std::string_view rest = file.bytes;
  for (int number = 1; !rest.empty(); ++number) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (trim(text).empty()) continue;
    auto item = item_of(text, place.path, number);
    if (item) {
      item->path = place.path;
      item->line = number;
      source.items.push_back(std::move(*item));
    } else {
      Error error = std::move(item).error();
      error.path = place.path;
      error.line = number;
      source.bad.push_back({"", std::move(error)});
    }
  }
  if (source.items.empty() && !source.bad.empty()) return std::move(source.bad.front().error);
  return source;
}

Result<ExportOutput> write_json_lines(const ExportInput& input) {
  ExportOutput output;
  std::string text;
  for (const ExportedMemory& one : input.memories) text += line_of(one);
  output.memories = input.memories.size();
  output.files.push_back({"", std::move(text)});
  return output;
}

}  // namespace memfs
