#include "libmemfs/exchange/index_entries.h"

#include <algorithm>
#include <optional>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/link_address.h"
#include "libmemfs/format/markdown.h"
#include "libmemfs/format/markdown_line.h"

namespace memfs {
namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::size_t kMaxTitle = 80;  // graphemes
constexpr std::string_view kRestBegin = "… and ";
constexpr std::string_view kRestEnd = " more in this folder, not listed here";

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// How many bytes the mark of a list item and the blanks behind it take, 0 if there is none.
std::size_t bullet_of(std::string_view text) {
  const auto mark = markdown::list_mark(text);
  if (mark.length == 0) return 0;
  const auto next = text.find_first_not_of(" \t", mark.length);
  return next == npos ? text.size() : next;
}

std::string_view without_marks(std::string_view text) {
  const auto begin = text.find_first_not_of("*_");
  return begin == npos ? std::string_view() : text.substr(begin);
}

// Behind a link: " — what it is", "**: what it is".
std::string hook_of(std::string_view rest) {
  for (bool more = true; more && !rest.empty();) {
    more = false;
    for (const std::string_view sign : {" ", "\t", "*", "_", "—", "–", "-", ":"}) {
      if (!rest.starts_with(sign)) continue;
      rest.remove_prefix(sign.size());
      more = true;
    }
  }
  return std::string(trim(rest));
}

// The path of a markdown file in the folder of the page.
std::optional<std::string> file_of(std::string_view address) {
  if (has_scheme(address)) return std::nullopt;
  const std::string path = decode_path(split_address(address).path);
  if (!has_md(path) || path.starts_with('/')) return std::nullopt;
  return normal_path(path);
}

// [Title](file.md "title") …
std::optional<PagePointer> inline_link(std::string_view text) {
  if (!text.starts_with('[')) return std::nullopt;
  auto middle = text.find("](");
  while (middle != npos && text[middle - 1] == '\\') middle = text.find("](", middle + 1);
  if (middle == npos) return std::nullopt;
  const auto close = text.find(')', middle);
  if (close == npos) return std::nullopt;
  std::string_view address = trim(text.substr(middle + 2, close - middle - 2));
  if (address.starts_with('<')) {
    address = address.substr(1, std::min(address.find('>'), address.size()) - 1);
  } else {
    address = address.substr(0, address.find_first_of(" \t"));
  }
  const auto file = file_of(address);
  if (!file) return std::nullopt;
  return PagePointer{0, std::string(trim(text.substr(1, middle - 1))), *file,
                     hook_of(text.substr(close + 1))};
}

// `file.md` …, [[file]] …, file.md: …
std::optional<PagePointer> named_file(std::string_view text) {
  std::string_view name;
  std::size_t end = 0;
  if (text.starts_with('`')) {
    end = std::min(text.find('`', 1), text.size() - 1) + 1;
    name = text.substr(1, end - 2);
  } else if (text.starts_with("[[")) {
    end = std::min(text.find("]]"), text.size() - 2) + 2;
    name = text.substr(2, end - 4);
    name = name.substr(0, name.find('|'));
  } else {
    end = std::min(text.find_first_of(" \t:*"), text.size());
    name = text.substr(0, end);
  }
  const bool wiki = text.starts_with("[[");
  if (name.empty() || (!wiki && name.find(' ') != npos)) return std::nullopt;
  const auto file = file_of(wiki && !has_md(name) ? std::string(name) + ".md" : std::string(name));
  if (!file) return std::nullopt;
  return PagePointer{0, std::string(without_md(name)), *file, hook_of(text.substr(end))};
}

// What the line points to, if it begins with a link; a row of a table, if it has one.
std::optional<PagePointer> pointer_of(std::string_view line) {
  std::string_view text = line.substr(indent_of(line));
  text = without_marks(text.substr(bullet_of(text)));
  if (text.size() < 4) return std::nullopt;
  if (text.starts_with('|')) {
    const auto link = text.find('[');
    return link == npos ? std::nullopt : inline_link(text.substr(link));
  }
  if (auto link = inline_link(text)) return link;
  return named_file(text);
}

bool is_table_head(const std::vector<std::string>& lines) {
  return lines.size() <= 2 && std::all_of(lines.begin(), lines.end(), [](const std::string& line) {
           return line.starts_with('|');
         });
}

class PageReader {
 public:
  PageReader(std::string_view page, const std::function<bool(const std::string&)>& has_file)
      : page_(page), has_file_(has_file) {}

  MemoryPage read() {
    const FrontMatter front = read_front_matter(page_);
    const auto begin = front.state == BlockState::kReadable ? front.body_begin : std::size_t{0};
    number_ = static_cast<int>(std::count(page_.begin(), page_.begin() + begin, '\n'));
    for (std::string_view rest = page_.substr(begin); !rest.empty();) {
      const auto newline = rest.find('\n');
      std::string_view line = rest.substr(0, newline);
      rest.remove_prefix(newline == npos ? rest.size() : newline + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++number_;
      take(line);
    }
    close();
    return std::move(result_);
  }

 private:
  enum class In : unsigned char { kNothing, kParagraph, kBullet };

  void take(std::string_view line) {
    const std::string_view text = line.substr(indent_of(line));
    if (in_comment_) {
      in_comment_ = line.find("-->") == npos;
    } else if (fence_ != 0) {
      add(line);
      if (markdown::closes_fence(text, fence_, fence_length_)) fence_ = 0;
    } else if (text.empty()) {
      gap_ = true;
    } else {
      take_text(line, text);
    }
  }

  void take_text(std::string_view line, std::string_view text) {
    const std::size_t indent = indent_of(line);
    if (const auto fence = markdown::open_fence(text); fence > 0) return open_fence(line, fence);
    if (continues(line)) return add(line);
    if (text.starts_with("<!--")) {
      close();
      in_comment_ = text.find("-->") == npos;
    } else if (const auto marks = markdown::heading_marks(text); marks > 0) {
      close();
      heading_ = trim(markdown::heading_text(text, marks));
      label_.clear();
    } else if (in_ == In::kParagraph && !gap_ && markdown::is_underline(text)) {
      heading_ = trim(lines_.front());
      label_.clear();
      drop();
    } else if (markdown::is_rule(text)) {
      close();
    } else if (const auto bullet = bullet_of(text); bullet > 0) {
      close_before_list();
      open(In::kBullet, line.substr(indent + bullet), indent + bullet);
    } else if (in_ != In::kNothing && !gap_) {
      add(line);
    } else {
      close();
      open(In::kParagraph, text, 0);
    }
  }

  // Indented lines belong to the bullet above them.
  bool continues(std::string_view line) const {
    return in_ == In::kBullet && (line.starts_with('\t') || indent_of(line) >= 2);
  }

  void open_fence(std::string_view line, std::size_t length) {
    const bool announced = in_ != In::kNothing && trim(lines_.back()).ends_with(':');
    const bool goes_on = in_ != In::kNothing && (!gap_ || continues(line) || announced);
    fence_ = line[indent_of(line)];
    fence_length_ = length;
    if (goes_on) return add(line);
    close();
    open(In::kParagraph, line, 0);
  }

  void open(In what, std::string_view text, std::size_t width) {
    in_ = what;
    width_ = width;
    first_ = number_;
    lines_.assign(1, std::string(text));
    gap_ = false;
  }

  void add(std::string_view line) {
    if (gap_) lines_.emplace_back();
    gap_ = false;
    line.remove_prefix(std::min(indent_of(line), width_));
    lines_.emplace_back(line);
  }

  void drop() {
    lines_.clear();
    in_ = In::kNothing;
    gap_ = false;
  }

  // "Commands:" above a list names what stands in the list.
  void close_before_list() {
    if (in_ == In::kParagraph && lines_.size() == 1 && trim(lines_.front()).ends_with(':')) {
      const std::string_view text = trim(lines_.front());
      label_ = trim(text.substr(0, text.size() - 1));
      std::erase_if(label_, [](char c) { return c == '*' || c == '`'; });
      return drop();
    }
    close();
  }

  void close() {
    if (in_ == In::kNothing) return drop();
    if (in_ == In::kParagraph) label_.clear();
    if (!only_points() && !is_rest()) {
      PageNote entry;
      entry.line = first_;
      for (const std::string& line : lines_) entry.text += (entry.text.empty() ? "" : "\n") + line;
      entry.headings = heading_;
      if (!label_.empty()) entry.headings += (heading_.empty() ? "" : ", ") + label_;
      if (auto missing = pointer_of(lines_.front())) entry.missing = std::move(*missing);
      result_.entries.push_back(std::move(entry));
    }
    drop();
  }

  bool is_rest() const {
    return lines_.size() == 1 && lines_.front().starts_with(kRestBegin) &&
           lines_.front().ends_with(kRestEnd);
  }

  // Whether nothing is left without the lines that point to files that are there.
  bool only_points() {
    std::vector<std::string> others;
    std::vector<PagePointer> found;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (trim(lines_[i]).empty()) continue;
      auto pointer = pointer_of(lines_[i]);
      if (!pointer || !has_file_(pointer->file)) {
        others.push_back(lines_[i]);
        continue;
      }
      pointer->line = first_ + static_cast<int>(i);
      found.push_back(std::move(*pointer));
    }
    const bool announces = others.size() == 1 && trim(others.front()).ends_with(':');
    if (found.empty() || !(others.empty() || announces || is_table_head(others))) return false;
    for (PagePointer& pointer : found) result_.pointers.push_back(std::move(pointer));
    return true;
  }

  std::string_view page_;
  const std::function<bool(const std::string&)>& has_file_;
  MemoryPage result_{};
  int number_ = 0;
  std::string heading_{};
  std::string label_{};
  In in_ = In::kNothing;
  std::size_t width_ = 0;  // of the bullet: how far its lines are indented
  int first_ = 0;
  std::vector<std::string> lines_{};
  bool gap_ = false;  // a blank line since
  bool in_comment_ = false;
  char fence_ = 0;
  std::size_t fence_length_ = 0;
};

}  // namespace

std::string line_of_rest(std::size_t count) {
  return std::string(kRestBegin) + std::to_string(count) + std::string(kRestEnd);
}

MemoryPage read_index_page(std::string_view page,
                           const std::function<bool(const std::string& file)>& has_file) {
  return PageReader(page, has_file).read();
}

std::string title_of_entry(const PageNote& entry) {
  std::string line = entry.missing.shown;
  if (line.empty()) line = first_text_line(entry.text);
  if (line.empty()) line = entry.text.substr(0, entry.text.find('\n'));
  std::erase_if(line, [](char c) { return c == '*' || c == '`'; });
  std::string_view text = trim(line);
  if (text.ends_with(':')) text.remove_suffix(1);
  const std::string_view shown = take_graphemes(text, kMaxTitle);
  return std::string(shown) + (shown.size() < text.size() ? "…" : "");
}

}  // namespace memfs
