// The blocks of a markdown text, line by line, as cmark-gfm sees them; in linear time.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace memfs {

// A block that holds text itself; quotes and list items around it are taken off its lines.
struct MarkdownBlock {
  enum class Kind : unsigned char { kHeading, kParagraph, kCode, kHtml };

  Kind kind = Kind::kParagraph;
  // Views into the body without newlines; those of headings and paragraphs start at their text.
  // A code block holds its fences, too.
  std::vector<std::string_view> lines{};
};

// Hands the blocks over in order, until `visit` answers false. False if the text up to there
// holds something rare that this scanner is not sure to see as cmark-gfm does.
bool scan_blocks(std::string_view body, const std::function<bool(const MarkdownBlock&)>& visit);

}  // namespace memfs
