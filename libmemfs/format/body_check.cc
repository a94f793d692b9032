#include "libmemfs/format/body_check.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/yaml_diagnosis.h"

namespace memfs {
namespace {

// The first control character other than NUL, tab and line ends.
std::optional<std::size_t> find_control(std::string_view bytes) {
  const auto found = std::find_if(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\0' && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
  });
  if (found == bytes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - bytes.begin());
}

struct ConflictMarker {
  std::size_t offset = 0;
  bool surely = false;  // a whole conflict, and not the example of one in a fence
};

// How many signs the marker in front of the line has; 0 if there is none. Seven, or what the
// attribute conflict-marker-size says.
std::size_t marker_size(std::string_view line, char sign) {
  constexpr std::size_t kShortest = 7;
  const auto size = std::min(line.find_first_not_of(sign), line.size());
  return size < kShortest ? 0 : size;
}

std::optional<ConflictMarker> find_conflict_marker(std::string_view body) {
  std::optional<ConflictMarker> found;
  int sides = 0;         // of a conflict: 1 behind "<<<<<<<", 2 behind "======="
  std::size_t size = 0;  // of its markers
  bool fenced = false;
  for (std::size_t begin = 0; begin < body.size();) {
    const auto end = std::min(body.find('\n', begin), body.size());
    const auto line = body.substr(begin, end - begin);
    if (line.starts_with("```") || line.starts_with("~~~")) fenced = !fenced;
    const auto opening = marker_size(line, '<');
    const auto closing = marker_size(line, '>');
    const bool opens = opening > 0 && line.substr(opening).starts_with(' ');
    const bool closes = closing > 0 && line.substr(closing).starts_with(' ');
    if ((opens || closes) && !found) found = ConflictMarker{begin, false};
    // The base of a merge of merges has conflicts with longer markers.
    if (opens && (sides == 0 || opening <= size)) {
      sides = 1;
      size = opening;
    }
    if (sides == 1 && trim(line) == std::string(size, '=')) sides = 2;
    if (closes && closing == size && sides == 2 && !fenced) found->surely = true;
    begin = end + 1;
  }
  return found;
}

}  // namespace

Problem file_problem(const FileId& file, std::string code, Severity severity, std::string message,
                     std::string hint) {
  Problem problem;
  problem.code = std::move(code);
  problem.severity = severity;
  problem.path = escape_for_terminal(file.path);
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  return problem;
}

void check_dots(Memory& memory, const FileId& file) {
  const std::string_view body = memory.body;
  const auto line = body.substr(0, body.find('\n'));
  const auto colon = line.find(": ");
  const bool key = colon != std::string_view::npos && colon > 0 &&
                   line.substr(0, colon).find(' ') == std::string_view::npos;
  if (!key || body.find("\n---") == std::string_view::npos) return;
  Problem problem = file_problem(file, "dots-close-block", Severity::kWarning,
                                 "`...` ends the front matter: the keys below it are read as text",
                                 "remove the line `...`");
  problem.line = memory.body_line - 1;
  problem.ref = memory.ref();
  memory.problems.push_back(std::move(problem));
}

void check_body(Memory& memory, const FileId& file, std::string_view bytes) {
  struct Finding {
    std::size_t offset;
    const char* code;
    Severity severity;
    const char* message;
    const char* hint;
  };
  std::vector<Finding> findings;
  if (const auto nul = memory.body.find('\0'); nul != std::string::npos)
    findings.push_back({nul, "nul", Severity::kError, "a NUL byte",
                        "the file may be damaged; restore it or remove the byte"});
  if (const auto bad = find_invalid_utf8(memory.body))
    findings.push_back(
        {*bad, "utf8", Severity::kError, "a byte that is not UTF-8", "save the file as UTF-8"});
  if (const auto marker = find_conflict_marker(memory.body))
    findings.push_back(
        {marker->offset, "conflict-marker", marker->surely ? Severity::kError : Severity::kWarning,
         marker->surely ? "git conflict markers in the body" : "a git conflict marker in the body",
         "`mem resolve` takes a side; or keep what is right and remove the marker lines"});
  for (const Finding& finding : findings) {
    Problem problem =
        file_problem(file, finding.code, finding.severity, finding.message, finding.hint);
    const Position at = position_of(bytes, memory.body_offset + finding.offset);
    problem.line = at.line;
    problem.column = at.column;
    problem.ref = memory.ref();
    // A write to a text with two sides loses neither.
    problem.blocks_writes =
        finding.severity == Severity::kError && problem.code != "conflict-marker";
    memory.problems.push_back(std::move(problem));
  }
  if (const auto control = find_control(bytes)) {
    Problem problem =
        file_problem(file, "control-character", Severity::kWarning,
                     "a control character: other readers may refuse the file", "remove it");
    const Position at = position_of(bytes, *control);
    problem.line = at.line;
    problem.column = at.column;
    problem.ref = memory.ref();
    memory.problems.push_back(std::move(problem));
  }
  if (memory.body.size() > kMaxIndexedBody) {
    Problem problem =
        file_problem(file, "large-body", Severity::kInfo,
                     "only the first 1 MiB of the body is searched", "split the memory");
    problem.ref = memory.ref();
    memory.problems.push_back(std::move(problem));
  }
}

}  // namespace memfs
