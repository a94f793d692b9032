// One markdown document for people: a part for each scope and type, a section for each memory.
#include <algorithm>
#include <array>

#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/exchange/markdown_parts.h"

namespace memfs {
namespace {

constexpr std::array<std::string_view, 5> kTypes = {"user", "feedback", "project", "reference", ""};
constexpr int kBelowMemory = 3;  // the level of a body's highest heading

std::string heading_of(Scope scope, std::string_view type) {
  std::string heading = "# " + std::string(name_of(scope));
  heading[2] = static_cast<char>(heading[2] - 'a' + 'A');
  return type.empty() ? heading : heading + ": " + std::string(type);
}

void add_word(std::string& line, std::string_view word) {
  if (!word.empty()) line += " · " + plain_in_markdown(word);
}

// The day of an instant; what is no date as it is.
std::string day_of(const std::optional<Date>& date) {
  if (!date) return {};
  return date->at ? date->text.substr(0, date->text.find_first_of("T ")) : date->text;
}

void add_day(std::string& line, std::string_view word, const std::string& day) {
  if (!day.empty()) add_word(line, std::string(word) + " " + day);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string facts_of(const Memory& memory) {
  std::string line = plain_in_markdown(memory.ref());
  if (memory.kind != "fact") add_word(line, memory.kind);
  if (memory.activation != "relevant") add_word(line, memory.activation);
  if (!memory.tags.empty()) add_word(line, "tags: " + joined(memory.tags));
  const std::string made = day_of(memory.created_at);
  const std::string changed = day_of(memory.updated_at);
  add_day(line, "made", made);
  if (changed != made) add_day(line, "changed", changed);
  add_day(line, "checked", day_of(memory.last_verified_at));
  add_day(line, "until", day_of(memory.expires_at));
  return "*" + line + "*\n";
}

std::string section_of(const Memory& memory) {
  std::string section = "\n## " + plain_in_markdown(memory.title) + "\n\n" + facts_of(memory);
  if (memory.has_description) section += "\n" + plain_in_markdown(memory.description) + "\n";
  const std::string text = text_below_title(memory);
  if (!text.empty() && text != memory.title) section += "\n" + as_part(text, kBelowMemory) + "\n";
  return section;
}

bool is_of_type(const Memory& memory, std::string_view type) {
  if (!type.empty()) return memory.type == type;
  return std::find(kTypes.begin(), kTypes.end() - 1, memory.type) == kTypes.end() - 1;
}

std::string part_of(const std::vector<ExportedMemory>& memories, Scope scope,
                    std::string_view type) {
  std::string part;
  for (const ExportedMemory& exported : memories)
    if (exported.memory.scope == scope && is_of_type(exported.memory, type))
      part += section_of(exported.memory);
  return part.empty() ? part : heading_of(scope, type) + "\n" + part;
}

void tell(std::vector<std::string>& notes, std::size_t count, std::string_view what) {
  if (count > 0)
    notes.push_back(count_of(count, "memory has ", "memories have ") + std::string(what));
}

}  // namespace

Result<ExportOutput> write_markdown(const ExportInput& input) {
  ExportOutput output;
  std::string text;
  for (const Scope scope : kScopes)
    for (const std::string_view type : kTypes) {
      const std::string part = part_of(input.memories, scope, type);
      if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
    }
  std::size_t odd = 0, extra = 0;
  for (const ExportedMemory& exported : input.memories) {
    odd += find_invalid_utf8(exported.memory.body) ? 1U : 0U;
    extra += exported.memory.extra.empty() ? 0U : 1U;
  }
  tell(output.notes, odd, "bytes that are not UTF-8; they are shown as U+FFFD");
  tell(output.notes, extra, "keys of other programs, which the document does not show");
  output.files.push_back({"", text.empty() ? "There are no memories.\n" : text});
  output.memories = input.memories.size();
  return output;
}

}  // namespace memfs
