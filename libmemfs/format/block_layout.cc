#include "libmemfs/format/block_layout.h"

#include <algorithm>

#include "libmemfs/format/yaml_diagnosis.h"

namespace memfs {
namespace {

using Kind = YamlNode::Kind;
constexpr auto npos = std::string_view::npos;

std::size_t line_begin(std::string_view text, std::size_t pos) {
  const auto eol = pos == 0 ? npos : text.rfind('\n', pos - 1);
  return eol == npos ? 0 : eol + 1;
}

std::size_t next_line(std::string_view text, std::size_t pos) {
  const auto eol = text.find('\n', pos);
  return eol == npos ? text.size() : eol + 1;
}

std::size_t skip_blanks(std::string_view text, std::size_t pos) {
  const auto found = text.find_first_not_of(" \t", pos);
  return found == npos ? text.size() : found;
}

bool at_line_end(std::string_view text, std::size_t pos) {
  return pos >= text.size() || text[pos] == '\n' || text.substr(pos, 2) == "\r\n";
}

bool is_blank_line(std::string_view text, std::size_t begin) {
  return at_line_end(text, skip_blanks(text, begin));
}

bool is_comment_line(std::string_view text, std::size_t begin) {
  const auto pos = skip_blanks(text, begin);
  return pos < text.size() && text[pos] == '#';
}

std::size_t indent_at(std::string_view text, std::size_t begin) {
  const auto content = text.find_first_not_of(' ', begin);
  return (content == npos ? text.size() : content) - begin;
}

// Behind the last byte of [begin, end) that is not blank.
std::size_t trim_end(std::string_view text, std::size_t begin, std::size_t end) {
  while (end > begin && std::string_view(" \t\r\n").find(text[end - 1]) != npos) --end;
  return end;
}

// Where a comment starts on the rest of a line of plain text, or the end of the line.
std::size_t end_of_plain_line(std::string_view text, std::size_t begin, std::size_t limit) {
  const auto end = std::min(next_line(text, begin), limit);
  for (std::size_t i = begin; i < end; ++i) {
    const bool after_blank = i == 0 || std::string_view(" \t\n").find(text[i - 1]) != npos;
    if (text[i] == '#' && after_blank) return trim_end(text, begin, i);
  }
  return trim_end(text, begin, end);
}

std::size_t end_of_plain(std::string_view text, std::size_t begin, std::size_t limit) {
  std::size_t end = end_of_plain_line(text, begin, limit);
  for (auto line = next_line(text, begin); line < limit; line = next_line(text, line)) {
    if (is_blank_line(text, line)) continue;
    if (is_comment_line(text, line)) break;
    end = end_of_plain_line(text, line, limit);
  }
  return end;
}

// Behind the bracket that closes the one at `open`, or npos.
std::size_t end_of_flow(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    // A quote opens a quoted text only where a value can start.
    const bool starts = i > 0 && std::string_view(" \t\r\n,[{:").find(text[i - 1]) != npos;
    if ((c == '"' || c == '\'') && starts) {
      const auto end = end_of_quoted(text, i);
      if (end == npos) return npos;
      i = end - 1;
    } else if (c == '#' && starts && text[i - 1] != ',' && text[i - 1] != '[') {
      i = next_line(text, i) - 1;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return npos;
}

// Behind the last byte of the line at `begin`, blanks included.
std::size_t content_end(std::string_view text, std::size_t begin, std::size_t limit) {
  auto end = std::min(next_line(text, begin), limit);
  if (end > begin && text[end - 1] == '\n') --end;
  if (end > begin && text[end - 1] == '\r') --end;
  return end;
}

// A block scalar goes on while lines are blank or deeper than its key.
std::size_t end_of_block_scalar(std::string_view text, std::size_t begin, std::size_t limit,
                                std::size_t key_indent) {
  std::size_t end = trim_end(text, begin, std::min(next_line(text, begin), limit));
  for (auto line = next_line(text, begin); line < limit; line = next_line(text, line)) {
    if (is_blank_line(text, line)) continue;
    if (indent_at(text, line) <= key_indent) break;
    end = content_end(text, line, limit);
  }
  return end;
}

bool ends_in_block_scalar(std::string_view block, const YamlNode& node) {
  const YamlNode* last = &node;
  while (!last->items.empty()) last = &last->items.back();
  return last->kind == Kind::kScalar && last->quoted && last->offset < block.size() &&
         (block[last->offset] == '|' || block[last->offset] == '>');
}

// A block collection ends with the last line before `limit` that is neither blank nor a comment.
// Deeper than the keys, "#" may be text of a block scalar at its end.
std::size_t end_of_collection(std::string_view block, const YamlNode& node, std::size_t limit,
                              std::size_t key_indent) {
  const bool keeps_hashes = ends_in_block_scalar(block, node);
  std::size_t end = limit;
  while (end > node.offset) {
    const auto line = line_begin(block, end - 1);
    const bool comment =
        is_comment_line(block, line) && (indent_at(block, line) <= key_indent || !keeps_hashes);
    if (line <= node.offset || (!is_blank_line(block, line) && !comment)) break;
    end = line;
  }
  return trim_end(block, node.offset, end);
}

Error unsupported(std::string_view block, std::size_t offset) {
  const Position at = position_of(block, offset);
  return make_error(ErrorCode::kInvalid, "this way of writing a key cannot be edited safely")
      .at({}, at.line, at.column)
      .with_hint("write it as `key: value` by hand first")
      .with("code", "yaml-layout");
}

// Skips `!tag` in front of a value.
std::size_t skip_tag(std::string_view block, std::size_t pos) {
  if (pos >= block.size() || block[pos] != '!') return pos;
  const auto end = block.find_first_of(" \t\r\n", pos);
  return end == npos ? block.size() : skip_blanks(block, end);
}

Result<void> place_value(std::string_view block, const YamlNode& value, std::size_t limit,
                         std::size_t key_indent, bool flow, BlockEntry& entry) {
  const auto behind = entry.colon + 1;
  const bool spelled = value.kind != Kind::kNull || !value.text.empty();
  if (!spelled) {
    entry.value_begin = entry.value_end = behind;
    return {};
  }
  auto begin = skip_blanks(block, behind);
  const bool later_line = at_line_end(block, begin) || block[begin] == '#';
  entry.value_begin = later_line ? value.offset : begin;
  begin = skip_tag(block, entry.value_begin);
  const char first = begin < block.size() ? block[begin] : '\n';
  std::size_t end = npos;
  if (value.kind == Kind::kScalar && (first == '"' || first == '\'')) {
    end = end_of_quoted(block, begin);
  } else if ((value.kind == Kind::kSequence || value.kind == Kind::kMapping) && value.flow) {
    end = end_of_flow(block, begin);
  } else if (flow) {
    end = trim_end(block, begin, std::min(block.find_first_of(",}", begin), block.size()));
  } else if (value.kind == Kind::kScalar && value.quoted && (first == '|' || first == '>')) {
    entry.block_scalar = true;
    end = end_of_block_scalar(block, begin, limit, key_indent);
  } else if (value.kind == Kind::kSequence || value.kind == Kind::kMapping) {
    end = end_of_collection(block, value, limit, key_indent);
  } else {
    end = end_of_plain(block, begin, limit);
  }
  if (end == npos || end > block.size()) return unsupported(block, entry.key_begin);
  entry.value_end = end;
  return {};
}

Result<BlockEntry> place_key(std::string_view block, const YamlNode& key) {
  BlockEntry entry;
  entry.key = key.text;
  entry.key_begin = key.offset;
  if (key.offset >= block.size() || key.anchored) return unsupported(block, key.offset);
  auto end = key.offset + key.text.size();
  if (key.quoted) {
    if (block[key.offset] != '"' && block[key.offset] != '\'')
      return unsupported(block, key.offset);
    end = end_of_quoted(block, key.offset);
    if (end == npos) return unsupported(block, key.offset);
  } else if (block.substr(key.offset, key.text.size()) != key.text) {
    return unsupported(block, key.offset);
  }
  entry.colon = skip_blanks(block, end);
  if (entry.colon >= block.size() || block[entry.colon] != ':')
    return unsupported(block, key.offset);
  return entry;
}

// Behind the entry's last line: block scalars own the blank lines that follow them.
std::size_t end_of_entry(std::string_view block, const BlockEntry& entry, const YamlNode& value,
                         std::size_t limit) {
  auto end = next_line(block, entry.value_end);
  if (!entry.block_scalar && !ends_in_block_scalar(block, value)) return end;
  while (end < limit && is_blank_line(block, end)) end = next_line(block, end);
  return end;
}

}  // namespace

Result<BlockLayout> layout_of(std::string_view block, const YamlNode& root) {
  BlockLayout layout;
  layout.flow = root.flow;
  if (layout.flow) {
    const auto end = end_of_flow(block, root.offset);
    if (end == npos) return unsupported(block, root.offset);
    layout.flow_end = end - 1;
  } else if (!root.items.empty()) {
    layout.indent = root.items.front().offset - line_begin(block, root.items.front().offset);
  }
  for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
    const YamlNode& value = root.items[i + 1];
    MEMFS_ASSIGN(BlockEntry entry, place_key(block, root.items[i]));
    const bool last = i + 2 >= root.items.size();
    const auto limit = last ? block.size() : line_begin(block, root.items[i + 2].offset);
    if (!layout.flow && entry.key_begin - line_begin(block, entry.key_begin) != layout.indent)
      return unsupported(block, entry.key_begin);
    MEMFS_TRY(place_value(block, value, layout.flow ? layout.flow_end : limit, layout.indent,
                          layout.flow, entry));
    if (!layout.flow) entry.entry_end = end_of_entry(block, entry, value, limit);
    layout.entries.push_back(std::move(entry));
  }
  return layout;
}

}  // namespace memfs
