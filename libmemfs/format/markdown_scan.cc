#include "libmemfs/format/markdown_scan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown_blocks.h"

namespace memfs {
namespace {

constexpr std::size_t kMaxTicks = 80;  // cmark-gfm takes longer runs of backticks for text

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::size_t end_of_run(std::string_view text, std::size_t pos) {
  return std::min(text.find_first_not_of(text[pos], pos), text.size());
}

// Where the run of backticks that closes one of `length` starts, from `pos` on.
std::size_t closing_ticks(std::string_view text, std::size_t pos, std::size_t length) {
  while ((pos = text.find('`', pos)) != kNowhere) {
    const auto end = end_of_run(text, pos);
    if (end - pos == length) return pos;
    pos = end;
  }
  return kNowhere;
}

std::string_view code_text(std::string_view code) {
  const bool padded = code.size() > 2 && code.front() == ' ' && code.back() == ' ';
  return padded && code.find_first_not_of(' ') != kNowhere ? code.substr(1, code.size() - 2) : code;
}

// Signs (but `&`) that cannot be markup where they stand.
bool is_literal(std::string_view text, std::size_t pos) {
  const char before = pos == 0 ? ' ' : text[pos - 1];
  const char after = pos + 1 < text.size() ? text[pos + 1] : ' ';
  switch (text[pos]) {
    case '_':
      if (is_letter_or_digit(before) && is_letter_or_digit(after)) return true;
      [[fallthrough]];
    case '*':
    case '~':
      return before == ' ' && after == ' ';
    case '<':
      return !is_letter_or_digit(after) && after != '/' && after != '!' && after != '?';
    case '&':
      return text.find(';', pos) == kNowhere;
    default:
      return false;
  }
}

// The text of a line whose markup is simple: none but code in backticks.
std::optional<std::string> simple_text(std::string_view line) {
  auto pos = line.find_first_of("*_~<&\\`");
  if (line.find("](") != kNowhere) return std::nullopt;
  if (pos == kNowhere) return std::string(line);
  // Addresses become links, with rules of their own for the signs in them.
  if (line.find("://") != kNowhere || line.find("www.") != kNowhere || line.find('@') != kNowhere)
    return std::nullopt;
  if (line.find('&') != kNowhere && line.find(';') != kNowhere) return std::nullopt;
  std::string text;
  std::size_t from = 0;
  for (; pos != kNowhere; pos = line.find_first_of("*_~<&\\`", pos)) {
    if (line[pos] != '`') {
      if (line[pos] != '&' && !is_literal(line, pos)) return std::nullopt;
      ++pos;
      continue;
    }
    const auto open = end_of_run(line, pos);
    const auto length = open - pos;
    const auto close = closing_ticks(line, open, length);
    if (length > kMaxTicks || close == kNowhere) return std::nullopt;
    text += line.substr(from, pos - from);
    text += code_text(line.substr(open, close - open));
    from = pos = close + length;
  }
  return text + std::string(line.substr(from));
}

class HeadingReader {
 public:
  HeadingReader(std::string_view body, InlineText inline_text)
      : body_(body), inline_text_(inline_text) {}

  // nullopt if the text cannot be told.
  std::optional<std::string> read(const std::vector<std::string_view>& lines) {
    if (lines.size() != 1) return read_all(lines);
    const auto line = trim(lines.front());
    if (may_refer(line)) return std::nullopt;
    auto text = simple_text(line);
    return std::string(trim(text ? *text : inline_text_(line)));
  }

 private:
  std::optional<std::string> read_all(const std::vector<std::string_view>& lines) {
    std::string text;
    for (const auto line : lines) {
      if (line.find_first_of("*_~<&\\`[]:@") != kNowhere || line.find("www.") != kNowhere)
        return std::nullopt;
      if (!text.empty()) text += ' ';
      text += trim(line);
    }
    return text;
  }

  // `[text]` is text or a link; a definition anywhere decides.
  bool may_refer(std::string_view line) {
    if (line.find('[') == kNowhere) return false;
    if (!has_definitions_) has_definitions_ = body_.find("]:") != kNowhere;
    return *has_definitions_;
  }

  std::string_view body_;
  InlineText inline_text_;
  std::optional<bool> has_definitions_{};
};

// Code and comments of a text that is neither code nor HTML as a whole.
class InlineMask {
 public:
  InlineMask(std::string_view body, std::vector<Span>& mask) : body_(body), mask_(mask) {}

  void add(Span range) {
    base_ = range.begin;
    text_ = body_.substr(range.begin, range.end - range.begin);
    find_runs();
    const auto comment_end = text_.rfind("-->");
    std::size_t run = 0;
    for (auto pos = text_.find_first_of("\\`<"); pos != kNowhere;
         pos = text_.find_first_of("\\`<", pos)) {
      if (text_[pos] == '\\') {
        pos += 2;
      } else if (text_[pos] == '<') {
        const bool comment = text_.substr(pos).starts_with("<!--") && comment_end != kNowhere;
        pos =
            comment && comment_end >= pos + 4 ? mark(pos, text_.find("-->", pos + 4) + 3) : pos + 1;
      } else {
        while (runs_[run].end <= pos) ++run;
        const auto close = runs_[run].begin == pos ? runs_[run].twin : 0;
        pos = close == 0 ? runs_[run].end : mark(pos, runs_[close].end);
      }
    }
  }

 private:
  struct Run {
    std::size_t begin;
    std::size_t end;
    std::size_t twin;  // index of the next run as long as this; 0 if there is none
  };

  void find_runs() {
    runs_.clear();
    for (auto pos = text_.find('`'); pos != kNowhere; pos = text_.find('`', pos)) {
      const auto end = end_of_run(text_, pos);
      runs_.push_back({pos, end, 0});
      pos = end;
    }
    std::array<std::size_t, kMaxTicks + 1> next{};
    for (std::size_t i = runs_.size(); i-- > 0;) {
      const auto length = runs_[i].end - runs_[i].begin;
      if (length <= kMaxTicks) runs_[i].twin = std::exchange(next.at(length), i);
    }
  }

  std::size_t mark(std::size_t begin, std::size_t end) {
    mask_.push_back({base_ + begin, base_ + end});
    return end;
  }

  std::string_view body_;
  std::string_view text_{};  // the range
  std::size_t base_ = 0;     // where it starts in the body
  std::vector<Span>& mask_;
  std::vector<Run> runs_{};
};

void add_comments(std::string_view body, Span range, std::vector<Span>& mask) {
  const auto text = body.substr(0, range.end);
  for (auto pos = text.find("<!--", range.begin); pos != kNowhere; pos = text.find("<!--", pos)) {
    const auto close = text.find("-->", pos + 4);
    mask.push_back({pos, close == kNowhere ? range.end : close + 3});
    pos = mask.back().end;
  }
}

}  // namespace

std::optional<std::vector<std::string>> scan_headings(std::string_view body, std::size_t limit,
                                                      InlineText inline_text) {
  std::vector<std::string> headings;
  HeadingReader reader(body, inline_text);
  bool told = true;
  const bool sure = scan_blocks(body, [&](const MarkdownBlock& block) {
    if (block.kind != MarkdownBlock::Kind::kHeading) return true;
    auto text = reader.read(block.lines);
    told = text.has_value();
    if (told && !text->empty()) headings.push_back(std::move(*text));
    return told && headings.size() < limit;
  });
  if (!sure || !told) return std::nullopt;
  return headings;
}

Span span_of(std::string_view body, const MarkdownBlock& block) {
  const auto& last = block.lines.back();
  const auto begin = static_cast<std::size_t>(block.lines.front().data() - body.data());
  return {begin, static_cast<std::size_t>(last.data() - body.data()) + last.size()};
}

void mask_block(std::string_view body, const MarkdownBlock& block, std::vector<Span>& mask) {
  const Span range = span_of(body, block);
  switch (block.kind) {
    case MarkdownBlock::Kind::kCode:
      mask.push_back(range);
      break;
    case MarkdownBlock::Kind::kHtml:
      add_comments(body, range, mask);
      break;
    default:
      InlineMask(body, mask).add(range);
  }
}

std::vector<Span> code_mask(std::string_view body) {
  std::vector<Span> mask;
  scan_blocks(body, [&](const MarkdownBlock& block) {
    mask_block(body, block, mask);
    return true;
  });
  return mask;
}

}  // namespace memfs
