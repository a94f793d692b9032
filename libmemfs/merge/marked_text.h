// Texts with conflict markers in them, as git or any other merge leaves them, taken apart again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// One conflict. Offsets are bytes of the text: [begin, end) with its markers.
struct MarkedConflict {
  std::size_t begin = 0, end = 0;
  std::string_view ours, theirs;
  std::optional<std::string_view> base{};  // where the markers show it
  int line = 0;                            // of the first marker, from 1
  bool fenced = false;                     // inside a code fence: perhaps the example of one
  // A side has lines that look like these markers, so nobody can tell where it ends: `ours` may be
  // too short and `theirs` too long.
  bool unclear = false;
};

// The whole conflicts of a text. Markers that make no whole conflict are text.
std::vector<MarkedConflict> conflicts_in(std::string_view text);

// The line, from 1, of a marker that opens or closes a conflict and is neither in one of
// `conflicts` nor a line of one of the sides; 0 if there is none.
int lone_marker(std::string_view text, const std::vector<MarkedConflict>& conflicts,
                const std::vector<std::string>& sides);

// The three texts before the merge. Of a conflict that does not show its base the base has nothing.
struct UnmergedTexts {
  std::string base, ours, theirs;
};
UnmergedTexts unmerge(std::string_view text, const std::vector<MarkedConflict>& conflicts);

}  // namespace memfs
