#include "libmemfs/guard/quoted_text.h"

#include <algorithm>
#include <array>

namespace memfs {
namespace {

constexpr std::size_t kReach = 600;  // bytes on each side in which the marks are looked for

struct Marks {
  std::string_view open;
  std::string_view close;
};
constexpr std::array kMarks = {Marks{"“", "”"},   Marks{"„", "“"}, Marks{"«", "»"},
                               Marks{"»", "«"},   Marks{"‘", "’"}, Marks{"「", "」"},
                               Marks{"『", "』"}, Marks{"‚", "‘"}};

std::string_view without_indent(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
}

// Follows the fences from line to line.
class Fences {
 public:
  // Takes the next line; is it inside a fence, or one?
  bool take(std::string_view line) {
    const std::string_view rest = without_indent(line);
    const char mark = rest.empty() ? '\0' : rest.front();
    const std::size_t length =
        mark == '`' || mark == '~' ? std::min(rest.find_first_not_of(mark), rest.size()) : 0;
    if (open_ == 0) {
      if (length < 3) return false;
      open_ = length;
      mark_ = mark;
      return true;
    }
    if (mark == mark_ && length >= open_ && without_indent(rest.substr(length)).size() <= 1)
      open_ = 0;
    return true;
  }

 private:
  std::size_t open_ = 0;
  char mark_ = '\0';
};

// The paragraph's part before and behind the passage.
Marks around(std::string_view text, ByteRange passage) {
  const std::size_t from = passage.begin - std::min(passage.begin, kReach);
  std::string_view before = text.substr(from, passage.begin - from);
  for (const std::string_view gap : {"\n\n", "\n\r\n"})
    if (const auto at = before.rfind(gap); at != std::string_view::npos) before.remove_prefix(at);
  std::string_view after = text.substr(passage.end, kReach);
  for (const std::string_view gap : {"\n\n", "\n\r\n"}) after = after.substr(0, after.find(gap));
  return {before, after};
}

// Marks that open and close alike: an odd number of them stands before, in the paragraph or, where
// a mark of an earlier line is not what it seems, in the line.
bool is_between(const Marks& parts, char mark) {
  const std::string_view line = parts.open.substr(parts.open.rfind('\n') + 1);
  const auto odd = [&](std::string_view part) {
    return std::count(part.begin(), part.end(), mark) % 2 == 1;
  };
  return (odd(parts.open) || odd(line)) && parts.close.find(mark) != std::string_view::npos;
}

// An apostrophe opens only behind a blank or a bracket.
bool is_between_apostrophes(const Marks& parts) {
  const auto open = parts.open.rfind('\'');
  if (open == std::string_view::npos) return false;
  const bool opens = open == 0 || std::string_view(" \t\n([:,").find(parts.open[open - 1]) !=
                                      std::string_view::npos;
  return opens && parts.close.find('\'') != std::string_view::npos;
}

bool is_in_marks(std::string_view text, ByteRange passage) {
  const Marks parts = around(text, passage);
  if (is_between(parts, '`') || is_between(parts, '"') || is_between_apostrophes(parts))
    return true;
  return std::any_of(kMarks.begin(), kMarks.end(), [&](const Marks& marks) {
    const auto open = parts.open.rfind(marks.open);
    const auto closed = parts.open.rfind(marks.close);
    return open != std::string_view::npos && (closed == std::string_view::npos || closed <= open) &&
           parts.close.find(marks.close) != std::string_view::npos;
  });
}

}  // namespace

std::vector<bool> are_quoted(std::string_view text, const std::vector<ByteRange>& passages) {
  std::vector<bool> result;
  Fences fences;
  std::size_t line_begin = 0;
  bool in_code = false;
  bool in_block = false;
  std::size_t next_line = 0;
  for (const ByteRange passage : passages) {
    while (next_line <= passage.begin && next_line < text.size()) {
      line_begin = next_line;
      const std::size_t end = std::min(text.find('\n', line_begin), text.size());
      const std::string_view line = text.substr(line_begin, end - line_begin);
      in_code = fences.take(line);
      in_block = without_indent(line).starts_with('>');
      next_line = end + 1;
    }
    result.push_back(in_code || in_block || is_in_marks(text, passage));
  }
  return result;
}

}  // namespace memfs
