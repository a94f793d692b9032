// The notes of newt and hermes-agent: one text file of short entries.
//
//   file := entry { eol "§" eol entry }      a line that holds nothing else parts two entries
//         | { ["- "] entry eol }             newt's older form: no such line, an entry each line
//
// hermes-agent has two files: what it knows of the user is in USER.md, all else in MEMORY.md. Its
// files are always of the first form, and it writes to none that is more than entries and what
// parts them.
#include <memfs/settings.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/compose_item.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/entry_text.h"
#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/exchange/import_reader.h"
#include "libmemfs/exchange/source_files.h"

namespace memfs {
namespace {

constexpr std::string_view kPart = "§";
constexpr std::uint64_t kUserBudget = 1375;  // of hermes-agent's USER.md, in characters
constexpr char kNoteTag[] = "note";          // Notes::kTag: `save_note` finds them

struct NoteEntry {
  std::string_view text;
  int line = 0;
};

std::string_view next_line(std::string_view& rest) {
  const auto end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

bool has_part_line(std::string_view text) {
  while (!text.empty())
    if (trim(next_line(text)) == kPart) return true;
  return false;
}

// `text` begins on line `line`; blank lines around it are none of it.
void add_entry(std::vector<NoteEntry>& entries, std::string_view text, int line) {
  const std::string_view entry = trim(text);
  if (entry.empty()) return;
  const auto before = static_cast<std::size_t>(entry.data() - text.data());
  entries.push_back(
      {entry, line + static_cast<int>(std::count(
                         text.begin(), text.begin() + static_cast<std::ptrdiff_t>(before), '\n'))});
}

std::vector<NoteEntry> parted_entries(std::string_view text) {
  std::vector<NoteEntry> entries;
  std::string_view rest = text;
  std::size_t begin = 0;
  int first = 1;
  for (int line = 1; !rest.empty(); ++line) {
    const std::size_t at = text.size() - rest.size();
    if (trim(next_line(rest)) != kPart) continue;
    add_entry(entries, text.substr(begin, at - begin), first);
    begin = text.size() - rest.size();
    first = line + 1;
  }
  add_entry(entries, text.substr(begin), first);
  return entries;
}

std::vector<NoteEntry> line_entries(std::string_view text) {
  std::vector<NoteEntry> entries;
  for (int line = 1; !text.empty(); ++line) {
    std::string_view entry = trim(next_line(text));
    if (entry.starts_with("- ") || entry.starts_with("* ")) entry = trim(entry.substr(1));
    if (entry == "-" || entry == "*") continue;
    add_entry(entries, entry, line);
  }
  return entries;
}

bool is_of_user(std::string_view leaf) { return leaf == "USER.md"; }
bool is_of_hermes(std::string_view leaf) { return is_of_user(leaf) || leaf == "MEMORY.md"; }

struct NotesFile {
  std::string path;
  std::string source;     // "newt:"
  std::string_view type;  // of its memories, may be empty
};

void read_entries(const std::vector<NoteEntry>& entries, const NotesFile& file,
                  ImportSource& source) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string text(entries[i].text);
    const auto refuse = [&](Error error) {
      source.bad.push_back({"", std::move(error).at(file.path, entries[i].line)});
    };
    if (find_invalid_utf8(text) || text.find('\0') != std::string::npos) {
      refuse(make_error(ErrorCode::kInvalid, "the entry is no text: not UTF-8, or with NUL bytes")
                 .with_hint("it may be cut short: mend that entry, or restore the file"));
      continue;
    }
    Incoming item;
    item.title = title_from_text(text);
    auto bytes = compose_item(
        {text_key("title", item.title), text_key("type", file.type), list_key("tags", {kNoteTag})},
        body_of_text(text));
    if (!bytes) {
      refuse(std::move(bytes).error());
      continue;
    }
    item.bytes = std::move(*bytes);
    item.source = file.source + std::to_string(i);
    item.positional = true;
    item.entry = text;
    item.says = {"title"};
    if (!file.type.empty()) item.says.emplace_back("type");
    item.path = file.path;
    item.line = entries[i].line;
    source.items.push_back(std::move(item));
  }
}

// Where not one entry is text the file is none of notes.
Result<ImportSource> unless_all_bad(ImportSource source) {
  if (source.items.empty() && !source.bad.empty()) return std::move(source.bad.front().error);
  return source;
}

// Where a note stood in its file: notes of the same file in their order, others behind by name.
std::tuple<bool, std::string, std::size_t> place_of_note(const Memory& memory) {
  const std::size_t colon = memory.source.rfind(':');
  std::size_t index = 0;
  if (!came_as_entry(memory)) return {true, "", 0};
  std::from_chars(memory.source.data() + colon + 1, memory.source.data() + memory.source.size(),
                  index);
  return {false, memory.source.substr(0, colon), index};
}

// Alone, an entry of several lines would be read as an entry each line, and one with a bullet
// without it.
bool is_one_line_entry(std::string_view text) {
  const std::vector<NoteEntry> entries = line_entries(text);
  return entries.size() == 1 && entries.front().text == trim(text);
}

// A file of hermes-agent gets its half, any other file all.
std::vector<const Memory*> meant_for(const ExportInput& input, std::vector<std::string>& notes) {
  const std::string leaf = leaf_of(input.target);
  std::vector<const Memory*> meant;
  for (const ExportedMemory& one : input.memories)
    if (!is_of_hermes(leaf) || (one.memory.type == "user") == is_of_user(leaf))
      meant.push_back(&one.memory);
  if (const std::size_t others = input.memories.size() - meant.size(); others > 0)
    notes.push_back(count_of(others, "memory is", "memories are") +
                    (is_of_user(leaf) ? " not about the user (type: user): for MEMORY.md"
                                      : " about the user (type: user): for USER.md"));
  return meant;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) (void)decode_utf8(text, pos);
  return count;
}

}  // namespace

Result<ImportSource> read_newt(const ImportPlace& place) {
  MEMFS_ASSIGN(const SourceFile file, read_source_file(place, "newt"));
  const std::string_view text = without_byte_order_mark(file.bytes);
  ImportSource source;
  const std::string leaf = place.called.empty() ? leaf_of(place.path) : place.called;
  const bool parted = has_part_line(text) || is_of_hermes(leaf);
  read_entries(parted ? parted_entries(text) : line_entries(text), {place.path, "newt:", ""},
               source);
  return unless_all_bad(std::move(source));
}

Result<ImportSource> read_hermes(const ImportPlace& place) {
  ImportSource source;
  const auto take = [&](const std::string& path, std::string_view bytes) {
    const std::string leaf = leaf_of(path);
    read_entries(parted_entries(without_byte_order_mark(bytes)),
                 {path, "hermes:" + leaf + ":", is_of_user(leaf) ? "user" : ""}, source);
  };
  if (place.stat.kind != FileKind::kDirectory) {
    MEMFS_ASSIGN(const SourceFile file, read_source_file(place, "hermes"));
    take(place.path, file.bytes);
    return unless_all_bad(std::move(source));
  }
  MEMFS_ASSIGN(const auto folder, place.fs.open(place.path));
  bool found = false;
  for (const char* leaf : {"MEMORY.md", "USER.md"}) {
    bool there = false;
    MEMFS_ASSIGN(const std::string bytes, read_optional(*folder, leaf, there));
    found = found || there;
    if (there) take(join_path(place.path, leaf), bytes);
  }
  if (!found)
    return make_error(ErrorCode::kUsage, "there is neither MEMORY.md nor USER.md in this folder")
        .at(place.path);
  return unless_all_bad(std::move(source));
}

Result<ExportOutput> write_newt(const ExportInput& input) {
  ExportOutput output;
  std::vector<const Memory*> ordered = meant_for(input, output.notes);
  std::stable_sort(ordered.begin(), ordered.end(), [](const Memory* a, const Memory* b) {
    return place_of_note(*a) < place_of_note(*b);
  });
  std::string text;
  std::size_t parted = 0, titles_lost = 0;
  for (const Memory* memory : ordered) {
    const std::string entry = entry_text(*memory);
    if (has_part_line(entry)) {
      ++parted;
      continue;
    }
    titles_lost += entry_loses_title(*memory) ? 1 : 0;
    text += (text.empty() ? "" : "\n" + std::string(kPart) + "\n") + entry;
    ++output.memories;
  }
  if (!text.empty()) text += "\n";
  if (output.memories == 1 && !is_of_hermes(leaf_of(input.target)) && !is_one_line_entry(text))
    text += std::string(kPart) + "\n";
  if (parted > 0)
    output.notes.push_back(count_of(parted, "memory holds a line § of its own",
                                    "memories hold a line § of their own") +
                           " and cannot be an entry");
  if (titles_lost > 0)
    output.notes.push_back(count_of(titles_lost, "title that its note does not say is",
                                    "titles that their notes do not say are") +
                           " left out");
  if (output.memories > 0)
    output.notes.push_back(
        "entries hold text alone: kinds, tags, dates and all other fields are "
        "not in them");
  const std::uint64_t limit = is_of_user(leaf_of(input.target)) ? kUserBudget : kNotesBudget;
  if (const std::size_t size = characters(trim(text)); size > limit)
    output.notes.push_back("it has " + std::to_string(size) +
                           " characters, and newt and hermes-agent take " + std::to_string(limit) +
                           " if they are not told otherwise");
  output.files.push_back({"", std::move(text)});
  return output;
}

}  // namespace memfs
