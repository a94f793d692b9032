// CAR's assistant.json: a list of notes, each with subject, body and kind.
//
//   file := [ { "subject": text, "body": text, "kind": "fact" | "preference" | "procedure" }, … ]
//
// Notes written before there were kinds have none; another dialect writes `constraint` for a
// standing rule and `pattern` for a fact; a newer CAR may know kinds that we do not. What else a
// note has is kept in the key `car` of the memory, as JSON; so is a subject that is no title as it
// stands, since a title has one line and no blanks around it.
//
// CAR knows a note by its place in the list: what the target has stays in its order, and what is
// new goes behind.
#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/compose_item.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/exchange/import_reader.h"
#include "libmemfs/exchange/json_value.h"
#include "libmemfs/exchange/source_files.h"

namespace memfs {
namespace {

constexpr std::string_view kCarSource = "car:";
constexpr std::string_view kExtra = "car";  // the key for what is CAR's alone

// Lenient, as for all that is stored: what is not known is a fact.
std::string_view kind_of(std::string_view spelled, bool& known) {
  known = true;
  if (spelled == "preference" || spelled == "constraint") return "preference";
  if (spelled == "procedure") return "procedure";
  known = spelled.empty() || spelled == "fact" || spelled == "pattern";
  return "fact";
}

// How a title reads what a subject says.
std::string as_title(std::string_view subject) {
  std::string title(trim(subject));
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return title;
}

Error no_note(std::string message) {
  return make_error(ErrorCode::kInvalid, std::move(message))
      .with_hint("mend the note and import again, or leave it: the others do not need it");
}

class CarReader {
 public:
  explicit CarReader(std::string path) : path_(std::move(path)) {}

  ImportSource read(const JsonValue& notes) {
    for (std::size_t i = 0; i < notes.items.size(); ++i) take(notes.items[i], i);
    return std::move(source_);
  }

 private:
  void take(const JsonValue& note, std::size_t index) {
    auto item = item_of(note, index);
    if (item) {
      source_.items.push_back(std::move(*item));
      return;
    }
    Error error = std::move(item).error();
    error.path = path_;
    error.line = note.line;
    const std::string* subject = note.string("subject");
    source_.bad.push_back({subject == nullptr ? "" : *subject, std::move(error)});
  }

  static Result<Incoming> item_of(const JsonValue& note, std::size_t index) {
    if (!note.is(JsonValue::Kind::kObject))
      return no_note("a note is an object with subject and body");
    for (const char* key : {"subject", "body"})
      if (note.string(key) == nullptr)
        return no_note("the note has no text for `" + std::string(key) + "`");
    const JsonValue* kind = note.find("kind");
    if (kind != nullptr && !kind->is(JsonValue::Kind::kString) && !kind->is(JsonValue::Kind::kNull))
      return no_note("the note's kind is no text");
    Incoming item;
    item.title = *note.string("subject");
    item.source = std::string(kCarSource) + std::to_string(index);
    item.positional = true;
    item.says = {"title", "kind", std::string(kExtra)};
    item.line = note.line;
    bool known = true;
    const std::string spelled(kind == nullptr ? std::string_view() : trim(kind->text));
    const std::string_view meant = kind_of(spelled, known);
    if (!known)
      item.warnings.push_back("its kind `" + escape_for_terminal(spelled) +
                              "` is not known here: it is a fact");
    const bool is_title = as_title(item.title) == item.title;
    JsonValue extra;
    extra.kind = JsonValue::Kind::kObject;
    for (const auto& member : note.members) {
      const std::string& key = member.first;
      const bool ours = (key == "subject" && is_title) || key == "body" || (key == "kind" && known);
      if (!ours) extra.members.push_back(member);
    }
    MEMFS_ASSIGN(
        item.bytes,
        compose_item({text_key("title", item.title), text_key("kind", meant == "fact" ? "" : meant),
                      text_key(std::string(kExtra), extra.members.empty() ? "" : json_text(extra))},
                     body_of_text(*note.string("body"))));
    return item;
  }

  std::string path_;
  ImportSource source_{};
};

// Of a memory that came from a list: its place in it.
std::size_t place_of(const Memory& memory) {
  constexpr auto kLast = static_cast<std::size_t>(-1);
  if (!memory.source.starts_with(kCarSource)) return kLast;
  std::size_t index = 0;
  const char* const begin = memory.source.data() + kCarSource.size();
  const char* const end = memory.source.data() + memory.source.size();
  const auto parsed = std::from_chars(begin, end, index);
  return parsed.ec == std::errc{} && parsed.ptr == end ? index : kLast;
}

// What only CAR knows of the note, nullopt if there is nothing, or nothing that can be read.
std::optional<JsonValue> extra_of(const Memory& memory) {
  for (const auto& [key, text] : memory.extra) {
    if (key != kExtra) continue;
    auto extra = parse_json(text, memory.path);
    if (extra && extra->is(JsonValue::Kind::kObject)) return std::move(*extra);
  }
  return std::nullopt;
}

// What the note was called in the list, else what the memory is shown by.
std::string subject_of(const Memory& memory, const std::optional<JsonValue>& extra) {
  const std::string own = memory.has_title ? memory.title : "";
  const std::string* spelled = extra ? extra->string("subject") : nullptr;
  if (spelled != nullptr && as_title(*spelled) == own) return *spelled;
  return memory.has_title || memory.source.starts_with(kCarSource) ? own : memory.title;
}

std::string note_of(const Memory& memory) {
  const auto extra = extra_of(memory);
  const std::string* kind = extra && memory.kind == "fact" ? extra->string("kind") : nullptr;
  std::string note = "  {\n    \"subject\": " + json_string(subject_of(memory, extra)) +
                     ",\n    \"body\": " + json_string(text_of_body(memory.body)) +
                     ",\n    \"kind\": " + json_string(kind == nullptr ? memory.kind : *kind);
  if (extra)
    for (const auto& [key, value] : extra->members)
      if (key != "kind" && key != "subject" && key != "body")
        note += ",\n    " + json_string(key) + ": " + json_text(value);
  return note + "\n  }";
}

bool has_more(const Memory& memory) {
  return memory.has_description || !memory.type.empty() || !memory.tags.empty() ||
         !memory.keywords.empty() || !memory.subject_key.empty() || !memory.volatility.empty() ||
         memory.activation == "pinned" || memory.expires_at.has_value() ||
         std::any_of(memory.extra.begin(), memory.extra.end(),
                     [&](const auto& key) { return key.first != kExtra || !extra_of(memory); });
}

// The places of notes in the target as it is. A text that was edited is known by its subject.
class PresentNotes {
 public:
  explicit PresentNotes(const std::optional<std::string>& present) {
    const auto notes = present ? parse_json(*present, {}) : Result<JsonValue>(JsonValue());
    if (!notes) return;
    for (std::size_t i = 0; i < notes->items.size(); ++i) {
      const std::string* subject = notes->items[i].string("subject");
      const std::string* body = notes->items[i].string("body");
      if (subject == nullptr || body == nullptr) continue;
      whole_.emplace(std::pair(*subject, *body), i);
      by_subject_.emplace(*subject, i);
    }
  }

  std::size_t place_of(const Memory& memory) const {
    const std::string subject = subject_of(memory, extra_of(memory));
    const auto same = whole_.find({subject, std::string(text_of_body(memory.body))});
    if (same != whole_.end()) return same->second;
    const auto edited = by_subject_.find(subject);
    return edited == by_subject_.end() ? static_cast<std::size_t>(-1) : edited->second;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::size_t> whole_{};
  std::map<std::string, std::size_t> by_subject_{};
};

// In the order of the target, then in that of the lists that they came from, then by name.
std::vector<const Memory*> in_order(const ExportInput& input) {
  const PresentNotes present(input.present);
  std::vector<std::tuple<std::size_t, std::size_t, const Memory*>> placed;
  for (const ExportedMemory& one : input.memories)
    placed.emplace_back(present.place_of(one.memory), place_of(one.memory), &one.memory);
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  std::vector<const Memory*> ordered;
  for (const auto& [there, came, memory] : placed) ordered.push_back(memory);
  return ordered;
}

}  // namespace

Result<ImportSource> read_car(const ImportPlace& place) {
  MEMFS_ASSIGN(const SourceFile file, read_source_file(place, "car"));
  if (trim(file.bytes).empty())
    return make_error(ErrorCode::kInvalid, "the file is empty, and a store without notes holds []")
        .at(place.path, 1)
        .with_hint("a write was lost: restore it from a backup; it was left as it is");
  MEMFS_ASSIGN(const JsonValue notes, parse_json(file.bytes, place.path));
  if (!notes.is(JsonValue::Kind::kArray))
    return make_error(ErrorCode::kInvalid, "this is no list of notes")
        .at(place.path, notes.line)
        .with_hint("CAR keeps them in memory/assistant.json, which begins with [");
  ImportSource source = CarReader(place.path).read(notes);
  for (Incoming& item : source.items) item.path = place.path;
  return source;
}

Result<ExportOutput> write_car(const ExportInput& input) {
  const std::vector<const Memory*> ordered = in_order(input);
  ExportOutput output;
  std::string text = "[";
  std::size_t more = 0;
  for (const Memory* memory : ordered) {
    text += (text.size() > 1 ? ",\n" : "\n") + note_of(*memory);
    more += has_more(*memory) ? 1 : 0;
  }
  text += ordered.empty() ? "]\n" : "\n]\n";
  if (more > 0)
    output.notes.push_back("CAR holds title, text and kind: the other fields of " +
                           count_of(more, "memory", "memories") + " are not in it");
  output.memories = ordered.size();
  output.files.push_back({"", std::move(text)});
  return output;
}

}  // namespace memfs
