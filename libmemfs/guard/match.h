// What a scanner found: the finding before its line, message and hash are worked out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace memfs {

struct Match {
  std::uint16_t rule = 0;  // index into the table of the scanner
  std::size_t begin = 0;   // bytes [begin, end) of the text
  std::size_t end = 0;
  std::string detail{};    // hidden text: what it says, escaped
  bool mentioned = false;  // instructions: the sentence is about such a mark
};

// Sorts and leaves no two that overlap: of the same place the rule that comes first in the table.
// With `join`, the one that stays covers what it displaced.
void resolve_overlaps(std::vector<Match>& matches, bool join);

}  // namespace memfs
