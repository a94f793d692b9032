// One line of a markdown text, and which block may start or end on it.
#pragma once

#include <string_view>

namespace memfs {

// A place in a line that counts columns, because a tab may be half used up by an indentation.
class MarkdownLine {
 public:
  explicit MarkdownLine(std::string_view text) : text_(text) { find_text(); }

  std::string_view text() const { return text_; }
  std::size_t offset() const { return offset_; }
  std::size_t column() const { return column_; }
  // Where the first sign behind the place is that is neither blank nor tab.
  std::size_t first() const { return first_; }
  std::size_t indent() const { return first_column_ - column_; }
  bool is_blank() const { return first_ >= text_.size(); }
  char peek() const { return at(first_); }
  char at(std::size_t pos) const { return pos < text_.size() ? text_[pos] : '\n'; }
  std::string_view rest() const {
    return text_.substr(first_ < text_.size() ? first_ : text_.size());
  }

  void skip_columns(std::size_t count);
  void skip_to(std::size_t offset);
  // Skips at most one blank or one column of a tab.
  void skip_one_blank() {
    if (at(offset_) == ' ' || at(offset_) == '\t') skip_columns(1);
  }

 private:
  void find_text();

  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t column_ = 0;
  std::size_t first_ = 0;
  std::size_t first_column_ = 0;
};

// Each looks at the text behind the indentation; lengths are 0 if it is no such start.
namespace markdown {

// `#` signs and the blanks behind them.
std::size_t heading_marks(std::string_view text);
// The text of a heading line without the closing `#` signs; `begin` is behind the opening ones.
std::string_view heading_text(std::string_view line, std::size_t begin);
bool is_underline(std::string_view text);  // === or ---
bool is_rule(std::string_view text);
std::size_t open_fence(std::string_view text);
bool closes_fence(std::string_view text, char sign, std::size_t length);
// The kind (1 to 7) of an HTML block that starts here, as CommonMark numbers them.
int html_start(std::string_view text, bool in_paragraph);
bool html_ends(std::string_view text, int kind);

struct ListMark {
  std::size_t length = 0;
  bool starts_at_one = true;
};
ListMark list_mark(std::string_view text);

}  // namespace markdown
}  // namespace memfs
