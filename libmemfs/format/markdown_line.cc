#include "libmemfs/format/markdown_line.h"

#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown_html.h"

namespace memfs {
namespace {

constexpr std::size_t kTab = 4;

bool is_blank_sign(char c) { return c == ' ' || c == '\t'; }

std::size_t run_of(std::string_view text, char sign) {
  return std::min(text.find_first_not_of(sign), text.size());
}

bool is_blank_from(std::string_view text, std::size_t pos) {
  return text.find_first_not_of(" \t", pos) == std::string_view::npos;
}

std::string_view without_end_blanks(std::string_view text) {
  const auto last = text.find_last_not_of(" \t");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

void MarkdownLine::find_text() {
  first_ = offset_;
  first_column_ = column_;
  for (; first_ < text_.size() && is_blank_sign(text_[first_]); ++first_)
    first_column_ += text_[first_] == ' ' ? 1 : kTab - first_column_ % kTab;
}

void MarkdownLine::skip_columns(std::size_t count) {
  while (count > 0 && offset_ < text_.size()) {
    const auto width = text_[offset_] == '\t' ? kTab - column_ % kTab : 1;
    column_ += std::min(width, count);
    if (width <= count) ++offset_;
    count -= std::min(width, count);
  }
  find_text();
}

void MarkdownLine::skip_to(std::size_t offset) {
  for (; offset_ < offset; ++offset_) column_ += at(offset_) == '\t' ? kTab - column_ % kTab : 1;
  find_text();
}

namespace markdown {

std::size_t heading_marks(std::string_view text) {
  const auto signs = run_of(text, '#');
  if (signs == 0 || signs > 6) return 0;
  if (signs == text.size()) return signs;
  if (!is_blank_sign(text[signs])) return 0;
  return std::min(text.find_first_not_of(" \t", signs), text.size());
}

std::string_view heading_text(std::string_view line, std::size_t begin) {
  auto text = without_end_blanks(line);
  const auto last = text.find_last_not_of('#');
  if (last != std::string_view::npos && last + 1 < text.size() && is_blank_sign(text[last]))
    text = without_end_blanks(text.substr(0, last));
  return text.substr(std::min(begin, text.size()));
}

bool is_underline(std::string_view text) {
  if (text.empty() || (text[0] != '=' && text[0] != '-')) return false;
  return is_blank_from(text, run_of(text, text[0]));
}

bool is_rule(std::string_view text) {
  if (text.empty() || (text[0] != '*' && text[0] != '-' && text[0] != '_')) return false;
  std::size_t signs = 0;
  for (const char c : text) {
    if (c == text[0]) {
      ++signs;
    } else if (!is_blank_sign(c)) {
      return false;
    }
  }
  return signs >= 3;
}

std::size_t open_fence(std::string_view text) {
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return 0;
  const auto length = run_of(text, text[0]);
  if (length < 3) return 0;
  const bool in_line = text[0] == '`' && text.find('`', length) != std::string_view::npos;
  return in_line ? 0 : length;
}

bool closes_fence(std::string_view text, char sign, std::size_t length) {
  const auto signs = run_of(text, sign);
  return signs >= 3 && signs >= length && is_blank_from(text, signs);
}

ListMark list_mark(std::string_view text) {
  ListMark mark;
  if (text.empty()) return mark;
  std::size_t pos = 0;
  if (text[0] == '-' || text[0] == '+' || text[0] == '*') {
    pos = 1;
  } else {
    while (pos < text.size() && pos < 9 && text[pos] >= '0' && text[pos] <= '9') ++pos;
    if (pos == 0 || pos == text.size() || (text[pos] != '.' && text[pos] != ')')) return mark;
    const auto number = text.substr(0, pos).find_first_not_of('0');
    mark.starts_at_one =
        number != std::string_view::npos && text.substr(number, pos - number) == "1";
    ++pos;
  }
  if (pos == text.size() || is_blank_sign(text[pos])) mark.length = pos;
  return mark;
}

}  // namespace markdown
}  // namespace memfs
