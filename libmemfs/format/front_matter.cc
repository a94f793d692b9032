#include "libmemfs/format/front_matter.h"

#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/yaml_diagnosis.h"

namespace memfs {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

// The line that starts at `pos` without its newline; `next` is where the following one starts.
std::string_view line_at(std::string_view file, std::size_t pos, std::size_t& next) {
  const auto eol = file.find('\n', pos);
  next = eol == std::string_view::npos ? file.size() : eol + 1;
  auto line = file.substr(pos, next - pos);
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view without_trailing_blanks(std::string_view line) {
  const auto last = line.find_last_not_of(" \t");
  return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

bool is_closing_fence(std::string_view line) {
  const auto text = without_trailing_blanks(line);
  return text == "---" || text == "...";
}

bool is_blank_file(std::string_view file) {
  return std::all_of(file.begin(), file.end(), [](char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
  });
}

Error broken(const char* code, int line, std::string message, std::string hint) {
  return make_error(ErrorCode::kInvalid, std::move(message))
      .at({}, line, 1)
      .with_hint(std::move(hint))
      .with("code", code);
}

void break_off(FrontMatter& front, Error error) {
  front.state = BlockState::kBroken;
  front.error = std::move(error);
}

// Moves positions from the block to the file; the block starts on line 2.
Error in_file_lines(Error error) {
  if (error.line > 0) ++error.line;
  for (auto& [key, value] : error.details) {
    if (key != "first_line") continue;
    value = std::to_string(std::stoi(value) + 1);
    error.message += ": lines " + value + " and " + std::to_string(error.line);
  }
  return error;
}

// Behind `---` and a blank line a block goes on only if its first line of text is a key, as some
// tools write it; otherwise the `---` is a horizontal rule.
bool starts_with_key(std::string_view file, std::size_t pos) {
  std::size_t next = 0;
  while (pos < file.size() && trim(line_at(file, pos, next)).empty()) pos = next;
  const auto line = pos < file.size() ? line_at(file, pos, next) : std::string_view();
  const auto colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  const bool ends = colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\t';
  return ends &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-';
         });
}

}  // namespace

FrontMatter read_front_matter(std::string_view file) {
  FrontMatter front;
  if (file.starts_with(kBom)) {
    front.bom = true;
    front.body_begin = kBom.size();
  }
  const auto text = file.substr(front.body_begin);
  if (is_blank_file(text)) {
    front.state = BlockState::kEmptyFile;
    return front;
  }
  if (text.starts_with("---\r") && !text.starts_with("---\r\n")) {
    break_off(front, broken("cr-newlines", 1, "the file has old Mac newlines (CR only)",
                            "save it with LF or CRLF newlines"));
    return front;
  }
  std::size_t pos = 0;
  if (without_trailing_blanks(line_at(file, front.body_begin, pos)) != "---") return front;
  std::size_t next = 0;
  if (pos == file.size()) return front;
  const bool after_blank = trim(line_at(file, pos, next)).empty();
  if (after_blank && !starts_with_key(file, pos)) return front;
  if (file.substr(0, pos).ends_with("\r\n")) front.newline = "\r\n";
  front.block_begin = pos;
  while (pos < file.size() && !is_closing_fence(line_at(file, pos, next))) pos = next;
  if (pos >= file.size() && after_blank) {
    front.block_begin = 0;
    return front;
  }
  if (pos >= file.size()) {
    break_off(front, broken("unclosed-block", 1, "the block opened on line 1 is never closed",
                            "add a line --- behind the last key"));
    front.block_begin = 0;
    return front;
  }
  front.block_end = pos;
  front.body_begin = next;
  front.closed_by_dots = file.substr(pos, 3) == "...";
  auto yaml = read_yaml(block_of(file, front));
  if (!yaml) {
    break_off(front, in_file_lines(std::move(yaml).error()));
    return front;
  }
  front.state = BlockState::kReadable;
  front.yaml = std::move(*yaml);
  return front;
}

}  // namespace memfs
