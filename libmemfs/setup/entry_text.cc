#include "libmemfs/setup/entry_text.h"

#include <algorithm>

#include "libmemfs/setup/json_text.h"
#include "libmemfs/setup/toml_edit.h"

namespace memfs::setup {
namespace {

using State = FoundEntry::State;

int line_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  return static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
}

bool is_blank_file(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.find_first_not_of(" \t\r\n") == text.npos;
}

std::string canonical_value(const Entry& entry, const std::string& program) {
  const auto node = parse_json(value_of(entry, program));
  return node ? canonical(*node) : std::string();
}

// How an item compares with the entry; `program` is what it starts.
State compared(const Entry& entry, const JsonNode& item, const std::string& ours,
               const std::string& program) {
  const std::string there = canonical(item);
  if (there == canonical_value(entry, ours)) return State::kOurs;
  return !program.empty() && there == canonical_value(entry, program) ? State::kOtherProgram
                                                                      : State::kEdited;
}

// The programs that a hook's item calls with the entry's hook.
std::vector<std::string> programs_of(const Entry& entry, const JsonNode& item,
                                     const std::string& own) {
  std::vector<std::string> programs;
  const auto add = [&](const JsonNode& call) {
    const JsonNode* command = call.find("command");
    if (command == nullptr || !command->is_string()) return;
    if (auto program = program_of(entry, command->text, own))
      programs.push_back(std::move(*program));
  };
  add(item);
  if (const JsonNode* calls = item.find("hooks"); calls != nullptr && calls->is_array())
    for (const JsonItem& call : calls->items) add(call.value);
  return programs;
}

FoundEntry find_element(std::string_view text, const Entry& entry, const std::string& program,
                        const JsonNode& list) {
  FoundEntry best;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const JsonItem& item = list.items[i];
    const auto programs = programs_of(entry, item.value, program);
    if (programs.empty()) continue;
    const State state = compared(entry, item.value, program, programs.front());
    if (best.state != State::kAbsent && state != State::kOurs) continue;
    best = {state, line_of(text, item.begin), programs.front(), i, 0, 0};
    if (state == State::kOurs) break;
  }
  return best;
}

Result<FoundEntry> find_in_json(std::string_view text, const Entry& entry,
                                const std::string& program) {
  if (is_blank_file(text)) return FoundEntry();
  MEMFS_ASSIGN(const JsonNode root, parse_json(text));
  const JsonNode* container = container_at(root, entry.path);
  if (container == nullptr) return FoundEntry();
  if (entry.key.empty()) return find_element(text, entry, program, *container);
  const JsonNode* value = container->find(entry.key);
  if (value == nullptr) return FoundEntry();
  FoundEntry found;
  while (&container->items[found.index].value != value) ++found.index;
  found.line = line_of(text, container->items[found.index].begin);
  const JsonNode* command = value->find("command");
  if (command != nullptr) found.program = command->text;
  // Any version will do.
  found.state =
      entry.form == Form::kVersion ? State::kOurs : compared(entry, *value, program, found.program);
  return found;
}

TomlKeys toml_keys(const std::string& program) {
  return {{"command", toml_string(program)}, {"args", "[\"mcp\"]"}};
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

// What a string of TOML says, if it is one of the usual kind.
std::string toml_text(const std::string& value) {
  if (value.size() > 2 && value.front() == '\'' && value[1] != '\'')
    return value.substr(1, value.size() - 2);
  const auto node = parse_json(value);
  return node && node->is_string() ? node->text : std::string();
}

Result<FoundEntry> find_in_toml(std::string_view text, const Entry& entry,
                                const std::string& program) {
  MEMFS_ASSIGN(const auto table, find_toml_table(text, entry.path));
  FoundEntry found;
  if (!table) return found;
  found.line = table->line;
  found.begin = table->begin;
  found.end = table->end;
  found.state = State::kEdited;
  if (!table->plain || table->keys.size() != 2) return found;
  for (const auto& [key, value] : table->keys) {
    if (key == "command") found.program = toml_text(value);
    if (key == "args" && without_blanks(value) == "[\"mcp\"]") found.state = State::kOtherProgram;
  }
  if (found.program.empty()) found.state = State::kEdited;
  if (found.state == State::kOtherProgram && found.program == program) found.state = State::kOurs;
  return found;
}

FoundEntry find_line(std::string_view text, const Entry& entry) {
  FoundEntry found;
  const std::size_t mark = text.find(kLineMark);
  if (mark == text.npos) return found;
  found.begin = text.rfind('\n', mark) + 1;
  if (found.begin == 0 && text.starts_with("\xEF\xBB\xBF")) found.begin = 3;
  found.line = line_of(text, found.begin);
  found.end = std::min(text.find('\n', mark), text.size());
  std::string_view line = text.substr(found.begin, found.end - found.begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (found.end < text.size()) ++found.end;
  found.state = line == value_of(entry, "") ? State::kOurs : State::kEdited;
  return found;
}

bool is_json(const Entry& entry) {
  return entry.form != Form::kTomlServer && entry.form != Form::kLine;
}

Result<EntryInsertion> inserted(std::string_view text, const Entry& entry,
                                const std::string& program) {
  EntryInsertion made;
  if (is_json(entry)) {
    MEMFS_ASSIGN(JsonInsertion json,
                 insert_json(text, entry.path, entry.key, value_of(entry, program)));
    made.text = std::move(json.text);
    made.footprint.json = json.footprint;
    return made;
  }
  BlockInsertion block = entry.form == Form::kTomlServer
                             ? insert_toml_table(text, entry.path, toml_keys(program))
                             : append_block(text, value_of(entry, program) + newline_of(text));
  made.text = std::move(block.text);
  made.footprint.block = block.footprint;
  return made;
}

}  // namespace

Result<FoundEntry> find_entry(std::string_view text, const Entry& entry,
                              const std::string& program) {
  if (entry.form == Form::kLine) return find_line(text, entry);
  return is_json(entry) ? find_in_json(text, entry, program) : find_in_toml(text, entry, program);
}

Result<EntryInsertion> insert_entry(std::string_view text, const Entry& entry,
                                    const std::string& program) {
  MEMFS_ASSIGN(EntryInsertion made, inserted(text, entry, program));
  MEMFS_ASSIGN(const FoundEntry found, find_entry(made.text, entry, program));
  const auto back = remove_entry(made.text, entry, found, made.footprint);
  if (found.state != State::kOurs || !back || *back != text) {
    return make_error(ErrorCode::kUnsupported,
                      "the entry cannot be put in so that taking it out gives the same file again")
        .with_hint("put it in by hand; docs/agents.md shows it");
  }
  return made;
}

Result<std::string> remove_entry(std::string_view text, const Entry& entry, const FoundEntry& found,
                                 const EntryFootprint& footprint) {
  if (is_json(entry)) return remove_json(text, entry.path, found.index, footprint.json);
  return remove_block(text, found.begin, found.end, footprint.block);
}

Result<std::string> replace_program(std::string_view text, const Entry& entry,
                                    const FoundEntry& found, const std::string& program) {
  if (is_json(entry)) return replace_json(text, entry.path, found.index, value_of(entry, program));
  return replace_toml_value(text, entry.path, "command", toml_string(program));
}

}  // namespace memfs::setup
