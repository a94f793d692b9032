#include "libmemfs/merge/marked_text.h"

#include <map>
#include <set>

#include "libmemfs/base/line_diff.h"

namespace memfs {
namespace {

constexpr std::size_t kShortest = 7;  // signs of a marker

// How many signs begin the line, if it is a marker of that sign; 0 if it is none.
std::size_t marker_of(std::string_view line, char sign) {
  const auto end = line.find_first_not_of(sign);
  const std::size_t signs = end == std::string_view::npos ? line.size() : end;
  if (signs < kShortest) return 0;
  const std::string_view rest = line.substr(signs);
  return rest.empty() || rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\r' ? signs
                                                                                             : 0;
}

// Lines between two offsets.
std::string_view between(std::string_view text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin);
}

// A line that is a marker.
struct Marker {
  char sign = '\0';
  std::size_t size = 0;
  std::size_t begin = 0, end = 0;  // of the line with its newline
  int line = 0;
  std::optional<std::size_t> partner{};  // of a "<": the marker that closes it
};

// Each "<" belongs to the ">" of its size that closes it, as brackets do.
void pair_up(std::vector<Marker>& markers) {
  std::map<std::size_t, std::vector<std::size_t>> open;  // by size
  for (std::size_t i = 0; i < markers.size(); ++i) {
    std::vector<std::size_t>& waiting = open[markers[i].size];
    if (markers[i].sign == '<') waiting.push_back(i);
    if (markers[i].sign != '>' || waiting.empty()) continue;
    markers[waiting.back()].partner = i;
    waiting.pop_back();
  }
}

std::vector<Marker> markers_in(std::string_view text) {
  std::vector<Marker> markers;
  std::size_t at = 0;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    for (const char sign : {'<', '|', '=', '>'})
      if (const auto size = marker_of(line, sign); size > 0)
        markers.push_back({sign, size, at, at + line.size(), number});
    at += line.size();
  }
  pair_up(markers);
  return markers;
}

// The conflict between a "<" and its partner; nullopt if nothing parts two sides there. Markers of
// another size are text: the base of a merge of merges has conflicts with longer ones.
std::optional<MarkedConflict> conflict_at(std::string_view text, const std::vector<Marker>& markers,
                                          std::size_t first) {
  const Marker& open = markers[first];
  const Marker& close = markers[*open.partner];
  const Marker* base = nullptr;
  const Marker* middle = nullptr;
  MarkedConflict conflict;
  for (std::size_t i = first + 1; i < *open.partner; ++i) {
    const Marker& marker = markers[i];
    if (marker.size != open.size) continue;
    const bool is_base = marker.sign == '|' && base == nullptr && middle == nullptr;
    const bool is_middle = marker.sign == '=' && middle == nullptr;
    if (is_base) base = &marker;
    if (is_middle) middle = &marker;
    // Behind the middle "|||||||" can only be text; all else may be text or not.
    if (!is_base && !is_middle && (marker.sign != '|' || middle == nullptr))
      conflict.unclear = true;
  }
  if (middle == nullptr) return std::nullopt;
  const Marker& behind_ours = base != nullptr ? *base : *middle;
  conflict.begin = open.begin;
  conflict.end = close.end;
  conflict.ours = between(text, open.end, behind_ours.begin);
  if (base != nullptr) conflict.base = between(text, base->end, middle->begin);
  conflict.theirs = between(text, middle->end, close.begin);
  conflict.line = open.line;
  return conflict;
}

// Whether an odd number of code fences stands in front of each conflict, outside of those before.
void find_fences(std::string_view text, std::vector<MarkedConflict>& conflicts) {
  std::size_t at = 0;
  std::size_t next = 0;
  bool fenced = false;
  for (const std::string_view line : lines_of(text)) {
    if (next < conflicts.size() && at >= conflicts[next].end) ++next;
    if (next == conflicts.size()) return;
    if (at == conflicts[next].begin) conflicts[next].fenced = fenced;
    const bool fence = line.starts_with("```") || line.starts_with("~~~");
    if (fence && at < conflicts[next].begin) fenced = !fenced;
    at += line.size();
  }
}

}  // namespace

std::vector<MarkedConflict> conflicts_in(std::string_view text) {
  const std::vector<Marker> markers = markers_in(text);
  std::vector<MarkedConflict> conflicts;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (!markers[i].partner) continue;
    if (auto conflict = conflict_at(text, markers, i)) conflicts.push_back(*conflict);
    i = *markers[i].partner;
  }
  find_fences(text, conflicts);
  return conflicts;
}

int lone_marker(std::string_view text, const std::vector<MarkedConflict>& conflicts,
                const std::vector<std::string>& sides) {
  std::set<std::string_view> known;
  for (const std::string& side : sides)
    for (const std::string_view line : lines_of(side)) known.insert(line);
  std::size_t next = 0;
  for (const Marker& marker : markers_in(text)) {
    while (next < conflicts.size() && conflicts[next].end <= marker.begin) ++next;
    const bool inside = next < conflicts.size() && conflicts[next].begin <= marker.begin;
    const bool edge = marker.sign == '<' || marker.sign == '>';
    if (edge && !inside && !known.contains(between(text, marker.begin, marker.end)))
      return marker.line;
  }
  return 0;
}

UnmergedTexts unmerge(std::string_view text, const std::vector<MarkedConflict>& conflicts) {
  UnmergedTexts texts;
  std::size_t done = 0;
  const auto add_common = [&](std::size_t end) {
    for (std::string* side : {&texts.base, &texts.ours, &texts.theirs})
      *side += between(text, done, end);
  };
  for (const MarkedConflict& conflict : conflicts) {
    add_common(conflict.begin);
    texts.ours += conflict.ours;
    texts.theirs += conflict.theirs;
    texts.base += conflict.base.value_or(std::string_view());
    done = conflict.end;
  }
  add_common(text.size());
  return texts;
}

}  // namespace memfs
