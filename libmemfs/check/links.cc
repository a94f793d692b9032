#include "libmemfs/check/links.h"

#include "libmemfs/base/utf8.h"
#include "libmemfs/check/problem.h"

namespace memfs {
namespace {

constexpr std::size_t kShownAddress = 120;  // bytes

Problem link_problem(const Memory& memory, const TextLink& link, ProblemCode code,
                     std::string message, std::string hint) {
  Problem problem = problem_of(memory, code, std::move(message), std::move(hint));
  problem.line = link.line;
  problem.column = link.column;
  return problem;
}

std::string shown(const std::string& address) {
  return escape_for_terminal(cut_at_char_boundary(address, kShownAddress));
}

}  // namespace

std::vector<Problem> check_links(const LinkingMemory& from, const LinkTable& table) {
  std::vector<Problem> problems;
  const auto resolved = resolve_links(from, table);
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    const TextLink& link = resolved[i].shown;
    if (link.state == LinkState::kElsewhere) continue;
    if (link.state == LinkState::kBroken) {
      problems.push_back(link_problem(from.memory, link, "broken-link",
                                      "no memory is called " + shown(link.address),
                                      "correct the name, or write that memory"));
      continue;
    }
    const Memory& target = table.memories()[resolved[i].target.memory];
    if (link.ambiguous)
      problems.push_back(
          link_problem(from.memory, link, "ambiguous-link",
                       shown(link.address) + " fits several memories, and leads to " + link.ref,
                       "name more of its path, or its scope"));
    if (from.memory.scope == Scope::kShared && target.scope != Scope::kShared)
      problems.push_back(link_problem(from.memory, link, "private-link",
                                      "leads to " + link.ref + ", which only you have",
                                      "move that one to the shared scope, or say it here"));
  }
  return problems;
}

}  // namespace memfs
