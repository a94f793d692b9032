// The only user of yaml-cpp.
#include "libmemfs/format/yaml_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <streambuf>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/flat_reader.h"
#include "libmemfs/format/yaml_diagnosis.h"

namespace memfs {
namespace {

// Thrown by the handler to leave the parser; never leaves this file.
struct Stop {
  Error error;
};

Error at_mark(const YAML::Mark& mark, const char* code, std::string message, std::string hint) {
  return make_error(ErrorCode::kInvalid, std::move(message))
      .at({}, mark.line + 1, mark.column + 1)
      .with_hint(std::move(hint))
      .with("code", code);
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view block) : block_(block) {}

  YamlBlock take() { return std::move(result_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      const auto line = block_.substr(0, offset_of(mark)).rfind('\n') + 1;
      if (!block_.substr(line).starts_with("---") && !block_.substr(line).starts_with("...")) {
        throw Stop{at_mark(mark, "yaml-indent",
                           "this line is indented less than the keys before it",
                           "indent all keys alike")};
      }
      throw Stop{at_mark(mark, "yaml-documents", "the block holds a second YAML document",
                         "indent all keys alike and remove `---` or `...` inside the block")};
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode node;
    node.offset = offset_of(mark);
    node.text = null_spelling(node.offset);
    add(std::move(node), anchor, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    YamlNode node;
    node.kind = YamlNode::Kind::kAlias;
    node.offset = offset_of(mark);
    const auto end = block_.find_first_of(" \t\r\n,]}", node.offset);
    node.text = block_.substr(node.offset, end - node.offset);
    result_.has_alias_or_anchor = true;
    add(std::move(node), 0, mark);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.quoted = tag != "?";
    node.text = find_invalid_utf8(value) ? repaired(value) : value;
    node.offset = offset_of(mark);
    add(std::move(node), anchor, mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::kSequence, mark, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::kMapping, mark, anchor, style);
  }
  void OnMapEnd() override { close(); }

 private:
  std::size_t offset_of(const YAML::Mark& mark) const {
    return std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), block_.size());
  }

  // yaml-cpp writes the escapes \N and \_ as the bytes 85 and A0 instead of U+0085 and U+00A0.
  static std::string repaired(std::string_view value) {
    std::string out;
    for (std::size_t pos = 0; pos < value.size();) {
      const auto begin = pos;
      const char32_t c = decode_utf8(value, pos);
      const auto byte = static_cast<unsigned char>(value[begin]);
      const bool raw = c == kReplacement && pos == begin + 1;
      append_utf8(out, raw ? static_cast<char32_t>(byte) : c);
    }
    return out;
  }

  std::string null_spelling(std::size_t offset) const {
    for (const std::string_view word : {"~", "null", "Null", "NULL"})
      if (block_.substr(offset).starts_with(word)) return std::string(word);
    return {};
  }

  void add(YamlNode node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchor != 0) result_.has_alias_or_anchor = node.anchored = true;
    if (stack_.empty()) {
      result_.root = std::move(node);
      return;
    }
    YamlNode& parent = stack_.back();
    const bool is_key = parent.is_mapping() && parent.items.size() % 2 == 0;
    const bool plain_key = node.kind == YamlNode::Kind::kScalar ||
                           (node.kind == YamlNode::Kind::kNull && !node.text.empty());
    if (is_key && !plain_key && stack_.size() == 1) {
      throw Stop{at_mark(mark, "yaml-key", "a key of the block is not plain text",
                         "write `key: value` with a simple key")};
    }
    parent.items.push_back(std::move(node));
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    if (stack_.size() >= kMaxYamlDepth) {
      throw Stop{
          at_mark(mark, "yaml-depth",
                  "nested too deeply: more than " + std::to_string(kMaxYamlDepth) + " levels",
                  "flatten the value")};
    }
    const bool key_position =
        !stack_.empty() && stack_.back().is_mapping() && stack_.back().items.size() % 2 == 0;
    if (key_position && stack_.size() == 1) {
      throw Stop{at_mark(mark, "yaml-key", "a key of the block is not plain text",
                         "write `key: value` with a simple key")};
    }
    YamlNode node;
    node.kind = kind;
    node.flow = style == YAML::EmitterStyle::Flow;
    node.offset = offset_of(mark);
    if (anchor != 0) result_.has_alias_or_anchor = node.anchored = true;
    stack_.push_back(std::move(node));
  }

  void close() {
    YamlNode done = std::move(stack_.back());
    stack_.pop_back();
    if (stack_.empty()) {
      result_.root = std::move(done);
    } else {
      stack_.back().items.push_back(std::move(done));
    }
  }

  std::string_view block_;
  YamlBlock result_;
  std::vector<YamlNode> stack_;
  int documents_ = 0;
};

// Lets the parser read from the block without a copy.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // read only
    setg(begin, begin, begin + text.size());
  }
};

}  // namespace

Result<YamlBlock> read_yaml(std::string_view block) {
  if (auto plain = read_flat_block(block)) return std::move(*plain);
  return read_yaml_fully(block);
}

Result<YamlBlock> read_yaml_fully(std::string_view block) {
  if (auto clean = check_yaml_bytes(block); !clean) return std::move(clean).error();
  ViewBuffer buffer(block);
  std::istream stream(&buffer);
  TreeBuilder builder(block);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop& stop) {
    return stop.error;
  } catch (const YAML::Exception& failure) {
    return explain_yaml_failure(block, failure.msg, failure.mark.line, failure.mark.column);
  } catch (const std::exception& failure) {
    return explain_yaml_failure(block, failure.what(), 0, 0);
  }
  YamlBlock result = builder.take();
  if (auto sound = check_yaml_tree(block, result.root); !sound) return std::move(sound).error();
  return result;
}

}  // namespace memfs
