#include "libmemfs/format/flat_reader.h"

#include <algorithm>

#include "libmemfs/format/flat_scalars.h"

namespace memfs {
namespace {

using flat::kNone;
using Kind = YamlNode::Kind;

constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxKeys = 100;  // they are compared with each other

// Recursive descent over the lines that hold something. Every function leaves the cursor on the
// first line it did not use; false means "not plain".
class FlatReader {
 public:
  explicit FlatReader(std::string_view block) : block_(block) {}

  bool read(YamlNode& root) {
    go_to(0);
    return indent_ == 0 && read_mapping(root, 0) && has_own_keys(root);
  }

 private:
  // Moves to the first line at or behind `pos` that is neither blank nor a comment.
  void go_to(std::size_t pos) {
    blank_lines_ = 0;
    comments_ = false;
    for (; pos < block_.size(); pos = next_) {
      const auto eol = block_.find('\n', pos);
      next_ = eol == kNone ? block_.size() : eol + 1;
      std::size_t end = eol == kNone ? block_.size() : eol;
      if (end > pos && block_[end - 1] == '\r') --end;
      while (end > pos && block_[end - 1] == ' ') --end;
      line_ = block_.substr(0, end);
      content_ = flat::skip_blanks(line_, pos);
      indent_ = static_cast<int>(content_ - pos);
      if (content_ < end && block_[content_] != '#') return;
      if (content_ < end) {
        comments_ = true;
      } else {
        ++blank_lines_;
      }
    }
    line_ = block_;
    content_ = next_ = block_.size();
    indent_ = -1;
  }

  bool at_dash() const {
    return indent_ >= 0 && line_[content_] == '-' &&
           (content_ + 1 == line_.size() || line_[content_ + 1] == ' ');
  }

  static bool has_own_keys(const YamlNode& mapping) {
    const auto& items = mapping.items;
    if (items.size() > 2 * kMaxKeys) return false;
    for (std::size_t i = 2; i < items.size(); i += 2)
      for (std::size_t j = 0; j < i; j += 2)
        if (items[i].text == items[j].text) return false;
    return true;
  }

  bool read_mapping(YamlNode& node, int indent) {
    if (++depth_ > kMaxDepth) return false;
    node.kind = Kind::kMapping;
    node.offset = content_;
    node.items.reserve(indent == 0 ? 16 : 4);
    while (indent_ == indent) {
      const auto colon = flat::end_of_key(line_, content_);
      if (colon == kNone) return false;
      YamlNode& key = node.items.emplace_back();
      key.kind = Kind::kScalar;
      key.offset = content_;
      key.text = block_.substr(content_, colon - content_);
      if (!read_value(node.items.emplace_back(), colon + 1, indent, true)) return false;
    }
    --depth_;
    return indent_ < indent;
  }

  bool read_sequence(YamlNode& node, int indent) {
    if (++depth_ > kMaxDepth) return false;
    node.kind = Kind::kSequence;
    node.offset = content_;
    while (indent_ == indent && at_dash()) {
      const auto pos = flat::skip_blanks(line_, content_ + 1);
      YamlNode& item = node.items.emplace_back();
      if (flat::end_of_key(line_, pos) == kNone) {
        if (!read_value(item, content_ + 1, indent, false)) return false;
        continue;
      }
      indent_ += static_cast<int>(pos - content_);
      content_ = pos;
      if (!read_mapping(item, indent_)) return false;
    }
    --depth_;
    return indent_ <= indent;
  }

  // The value that follows a colon or dash at `pos`, or stands on the lines below.
  bool read_value(YamlNode& node, std::size_t pos, int indent, bool of_key) {
    if (!flat::is_end(line_, pos)) return read_inline(node, flat::skip_blanks(line_, pos), indent);
    go_to(next_);
    if (indent_ > indent) return of_key && read_below(node, indent);
    if (of_key && indent_ == indent && at_dash()) return read_sequence(node, indent);
    node.offset = content_;  // a missing value stands where the next key does
    return true;
  }

  bool read_below(YamlNode& node, int indent) {
    if (at_dash()) return read_sequence(node, indent_);
    if (flat::end_of_key(line_, content_) != kNone) return read_mapping(node, indent_);
    return read_inline(node, content_, indent);
  }

  bool read_inline(YamlNode& node, std::size_t pos, int indent) {
    switch (line_[pos]) {
      case '"':
      case '\'':
        return ends_line(flat::read_quoted(line_, pos, node), indent);
      case '[':
        return ends_line(flat::read_list(line_, pos, node), indent);
      case '|':
      case '>':
        return read_block_scalar(node, pos, indent);
      default:
        return flat::starts_plain(line_, pos) && read_plain(node, pos, indent);
    }
  }

  // Nothing more of a value stands at `pos` or on the lines below.
  bool ends_line(std::size_t pos, int indent) {
    if (pos == kNone || !flat::is_end(line_, pos)) return false;
    go_to(next_);
    return indent_ <= indent;
  }

  bool read_plain(YamlNode& node, std::size_t pos, int indent) {
    auto end = flat::end_of_plain(line_, pos);
    if (end == kNone) return false;
    flat::set_plain(node, pos, block_.substr(pos, end - pos));
    while (end == line_.size()) {
      go_to(next_);
      if (indent_ <= indent) return true;
      if (comments_) return false;
      end = flat::end_of_plain(line_, content_);
      if (end == kNone) return false;
      node.kind = Kind::kScalar;
      fold(node.text, blank_lines_);
      node.text += block_.substr(content_, end - content_);
    }
    return ends_line(end, indent);
  }

  static void fold(std::string& text, std::size_t blank_lines) {
    text.append(std::max<std::size_t>(blank_lines, 1), blank_lines == 0 ? ' ' : '\n');
  }

  // `|`, `|-`, `>` and `>-`; with `>` all lines must be indented alike.
  bool read_block_scalar(YamlNode& node, std::size_t pos, int indent) {
    const bool folded = line_[pos] == '>';
    const auto header = line_.substr(pos + 1);
    if (!header.empty() && header != "-") return false;
    node.kind = Kind::kScalar;
    node.quoted = true;
    node.offset = pos;
    std::size_t blank_lines = 0;
    int own_indent = 0;
    for (pos = next_; pos < block_.size();) {
      const auto eol = block_.find('\n', pos);
      if (eol == kNone) return false;
      auto line = block_.substr(pos, eol - pos);
      if (line.ends_with('\r')) line.remove_suffix(1);
      const auto text = line.find_first_not_of(' ');
      if (text == kNone && !line.empty()) return false;
      if (text != kNone && static_cast<int>(text) <= indent) break;
      pos = eol + 1;
      if (text == kNone) {
        ++blank_lines;
        continue;
      }
      if (own_indent == 0) {
        own_indent = static_cast<int>(text);
        if (blank_lines > 0) return false;
      } else if (folded) {
        fold(node.text, blank_lines);
      } else {
        node.text.append(blank_lines + 1, '\n');
      }
      const bool odd = static_cast<int>(text) != own_indent || line.ends_with(' ');
      if (static_cast<int>(text) < own_indent || (folded && odd)) return false;
      node.text += line.substr(static_cast<std::size_t>(own_indent));
      blank_lines = 0;
    }
    if (own_indent == 0) return false;
    if (header.empty()) node.text += '\n';
    go_to(pos);
    return indent_ <= indent;
  }

  std::string_view block_;
  std::string_view line_{};      // the block up to the end of the line, without blanks there
  std::size_t content_ = 0;      // where the line's text starts
  std::size_t next_ = 0;         // where the next line starts
  int indent_ = -1;              // blanks before the text; -1 behind the last line
  std::size_t blank_lines_ = 0;  // skipped before the line
  bool comments_ = false;        // skipped before the line
  int depth_ = 0;
};

}  // namespace

std::optional<YamlBlock> read_flat_block(std::string_view block) {
  if (block.size() > kMaxYamlBlock || !flat::has_plain_bytes(block)) return std::nullopt;
  YamlBlock result;
  if (!FlatReader(block).read(result.root)) return std::nullopt;
  return result;
}

}  // namespace memfs
