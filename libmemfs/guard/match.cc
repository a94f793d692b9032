#include "libmemfs/guard/match.h"

#include <algorithm>
#include <tuple>

namespace memfs {

void resolve_overlaps(std::vector<Match>& matches, bool join) {
  std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
    return std::tie(a.begin, a.rule, b.end) < std::tie(b.begin, b.rule, a.end);
  });
  std::size_t kept = 0;
  for (std::size_t at = 0; at < matches.size(); ++at) {
    if (kept > 0 && matches[at].begin < matches[kept - 1].end) {
      if (join) matches[kept - 1].end = std::max(matches[kept - 1].end, matches[at].end);
      continue;
    }
    if (kept != at) matches[kept] = std::move(matches[at]);
    ++kept;
  }
  matches.resize(kept);
}

}  // namespace memfs
