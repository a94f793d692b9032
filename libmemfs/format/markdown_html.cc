#include "libmemfs/format/markdown_html.h"

#include <algorithm>
#include <iterator>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown_line.h"

namespace memfs::markdown {
namespace {

// Sorted.
constexpr std::string_view kBlockTags[] = {
    "address",  "article",  "aside",    "base",       "basefont", "blockquote", "body",   "caption",
    "center",   "col",      "colgroup", "dd",         "details",  "dialog",     "dir",    "div",
    "dl",       "dt",       "fieldset", "figcaption", "figure",   "footer",     "form",   "frame",
    "frameset", "h1",       "h2",       "h3",         "h4",       "h5",         "h6",     "head",
    "header",   "hr",       "html",     "iframe",     "legend",   "li",         "link",   "main",
    "menu",     "menuitem", "nav",      "noframes",   "ol",       "optgroup",   "option", "p",
    "param",    "section",  "summary",  "table",      "tbody",    "td",         "tfoot",  "th",
    "thead",    "title",    "tr",       "track",      "ul"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

// Reads along a line; each step says whether it found what it looked for.
class TagReader {
 public:
  explicit TagReader(std::string_view text) : text_(text) {}

  bool take(char c) {
    if (pos_ >= text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }
  bool take_spaces() {
    const auto begin = pos_;
    while (pos_ < text_.size() && is_space(text_[pos_])) ++pos_;
    return pos_ > begin;
  }
  bool take_name() {
    if (pos_ >= text_.size() || !is_letter(text_[pos_])) return false;
    while (pos_ < text_.size() &&
           (is_letter(text_[pos_]) || is_digit(text_[pos_]) || text_[pos_] == '-'))
      ++pos_;
    return true;
  }
  bool take_attribute_name() {
    const auto fits = [](char c) { return is_letter(c) || c == '_' || c == ':'; };
    if (pos_ >= text_.size() || !fits(text_[pos_])) return false;
    while (pos_ < text_.size() &&
           (fits(text_[pos_]) || is_digit(text_[pos_]) || text_[pos_] == '.' || text_[pos_] == '-'))
      ++pos_;
    return true;
  }
  bool take_value() {
    if (pos_ >= text_.size()) return false;
    if (text_[pos_] == '"' || text_[pos_] == '\'') {
      const auto close = text_.find(text_[pos_], pos_ + 1);
      if (close == std::string_view::npos) return false;
      pos_ = close + 1;
      return true;
    }
    const auto end = std::min(text_.find_first_of(" \t\"'=<>`", pos_), text_.size());
    const bool some = end > pos_;
    pos_ = end;
    return some;
  }
  // The spaces before an attribute belong to it, those behind the last one do not.
  bool take_attributes() {
    while (take_spaces()) {
      if (!take_attribute_name()) return true;
      const auto behind = pos_;
      take_spaces();
      if (!take('=')) {
        pos_ = behind;
        continue;
      }
      take_spaces();
      if (!take_value()) return false;
    }
    return true;
  }
  bool at_end() {
    take_spaces();
    return pos_ == text_.size();
  }

 private:
  std::string_view text_;
  std::size_t pos_ = 0;
};

bool contains_lower(std::string_view text, std::string_view what) {
  return ascii_lower(text).find(what) != std::string::npos;
}

}  // namespace

bool is_block_tag(std::string_view lower_name) {
  return std::binary_search(std::begin(kBlockTags), std::end(kBlockTags), lower_name);
}

bool is_lone_tag(std::string_view text) {
  TagReader tag(text);
  if (!tag.take('<')) return false;
  const bool closes = tag.take('/');
  if (!tag.take_name()) return false;
  if (closes) {
    tag.take_spaces();
    return tag.take('>') && tag.at_end();
  }
  if (!tag.take_attributes()) return false;
  tag.take('/');
  return tag.take('>') && tag.at_end();
}

int html_start(std::string_view text, bool in_paragraph) {
  if (!text.starts_with('<')) return 0;
  if (text.starts_with("<!--")) return 2;
  if (text.starts_with("<?")) return 3;
  if (ascii_lower(text.substr(0, 9)) == "<![cdata[") return 5;
  if (text.starts_with("<!")) return text.size() > 2 && text[2] >= 'A' && text[2] <= 'Z' ? 4 : 0;
  const std::size_t begin = text.starts_with("</") ? 2 : 1;
  auto end = begin;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
  const auto name = ascii_lower(text.substr(begin, std::min<std::size_t>(end - begin, 16)));
  const bool ends = end == text.size() || is_space(text[end]) || text[end] == '>';
  if (ends && begin == 1 && (name == "script" || name == "pre" || name == "style")) return 1;
  if ((ends || text.substr(end).starts_with("/>")) && is_block_tag(name)) return 6;
  return !in_paragraph && is_lone_tag(text) ? 7 : 0;
}

bool html_ends(std::string_view text, int kind) {
  switch (kind) {
    case 1:
      return contains_lower(text, "</script>") || contains_lower(text, "</pre>") ||
             contains_lower(text, "</style>");
    case 2:
      return text.find("-->") != std::string_view::npos;
    case 3:
      return text.find("?>") != std::string_view::npos;
    case 4:
      return text.find('>') != std::string_view::npos;
    case 5:
      return text.find("]]>") != std::string_view::npos;
    default:
      return false;
  }
}

}  // namespace memfs::markdown
