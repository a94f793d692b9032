#include "libmemfs/format/block_editor.h"

#include <algorithm>

#include "libmemfs/format/block_layout.h"
#include "libmemfs/format/field_table.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/yaml_writer.h"

namespace memfs {
namespace {

using Form = NewValue::Form;

// Rank of a key among the store's own keys, or nothing for all other keys.
std::optional<std::size_t> owned_rank(std::string_view key) {
  const auto index = field_index(key);
  if (index && kFields.at(*index).owned) return index;
  return std::nullopt;
}

// `old` is the first character of the value that is replaced: its quotes stay.
std::string render(const NewValue& value, bool flow, char old) {
  switch (value.form) {
    case Form::kText:
      return yaml_scalar_like(old, value.text, flow);
    case Form::kList:
      return yaml_list(value.items);
    case Form::kBare:
      return value.text;
  }
  return {};
}

// A block, its reading and its spans, kept together while edits are made.
class Editor {
 public:
  Editor(std::string block, std::string newline)
      : block_(std::move(block)), newline_(std::move(newline)) {}

  Result<void> read() {
    MEMFS_ASSIGN(yaml_, read_yaml(block_));
    if (yaml_.has_alias_or_anchor) {
      return make_error(ErrorCode::kInvalid,
                        "the front matter has anchors or aliases and is not edited")
          .at({}, 1, 1)
          .with_hint("write the values out by hand first")
          .with("code", "yaml-alias");
    }
    MEMFS_ASSIGN(layout_, layout_of(block_, yaml_.root));
    return {};
  }

  Result<void> apply(const KeyEdit& edit) {
    const auto it = std::find_if(layout_.entries.begin(), layout_.entries.end(),
                                 [&](const BlockEntry& e) { return e.key == edit.key; });
    const bool present = it != layout_.entries.end();
    if (!present && !edit.value) return {};
    // What reads as meant already keeps its bytes.
    if (present && edit.value && reads_as(*yaml_.root.find(edit.key), *edit.value)) return {};
    const YamlNode before = yaml_.root;
    if (!edit.value) {
      clear(*it);
    } else if (present) {
      set(*it, *before.find(edit.key), *edit.value);
    } else {
      add(edit.key, *edit.value);
    }
    MEMFS_TRY(read());
    return verify(before, edit);
  }

  const std::string& block() const { return block_; }

 private:
  void splice(std::size_t begin, std::size_t end, std::string_view text) {
    block_.replace(begin, end - begin, text);
  }

  std::size_t line_begin(std::size_t pos) const {
    const auto eol = pos == 0 ? std::string::npos : block_.rfind('\n', pos - 1);
    return eol == std::string::npos ? 0 : eol + 1;
  }

  // A tab behind the old value would stand behind the new one, where not every reader takes it.
  std::size_t end_with_tabs(std::size_t end) const {
    const auto eol = std::min(block_.find_first_of("\r\n", end), block_.size());
    const auto rest = std::string_view(block_).substr(end, eol - end);
    const bool blank = rest.find_first_not_of(" \t") == std::string_view::npos;
    return blank && rest.find('\t') != std::string_view::npos ? eol : end;
  }

  void clear(const BlockEntry& entry) {
    if (!layout_.flow) {
      splice(line_begin(entry.key_begin), entry.entry_end, {});
      return;
    }
    const auto self = static_cast<std::size_t>(&entry - layout_.entries.data());
    if (self + 1 < layout_.entries.size()) {
      splice(entry.key_begin, layout_.entries[self + 1].key_begin, {});
    } else if (self > 0) {
      splice(layout_.entries[self - 1].value_end, entry.value_end, {});
    } else {
      splice(entry.key_begin, entry.value_end, {});
    }
  }

  void set(const BlockEntry& entry, const YamlNode& old, const NewValue& value) {
    if (value.form == Form::kList && old.kind == YamlNode::Kind::kSequence && !old.flow &&
        !value.items.empty()) {
      splice(entry.value_begin, entry.value_end, block_list(entry, value));
      return;
    }
    const char first = entry.value_begin < block_.size() ? block_[entry.value_begin] : '\0';
    const std::string text = render(value, layout_.flow, first);
    const bool same_line = block_.find('\n', entry.colon) >= entry.value_begin;
    if (same_line) {
      const bool glued = entry.value_begin == entry.colon + 1;
      splice(entry.value_begin, end_with_tabs(entry.value_end), glued ? " " + text : text);
      return;
    }
    // The value stands on later lines: it goes, and the new one stands behind the colon, so that
    // a comment between them stays.
    auto begin = line_begin(entry.value_begin);
    auto end = entry.value_end;
    const auto eol = block_.find('\n', end);
    const auto rest = std::string_view(block_).substr(end, eol - end);
    if (rest.find_first_not_of(" \t\r") == std::string_view::npos) {
      end = eol == std::string::npos ? block_.size() : eol + 1;
    } else {
      begin = entry.value_begin;
    }
    splice(begin, end, {});
    splice(entry.colon + 1, entry.colon + 1, " " + text);
  }

  // The items in the list's own indentation and dash style.
  std::string block_list(const BlockEntry& entry, const NewValue& value) const {
    const std::string indent = block_.substr(line_begin(entry.value_begin),
                                             entry.value_begin - line_begin(entry.value_begin));
    std::string out;
    for (const std::string& item : value.items) {
      if (!out.empty()) out += newline_ + indent;
      out += "- " + yaml_scalar(item, false);
    }
    return out;
  }

  void add(const std::string& key, const NewValue& value) {
    const std::string text = key + ": " + render(value, layout_.flow, '\0');
    if (layout_.flow) {
      const auto at =
          layout_.entries.empty() ? yaml_.root.offset + 1 : layout_.entries.back().value_end;
      splice(at, at, layout_.entries.empty() ? text : ", " + text);
      return;
    }
    const auto at = place_for(key);
    splice(at, at, std::string(layout_.indent, ' ') + text + newline_);
  }

  // Behind the person's own keys; the store's keys keep their order at the end of the block.
  std::size_t place_for(const std::string& key) const {
    const auto& entries = layout_.entries;
    if (entries.empty()) return block_.size();
    const auto rank = owned_rank(key);
    std::size_t index = entries.size();
    while (index > 0) {
      const auto other = owned_rank(entries[index - 1].key);
      if (!other || (rank && *other < *rank)) break;
      --index;
    }
    return index == 0 ? line_begin(entries.front().key_begin) : entries[index - 1].entry_end;
  }

  Result<void> verify(const YamlNode& before, const KeyEdit& edit) const {
    const YamlNode& after = yaml_.root;
    std::vector<const YamlNode*> kept_before = all_but(before, edit.key);
    std::vector<const YamlNode*> kept_after = all_but(after, edit.key);
    const bool others_equal =
        kept_before.size() == kept_after.size() &&
        std::equal(kept_before.begin(), kept_before.end(), kept_after.begin(),
                   [](const YamlNode* a, const YamlNode* b) { return a->same_value(*b); });
    const YamlNode* now = after.find(edit.key);
    const bool as_meant =
        edit.value ? now != nullptr && reads_as(*now, *edit.value) : now == nullptr;
    if (others_equal && as_meant) return {};
    return make_error(ErrorCode::kInvalid,
                      "`" + edit.key + "` cannot be edited here without touching other keys")
        .at({}, 1, 1)
        .with_hint("change it by hand")
        .with("code", "yaml-layout");
  }

  static std::vector<const YamlNode*> all_but(const YamlNode& root, const std::string& key) {
    std::vector<const YamlNode*> kept;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
      if (root.items[i].text == key) continue;
      kept.push_back(&root.items[i]);
      kept.push_back(&root.items[i + 1]);
    }
    return kept;
  }

  static bool reads_as(const YamlNode& node, const NewValue& value) {
    if (value.form != Form::kList)
      return node.kind == YamlNode::Kind::kScalar && node.text == value.text;
    if (node.kind != YamlNode::Kind::kSequence || node.items.size() != value.items.size())
      return false;
    for (std::size_t i = 0; i < node.items.size(); ++i)
      if (node.items[i].text != value.items[i]) return false;
    return true;
  }

  std::string block_;
  std::string newline_;
  YamlBlock yaml_;
  BlockLayout layout_;
};

std::string first_newline(std::string_view file) {
  const auto eol = file.find('\n');
  return eol != std::string_view::npos && eol > 0 && file[eol - 1] == '\r' ? "\r\n" : "\n";
}

Error in_file(Error error) {
  if (error.line > 0) ++error.line;
  return error;
}

}  // namespace

Result<std::string> edit_front_matter(std::string_view file, const std::vector<KeyEdit>& edits) {
  const FrontMatter front = read_front_matter(file);
  if (front.state == BlockState::kBroken) return front.error;
  const bool has_block = front.state == BlockState::kReadable;
  const std::string newline = has_block ? front.newline : first_newline(file);
  Editor editor(has_block ? std::string(block_of(file, front)) : std::string(), newline);
  if (auto ready = editor.read(); !ready) return in_file(std::move(ready).error());
  for (const KeyEdit& edit : edits)
    if (auto done = editor.apply(edit); !done) return in_file(std::move(done).error());
  std::string out;
  if (has_block) {
    out = file.substr(0, front.block_begin);
    out += editor.block();
    out += file.substr(front.block_end);
    // The file must still be read as the block that was verified: a blank line behind the fence,
    // say, could turn it into a horizontal rule.
    const FrontMatter again = read_front_matter(out);
    if (again.state == BlockState::kReadable && block_of(out, again) == editor.block()) return out;
    return make_error(ErrorCode::kInvalid, "this edit would leave front matter that is not read")
        .at({}, 2, 1)
        .with_hint("remove blank lines at the top of the block by hand first")
        .with("code", "yaml-layout");
  }
  if (editor.block().empty()) return std::string(file);
  out = file.substr(0, front.body_begin);  // the BOM
  out += "---" + newline + editor.block() + "---" + newline;
  out += file.substr(front.body_begin);
  return out;
}

}  // namespace memfs
