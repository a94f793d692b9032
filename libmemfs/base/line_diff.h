// Differences between two texts, line by line, in the unified format that git and patch read.
//
// The script is a shortest one (Myers: An O(ND) Difference Algorithm and Its Variations, 1986, the
// variant in linear space) as long as no part of the texts needs more than some 2,000 changes and
// the whole stays within a fixed amount of work. Beyond that, parts are first divided at lines that
// occur once on each side (Cohen's patience diff), and what cannot be divided is replaced as a
// whole: longer than necessary, but right. Lines that one side alone has cost nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// A line ends with LF, which is part of it; the last one may have none.
std::vector<std::string_view> lines_of(std::string_view text);

// The lines [before_begin, before_end) give way to [after_begin, after_end) of the other text.
struct LineChange {
  std::size_t before_begin, before_end;
  std::size_t after_begin, after_end;
};

// The script, in order; between two changes there is at least one equal line.
std::vector<LineChange> line_changes(std::string_view before, std::string_view after);

// Empty if the texts are equal. A line ends with LF; a CR before it is part of the line. A last
// line without LF is marked as git marks it. Three lines of context. The labels go behind "--- "
// and
// "+++ " as they are.
std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_label, std::string_view after_label);

}  // namespace memfs
