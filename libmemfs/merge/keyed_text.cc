#include "libmemfs/merge/keyed_text.h"

#include <algorithm>

#include "libmemfs/base/line_diff.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/block_layout.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/yaml_reader.h"
#include "libmemfs/merge/line_merge.h"

namespace memfs {
namespace {

constexpr auto npos = std::string_view::npos;

std::size_t line_begin(std::string_view text, std::size_t pos) {
  const auto eol = pos == 0 ? npos : text.rfind('\n', pos - 1);
  return eol == npos ? 0 : eol + 1;
}

// Takes the entries of a block that can be taken apart; false if it cannot.
bool take_entries(const YamlBlock& yaml, KeyedText& text) {
  if (yaml.has_alias_or_anchor || yaml.root.flow) return false;
  const auto layout = layout_of(text.block, yaml.root);
  // Lines with an indentation of their own would not stand beside those of another side.
  if (!layout || layout->flow || layout->indent > 0) return false;
  std::size_t done = 0;
  for (std::size_t i = 0; i < layout->entries.size(); ++i) {
    const BlockEntry& entry = layout->entries[i];
    const auto begin = line_begin(text.block, entry.key_begin);
    if (begin < done) return false;
    KeyedEntry taken;
    taken.key = entry.key;
    taken.leading = text.block.substr(done, begin - done);
    taken.raw = text.block.substr(begin, entry.entry_end - begin);
    taken.value = yaml.root.items[2 * i + 1];
    taken.text_block = entry.block_scalar;
    done = entry.entry_end;
    if (!taken.raw.ends_with('\n')) taken.raw += text.newline;
    text.entries.push_back(std::move(taken));
  }
  text.trailing = text.block.substr(done);
  return true;
}

void take_block(const YamlBlock& yaml, KeyedText& text) {
  const auto kind = yaml.root.kind;
  const bool mapping = kind == YamlNode::Kind::kMapping || kind == YamlNode::Kind::kNull;
  text.kind = mapping && take_entries(yaml, text) ? BlockKind::kKeys : BlockKind::kOpaque;
}

// Where a comment begins on a line of YAML, or npos: a "#" behind a blank that is in no quotes.
std::size_t comment_at(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool starts = i == 0 || std::string_view(" \t[{,:").find(line[i - 1]) != npos;
    if (quote != '\0') {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = '\0';
    } else if ((c == '"' || c == '\'') && starts) {
      quote = c;
    } else if (c == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return i;
    }
  }
  return npos;
}

}  // namespace

const KeyedEntry* KeyedText::find(std::string_view key) const {
  const auto it = std::find_if(entries.begin(), entries.end(),
                               [&](const KeyedEntry& entry) { return entry.key == key; });
  return it == entries.end() ? nullptr : &*it;
}

KeyedText cut_keys(std::string_view file, bool bare) {
  KeyedText text;
  text.newline = newline_of(file);
  if (bare) {
    text.block = file;
    const auto yaml = read_yaml(file);
    text.kind = BlockKind::kBroken;
    if (yaml) take_block(*yaml, text);
    return text;
  }
  const FrontMatter front = read_front_matter(file);
  if (front.state == BlockState::kNone || front.state == BlockState::kEmptyFile) {
    text.body = file;
    return text;
  }
  text.kind = BlockKind::kBroken;
  if (front.body_begin < front.block_end || front.block_end < front.block_begin ||
      front.block_begin == 0) {
    text.block = file;  // no closing fence: there is no telling where the text begins
    return text;
  }
  text.opening = file.substr(0, front.block_begin);
  text.block = file.substr(front.block_begin, front.block_end - front.block_begin);
  text.closing = file.substr(front.block_end, front.body_begin - front.block_end);
  text.body = file.substr(front.body_begin);
  if (front.state != BlockState::kReadable) return text;
  text.newline = front.newline == "\r\n" ? "\r\n" : "\n";
  take_block(front.yaml, text);
  return text;
}

YamlNode read_entry(std::string_view raw) {
  const auto yaml = read_yaml(raw);
  if (!yaml || yaml->root.items.size() != 2) return {};
  return yaml->root.items[1];
}

std::vector<std::string> comments_in(const KeyedEntry& entry) {
  std::vector<std::string> comments;
  for (const std::string_view line : lines_of(entry.raw)) {
    const auto at = comment_at(line);
    if (at != npos) comments.emplace_back(trim(line.substr(at)));
    // What looks like comments below may be text.
    if (entry.text_block) break;
  }
  return comments;
}

}  // namespace memfs
