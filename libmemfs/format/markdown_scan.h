// Headings and code of a markdown text without a parse tree; in linear time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// The text without markup of one line that stands in a heading.
using InlineText = std::string (*)(std::string_view line);

// The texts of the first `limit` headings that have one, as cmark-gfm gives them; nullopt if this
// cannot be told for sure. `inline_text` is asked for the few lines with intricate markup.
std::optional<std::vector<std::string>> scan_headings(std::string_view body, std::size_t limit,
                                                      InlineText inline_text);

struct Span {
  std::size_t begin = 0;  // byte offsets: [begin, end)
  std::size_t end = 0;
};

// Where `body` holds code (fenced, indented, in backticks) and HTML comments, in order.
std::vector<Span> code_mask(std::string_view body);

struct MarkdownBlock;

// The bytes of `body` from a block's first line to its last, with what stands before the lines in
// between (marks of quotes and lists).
Span span_of(std::string_view body, const MarkdownBlock& block);
// Appends where the block holds code and HTML comments.
void mask_block(std::string_view body, const MarkdownBlock& block, std::vector<Span>& mask);

}  // namespace memfs
