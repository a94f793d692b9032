#include "cli/annotations.h"

#include <array>
#include <cstdio>

#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

// As @actions/core escapes: `signs` become %XX.
std::string escaped(std::string_view text, std::string_view signs) {
  std::string out;
  for (const char c : to_valid_utf8(text)) {
    if (signs.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    std::array<char, 4> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%%%02X", static_cast<unsigned char>(c));
    out += buffer.data();
  }
  return out;
}

std::string as_data(std::string_view text) { return escaped(text, "%\r\n"); }
std::string as_property(std::string_view text) { return escaped(text, "%\r\n:,"); }

std::string_view command_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInfo:
      return "notice";
  }
  return "notice";
}

std::string_view below(std::string_view root, std::string_view path) {
  const bool inside = !root.empty() && path.starts_with(root) && path.size() > root.size() + 1 &&
                      path[root.size()] == '/';
  return inside ? path.substr(root.size() + 1) : path;
}

}  // namespace

std::string annotation_of(const Problem& problem, std::string_view root) {
  std::string line = "::" + std::string(command_of(problem.severity)) + " ";
  if (!problem.path.empty()) line += "file=" + as_property(below(root, problem.path)) + ",";
  if (problem.line > 0) line += "line=" + std::to_string(problem.line) + ",";
  if (problem.column > 0) line += "col=" + std::to_string(problem.column) + ",";
  line += "title=" + as_property(problem.code) + "::" + as_data(problem.message);
  if (!problem.hint.empty()) line += as_data("\n" + problem.hint);
  return line + "\n";
}

}  // namespace memfs::cli
