#include "libmemfs/merge/line_merge.h"

#include <algorithm>
#include <vector>

#include "libmemfs/base/line_diff.h"

namespace memfs {
namespace {

// Lines of one text, from `begin` up to `end`.
struct Range {
  std::size_t begin, end;
};

// One side's text and how it came about, read from the front.
class Side {
 public:
  Side(std::string_view base, std::string_view text)
      : lines_(lines_of(text)), changes_(line_changes(base, text)) {}

  // Where the next change begins in the base; nullptr behind the last one.
  const LineChange* next() const { return at_ < changes_.size() ? &changes_[at_] : nullptr; }
  bool touches(std::size_t base_line) const { return next() && next()->before_begin <= base_line; }

  // Takes the next change into a region that ends at `end`, and says where it ends now.
  std::size_t take(std::size_t end) {
    if (!taken_) first_ = at_;
    taken_ = true;
    return std::max(end, changes_[at_++].before_end);
  }

  // What stands here for the base's region; forgets the changes that were taken.
  std::string_view text_for(const Range& region) {
    const Range own = range_for(region);
    taken_ = false;
    if (own.begin == own.end) return {};
    const char* begin = lines_[own.begin].data();
    const std::string_view last = lines_[own.end - 1];
    return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
  }
  bool taken() const { return taken_; }

 private:
  Range range_for(const Range& region) const {
    if (!taken_) {
      // Unchanged lines keep the distance to the change before them.
      const LineChange* before = at_ == 0 ? nullptr : &changes_[at_ - 1];
      const std::size_t from = before ? before->before_end : 0;
      const std::size_t to = before ? before->after_end : 0;
      return {region.begin - from + to, region.end - from + to};
    }
    const LineChange& first = changes_[first_];
    const LineChange& last = changes_[at_ - 1];
    return {first.after_begin - (first.before_begin - region.begin),
            last.after_end + (region.end - last.before_end)};
  }

  std::vector<std::string_view> lines_;
  std::vector<LineChange> changes_;
  std::size_t at_ = 0;
  std::size_t first_ = 0;
  bool taken_ = false;
};

std::string_view text_of(const std::vector<std::string_view>& lines, const Range& range) {
  if (range.begin >= range.end) return {};
  const std::string_view last = lines[range.end - 1];
  const char* begin = lines[range.begin].data();
  return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
}

// Up to behind the last newline of the bytes that both texts begin with.
std::size_t common_head(std::string_view a, std::string_view b) {
  const auto limit = std::min(a.size(), b.size());
  std::size_t same = 0;
  std::size_t lines = 0;
  for (; same < limit && a[same] == b[same]; ++same)
    if (a[same] == '\n') lines = same + 1;
  return lines;
}

// From the first line of the bytes that both texts end with.
std::size_t common_tail(std::string_view a, std::string_view b) {
  const auto limit = std::min(a.size(), b.size());
  std::size_t lines = 0;
  for (std::size_t same = 1; same <= limit && a[a.size() - same] == b[b.size() - same]; ++same) {
    const bool starts_a = same == a.size() || a[a.size() - same - 1] == '\n';
    const bool starts_b = same == b.size() || b[b.size() - same - 1] == '\n';
    if (starts_a && starts_b) lines = same;
  }
  return lines;
}

void append_marker(std::string& out, char sign, const ConflictMarkers& markers,
                   std::string_view label, std::string_view newline) {
  out.append(markers.size, sign);
  if (!label.empty()) out.append(" ").append(label);
  out += newline;
}

void append_lines(std::string& out, std::string_view lines, std::string_view newline) {
  out += lines;
  if (!lines.empty() && !lines.ends_with('\n')) out += newline;
}

// Both sides changed the region; nothing of either is lost.
void append_region(std::string& out, ThreeTexts sides, const ConflictMarkers& markers,
                   std::size_t& conflicts) {
  if (sides.ours == sides.theirs) {
    out += sides.ours;
    return;
  }
  ++conflicts;
  std::string_view tail;
  if (markers.style != ConflictStyle::kDiff3) {
    const auto head = common_head(sides.ours, sides.theirs);
    out += sides.ours.substr(0, head);
    sides.ours.remove_prefix(head);
    sides.theirs.remove_prefix(head);
    tail = sides.ours.substr(sides.ours.size() - common_tail(sides.ours, sides.theirs));
    sides.ours.remove_suffix(tail.size());
    sides.theirs.remove_suffix(tail.size());
  }
  out += render_conflict(sides, markers);
  out += tail;
}

}  // namespace

std::string_view newline_of(std::string_view text) {
  const auto end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

std::string render_conflict(const ThreeTexts& sides, const ConflictMarkers& markers) {
  std::string out;
  const auto newline = newline_of(!sides.ours.empty() ? sides.ours : sides.theirs);
  append_marker(out, '<', markers, markers.ours, newline);
  append_lines(out, sides.ours, newline);
  if (markers.style != ConflictStyle::kMerge) {
    append_marker(out, '|', markers, markers.base, newline);
    append_lines(out, sides.base, newline);
  }
  append_marker(out, '=', markers, {}, newline);
  append_lines(out, sides.theirs, newline);
  append_marker(out, '>', markers, markers.theirs, newline);
  return out;
}

LineMerge merge_lines(const ThreeTexts& texts, const ConflictMarkers& markers) {
  const auto base = lines_of(texts.base);
  Side ours(texts.base, texts.ours);
  Side theirs(texts.base, texts.theirs);
  LineMerge merge;
  std::size_t done = 0;
  while (ours.next() || theirs.next()) {
    const bool ours_first =
        !theirs.next() || (ours.next() && ours.next()->before_begin <= theirs.next()->before_begin);
    Side& first = ours_first ? ours : theirs;
    Range region{first.next()->before_begin, 0};
    region.end = first.take(region.begin);
    while (ours.touches(region.end) || theirs.touches(region.end))
      region.end = (ours.touches(region.end) ? ours : theirs).take(region.end);
    merge.text += text_of(base, {done, region.begin});
    const bool both = ours.taken() && theirs.taken();
    const bool ours_only = ours.taken();
    const auto our_text = ours.text_for(region);
    const auto their_text = theirs.text_for(region);
    if (both) {
      append_region(merge.text, {text_of(base, region), our_text, their_text}, markers,
                    merge.conflicts);
    } else {
      merge.text += ours_only ? our_text : their_text;
    }
    done = region.end;
  }
  merge.text += text_of(base, {done, base.size()});
  return merge;
}

}  // namespace memfs
