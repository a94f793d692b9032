#include "libmemfs/exchange/topic_folder.h"
#include "libmemfs/exchange/count_of.h"

#include <algorithm>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/compose_item.h"
#include "libmemfs/exchange/index_entries.h"
#include "libmemfs/format/link_address.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/format/yaml_diagnosis.h"

namespace memfs {
namespace {

bool is_hidden(std::string_view rel) { return leaf_of(rel).starts_with('.'); }

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool layout = c == '\t' || c == '\n' || c == '\r' || c == '\f';
  return (byte < 0x20 && !layout) || byte == 0x7F;
}

Error bad_byte(const std::string& path, std::string_view bytes, std::size_t offset,
               std::string message, std::string hint) {
  const Position at = position_of(bytes, offset);
  return make_error(ErrorCode::kInvalid, std::move(message))
      .at(path, at.line, at.column)
      .with_hint(std::move(hint));
}

bool is_any(std::string_view) { return true; }

// Components that are no names for a memory become slugs; "" if nothing helps.
std::string possible_name(const std::string& name) {
  if (is_linkable_name(name)) return name;
  std::string mended;
  for (std::string_view rest = name; !rest.empty();) {
    const auto slash = std::min(rest.find('/'), rest.size());
    const std::string component(rest.substr(0, slash));
    mended = join_path(mended, is_linkable_name(component) ? component : slug_of(component));
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  return is_linkable_name(mended) ? mended : std::string();
}

Instant written_at(const FileStat& stat) {
  return Instant(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(stat.mtime_ns)));
}

// Words without signs, for comparing what two places say.
std::string plain_words(std::string_view text) {
  std::string words;
  for (std::size_t pos = 0; pos < text.size();) {
    const auto begin = pos;
    if (is_letter_mark_or_digit(decode_utf8(text, pos))) words += text.substr(begin, pos - begin);
  }
  return fold_name(words);
}

// What is compared: pages have 200 lines, and a description stands at the beginning of its file.
constexpr std::size_t kMaxHooks = 1000;
constexpr std::uint64_t kMaxCompared = 1U << 16U;  // bytes of a file

// Whether the file says what the index says of it.
bool holds_hook(const TopicFolder& folder, const PagePointer& pointer, const std::string& rel) {
  const auto bytes = folder.root->read(rel, kMaxCompared);
  if (!bytes) return false;
  std::string_view hook = pointer.hook;
  // "[project/feedback pinned] …", as some write in front of it, are keys of the file.
  if (hook.starts_with('[')) hook.remove_prefix(std::min(hook.find(']'), hook.size() - 1) + 1);
  return plain_words(bytes->bytes).find(plain_words(hook)) != std::string::npos;
}

Result<Incoming> entry_item(std::string_view format, const std::string& rel, const PageNote& entry,
                            std::size_t number) {
  Incoming item;
  item.title = title_of_entry(entry);
  MEMFS_ASSIGN(item.bytes,
               compose_item({text_key("title", item.title), text_key("keywords", entry.headings)},
                            body_of_text(entry.text)));
  item.source = std::string(format) + ":" + rel + "#" + std::to_string(number);
  item.positional = true;
  item.says = {"title", "keywords"};
  item.line = entry.line;
  if (!entry.missing.file.empty())
    item.warnings.push_back("it points to " + escape_for_terminal(entry.missing.file) +
                            ", which is not there: the line itself is taken over");
  return item;
}

}  // namespace

Result<TopicFolder> TopicFolder::open(const ImportPlace& place, std::string_view format,
                                      NameFilter wanted_folder) {
  MEMFS_ASSIGN(Tree tree, walk_source(place, format, is_any, wanted_folder));
  TopicFolder folder;
  folder.root = std::move(tree.root);
  folder.source.bad = std::move(tree.bad);
  folder.source.notes = std::move(tree.notes);
  std::size_t others = 0;
  for (TreeFile& file : tree.files) {
    if (has_md(file.rel) && !is_hidden(file.rel)) {
      folder.files.push_back(std::move(file));
    } else {
      ++others;
    }
  }
  if (others > 0)
    folder.source.notes.push_back(count_of(others, "file is", "files are") +
                                  " no markdown, or hidden, and stayed where " +
                                  (others == 1 ? "it is" : "they are"));
  return folder;
}

bool TopicFolder::has(std::string_view rel) const {
  const auto at = std::lower_bound(files.begin(), files.end(), rel,
                                   [](const TreeFile& file, std::string_view wanted) {
                                     return std::string_view(file.rel) < wanted;
                                   });
  return at != files.end() && at->rel == rel;
}

std::string TopicFolder::path_of(const std::string& rel) const {
  return join_path(root->path(), rel);
}

Result<std::string> TopicFolder::read_raw(const std::string& rel) const {
  auto content = root->read(rel, kMaxFile);
  if (!content) return std::move(content.error()).at(path_of(rel));
  return std::move(content->bytes);
}

Result<std::string> TopicFolder::read(const std::string& rel) const {
  MEMFS_ASSIGN(std::string bytes, read_raw(rel));
  MEMFS_TRY(check_topic_bytes(path_of(rel), bytes));
  return bytes;
}

void TopicFolder::add(const std::string& rel, Result<Incoming> item) {
  if (item) {
    source.items.push_back(std::move(*item));
  } else {
    refuse(rel, std::move(item).error());
  }
}

void TopicFolder::refuse(const std::string& rel, Error error) {
  source.bad.push_back({rel, std::move(error)});
}

Result<void> check_topic_bytes(const std::string& path, std::string_view bytes) {
  if (bytes.empty())
    return make_error(ErrorCode::kInvalid, "the file is empty: a write may have been lost")
        .at(path)
        .with_hint("restore it from a backup, or remove it");
  if (const auto nul = bytes.find('\0'); nul != std::string_view::npos)
    return bad_byte(path, bytes, nul, "a NUL byte: the file is damaged",
                    "restore it from a backup, or remove the byte");
  if (const auto bad = find_invalid_utf8(bytes))
    return bad_byte(path, bytes, *bad, "a byte that is not UTF-8", "save the file as UTF-8");
  const auto control = std::find_if(bytes.begin(), bytes.end(), is_control);
  if (control != bytes.end())
    return bad_byte(path, bytes, static_cast<std::size_t>(control - bytes.begin()),
                    "a control character", "remove it");
  return {};
}

Result<void> check_topic(const std::string& path, std::string_view bytes) {
  Problem empty;
  const auto memory = read_memory({Scope::kPrivate, leaf_of(path), path}, bytes, &empty);
  if (!memory) return make_error(ErrorCode::kInvalid, empty.message).at(path).with_hint(empty.hint);
  const auto& problems = memory->problems;
  const auto bad = std::find_if(problems.begin(), problems.end(),
                                [](const Problem& problem) { return problem.blocks_writes; });
  if (bad == problems.end()) return {};
  return make_error(ErrorCode::kInvalid, bad->message)
      .at(path, bad->line, bad->column)
      .with_hint(bad->hint);
}

Incoming topic_item(std::string_view format, const TopicFolder& folder, const TreeFile& file,
                    std::string bytes, const std::string& rel) {
  Incoming item;
  const std::string name = memory_name(rel.empty() ? file.rel : rel);
  item.name = possible_name(name);
  if (item.name != name)
    item.warnings.push_back(
        escape_for_terminal(name) + " is no name for a memory: it is called " +
        (item.name.empty() ? std::string("by its title") : escape_for_terminal(item.name)));
  item.source = std::string(format) + ":" + file.rel;
  item.path = folder.path_of(file.rel);
  item.bytes = std::move(bytes);
  item.created = written_at(file.stat);
  return item;
}

void warn_of_quotes(Incoming& item, const std::vector<std::string>& keys) {
  std::string all;
  for (const std::string& key : keys) all += (all.empty() ? "`" : ", `") + key + "`";
  if (!keys.empty()) item.warnings.push_back("put into quotes, which YAML needs: " + all);
}

void add_index_entries(TopicFolder& folder, std::string_view format, const std::string& rel,
                       std::string_view page) {
  const auto in_folder = [&](const std::string& file) { return join_path(parent_of(rel), file); };
  const MemoryPage index =
      read_index_page(page, [&](const std::string& file) { return folder.has(in_folder(file)); });
  for (std::size_t i = 0; i < index.entries.size(); ++i) {
    auto item = entry_item(format, rel, index.entries[i], i + 1);
    if (!item) {
      folder.refuse(rel, std::move(item.error()).at(folder.path_of(rel), index.entries[i].line));
      continue;
    }
    item->path = folder.path_of(rel);
    folder.source.items.push_back(std::move(*item));
  }
  const std::size_t compared = std::min(index.pointers.size(), kMaxHooks);
  const auto lost = std::count_if(
      index.pointers.begin(), index.pointers.begin() + static_cast<std::ptrdiff_t>(compared),
      [&](const PagePointer& pointer) {
        return !pointer.hook.empty() && !holds_hook(folder, pointer, in_folder(pointer.file));
      });
  if (lost > 0)
    folder.source.notes.push_back(
        count_of(static_cast<std::size_t>(lost), "line of " + rel + " says",
                 "lines of " + rel + " say") +
        " something about a file that the file does not; only the file was taken over");
}

}  // namespace memfs
