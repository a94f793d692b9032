#include "libmemfs/base/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace memfs {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::int64_t kMaxDepth = 1024;     // changes looked at from each end of a part
constexpr std::int64_t kMaxWork = 24000000;  // steps over all parts
constexpr int kMaxDivisions = 16;            // of a part, one inside the other

// One text as the algorithm sees it.
struct Numbered {
  std::vector<std::string_view> lines{};
  std::vector<std::uint32_t> numbers{};  // of each line: equal lines have equal numbers
  std::vector<bool> changed{};           // by line
  std::vector<std::uint32_t> kept{};     // lines that the other side has, too
  std::uint32_t at(std::size_t i) const { return numbers[kept[i]]; }
  void mark(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) changed[kept[i]] = true;
  }
};

// A part of both texts, counted in kept lines.
struct Box {
  std::size_t a0, a1, b0, b1;
};

struct Point {
  std::size_t a, b;
};

class Differ {
 public:
  Differ(std::string_view before, std::string_view after) {
    a_.lines = lines_of(before);
    b_.lines = lines_of(after);
    const auto lines = number_lines();
    keep_common(a_, b_, lines);
    keep_common(b_, a_, lines);
    seen_.resize(lines);
  }

  void run() { compare({0, a_.kept.size(), 0, b_.kept.size()}, 0); }
  const Numbered& before() const { return a_; }
  const Numbered& after() const { return b_; }

 private:
  std::size_t number_lines() {
    std::unordered_map<std::string_view, std::uint32_t> known;
    known.reserve(a_.lines.size() + b_.lines.size());
    for (Numbered* side : {&a_, &b_})
      for (const std::string_view line : side->lines)
        side->numbers.push_back(
            known.emplace(line, static_cast<std::uint32_t>(known.size())).first->second);
    return known.size();
  }

  // A line that the other side does not have is changed in every script.
  static void keep_common(Numbered& side, const Numbered& other, std::size_t lines) {
    std::vector<bool> there(lines);
    for (const std::uint32_t number : other.numbers) there[number] = true;
    side.changed.resize(side.lines.size());
    for (std::uint32_t i = 0; i < side.lines.size(); ++i) {
      side.changed[i] = !there[side.numbers[i]];
      if (!side.changed[i]) side.kept.push_back(i);
    }
  }

  // Marks a shortest script, or a right one. Halving the changes and kMaxDivisions bound the depth.
  void compare(Box box, int divisions) {
    trim(box);
    if (box.a0 == box.a1 || box.b0 == box.b1) {
      a_.mark(box.a0, box.a1);
      b_.mark(box.b0, box.b1);
      return;
    }
    if (const auto middle = middle_of(box)) {
      compare({box.a0, middle->a, box.b0, middle->b}, divisions);
      compare({middle->a, box.a1, middle->b, box.b1}, divisions);
    } else {
      divide(box, divisions);
    }
  }

  void trim(Box& box) const {
    while (box.a0 < box.a1 && box.b0 < box.b1 && a_.at(box.a0) == b_.at(box.b0)) ++box.a0, ++box.b0;
    while (box.a0 < box.a1 && box.b0 < box.b1 && a_.at(box.a1 - 1) == b_.at(box.b1 - 1))
      --box.a1, --box.b1;
  }

  // Furthest x on each diagonal, from one end of a box.
  class Front {
   public:
    void start(std::int64_t depth) {
      offset_ = depth + 1;
      x_.assign(static_cast<std::size_t>(2 * depth + 3), kNone);
      set(1, 0);
    }
    std::int64_t at(std::int64_t k) const { return x_[static_cast<std::size_t>(k + offset_)]; }
    void set(std::int64_t k, std::int64_t x) { x_[static_cast<std::size_t>(k + offset_)] = x; }
    // One more change, to the right or down, that stays within `width` and `height`.
    std::int64_t step(std::int64_t k, std::int64_t width, std::int64_t height) const {
      const std::int64_t right = at(k - 1) + 1 <= width ? at(k - 1) + 1 : kNone;
      const std::int64_t down = at(k + 1) - k <= height ? at(k + 1) : kNone;
      return std::max(right, down);
    }
    static constexpr std::int64_t kNone = -(std::int64_t{1} << 40);

   private:
    std::vector<std::int64_t> x_;
    std::int64_t offset_ = 0;
  };

  // A point on a shortest path through the box, about in the middle of its changes; nothing if
  // that takes too long. REQUIRES: trimmed, and neither side empty, so that it is no corner.
  std::optional<Point> middle_of(const Box& box) {
    const auto width = static_cast<std::int64_t>(box.a1 - box.a0);
    const auto height = static_cast<std::int64_t>(box.b1 - box.b0);
    const std::int64_t delta = width - height;
    const bool odd = delta % 2 != 0;
    const std::int64_t depth = std::min((width + height + 1) / 2, kMaxDepth);
    forward_.start(depth);
    backward_.start(depth);
    for (std::int64_t d = 0; d <= depth && work_ < kMaxWork; ++d) {
      for (std::int64_t k = -d; k <= d; k += 2) {
        const std::int64_t x = extend(forward_, k, box, true);
        if (odd && meets(x, backward_, delta - k, d - 1, width))
          return Point{box.a0 + static_cast<std::size_t>(x),
                       box.b0 + static_cast<std::size_t>(x - k)};
      }
      for (std::int64_t k = -d; k <= d; k += 2) {
        const std::int64_t x = extend(backward_, k, box, false);
        if (!odd && meets(x, forward_, delta - k, d, width))
          return Point{box.a1 - static_cast<std::size_t>(x),
                       box.b1 - static_cast<std::size_t>(x - k)};
      }
    }
    return std::nullopt;
  }

  static bool meets(std::int64_t x, const Front& other, std::int64_t k, std::int64_t d,
                    std::int64_t width) {
    return x >= 0 && k >= -d && k <= d && other.at(k) >= 0 && x + other.at(k) >= width;
  }

  // The next x on diagonal k, over all equal lines that follow.
  std::int64_t extend(Front& front, std::int64_t k, const Box& box, bool forward) {
    const auto width = static_cast<std::int64_t>(box.a1 - box.a0);
    const auto height = static_cast<std::int64_t>(box.b1 - box.b0);
    std::int64_t x = front.step(k, width, height);
    ++work_;
    if (x >= 0) {
      const std::int64_t first = x;
      while (x < width && x - k < height && equal(x, x - k, box, forward)) ++x;
      work_ += x - first;
    }
    front.set(k, x < 0 ? Front::kNone : x);
    return x;
  }

  bool equal(std::int64_t x, std::int64_t y, const Box& box, bool forward) const {
    const auto i = static_cast<std::size_t>(x);
    const auto j = static_cast<std::size_t>(y);
    return forward ? a_.at(box.a0 + i) == b_.at(box.b0 + j)
                   : a_.at(box.a1 - 1 - i) == b_.at(box.b1 - 1 - j);
  }

  // Compares the pieces between lines that occur once on each side; without such lines everything
  // is changed.
  void divide(const Box& box, int divisions) {
    const auto anchors = divisions < kMaxDivisions ? anchors_of(box) : std::vector<Point>();
    if (anchors.empty()) {
      a_.mark(box.a0, box.a1);
      b_.mark(box.b0, box.b1);
      return;
    }
    Point from{box.a0, box.b0};
    for (const Point& anchor : anchors) {
      compare({from.a, anchor.a, from.b, anchor.b}, divisions + 1);
      from = {anchor.a + 1, anchor.b + 1};
    }
    compare({from.a, box.a1, from.b, box.b1}, divisions + 1);
  }

  // The longest run of such lines that has one order on both sides.
  std::vector<Point> anchors_of(const Box& box) {
    for (std::size_t i = box.a0; i < box.a1; ++i) seen_[a_.at(i)] = {};
    for (std::size_t j = box.b0; j < box.b1; ++j) seen_[b_.at(j)] = {};
    for (std::size_t i = box.a0; i < box.a1; ++i) ++seen_[a_.at(i)].in_a;
    for (std::size_t j = box.b0; j < box.b1; ++j) {
      ++seen_[b_.at(j)].in_b;
      seen_[b_.at(j)].place = j;
    }
    std::vector<Point> points;
    for (std::size_t i = box.a0; i < box.a1; ++i) {
      const Seen& seen = seen_[a_.at(i)];
      if (seen.in_a == 1 && seen.in_b == 1) points.push_back({i, seen.place});
    }
    return longest_rising(points);
  }

  // Fredman 1975: piles, each point remembering the one below it.
  static std::vector<Point> longest_rising(const std::vector<Point>& points) {
    constexpr std::size_t kNone = SIZE_MAX;
    std::vector<std::size_t> tops;
    std::vector<std::size_t> below(points.size(), kNone);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto pile =
          std::lower_bound(tops.begin(), tops.end(), points[i].b,
                           [&](std::size_t top, std::size_t b) { return points[top].b < b; });
      if (pile != tops.begin()) below[i] = *std::prev(pile);
      if (pile == tops.end()) {
        tops.push_back(i);
      } else {
        *pile = i;
      }
    }
    std::vector<Point> rising;
    for (std::size_t i = tops.empty() ? kNone : tops.back(); i != kNone; i = below[i])
      rising.push_back(points[i]);
    std::reverse(rising.begin(), rising.end());
    return rising;
  }

  // A line in a part: how often on each side, and its last place in the part of b.
  struct Seen {
    std::uint32_t in_a = 0, in_b = 0;
    std::size_t place = 0;
  };

  Numbered a_, b_;
  Front forward_, backward_;
  std::int64_t work_ = 0;
  std::vector<Seen> seen_;  // by number
};

// A run of changed lines: [a0, a1) gives way to [b0, b1).
std::vector<Box> runs_of(const Numbered& a, const Numbered& b) {
  std::vector<Box> runs;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.lines.size() || j < b.lines.size()) {
    Box run{i, i, j, j};
    while (run.a1 < a.lines.size() && a.changed[run.a1]) ++run.a1;
    while (run.b1 < b.lines.size() && b.changed[run.b1]) ++run.b1;
    i = run.a1;
    j = run.b1;
    if (run.a0 != run.a1 || run.b0 != run.b1) {
      runs.push_back(run);
    } else {
      ++i;
      ++j;
    }
  }
  return runs;
}

// Moves lines that were only added, or only removed, down as far as that says the same: what is
// added behind a paragraph begins at its own beginning.
void slide(std::vector<Box>& runs, const Numbered& a, const Numbered& b) {
  for (std::size_t at = 0; at < runs.size(); ++at) {
    Box& run = runs[at];
    if (run.a0 != run.a1 && run.b0 != run.b1) continue;
    const std::size_t limit = at + 1 < runs.size() ? runs[at + 1].a0 : a.lines.size();
    const bool added = run.a0 == run.a1;
    const std::vector<std::uint32_t>& numbers = added ? b.numbers : a.numbers;
    while (run.a1 < limit && numbers[added ? run.b0 : run.a0] == numbers[added ? run.b1 : run.a1]) {
      ++run.a0, ++run.a1;
      ++run.b0, ++run.b1;
    }
  }
}

void append_line(std::string& out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

// "12,3": the first line counts from 1; of no lines it is the one before.
std::string range_of(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  std::string text = std::to_string(count == 0 ? begin : begin + 1);
  return count == 1 ? text : text + "," + std::to_string(count);
}

// Writes the runs [first, last), which share their context.
void append_hunk(std::string& out, const Numbered& a, const Numbered& b,
                 const std::vector<Box>& runs, std::size_t first, std::size_t last) {
  const std::size_t before = std::min(runs[first].a0, kContext);
  const std::size_t behind = std::min(a.lines.size() - runs[last - 1].a1, kContext);
  const std::size_t end = runs[last - 1].a1 + behind;
  out += "@@ -" + range_of(runs[first].a0 - before, end) + " +" +
         range_of(runs[first].b0 - before, runs[last - 1].b1 + behind) + " @@\n";
  std::size_t i = runs[first].a0 - before;
  for (std::size_t at = first; at < last; ++at) {
    const Box& run = runs[at];
    for (; i < run.a0; ++i) append_line(out, ' ', a.lines[i]);
    for (; i < run.a1; ++i) append_line(out, '-', a.lines[i]);
    for (std::size_t j = run.b0; j < run.b1; ++j) append_line(out, '+', b.lines[j]);
  }
  for (; i < end; ++i) append_line(out, ' ', a.lines[i]);
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::vector<LineChange> line_changes(std::string_view before, std::string_view after) {
  std::vector<LineChange> changes;
  if (before == after) return changes;
  Differ differ(before, after);
  differ.run();
  auto runs = runs_of(differ.before(), differ.after());
  slide(runs, differ.before(), differ.after());
  for (const Box& run : runs) changes.push_back({run.a0, run.a1, run.b0, run.b1});
  return changes;
}

std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_label, std::string_view after_label) {
  std::string out;
  if (before == after) return out;
  Differ differ(before, after);
  differ.run();
  auto runs = runs_of(differ.before(), differ.after());
  slide(runs, differ.before(), differ.after());
  out.append("--- ").append(before_label).append("\n+++ ").append(after_label).append("\n");
  for (std::size_t first = 0; first < runs.size();) {
    std::size_t last = first + 1;
    while (last < runs.size() && runs[last].a0 - runs[last - 1].a1 <= 2 * kContext) ++last;
    append_hunk(out, differ.before(), differ.after(), runs, first, last);
    first = last;
  }
  return out;
}

}  // namespace memfs
