// Our own JSON lines, read. A line of an export holds the bytes of a file and a hash of them; a
// line that somebody made by hand or by a program holds fields.
#include <algorithm>
#include <array>
#include <set>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/base64.h"
#include "libmemfs/exchange/compose_item.h"
#include "libmemfs/exchange/import_reader.h"
#include "libmemfs/exchange/item_name.h"
#include "libmemfs/exchange/json_lines.h"
#include "libmemfs/exchange/json_value.h"
#include "libmemfs/exchange/source_files.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/field_table.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

using Kind = JsonValue::Kind;

constexpr char kFormat[] = "jsonl";

// Keys of a line that are no fields of a memory made from it.
constexpr std::array<std::string_view, 9> kOfTheLine = {
    "mem", "scope", "name", "etag", "text", "base64", "body", "revision", "id"};

Error invalid(std::string message, std::string hint) {
  return make_error(ErrorCode::kInvalid, std::move(message)).with_hint(std::move(hint));
}

Error wrong_type(std::string_view key, std::string_view wanted) {
  return invalid("`" + std::string(key) + "` is not " + std::string(wanted),
                 "docs/exchange.md says what each key of a line holds");
}

// The value of a key that is there and not null.
const JsonValue* value_of(const JsonValue& line, std::string_view key) {
  const JsonValue* const value = line.find(key);
  return value == nullptr || value->kind == Kind::kNull ? nullptr : value;
}

// "" if the key is not there.
Result<std::string> text_of(const JsonValue& line, std::string_view key) {
  const JsonValue* const value = value_of(line, key);
  if (value == nullptr) return std::string();
  if (!value->is(Kind::kString)) return wrong_type(key, "a text");
  return value->text;
}

Result<void> check_version(const JsonValue& line) {
  const JsonValue* const version = value_of(line, "mem");
  if (version == nullptr || (version->kind == Kind::kNumber && version->text == "1")) return {};
  return invalid("the line is of another format: mem " + escape_for_terminal(version->text),
                 "this version reads lines with \"mem\": 1");
}

bool leads_out(std::string_view name) {
  for (std::string_view rest = name;;) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (part.empty() || part == "." || part == "..") return true;
    if (part.size() == rest.size()) return false;
    rest.remove_prefix(part.size() + 1);
  }
}

Result<void> take_place(const JsonValue& line, Incoming& item) {
  MEMFS_ASSIGN(const std::string scope, text_of(line, "scope"));
  item.scope = scope_named(scope);
  if (!scope.empty() && !item.scope)
    return invalid("there is no scope `" + escape_for_terminal(scope) + "`",
                   "private, shared or global, or without the key");
  MEMFS_ASSIGN(const std::string name, text_of(line, "name"));
  if (name.empty()) return {};
  if (leads_out(name))
    return invalid("a memory cannot be called " + escape_for_terminal(name),
                   "a path below the scope's folder, without `.md`: deploy/rollback");
  item.name = name;
  return {};
}

// The bytes that an export wrote; nullopt if the line has none.
Result<std::optional<std::string>> bytes_of(const JsonValue& line) {
  const bool plain = value_of(line, "text") != nullptr;
  const bool coded = value_of(line, "base64") != nullptr;
  if (!plain && !coded) return std::optional<std::string>();
  if (plain && coded) return invalid("both `text` and `base64` are there", "remove one of them");
  MEMFS_ASSIGN(std::string text, text_of(line, plain ? "text" : "base64"));
  if (plain) return std::optional(std::move(text));
  auto bytes = from_base64(text);
  if (!bytes) return invalid("`base64` is not base64", "export again: the line was changed");
  return bytes;
}

Result<void> check_etag(const JsonValue& line, std::string_view bytes) {
  MEMFS_ASSIGN(const std::string etag, text_of(line, "etag"));
  if (etag.empty() || etag == content_hash(bytes)) return {};
  return invalid("its text is not the one that was exported: `etag` does not fit",
                 "if the change is meant, remove the key `etag` from the line");
}

// Fields beside a text tell what it says; where they were changed, the text counts.
Result<void> compare_fields(const JsonValue& line, Incoming& item) {
  Problem empty;
  const Scope scope = item.scope.value_or(Scope::kPrivate);
  const auto said = read_memory({scope, item.name + ".md", item.path}, item.bytes, &empty);
  if (!said) return {};  // the intake tells why
  MEMFS_ASSIGN(const JsonValue fields, parse_json("{" + fields_as_json(*said) + "}", item.path));
  std::string other;
  for (const auto& [key, value] : fields.members) {
    const JsonValue* const stated = line.find(key);
    if (stated != nullptr && json_text(*stated) != json_text(value))
      other += (other.empty() ? "`" : ", `") + key + "`";
  }
  const JsonValue* const body = value_of(line, "body");
  if (body != nullptr && body->text != said->body) other += other.empty() ? "`body`" : ", `body`";
  if (!other.empty())
    item.warnings.push_back("its text counts, which says something else than " + other);
  return {};
}

// A list of texts, numbers and truth values.
std::optional<std::vector<std::string>> words_of(const JsonValue& value) {
  std::vector<std::string> words;
  for (const JsonValue& word : value.items) {
    if (word.is(Kind::kArray) || word.is(Kind::kObject) || word.kind == Kind::kNull)
      return std::nullopt;
    words.push_back(word.text);
  }
  return words;
}

Result<KeyEdit> field_of(const Field& field, const JsonValue& value) {
  const std::string key(field.key);
  const bool takes_list = field.type == FieldType::kTags || field.type == FieldType::kWords;
  if (value.is(Kind::kArray) && takes_list)
    if (auto words = words_of(value)) return list_key(key, std::move(*words));
  if (value.is(Kind::kArray) || value.is(Kind::kObject))
    return wrong_type(key, takes_list ? "a list of texts" : "a text");
  const bool bare = field.type == FieldType::kDate && parse_date(value.text).has_value();
  return bare ? bare_key(key, value.text) : text_key(key, value.text);
}

// Whatever it is, it stays: as one value, as a list, else as the JSON that it was.
KeyEdit foreign_key(const std::string& key, const JsonValue& value) {
  if (value.is(Kind::kArray))
    if (auto words = words_of(value); words && !words->empty()) return list_key(key, *words);
  if (value.is(Kind::kArray) || value.is(Kind::kObject)) return text_key(key, json_text(value));
  return value.is(Kind::kString) ? text_key(key, value.text) : bare_key(key, value.text);
}

Result<void> add_own_fields(const JsonValue& line, std::vector<KeyEdit>& keys) {
  for (const Field& field : kFields) {
    const JsonValue* const value = value_of(line, field.key);
    if (value == nullptr || field.key == "id" || field.key == "revision") continue;
    MEMFS_ASSIGN(KeyEdit key, field_of(field, *value));
    keys.push_back(std::move(key));
  }
  return {};
}

bool is_key_of_the_line(std::string_view key) {
  return find_field(key) != nullptr || key == "aliases" ||
         std::find(kOfTheLine.begin(), kOfTheLine.end(), key) != kOfTheLine.end();
}

// What front matter can have as a key without quotes.
bool is_plain_key(std::string_view key) {
  if (key.empty() || key.size() > kMaxNameBytes || key.front() == '-') return false;
  return std::all_of(key.begin(), key.end(), [](char c) {
    const bool sign = is_ascii_punctuation(c) && c != '_' && c != '-' && c != '.';
    return !sign && static_cast<unsigned char>(c) > ' ' && c != '\x7F';
  });
}

std::string plain_key(const std::string& key, std::vector<std::string>& warnings) {
  if (is_plain_key(key)) return key;
  std::string made = slug_of(key);
  if (made.empty() || is_key_of_the_line(made)) made = "key-" + made;
  warnings.push_back("its key `" + escape_for_terminal(key) + "` is called " + made);
  return made;
}

Result<void> add_foreign_keys(const JsonValue& line, std::vector<KeyEdit>& keys, Incoming& item) {
  std::set<std::string> taken;
  for (const auto& [name, value] : line.members) {
    if (is_key_of_the_line(name) || value.is(Kind::kNull)) continue;
    const std::string key = plain_key(name, item.warnings);
    if (!taken.insert(key).second)
      return invalid("two keys would be called `" + key + "`", "give one of them another name");
    keys.push_back(foreign_key(key, value));
  }
  return {};
}

// Our own id stays one; that of another system is another name of the memory.
Result<void> add_identity(const JsonValue& line, std::vector<KeyEdit>& keys, Incoming& item) {
  const JsonValue* const id = value_of(line, "id");
  if (id != nullptr && (id->is(Kind::kArray) || id->is(Kind::kObject)))
    return wrong_type("id", "a text");
  std::vector<std::string> aliases;
  if (const JsonValue* const value = value_of(line, "aliases")) {
    auto words = words_of(*value);
    if (!value->is(Kind::kArray) || !words) return wrong_type("aliases", "a list of texts");
    aliases = std::move(*words);
  }
  if (id != nullptr && is_own_id(id->text)) {
    keys.push_back(bare_key("id", id->text));
  } else if (id != nullptr) {
    aliases.push_back(id->text);
  }
  keys.push_back(list_key("aliases", std::move(aliases)));
  const std::string stable = id != nullptr ? id->text : item.name;
  item.positional = stable.empty();
  item.source = "jsonl:" + (stable.empty() ? std::to_string(item.line) : stable);
  return {};
}

// A memory from the fields of a line.
Result<void> compose_fields(const JsonValue& line, Incoming& item) {
  MEMFS_ASSIGN(std::string body, text_of(line, "body"));
  MEMFS_ASSIGN(const std::string title, text_of(line, "title"));
  if (trim(body).empty() && trim(title).empty())
    return invalid("the line has no text: neither `text` nor `title` nor `body`",
                   "{\"title\": \"…\", \"body\": \"…\"} is enough");
  if (!body.empty() && !body.ends_with('\n')) body += '\n';
  std::vector<KeyEdit> keys;
  MEMFS_TRY(add_own_fields(line, keys));
  MEMFS_TRY(add_identity(line, keys, item));
  MEMFS_TRY(add_foreign_keys(line, keys, item));
  MEMFS_ASSIGN(item.bytes, compose_item(keys, body));
  return {};
}

Result<void> take_line(const JsonValue& line, Incoming& item) {
  if (!line.is(Kind::kObject))
    return invalid("a line of JSON that is no object", "one object in braces on each line");
  MEMFS_TRY(check_version(line));
  if (const JsonValue* const title = value_of(line, "title")) item.title = title->text;
  MEMFS_TRY(take_place(line, item));
  MEMFS_ASSIGN(auto bytes, bytes_of(line));
  // A file that had a name keeps it, also if no link can hold it.
  if (!item.name.empty() && (!bytes || escape_for_terminal(item.name) != item.name))
    item.name = name_of_path(item.name, item.warnings);
  if (!bytes) return compose_fields(line, item);
  MEMFS_TRY(check_etag(line, *bytes));
  item.bytes = std::move(*bytes);
  item.verbatim = true;
  return compare_fields(line, item);
}

// Whether a text or an object that begins in the line does not end in it.
bool is_open(std::string_view line) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (quoted && line[i] == '\\') ++i;
    if (!quoted && (line[i] == '{' || line[i] == '[')) ++depth;
    if (!quoted && (line[i] == '}' || line[i] == ']')) --depth;
  }
  return quoted || depth > 0;
}

class LinesReader {
 public:
  explicit LinesReader(const ImportPlace& place) : place_(place) {}

  Result<ImportSource> read() {
    MEMFS_ASSIGN(const SourceFile file, read_source_file(place_, kFormat));
    std::string_view rest = without_byte_order_mark(file.bytes);
    if (trim(rest).starts_with('['))
      return damaged(1, "it is one JSON array, and not an object on each line",
                     "`jq -c '.[]' FILE` makes lines of it");
    bool cut = false;  // the last line
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trim(rest.substr(0, end));
      cut = end == rest.size() && is_open(line);
      take(line);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (cut)
      return damaged(line_, "the file ends in the middle of this line: it was cut short",
                     "export it again; or remove this line, and the others can be imported");
    if (source_.items.empty() && !source_.bad.empty())
      return damaged(source_.bad.front().error.line,
                     "not one line can be read: " + source_.bad.front().error.message,
                     source_.bad.front().error.hint);
    return std::move(source_);
  }

 private:
  void take(std::string_view text) {
    ++line_;
    if (text.empty()) return;
    Incoming item;
    item.path = place_.path;
    item.line = line_;
    const auto line = parse_json(text, place_.path, line_);
    auto taken = line ? take_line(*line, item) : line.error();
    if (taken) return source_.items.push_back(std::move(item));
    Error error = std::move(taken).error();
    error.path = place_.path;
    error.line = line_;
    source_.bad.push_back({std::move(item.title), std::move(error)});
  }

  Error damaged(int line, std::string message, std::string hint) const {
    return invalid(std::move(message) + "; nothing was imported", std::move(hint))
        .at(place_.path, line);
  }

  const ImportPlace& place_;
  ImportSource source_{};
  int line_ = 0;
};

}  // namespace

Result<ImportSource> read_json_lines(const ImportPlace& place) { return LinesReader(place).read(); }

}  // namespace memfs
