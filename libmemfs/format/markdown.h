// Structure of markdown text. The only user of cmark-gfm.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// Bodies are parsed up to this size; beyond it there are no headings (see docs/format.md).
constexpr std::size_t kMaxParsedMarkdown = 1 << 20;

// The text of each heading, in order, without markup.
std::vector<std::string> headings_of(std::string_view body);

// The text of the first heading, or "".
std::string first_heading(std::string_view body);

// The same by cmark-gfm alone, which is slow, for at most `limit` headings of a body of any size.
// The others come here only for texts that scan_headings() is not sure of; tests compare the two.
std::vector<std::string> parse_headings(std::string_view body, std::size_t limit);

// The first line that is text: not blank, no heading, no fence, comment, rule or table frame; list
// and quote marks are taken off. "" if there is none.
std::string first_text_line(std::string_view body);

// HTML with GitHub's extensions; raw HTML in the source is left out (it is someone's text).
std::string to_html(std::string_view body);

}  // namespace memfs
