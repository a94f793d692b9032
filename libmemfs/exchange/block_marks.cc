#include "libmemfs/exchange/block_marks.h"

#include <algorithm>
#include <optional>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

constexpr std::string_view kMark = "<!-- mem:";
constexpr std::string_view kBegin = "<!-- mem:begin";
constexpr std::string_view kEnd = "<!-- mem:end";
constexpr std::string_view kBeginLine =
    "<!-- mem:begin (by `mem export block`: change the memories, not these lines) -->";
constexpr std::string_view kEndLine = "<!-- mem:end -->";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Two things come between a mark's word and the end of its comment: nothing, or a blank and words.
bool is_mark(std::string_view line, std::string_view mark) {
  if (!line.starts_with(mark)) return false;
  const std::string_view rest = trim(line.substr(mark.size()));
  const char next = line.size() > mark.size() ? line[mark.size()] : '\0';
  return (next == ' ' || next == '-') && rest.find("-->") == rest.size() - 3 && rest.size() >= 3;
}

struct Mark {
  std::size_t begin = 0, end = 0;  // of its line, without the newline
  int line = 0;
  std::string_view newline{};  // "" for the last line of a file
};

struct Marks {
  std::optional<Mark> begin{}, end{};
};

Error misplaced(const std::string& path, int line, std::string message, std::string hint) {
  return make_error(ErrorCode::kInvalid, std::move(message) + "; nothing was written")
      .at(path, line)
      .with_hint(std::move(hint));
}

// The next line from `pos` on, which moves behind it.
Mark next_line(std::string_view text, std::size_t& pos, int number) {
  Mark line{pos, std::min(text.find_first_of("\r\n", pos), text.size()), number, {}};
  const bool two = text.substr(line.end, 2) == "\r\n";
  line.newline = text.substr(line.end, two ? 2 : 1);
  pos = line.end + line.newline.size();
  return line;
}

Result<void> take_mark(Marks& marks, const Mark& line, bool begins, const std::string& path) {
  std::optional<Mark>& mark = begins ? marks.begin : marks.end;
  const std::string word = begins ? "mem:begin" : "mem:end";
  if (mark) {
    return misplaced(
        path, line.line,
        "a second mark " + word + " (the first is on line " + std::to_string(mark->line) + ")",
        "keep one pair of marks: remove the other with the lines between them");
  }
  if (!begins && !marks.begin)
    return misplaced(path, line.line, "the mark mem:end stands before any mem:begin",
                     "remove it, or put `<!-- mem:begin -->` on the line where the block begins");
  mark = line;
  return {};
}

Result<Marks> find_marks(std::string_view text, const std::string& path) {
  Marks marks;
  int number = 0;
  for (std::size_t pos = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
       pos < text.size();) {
    const Mark line = next_line(text, pos, ++number);
    const std::string_view words = text.substr(line.begin, line.end - line.begin);
    const bool begins = is_mark(words, kBegin);
    if (begins || is_mark(words, kEnd)) MEMFS_TRY(take_mark(marks, line, begins, path));
  }
  if (marks.begin && !marks.end)
    return misplaced(path, marks.begin->line, "the mark mem:begin has no mem:end behind it",
                     "put `<!-- mem:end -->` on the line where the block ends, or remove the mark");
  return marks;
}

std::string lines_with(std::string_view lines, std::string_view newline) {
  std::string made;
  for (const char c : lines) c == '\n' ? made += newline : made += c;
  return made;
}

// What the first line ends with.
std::string_view newline_of(std::string_view text) {
  std::size_t pos = 0;
  const std::string_view newline = next_line(text, pos, 1).newline;
  return newline.empty() ? "\n" : newline;
}

std::string appended(std::string_view text, std::string_view block) {
  const std::string newline(newline_of(text));
  std::string made(text);
  const bool nothing = text.empty() || text == kByteOrderMark;
  if (!nothing && !text.ends_with('\n') && !text.ends_with('\r')) made += newline;
  const bool blank = made.ends_with(newline + newline) || made == newline;
  if (!nothing && !blank) made += newline;
  return made + lines_with(block, newline) + newline;
}

}  // namespace

Result<std::string> with_block(std::string_view text, std::string_view content,
                               const std::string& path) {
  if (const auto nul = text.find('\0'); nul != text.npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(nul), '\n');
    return misplaced(path, static_cast<int>(line), "the file is no text: it holds NUL bytes",
                     "save it as UTF-8, or name another file");
  }
  MEMFS_ASSIGN(const Marks marks, find_marks(text, path));
  const std::string block =
      std::string(kBeginLine) + "\n" + std::string(content) + std::string(kEndLine);
  if (!marks.begin) return appended(text, block);
  return std::string(text.substr(0, marks.begin->begin)) + lines_with(block, marks.begin->newline) +
         std::string(text.substr(marks.end->end));
}

std::string without_marks(std::string_view text) {
  std::string made;
  for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark)) {
    made += text.substr(0, at);
    made += "&lt;";
    text.remove_prefix(at + 1);
  }
  return made += text;
}

}  // namespace memfs
