// The piece of a text that shows why it matched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/query.h"

namespace memfs::index {

struct Highlight {
  std::size_t begin = 0;  // bytes in Snippet::text
  std::size_t end = 0;
};

struct Snippet {
  std::string text;        // original bytes, cut on grapheme bounds, newlines as blanks
  std::size_t offset = 0;  // of the first hit in the source text; 0 if there is none
  bool hit = false;
  std::vector<Highlight> highlights;
};

// The window of about `max_graphemes` with most of the query's words; the text's beginning if
// none occurs.
Snippet make_snippet(std::string_view text, const Query& query, std::size_t max_graphemes);

}  // namespace memfs::index
