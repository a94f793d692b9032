#include "libmemfs/format/yaml_diagnosis.h"

#include <algorithm>
#include <map>
#include <vector>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/yaml_reader.h"

namespace memfs {
namespace {

constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
constexpr std::string_view kFullWidthColon = "\xEF\xBC\x9A";

Error invalid(const char* code, Position at, std::string message, std::string hint) {
  return make_error(ErrorCode::kInvalid, std::move(message))
      .at({}, at.line, at.column)
      .with_hint(std::move(hint))
      .with("code", code);
}

Error invalid(const char* code, std::string_view block, std::size_t offset, std::string message,
              std::string hint) {
  return invalid(code, position_of(block, offset), std::move(message), std::move(hint));
}

std::vector<std::string_view> lines_of(std::string_view block) {
  std::vector<std::string_view> lines;
  while (!block.empty()) {
    const auto end = block.find('\n');
    lines.push_back(block.substr(0, end));
    if (end == std::string_view::npos) break;
    block.remove_prefix(end + 1);
  }
  return lines;
}

bool is_conflict_marker(std::string_view line) {
  for (const std::string_view marker : {"<<<<<<<", "=======", ">>>>>>>", "|||||||"}) {
    if (!line.starts_with(marker)) continue;
    const auto rest = line.substr(marker.size());
    if (rest.empty() || rest.front() == ' ' || rest.front() == '\r') return true;
  }
  return false;
}

bool has_tab_indent(std::string_view line) {
  const auto content = line.find_first_not_of(" \t");
  return content != std::string_view::npos &&
         line.substr(0, content).find('\t') != std::string_view::npos;
}

// A line on which the user typed a look-alike instead of ASCII, if the block has one.
Result<void> find_look_alike(const std::vector<std::string_view>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const int number = static_cast<int>(i) + 1;
    const auto colon = line.find(':');
    const auto key_end = std::min(colon, line.size());
    const auto key = line.substr(0, key_end);
    if (colon != std::string_view::npos && line.substr(colon + 1).starts_with(kNoBreakSpace)) {
      return invalid("yaml-nbsp", Position{number, static_cast<int>(colon) + 2},
                     "a no-break space (U+00A0) stands after the colon",
                     "replace it by an ordinary blank");
    }
    const auto wide = line.find(kFullWidthColon);
    if (wide != std::string_view::npos && wide < key_end && key.find(' ') > wide) {
      return invalid("yaml-wide-colon", Position{number, static_cast<int>(wide) + 1},
                     "a full-width colon (U+FF1A) stands after the key",
                     "replace it by `: `, an ordinary colon and a blank");
    }
  }
  return {};
}

bool is_plain_key_line(std::string_view line) {
  const auto colon = line.find(':');
  return colon != std::string_view::npos && colon > 0 && line.front() != ' ' &&
         line.front() != '#' && line.front() != '-' &&
         (colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\r');
}

// First line from `from` upwards whose quote is still open at its end.
int line_of_open_quote(const std::vector<std::string_view>& lines, int from) {
  for (int i = std::min(from, static_cast<int>(lines.size()) - 1); i >= 0; --i) {
    const std::string_view line = lines[static_cast<std::size_t>(i)];
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    const auto value = line.find_first_not_of(' ', colon + 2);
    if (value == std::string_view::npos) continue;
    if (line[value] != '"' && line[value] != '\'') continue;
    if (end_of_quoted(line, value) == std::string_view::npos) return i + 1;
  }
  return 0;
}

// First line from `from` upwards that opens a bracket as a value.
int line_of_open_bracket(const std::vector<std::string_view>& lines, int from) {
  for (int i = std::min(from, static_cast<int>(lines.size()) - 1); i >= 0; --i) {
    const std::string_view line = lines[static_cast<std::size_t>(i)];
    const auto bracket = line.find_first_of("[{");
    if (bracket == std::string_view::npos) continue;
    const auto before = trim(line.substr(0, bracket));
    if (before.empty() || before.ends_with(':') || before.ends_with('-')) return i + 1;
  }
  return 0;
}

struct Translation {
  std::string_view theirs;
  const char* code;
  std::string_view ours;
  std::string_view hint;
};

constexpr Translation kTranslations[] = {
    {"illegal map value", "yaml-colon", "a value that holds `: ` is not quoted",
     "quote the value: key: \"value: with a colon\""},
    {"unknown escape character", "yaml-escape", "unknown escape after \\ in double quotes",
     "use single quotes, or write \\\\ for a backslash"},
    {"bad character found while scanning hex number", "yaml-escape",
     "unknown escape after \\ in double quotes",
     "use single quotes, or write \\\\ for a backslash"},
    {"invalid unicode", "yaml-escape", "an escape that is no character (half of a \\ud83d pair)",
     "write the character itself, or \\U with eight digits"},
    {"end of map flow not found", "yaml-open", "a `{` is never closed", "add the `}`"},
    {"end of sequence flow not found", "yaml-open", "a `[` is never closed",
     "add the `]`; an unquoted # starts a comment"},
    {"end of map not found", "yaml-indent", "this line fits no key of the block",
     "write `key: value`, indented like the other keys"},
    {"end of sequence not found", "yaml-indent", "this line fits no item of the list",
     "indent the list items alike"},
    {"illegal block entry", "yaml-list", "a list item cannot stand here",
     "put the list on the lines below its key"},
    {"illegal map key", "yaml-key", "a key cannot stand here", "put each key on a line of its own"},
    {"block", "yaml-syntax", "a sign that cannot start a value here", "quote the value"},
    {"unknown token", "yaml-sign", "this sign cannot start a value", "quote the value"},
    {"bad file", "yaml-depth", "nested too deeply", "flatten the value"},
    {"cannot assign multiple anchors", "yaml-anchor", "two anchors on one value", "keep one"},
};

std::string offending_line(std::string_view line) {
  return std::string(cut_at_char_boundary(trim(line), 60));
}

// The offending line as it should be written.
std::string quoting_hint(std::string_view line) {
  const auto colon = line.find(": ");
  std::string hint = "quote the value: ";
  if (colon == std::string_view::npos) return hint + "key: \"value: with a colon\"";
  const auto value = trim(line.substr(colon + 2));
  const bool has_quotes = value.find_first_of("\"\\") != std::string_view::npos;
  const char quote = has_quotes ? '\'' : '"';
  if (has_quotes && value.find('\'') != std::string_view::npos) return hint + "it holds `: `";
  hint += trim(line.substr(0, colon));
  return hint + ": " + quote + std::string(cut_at_char_boundary(value, 100)) + quote;
}

Error translate(const std::string& message, Position at) {
  for (const Translation& entry : kTranslations) {
    if (message.find(entry.theirs) != std::string::npos)
      return invalid(entry.code, at, std::string(entry.ours), std::string(entry.hint));
  }
  return invalid("yaml-syntax", at, "not valid YAML: " + message,
                 "check the quotes and the indentation of this line");
}

Result<void> check_duplicate_keys(std::string_view block, const YamlNode& mapping) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i + 1 < mapping.items.size(); i += 2) {
    const YamlNode& key = mapping.items[i];
    const auto [first, fresh] = seen.emplace(key.text, key.offset);
    if (fresh) continue;
    const Position before = position_of(block, first->second);
    Error error = invalid("duplicate-key", block, key.offset, {},
                          "keep one of the two lines, or let `mem resolve` do it");
    error.message = "`" + key.text + "` is given twice";
    // The caller shifts positions to file lines; this one travels as a detail for that reason.
    return std::move(error).with("first_line", std::to_string(before.line));
  }
  return {};
}

// A plain key that no colon follows: yaml-cpp takes `revision:3` on the last line for one.
Result<void> check_key(std::string_view block, const YamlNode& key, bool flow) {
  for (std::size_t pos = 0; pos < key.text.size();) {
    const char32_t c = decode_utf8(key.text, pos);
    if (c == 0x200B || c == 0x200C || c == 0x200D || c == 0xFEFF || c == 0xA0 || c == 0x2060) {
      MEMFS_TRY(find_look_alike(lines_of(block)));
      return invalid("yaml-invisible-key", block, key.offset,
                     "the key holds an invisible character (" + code_point_name(c) + ")",
                     "type the key again");
    }
  }
  if (key.quoted || flow) return {};
  const auto end = block.find_first_not_of(" \t", key.offset + key.text.size());
  if (end != std::string_view::npos && block[end] == ':') return {};
  if (block.substr(key.offset, 1) == "?" || block.substr(0, key.offset).ends_with("? ")) return {};
  MEMFS_TRY(find_look_alike(lines_of(block)));
  const bool colon = key.text.find(':') != std::string::npos;
  return invalid(colon ? "yaml-missing-blank" : "yaml-key", block, key.offset,
                 colon ? "missing blank after the colon in `" + key.text + "`"
                       : "expected `key: value`, found `" + key.text + "`",
                 "write `key: value`");
}

// Quotes that the end of the block or a following key closed silently.
Result<void> check_quotes(std::string_view block, const YamlNode& node, int key_column) {
  if (node.kind == YamlNode::Kind::kScalar && node.quoted && node.offset < block.size()) {
    const char open = block[node.offset];
    if (open == '"' || open == '\'') {
      const auto end = end_of_quoted(block, node.offset);
      const auto text = block.substr(node.offset, end - node.offset);
      bool swallowed = end == std::string_view::npos;
      for (auto eol = text.find('\n'); !swallowed && eol != std::string_view::npos;
           eol = text.find('\n', eol + 1)) {
        const auto next = text.substr(eol + 1);
        const auto indent = next.find_first_not_of(' ');
        swallowed = indent != std::string_view::npos && static_cast<int>(indent) <= key_column &&
                    is_plain_key_line(next.substr(indent, next.find('\n') - indent));
      }
      if (swallowed) {
        return invalid("yaml-quote", block, node.offset, "the quote opened here is not closed",
                       std::string("add the closing ") + open + " on the same line");
      }
    }
  }
  for (const YamlNode& item : node.items) MEMFS_TRY(check_quotes(block, item, key_column));
  return {};
}

}  // namespace

Position position_of(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto line_start = before.rfind('\n');
  Position at;
  at.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  at.column =
      static_cast<int>(line_start == std::string_view::npos ? offset + 1 : offset - line_start);
  return at;
}

std::size_t end_of_quoted(std::string_view text, std::size_t open) {
  const char quote = text[open];
  for (std::size_t i = open + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'') {
        ++i;
      } else {
        return i + 1;
      }
    }
  }
  return std::string_view::npos;
}

Result<void> check_yaml_bytes(std::string_view block) {
  if (block.size() > kMaxYamlBlock) {
    return invalid("yaml-size", Position{1, 1},
                   "the front matter is larger than " + std::to_string(kMaxYamlBlock) + " bytes",
                   "move text into the body");
  }
  if (const auto nul = block.find('\0'); nul != std::string_view::npos)
    return invalid("nul", block, nul, "a NUL byte", "the file may be damaged; restore it");
  if (const auto bad = find_invalid_utf8(block))
    return invalid("utf8", block, *bad, "a byte that is not UTF-8", "save the file as UTF-8");
  for (auto cr = block.find('\r'); cr != std::string_view::npos; cr = block.find('\r', cr + 1)) {
    if (cr + 1 < block.size() && block[cr + 1] == '\n') continue;
    // A line end to some readers and a character to others: no value would be sure.
    return invalid("cr-newlines", block, cr, "an old Mac newline (CR alone)",
                   "save the file with LF or CRLF newlines");
  }
  const auto lines = lines_of(block);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_conflict_marker(lines[i])) {
      return invalid(
          "conflict-marker", Position{static_cast<int>(i) + 1, 1},
          "git conflict markers: the merge was not finished",
          "`mem resolve` merges it by key; or keep one side and remove the marker lines");
    }
  }
  return {};
}

Error explain_yaml_failure(std::string_view block, const std::string& message, int line,
                           int column) {
  const auto lines = lines_of(block);
  if (auto look_alike = find_look_alike(lines); !look_alike) return std::move(look_alike).error();
  const auto here = static_cast<std::size_t>(std::max(line, 0));
  for (std::size_t i = here; i < std::min(here + 2, lines.size()); ++i) {
    if (has_tab_indent(lines[i])) {
      return invalid("yaml-tab", Position{static_cast<int>(i) + 1, 1}, "a tab is used to indent",
                     "indent with blanks");
    }
  }
  if (const int open = line_of_open_quote(lines, line); open > 0) {
    return invalid("yaml-quote", Position{open, 1}, "the quote opened here is not closed",
                   "close it on the same line, or write '' for one ' inside single quotes");
  }
  constexpr std::size_t kMaxKey = 1024;  // yaml-cpp's and the specification's limit
  if (here < lines.size() && lines[here].find(':') > kMaxKey && lines[here].size() > kMaxKey) {
    return invalid("yaml-key", Position{line + 1, 1}, "a key is longer than 1,024 characters",
                   "shorten it");
  }
  Error error = translate(message, Position{std::max(line, 0) + 1, std::max(column, 0) + 1});
  const std::string& code = error.details.front().second;
  if (const int open = line_of_open_bracket(lines, line); code == "yaml-open" && open > 0) {
    error.line = open;
    error.column = 1;
  }
  if (here < lines.size() && code == "yaml-colon") error.hint = quoting_hint(lines[here]);
  if (here < lines.size() && code == "yaml-indent")
    error.message += ": `" + offending_line(lines[here]) + "`";
  return error;
}

Result<void> check_yaml_tree(std::string_view block, const YamlNode& root) {
  if (root.kind == YamlNode::Kind::kNull && root.text.empty()) return {};
  if (!root.is_mapping()) {
    MEMFS_TRY(find_look_alike(lines_of(block)));
    if (root.kind == YamlNode::Kind::kScalar) {
      MEMFS_TRY(check_quotes(block, root, 0));
      MEMFS_TRY(check_key(block, root, false));
    }
    return invalid("yaml-mapping", block, root.offset, "expected `key: value`",
                   "write one `key: value` per line between the two --- lines");
  }
  for (std::size_t i = 0; i + 1 < root.items.size(); i += 2)
    MEMFS_TRY(check_key(block, root.items[i], root.flow));
  // Inside braces a quoted text may go on at any column.
  MEMFS_TRY(check_quotes(block, root, root.flow ? -1 : position_of(block, root.offset).column - 1));
  return check_duplicate_keys(block, root);
}

}  // namespace memfs
