#include "libmemfs/exchange/markdown_parts.h"

#include <algorithm>
#include <array>
#include <vector>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown.h"
#include "libmemfs/format/markdown_blocks.h"
#include "libmemfs/format/markdown_line.h"

namespace memfs {
namespace {

constexpr std::size_t kMaxLevel = 6;

struct HeadingPlace {
  std::size_t begin = 0, end = 0;  // of its text, maybe of several lines
  std::size_t level = 0;
  std::vector<std::string_view> underlined{};  // the lines; empty: it has `#` signs
  std::size_t signs = 0;                       // where these begin
};

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

HeadingPlace place_of(const std::string& text, const MarkdownBlock& block) {
  HeadingPlace place;
  place.begin = static_cast<std::size_t>(block.lines.front().data() - text.data());
  const std::string_view last = block.lines.back();
  place.end = static_cast<std::size_t>(last.data() - text.data()) + last.size();
  std::size_t at = place.begin;
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  for (place.signs = at; place.signs > 0 && text[place.signs - 1] == '#';) --place.signs;
  place.level = at - place.signs;
  if (place.level > 0) return place;
  const std::size_t under = line_end(text, place.end) + 1;
  const std::size_t sign = line_end(text, under);
  place.level = text.substr(under, sign - under).find('=') != std::string::npos ? 1 : 2;
  for (const std::string_view line : block.lines) place.underlined.push_back(trim(line));
  return place;
}

bool find_headings(const std::string& text, std::vector<HeadingPlace>& places) {
  return scan_blocks(text, [&](const MarkdownBlock& block) {
    const bool heading = block.kind == MarkdownBlock::Kind::kHeading;
    if (heading && !block.lines.front().empty()) places.push_back(place_of(text, block));
    return true;
  });
}

std::string with_signs(const HeadingPlace& place, std::size_t level) {
  const std::string signs(level, '#');
  std::string line = signs;
  for (const std::string_view part : place.underlined) line += " " + std::string(part);
  // Signs at the end would be taken for the closing ones.
  return line.ends_with('#') ? line + " " + signs : line;
}

std::string moved_down(const std::string& text, const std::vector<HeadingPlace>& places,
                       std::size_t level) {
  std::size_t highest = kMaxLevel;
  for (const HeadingPlace& place : places) highest = std::min(highest, place.level);
  if (highest >= level) return text;
  std::string moved;
  std::size_t done = 0;
  for (const HeadingPlace& place : places) {
    const std::size_t next = std::min(place.level + level - highest, kMaxLevel);
    const bool has_signs = place.underlined.empty();
    moved += text.substr(done, (has_signs ? place.signs : place.begin) - done);
    moved += has_signs ? std::string(next, '#') : with_signs(place, next);
    done = has_signs ? place.signs + place.level
                     : line_end(text, line_end(text, place.end) + 1);  // and the line below it
  }
  return moved + text.substr(done);
}

std::size_t longest_run(std::string_view text, char sign) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == sign ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string as_code(const std::string& text) {
  const std::string fence(std::max<std::size_t>(longest_run(text, '~') + 1, 3), '~');
  return fence + "markdown\n" + text + "\n" + fence;
}

// Whether a heading that is put behind the text and an empty line is one.
bool is_closed(const std::string& text) {
  const std::string probed = text + "\n\n# x";
  bool heading = false;
  const bool sure = scan_blocks(probed, [&](const MarkdownBlock& block) {
    heading = block.kind == MarkdownBlock::Kind::kHeading && block.lines.size() == 1 &&
              block.lines.front().data() == probed.data() + probed.size() - 1;
    return true;
  });
  return sure && heading;
}

// The fence with which the text's last block begins, if it is one.
std::string last_fence(const std::string& text) {
  std::string fence;
  scan_blocks(text, [&](const MarkdownBlock& block) {
    fence.clear();
    if (block.kind != MarkdownBlock::Kind::kCode) return true;
    const std::string_view line = trim(block.lines.front());
    if (const std::size_t length = markdown::open_fence(line)) fence.assign(length, line[0]);
    return true;
  });
  return fence;
}

std::string closed(const std::string& text) {
  if (is_closed(text)) return text;
  // What ends a block of code, and HTML of each kind that goes on over empty lines.
  const std::array<std::string, 6> ends = {last_fence(text), "-->", "</pre>", "?>", "]]>", ">"};
  for (const std::string& end : ends)
    if (std::string whole = text + "\n" + end; !end.empty() && is_closed(whole)) return whole;
  return as_code(text);
}

// By cmark-gfm, which is slow and asked where the scanner is not sure: whether the `count` headings
// that were found are all there are, and are all of the part, which leaves nothing open.
bool keeps_outline(const std::string& text, std::size_t count, const std::string& part) {
  std::vector<std::string> headings = parse_headings(text, count + 1);
  if (headings.size() != count) return false;
  headings.emplace_back("x");
  return parse_headings(part + "\n\n# x\n", count + 2) == headings;
}

std::string with_plain_newlines(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!pair) made += text[i] == '\r' ? '\n' : text[i];
  }
  return made;
}

// Without blank lines before and behind it; the first line keeps its indentation.
std::string_view without_blank_ends(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == text.npos) return {};
  const std::size_t line = text.rfind('\n', begin);
  text.remove_prefix(line == text.npos ? 0 : line + 1);
  return text.substr(0, text.find_last_not_of(" \t\n") + 1);
}

}  // namespace

std::string plain_in_markdown(std::string_view text) {
  std::string made;
  for (const char c : escape_for_terminal(text)) {
    if (c == '<') {
      made += "&lt;";  // not `\\<`, in which other programs see a comment begin
      continue;
    }
    if (std::string_view("\\`*[]&").find(c) != std::string_view::npos) made += '\\';
    made += c;
  }
  return made;
}

std::string text_below_title(const Memory& memory) {
  const std::string text = with_plain_newlines(to_valid_utf8(memory.body));
  std::string_view rest = without_blank_ends(text);
  const std::size_t end = line_end(rest, 0);
  const std::string_view first = rest.substr(0, end);
  if (first.starts_with('#') && first_heading(first) == memory.title)
    rest = without_blank_ends(rest.substr(end));
  return std::string(rest);
}

std::string as_part(const std::string& text, int level) {
  if (text.size() > kMaxParsedMarkdown) return as_code(text);
  std::vector<HeadingPlace> places;
  const bool sure = find_headings(text, places);
  std::string part = moved_down(text, places, static_cast<std::size_t>(level));
  if (sure) return closed(part);
  return keeps_outline(text, places.size(), part) ? part : as_code(text);
}

}  // namespace memfs
