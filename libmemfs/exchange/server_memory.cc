// The knowledge graph of the MCP reference server `server-memory`: JSON lines.
//
//   line := { "type": "entity", "name": text, "entityType": text, "observations": [text, …] }
//         | { "type": "relation", "from": text, "to": text, "relationType": text }
//
// An entity is a memory: its observations a list, its type a tag, its relations links. What other
// versions of the server add to an entity is kept in the key `server_memory`, as JSON.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/compose_item.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/import_reader.h"
#include "libmemfs/exchange/json_value.h"
#include "libmemfs/exchange/source_files.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

struct Relation {
  std::string to{}, type{};
};

struct Entity {
  std::string name{}, type{};
  std::string extra{};  // JSON, "" for none
  std::vector<std::string> observations{};
  std::vector<Relation> relations{};
  std::string file{};  // the memory's name
  int line = 0;
};

Error bad_line(std::string message) {
  return make_error(ErrorCode::kInvalid, std::move(message))
      .with_hint("mend that line and import again, or leave it: the others do not need it");
}

// Of a file in which no line could be read, from what is wrong with the first.
Error no_graph(const Error& first) {
  return make_error(ErrorCode::kInvalid,
                    "no line of the file is an entity or a relation (" + first.message + ")")
      .at(first.path, first.line, first.column)
      .with_hint(
          "the server keeps its graph as JSON lines, in memory.jsonl; if this is the file, it "
          "is damaged: restore it from a backup");
}

// The members that are none of these.
std::string more_than(const JsonValue& line, std::initializer_list<std::string_view> known) {
  JsonValue more;
  more.kind = JsonValue::Kind::kObject;
  for (const auto& member : line.members)
    if (std::find(known.begin(), known.end(), member.first) == known.end())
      more.members.push_back(member);
  return more.members.empty() ? "" : json_text(more);
}

// On one line: a name in a link, a kind of relation.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

// As text that is no link: with a backslash before what begins one.
std::string unlinked(const std::string& given) {
  std::string text = one_line(given);
  if (text.find('[') == kNowhere) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool second = i > 0 && text[i] == '[' && text[i - 1] == '[' && out.ends_with("\\[");
    if (text[i] == '\\' || (text[i] == '[' && !second)) out += '\\';
    out += text[i];
  }
  return out;
}

std::string list_item(const std::string& text) {
  std::string item = "- ";
  for (const char c : text) {
    item += c;
    if (c == '\n') item += "  ";
  }
  return item + "\n";
}

class GraphReader {
 public:
  explicit GraphReader(std::string path) : path_(std::move(path)) {}

  Result<ImportSource> read(std::string_view text) {
    for (int number = 1; !text.empty(); ++number) {
      const auto end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (trim(line).empty()) continue;
      if (auto taken = take(line, number); !taken) refuse(number, std::move(taken).error());
    }
    if (entities_.empty() && relations_.empty() && !source_.bad.empty())
      return no_graph(source_.bad.front().error);
    relate();
    name_files();
    if (fuller_relations_ > 0)
      source_.notes.push_back(count_of(fuller_relations_,
                                       "relation says more than its type and its",
                                       "relations say more than their type and") +
                              " two ends, which is left out");
    for (const Entity& entity : entities_) add(entity);
    return std::move(source_);
  }

 private:
  void refuse(int line, Error error, std::string title = {}) {
    error.path = path_;
    error.line = line;
    source_.bad.push_back({std::move(title), std::move(error)});
  }

  Result<void> take(std::string_view text, int number) {
    MEMFS_ASSIGN(const JsonValue line, parse_json(text, path_, number));
    const std::string* type = line.string("type");
    if (type != nullptr && *type == "entity") return take_entity(line, number);
    if (type != nullptr && *type == "relation") return take_relation(line, number);
    return bad_line("the line is neither an entity nor a relation");
  }

  Result<void> take_entity(const JsonValue& line, int number) {
    const std::string* name = line.string("name");
    const JsonValue* observations = line.find("observations");
    if (name == nullptr || trim(*name).empty()) return bad_line("the entity has no name");
    if (observations == nullptr || !observations->is(JsonValue::Kind::kArray))
      return bad_line("the entity's observations are no list");
    Entity entity;
    entity.name = *name;
    entity.line = number;
    entity.extra = more_than(line, {"type", "name", "entityType", "observations"});
    const JsonValue* type = line.find("entityType");
    if (type != nullptr && !type->is(JsonValue::Kind::kString) && !type->is(JsonValue::Kind::kNull))
      return bad_line("the entity's type is no text");
    if (type != nullptr) entity.type = type->text;
    for (const JsonValue& one : observations->items) {
      if (!one.is(JsonValue::Kind::kString)) return bad_line("an observation is no text");
      entity.observations.push_back(one.text);
    }
    if (!by_name_.emplace(entity.name, entities_.size()).second)
      return bad_line("an entity of that name stands on line " +
                      std::to_string(entities_[by_name_.at(entity.name)].line));
    entities_.push_back(std::move(entity));
    return {};
  }

  Result<void> take_relation(const JsonValue& line, int number) {
    for (const char* key : {"from", "to", "relationType"})
      if (line.string(key) == nullptr)
        return bad_line("the relation has no text for `" + std::string(key) + "`");
    if (!more_than(line, {"type", "from", "to", "relationType"}).empty()) ++fuller_relations_;
    relations_.push_back(
        {number, *line.string("from"), {*line.string("to"), *line.string("relationType")}});
    return {};
  }

  // Relations may stand before their entities.
  void relate() {
    for (auto& [line, from, relation] : relations_) {
      const auto entity = by_name_.find(from);
      if (entity == by_name_.end()) {
        refuse(line, bad_line("the relation comes from an entity that is not there: " +
                              escape_for_terminal(from)));
      } else {
        entities_[entity->second].relations.push_back(std::move(relation));
      }
    }
  }

  // Names by which links find each entity, whichever stands first.
  void name_files() {
    std::set<std::string> used;
    std::map<std::string, int> last;  // number of a slug; the next one is looked for behind it
    for (Entity& entity : entities_) {
      std::string slug = slug_of(entity.name);
      if (!is_portable_name(slug)) slug = slug.empty() ? "entity" : slug + "-entity";
      entity.file = slug;
      while (!used.insert(entity.file).second) {
        int& number = last.try_emplace(slug, 1).first->second;
        entity.file = slug + "-" + std::to_string(++number);
      }
    }
  }

  void add(const Entity& entity) {
    Incoming item;
    item.title = entity.name;
    item.name = entity.file;
    item.source = "server-memory:" + one_line(entity.name);
    item.says = {"title", "tags", "entity_type", "server_memory"};
    item.path = path_;
    item.line = entity.line;
    auto bytes = compose_item(
        {text_key("title", entity.name), list_key("tags", tags_of(entity)),
         text_key("entity_type", entity.type), text_key("server_memory", entity.extra)},
        body_of(entity, item.warnings));
    if (!bytes) return refuse(entity.line, std::move(bytes).error(), entity.name);
    item.bytes = std::move(*bytes);
    source_.items.push_back(std::move(item));
  }

  static std::vector<std::string> tags_of(const Entity& entity) {
    if (trim(entity.type).empty()) return {};
    return {std::string(trim(entity.type))};
  }

  std::string body_of(const Entity& entity, std::vector<std::string>& warnings) const {
    std::string body;
    for (const std::string& observation : entity.observations) body += list_item(observation);
    if (!entity.relations.empty()) body += body.empty() ? "## Relations\n\n" : "\n## Relations\n\n";
    for (const Relation& relation : entity.relations) {
      const auto target = by_name_.find(relation.to);
      body += "- " + unlinked(relation.type) + " ";
      if (target == by_name_.end()) {
        warnings.push_back("a relation leads to an entity that is not there: " +
                           escape_for_terminal(relation.to));
        body += unlinked(relation.to) + "\n";
      } else {
        body += "[[" + entities_[target->second].file + "]]\n";
      }
    }
    return body.empty() ? "\n" : body;
  }

  struct Edge {
    int line;
    std::string from;
    Relation relation;
  };
  std::string path_;
  ImportSource source_{};
  std::vector<Entity> entities_{};
  std::map<std::string, std::size_t> by_name_{};
  std::vector<Edge> relations_{};
  std::size_t fuller_relations_ = 0;
};

}  // namespace

Result<ImportSource> read_server_memory(const ImportPlace& place) {
  MEMFS_ASSIGN(const SourceFile file, read_source_file(place, "server-memory"));
  return GraphReader(place.path).read(file.bytes);
}

}  // namespace memfs
