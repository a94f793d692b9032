#include "libmemfs/git/page_merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libmemfs/base/line_diff.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/merge/line_merge.h"
#include "libmemfs/store/index_page.h"

namespace memfs {
namespace {

// The lines of memories under each heading.
using Groups = std::map<std::string, std::set<std::string>, std::less<>>;

// "deploy/rollback.md" of "- [Title](deploy/rollback.md) — text": one memory has one line.
std::string_view target_in(std::string_view line) {
  const auto begin = line.find("](");
  if (begin == std::string_view::npos) return line;
  const auto rest = line.substr(begin + 2);
  return rest.substr(0, rest.find(')'));
}

// Headings in the order in which they appear are added to `order`.
Groups groups_of(std::string_view generated, std::vector<std::string>& order) {
  Groups groups;
  std::string heading;
  for (const std::string_view line : lines_of(generated)) {
    const std::string text(trim(line));
    if (text.starts_with("## ")) {
      heading = text;
      if (std::find(order.begin(), order.end(), heading) == order.end()) order.push_back(heading);
    } else if (text.starts_with("- [")) {
      groups[heading].insert(text);
    }
  }
  return groups;
}

bool has(const Groups& groups, const std::string& heading, const std::string& line) {
  const auto it = groups.find(heading);
  return it != groups.end() && it->second.contains(line);
}

// What either page has, without what either took out.
std::vector<std::string> lines_under(const std::string& heading, const Groups& base,
                                     const Groups& ours, const Groups& theirs) {
  std::map<std::string, std::string> by_target;
  for (const Groups* side : {&ours, &theirs}) {
    const auto it = side->find(heading);
    if (it == side->end()) continue;
    for (const std::string& line : it->second) {
      const bool both = has(ours, heading, line) && has(theirs, heading, line);
      if (both || !has(base, heading, line))
        by_target.emplace(fold_name(target_in(line)) + '\0' + std::string(target_in(line)), line);
    }
  }
  std::vector<std::string> lines;
  for (auto& [target, line] : by_target) lines.push_back(std::move(line));
  return lines;
}

std::string merge_generated(std::string_view base, std::string_view ours, std::string_view theirs) {
  std::vector<std::string> order = {"## User", "## Feedback", "## Project", "## Reference",
                                    "## Other"};
  const Groups in_base = groups_of(base, order);
  const Groups in_ours = groups_of(ours, order);
  const Groups in_theirs = groups_of(theirs, order);
  std::string out = std::string(kIndexBegin) + "\n";
  for (const std::string& heading : order) {
    const auto lines = lines_under(heading, in_base, in_ours, in_theirs);
    if (lines.empty()) continue;
    out += "\n" + heading + "\n\n";
    for (const std::string& line : lines) out += line + "\n";
  }
  return out + "\n" + std::string(kIndexEnd) + "\n";
}

}  // namespace

MemoryMerge merge_pages(const ThreeTexts& pages, const ConflictMarkers& markers) {
  const auto base = split_page(pages.base).value_or(PageParts{pages.base, {}, {}});
  const auto ours = split_page(pages.ours);
  const auto theirs = split_page(pages.theirs);
  MemoryMerge merge;
  if (!ours || !theirs) {
    LineMerge lines = merge_lines(pages, markers);
    merge.text = std::move(lines.text);
    merge.conflicts = lines.conflicts;
    return merge;
  }
  const LineMerge before = merge_lines({base.before, ours->before, theirs->before}, markers);
  const LineMerge after = merge_lines({base.after, ours->after, theirs->after}, markers);
  merge.text = before.text + merge_generated(base.generated, ours->generated, theirs->generated) +
               after.text;
  merge.conflicts = before.conflicts + after.conflicts;
  return merge;
}

}  // namespace memfs
