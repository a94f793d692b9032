#include "cli/problem_lines.h"

#include <algorithm>
#include <ostream>

#include "cli/context.h"

namespace memfs::cli {

std::size_t count_of(const std::vector<Problem>& problems, Severity severity) {
  return static_cast<std::size_t>(std::count_if(
      problems.begin(), problems.end(), [&](const Problem& p) { return p.severity == severity; }));
}

void print_problem(Context& context, const Problem& problem) {
  std::ostream& out = context.out();
  out << place_of(problem.path, problem.line, problem.column) << name_of(problem.severity) << ": "
      << context.shown(problem.message) << " [" << problem.code << "]\n";
  if (!problem.hint.empty()) out << "    " << context.shown(problem.hint) << "\n";
}

}  // namespace memfs::cli
