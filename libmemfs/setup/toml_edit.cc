#include "libmemfs/setup/toml_edit.h"

#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/setup/json_text.h"

namespace memfs::setup {
namespace {

bool is_bare(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-';
}

int line_number(std::string_view text, std::size_t at) {
  return static_cast<int>(
             std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
         1;
}

// What a quoted key says. Escapes that JSON does not know stay as they are: no key that is looked
// for here needs one.
std::string name_of(std::string_view quoted) {
  if (quoted.front() == '"') {
    const auto node = parse_json(quoted);
    if (node) return node->text;
  }
  return std::string(quoted.substr(1, quoted.size() - 2));
}

class TomlParser {
 public:
  explicit TomlParser(std::string_view text) : text_(text) {}

  Result<std::vector<TomlStatement>> whole() {
    if (const auto bad = find_invalid_utf8(text_)) return error(*bad, "bytes that are no UTF-8");
    if (text_.starts_with("\xEF\xBB\xBF")) pos_ = 3;
    std::vector<TomlStatement> statements;
    while (true) {
      skip_lines();
      if (pos_ >= text_.size()) return statements;
      statements.emplace_back();
      MEMFS_TRY(statement(statements.back()));
    }
  }

 private:
  Error error(std::size_t at, const std::string& what) const {
    return make_error(ErrorCode::kInvalid, what)
        .at({}, line_number(text_, at))
        .with_hint("mend it by hand, then try again: nothing was changed");
  }
  char here() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }
  void blanks() {
    while (here() == ' ' || here() == '\t') ++pos_;
  }
  void comment() {
    if (here() == '#') pos_ = std::min(text_.find('\n', pos_), text_.size());
  }
  // Blanks, comments and line ends.
  void skip_lines() {
    while (pos_ < text_.size()) {
      const std::size_t from = pos_;
      blanks();
      comment();
      if (here() == '\r' || here() == '\n') ++pos_;
      if (pos_ == from) return;
    }
  }

  Result<void> statement(TomlStatement& statement) {
    statement.begin = text_.rfind('\n', pos_);
    statement.begin =
        statement.begin == text_.npos ? (text_.starts_with("\xEF") ? 3 : 0) : statement.begin + 1;
    if (here() == '[') {
      MEMFS_TRY(header(statement));
    } else {
      statement.path = table_;
      MEMFS_TRY(key(statement.path, '='));
      ++pos_;
      blanks();
      const std::size_t from = pos_;
      MEMFS_TRY(value(0));
      statement.value = trim(text_.substr(from, pos_ - from));
    }
    blanks();
    comment();
    if (here() == '\r') ++pos_;
    if (pos_ < text_.size() && here() != '\n') return error(pos_, "a line with too much in it");
    if (pos_ < text_.size()) ++pos_;
    statement.end = pos_;
    return {};
  }

  Result<void> header(TomlStatement& statement) {
    ++pos_;
    const bool list = here() == '[';
    if (list) ++pos_;
    statement.kind = list ? TomlStatement::Kind::kTableOfList : TomlStatement::Kind::kTable;
    MEMFS_TRY(key(statement.path, ']'));
    ++pos_;
    if (list && here() != ']') return error(pos_, "a table without `]]`");
    if (list) ++pos_;
    table_ = statement.path;
    return {};
  }

  // a."b c".'d' up to `end`.
  Result<void> key(std::vector<std::string>& path, char end) {
    while (true) {
      blanks();
      MEMFS_TRY(key_part(path));
      blanks();
      if (here() == end) return {};
      if (here() != '.')
        return error(pos_, std::string("a key, and `") + end + "` is missing behind it");
      ++pos_;
    }
  }

  Result<void> key_part(std::vector<std::string>& path) {
    const std::size_t from = pos_;
    if (here() == '"' || here() == '\'') {
      MEMFS_TRY(string());
      path.push_back(name_of(text_.substr(from, pos_ - from)));
      return {};
    }
    while (is_bare(here())) ++pos_;
    if (pos_ == from) return error(pos_, "here a key is missing");
    path.emplace_back(text_.substr(from, pos_ - from));
    return {};
  }

  Result<void> string() {
    const char quote = here();
    const std::size_t from = pos_;
    const std::string three(3, quote);
    const bool many = text_.substr(pos_).starts_with(three);
    pos_ += many ? 3 : 1;
    while (pos_ < text_.size() && (many || here() != '\n')) {
      if (quote == '"' && here() == '\\') {
        pos_ += 2;
      } else if (many && text_.substr(pos_).starts_with(three)) {
        pos_ += 3;
        for (int i = 0; i < 2 && here() == quote; ++i) ++pos_;  // quotation marks that it ends with
        return {};
      } else if (!many && here() == quote) {
        ++pos_;
        return {};
      } else {
        ++pos_;
      }
    }
    return error(from, "a text whose quotation mark is not closed");
  }

  Result<void> value(int depth) {
    constexpr int kMaxDepth = 100;
    if (depth > kMaxDepth) return error(pos_, "more than 100 levels");
    if (here() == '"' || here() == '\'') return string();
    if (here() == '[' || here() == '{') return container(depth);
    const std::size_t from = pos_;
    while (pos_ < text_.size() &&
           std::string_view(",]}#\r\n").find(here()) == std::string_view::npos)
      ++pos_;
    if (trim(text_.substr(from, pos_ - from)).empty())
      return error(from, "here a value is missing");
    return {};
  }

  Result<void> container(int depth) {
    const std::size_t open = pos_;
    const bool table = here() == '{';
    const char close = table ? '}' : ']';
    ++pos_;
    while (true) {
      skip_lines();
      if (pos_ >= text_.size())
        return error(open, std::string("the end `") + close + "` is missing");
      if (here() == close) break;
      if (table) {
        std::vector<std::string> path;
        MEMFS_TRY(key(path, '='));
        ++pos_;
        blanks();
      }
      MEMFS_TRY(value(depth + 1));
      skip_lines();
      if (here() == ',') {
        ++pos_;
      } else if (here() != close) {
        return error(pos_ < text_.size() ? pos_ : open,
                     std::string("a value without its `,` or `") + close + "`");
      }
    }
    ++pos_;
    return {};
  }

  std::string_view text_;
  std::size_t pos_ = 0;
  std::vector<std::string> table_{};
};

bool begins_with(const std::vector<std::string>& path, const std::vector<std::string>& begin) {
  return path.size() >= begin.size() && std::equal(begin.begin(), begin.end(), path.begin());
}

std::string header_of(const TomlPath& path) {
  std::string out;
  for (const std::string& part : path) out += (out.empty() ? "" : ".") + part;
  return "[" + out + "]";
}

}  // namespace

Result<std::vector<TomlStatement>> parse_toml(std::string_view text) {
  return TomlParser(text).whole();
}

std::string toml_string(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 0x20 || byte == 0x7F) {
      out += std::string("\\u00") + kHex[byte >> 4U] + kHex[byte & 15U];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

Result<std::optional<TomlTable>> find_toml_table(std::string_view text, const TomlPath& path) {
  using Kind = TomlStatement::Kind;
  MEMFS_ASSIGN(const auto statements, parse_toml(text));
  std::optional<TomlTable> found;
  bool in_table = false;
  for (const TomlStatement& statement : statements) {
    const bool key = statement.kind == Kind::kKey;
    // A value, or a list of tables, where a table of tables is wanted.
    if ((key || statement.kind == Kind::kTableOfList) && statement.path.size() < path.size() &&
        begins_with(path, statement.path)) {
      return make_error(ErrorCode::kRefused, "nothing can be added to `" + statement.path.back() +
                                                 "`, which is written as one value")
          .at({}, line_number(text, statement.begin))
          .with_hint("make a table of it by hand (" + header_of(statement.path) +
                     "), then try again: nothing was changed");
    }
    if (!key) in_table = statement.kind == Kind::kTable && statement.path == path;
    if (!begins_with(statement.path, path)) continue;
    const bool plain_key = key && in_table && statement.path.size() == path.size() + 1;
    if (!found) {
      found.emplace();
      found->begin = statement.begin;
      found->line = line_number(text, statement.begin);
      found->plain = in_table && !key;
    } else if (!plain_key) {
      found->plain = false;
    }
    if (plain_key) found->keys.emplace_back(statement.path.back(), statement.value);
    if (found->plain) found->end = statement.end;
  }
  return found;
}

BlockInsertion insert_toml_table(std::string_view text, const TomlPath& path,
                                 const TomlKeys& keys) {
  const std::string newline = newline_of(text);
  std::string block = header_of(path) + newline;
  for (const auto& [key, value] : keys) block += key + " = " + value + newline;
  return append_block(text, block);
}

Result<std::string> replace_toml_value(std::string_view text, const TomlPath& path,
                                       const std::string& key, const std::string& value) {
  MEMFS_ASSIGN(const auto statements, parse_toml(text));
  TomlPath whole = path;
  whole.push_back(key);
  for (const TomlStatement& statement : statements) {
    if (statement.kind != TomlStatement::Kind::kKey || statement.path != whole) continue;
    const std::size_t equals = text.find('=', statement.begin);
    const std::size_t at = text.find(statement.value, equals);
    return std::string(text.substr(0, at)) + value +
           std::string(text.substr(at + statement.value.size()));
  }
  return make_error(ErrorCode::kNotFound, "there is no such key");
}

}  // namespace memfs::setup
