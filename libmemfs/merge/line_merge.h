// Three-way merge of texts by lines, as git's own merge does it: what one side alone changed is
// taken, what both changed in the same way is taken once, and where both changed lines that touch
// each other both versions stand between markers.
#pragma once

#include <memfs/merge.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace memfs {

struct LineMerge {
  std::string text;
  std::size_t conflicts = 0;
};

LineMerge merge_lines(const ThreeTexts& texts, const ConflictMarkers& markers);

// The two sides of one conflict, which takes whole lines. A side whose last line has no newline
// gets one.
std::string render_conflict(const ThreeTexts& sides, const ConflictMarkers& markers);

// "\r\n" if the first line of the text ends so, else "\n".
std::string_view newline_of(std::string_view text);

}  // namespace memfs
