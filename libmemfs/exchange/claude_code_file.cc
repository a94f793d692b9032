#include "libmemfs/exchange/claude_code_file.h"

#include <optional>
#include <vector>

#include "libmemfs/base/file_system.h"
#include "libmemfs/format/block_editor.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/link_address.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/format/yaml_writer.h"

namespace memfs {
namespace {

constexpr std::string_view kName = "name: ";
constexpr std::string_view kDescription = "description: ";
constexpr std::string_view kMetadata = "metadata:";
constexpr std::string_view kType = "  type: ";
// Behind the lines that are put on top, so that nobody's own keys are taken for them.
constexpr std::string_view kMark = "# mem: the keys above are for Claude Code";

// A topic file, not an entry of the index page.
bool came_as_file(const Memory& memory) {
  const std::string prefix = std::string(kClaudeFormat) + ":";
  return memory.source.starts_with(prefix) && memory.source.ends_with(".md");
}

bool is_our_identity(const std::string& key, const YamlNode& value) {
  return key == "mem_id" || (key == "id" && is_own_id(value.text));
}

// The keys that the import added, where it puts them.
std::vector<KeyEdit> added_keys(const YamlNode& root) {
  std::vector<KeyEdit> edits = {{"source", std::nullopt}};
  bool ours = false;  // an id of ours was seen
  bool behind_id = false;
  for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
    const std::string& key = root.items[i].text;
    const bool identity = is_our_identity(key, root.items[i + 1]);
    ours = ours || identity;
    // A date or revision of the file's own would stand elsewhere.
    if (identity || (key == "created_at" && behind_id) || (key == "revision" && ours))
      edits.push_back({key, std::nullopt});
    behind_id = identity;
  }
  return edits;
}

std::string without_empty_block(const std::string& file) {
  const FrontMatter front = read_front_matter(file);
  if (front.state != BlockState::kReadable || front.block_end > front.block_begin) return file;
  return (front.bom ? file.substr(0, 3) : "") + file.substr(front.body_begin);
}

std::string as_it_came(std::string_view bytes, const FrontMatter& front) {
  const auto stripped = edit_front_matter(bytes, added_keys(front.yaml.root));
  return stripped ? without_empty_block(*stripped) : std::string(bytes);
}

std::string type_for(const Memory& memory) {
  if (!memory.type.empty()) return memory.type;
  return memory.kind == "preference" ? "feedback" : "";
}

std::string missing_lines(const Memory& memory, const YamlNode& root, std::string_view rel,
                          const std::string& newline) {
  std::string lines;
  const auto add = [&](std::string_view key, std::string_view value) {
    lines += std::string(key) + yaml_scalar(value, false) + newline;
  };
  if (root.find("name") == nullptr) add(kName, leaf_of(without_md(rel)));
  if (root.find("description") == nullptr && !memory.description.empty())
    add(kDescription, memory.description);
  const std::string type = type_for(memory);
  if (root.find("metadata") == nullptr && !type.empty()) {
    lines += std::string(kMetadata) + newline;
    add(kType, type);
  }
  if (!lines.empty()) lines += std::string(kMark) + newline;
  return lines;
}

std::string with_keys(const Memory& memory, std::string_view bytes, const FrontMatter& front,
                      std::string_view rel) {
  const std::string lines = missing_lines(memory, front.yaml.root, rel, front.newline);
  if (lines.empty()) return std::string(bytes);
  const std::size_t bom = front.bom ? 3 : 0;
  const bool block = front.state == BlockState::kReadable;
  const std::size_t at = block ? front.block_begin : bom;
  std::string out(bytes.substr(0, at));
  out += block ? lines : "---\n" + lines + "---\n";
  out += bytes.substr(at);
  return out;
}

// Without the lines down to the mark; nullopt if there is none.
std::optional<std::string> without_keys(std::string_view bytes, const FrontMatter& front) {
  std::string_view rest = bytes.substr(front.block_begin, front.block_end - front.block_begin);
  for (const std::string_view start : {kName, kDescription, kMetadata, kType})
    if (rest.starts_with(start)) rest.remove_prefix(rest.find('\n') + 1);
  if (!rest.starts_with(kMark)) return std::nullopt;
  rest.remove_prefix(rest.find('\n') + 1);
  return std::string(bytes.substr(0, front.block_begin)) + std::string(rest) +
         std::string(bytes.substr(front.block_end));
}

std::optional<Memory> memory_of(std::string_view bytes, std::string_view rel) {
  Problem empty;
  return read_memory({Scope::kPrivate, std::string(rel), std::string(rel)}, bytes, &empty);
}

}  // namespace

std::string claude_file(const Memory& memory, std::string_view bytes, std::string_view rel) {
  const FrontMatter front = read_front_matter(bytes);
  if (front.state == BlockState::kBroken) return std::string(bytes);
  if (front.state == BlockState::kReadable && came_as_file(memory)) return as_it_came(bytes, front);
  return with_keys(memory, bytes, front, rel);
}

std::string from_claude_file(std::string_view bytes, std::string_view rel) {
  const FrontMatter front = read_front_matter(bytes);
  if (front.state != BlockState::kReadable) return std::string(bytes);
  const auto block = without_keys(bytes, front);
  if (!block) return std::string(bytes);
  // A file that had no block got one; what was edited there since is no longer what was put on.
  for (const std::string& before : {without_empty_block(*block), *block}) {
    const auto memory = memory_of(before, rel);
    if (memory && claude_file(*memory, before, rel) == bytes) return before;
  }
  return std::string(bytes);
}

}  // namespace memfs
