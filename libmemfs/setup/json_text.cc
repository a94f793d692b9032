#include "libmemfs/setup/json_text.h"

#include <algorithm>
#include <map>
#include <optional>

#include "libmemfs/base/utf8.h"

namespace memfs::setup {
namespace {

constexpr int kMaxDepth = 100;  // of settings; whatever is deeper was not written by a person
constexpr std::string_view kBom = "\xEF\xBB\xBF";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool is_literal_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
         c == '-' || c == '.';
}

bool is_number(std::string_view word) {
  std::size_t i = word.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < word.size() && word[i] >= '0' && word[i] <= '9') ++i;
    return i > from;
  };
  const std::size_t first = i;
  if (!digits() || (word[first] == '0' && i > first + 1)) return false;
  if (i < word.size() && word[i] == '.' && (++i, !digits())) return false;
  if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
    ++i;
    if (i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == word.size();
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<JsonNode> whole() {
    if (const auto bad = find_invalid_utf8(text_)) return error(*bad, "bytes that are no UTF-8");
    pos_ = text_.starts_with(kBom) ? kBom.size() : 0;
    JsonNode root;
    MEMFS_TRY(blanks());
    MEMFS_TRY(value(root, 0));
    MEMFS_TRY(blanks());
    if (pos_ < text_.size()) return error(pos_, "something behind the end of the JSON");
    return root;
  }

 private:
  Error error(std::size_t at, const std::string& what) const {
    const std::string_view before = text_.substr(0, at);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') + 1;
    return make_error(ErrorCode::kInvalid, what)
        .at({}, static_cast<int>(lines) + 1, static_cast<int>(at - line_begin) + 1)
        .with_hint("mend it by hand, then try again: nothing was changed");
  }
  char here() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }

  Result<void> blanks() {
    const std::size_t end = skip_json_blanks(text_, pos_);
    if (end == std::string_view::npos) return error(pos_, "a comment that does not end");
    pos_ = end;
    return {};
  }

  Result<void> value(JsonNode& node, int depth) {
    node.begin = pos_;
    if (depth > kMaxDepth) return error(pos_, "more than 100 levels");
    if (here() == '{' || here() == '[') {
      MEMFS_TRY(container(node, depth));
    } else if (here() == '"') {
      node.kind = JsonNode::Kind::kString;
      MEMFS_TRY(string(node.text));
    } else {
      MEMFS_TRY(literal(node));
    }
    node.end = pos_;
    return {};
  }

  Result<void> container(JsonNode& node, int depth) {
    const char close = here() == '{' ? '}' : ']';
    node.kind = close == '}' ? JsonNode::Kind::kObject : JsonNode::Kind::kArray;
    ++pos_;
    MEMFS_TRY(blanks());
    while (here() != close) {
      if (pos_ >= text_.size())
        return error(pos_, std::string("the end `") + close + "` is missing");
      node.items.emplace_back();
      MEMFS_TRY(item(node.items.back(), close == '}', depth));
      if (here() == ',') {
        node.items.back().comma = pos_++;
        MEMFS_TRY(blanks());
      } else if (here() != close) {
        return error(pos_, pos_ < text_.size()
                               ? std::string("here `,` or `") + close + "` is missing"
                               : std::string("the end `") + close + "` is missing");
      }
    }
    ++pos_;
    return {};
  }

  Result<void> item(JsonItem& item, bool member, int depth) {
    item.begin = pos_;
    if (member) {
      if (here() != '"') return error(pos_, "here a key in quotation marks is missing");
      MEMFS_TRY(string(item.key));
      MEMFS_TRY(blanks());
      if (here() != ':') return error(pos_, "here `:` is missing");
      ++pos_;
      MEMFS_TRY(blanks());
    }
    MEMFS_TRY(value(item.value, depth + 1));
    return blanks();
  }

  Result<void> literal(JsonNode& node) {
    const std::size_t from = pos_;
    while (pos_ < text_.size() && is_literal_char(text_[pos_])) ++pos_;
    node.text = text_.substr(from, pos_ - from);
    if (node.text == "null") {
      node.kind = JsonNode::Kind::kNull;
    } else if (node.text == "true" || node.text == "false") {
      node.kind = JsonNode::Kind::kBool;
    } else if (is_number(node.text)) {
      node.kind = JsonNode::Kind::kNumber;
    } else {
      return error(from, "here a value is missing");
    }
    return {};
  }

  Result<void> string(std::string& out) {
    const std::size_t open = pos_++;
    while (here() != '"') {
      if (pos_ >= text_.size() || text_[pos_] == '\n')
        return error(open, "a text whose quotation mark is not closed");
      if (static_cast<unsigned char>(text_[pos_]) < 0x20 && text_[pos_] != '\t')
        return error(pos_, "a control character in a text");
      if (text_[pos_] == '\\') {
        MEMFS_TRY(escape(out));
      } else {
        out += text_[pos_++];
      }
    }
    ++pos_;
    return {};
  }

  Result<void> escape(std::string& out) {
    static const std::map<char, char> kPlain = {{'"', '"'},  {'\\', '\\'}, {'/', '/'},
                                                {'b', '\b'}, {'f', '\f'},  {'n', '\n'},
                                                {'r', '\r'}, {'t', '\t'}};
    const std::size_t from = pos_++;
    if (const auto plain = kPlain.find(here()); plain != kPlain.end()) {
      out += plain->second;
      ++pos_;
      return {};
    }
    auto unit = code_unit();
    if (!unit) return error(from, "an escape that JSON does not know");
    const bool high = *unit >= 0xD800 && *unit < 0xDC00;
    if (high && text_.substr(pos_).starts_with("\\u")) {
      const std::size_t back = pos_++;
      const auto low = code_unit();
      if (low && *low >= 0xDC00 && *low < 0xE000) {
        unit = 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00);
      } else {
        pos_ = back;
      }
    }
    append_utf8(out, *unit >= 0xD800 && *unit < 0xE000 ? kReplacement : *unit);
    return {};
  }

  // Of "uXXXX" here.
  std::optional<char32_t> code_unit() {
    if (here() != 'u' || pos_ + 5 > text_.size()) return std::nullopt;
    char32_t unit = 0;
    for (std::size_t i = 1; i <= 4; ++i) {
      const int digit = hex_digit(text_[pos_ + i]);
      if (digit < 0) return std::nullopt;
      unit = unit * 16 + static_cast<char32_t>(digit);
    }
    pos_ += 5;
    return unit;
  }

  std::string_view text_;
  std::size_t pos_ = 0;
};

}  // namespace

std::size_t skip_json_blanks(std::string_view text, std::size_t pos) {
  while (pos < text.size()) {
    if (std::string_view(" \t\r\n").find(text[pos]) != std::string_view::npos) {
      ++pos;
    } else if (text.substr(pos).starts_with("//")) {
      pos = std::min(text.find('\n', pos), text.size());
    } else if (text.substr(pos).starts_with("/*")) {
      const std::size_t end = text.find("*/", pos + 2);
      if (end == std::string_view::npos) return std::string_view::npos;
      pos = end + 2;
    } else {
      break;
    }
  }
  return pos;
}

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto last = std::find_if(items.rbegin(), items.rend(),
                                 [&](const JsonItem& item) { return item.key == key; });
  return is_object() && last != items.rend() ? &last->value : nullptr;
}

Result<JsonNode> parse_json(std::string_view text) { return Parser(text).whole(); }

std::string json_string(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += c == '\n'   ? "\\n"
             : c == '\t' ? "\\t"
             : c == '\r' ? "\\r"
                         : std::string("\\u00") + kHex[static_cast<unsigned char>(c) >> 4U] +
                               kHex[static_cast<unsigned char>(c) & 15U];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string canonical(const JsonNode& node) {
  if (node.is_string()) return json_string(node.text);
  if (!node.is_object() && !node.is_array()) return node.text;
  std::string out;
  if (node.is_array()) {
    for (const JsonItem& item : node.items) out += (out.empty() ? "" : ",") + canonical(item.value);
    return "[" + out + "]";
  }
  std::map<std::string, std::string> members;  // the last of each name
  for (const JsonItem& item : node.items) members[item.key] = canonical(item.value);
  for (const auto& [key, value] : members)
    out += (out.empty() ? "" : ",") + json_string(key) + ":" + value;
  return "{" + out + "}";
}

}  // namespace memfs::setup
