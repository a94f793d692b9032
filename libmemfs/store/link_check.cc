#include "libmemfs/store/link_check.h"

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/link_address.h"

namespace memfs {
namespace {

Problem problem_at(const Memory& memory, const TextLink& link, const char* code, Severity severity,
                   std::string message, std::string hint) {
  Problem problem;
  problem.code = code;
  problem.severity = severity;
  problem.path = escape_for_terminal(memory.path);
  problem.line = link.line;
  problem.column = link.column;
  problem.ref = memory.ref();
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  return problem;
}

std::string shown(const std::string& text) {
  return escape_for_terminal(cut_at_char_boundary(text, 120));
}

// The file that a path of markdown means, absolute.
std::string file_of(const LinkingMemory& from, std::string_view address,
                    const ScopeFolders& folders) {
  const std::string folder = join_path(folders.at(static_cast<std::size_t>(from.memory.scope)),
                                       parent_of(from.memory.name));
  const auto path = normal_path(join_path(folder, decode_path(split_address(address).path)));
  return path ? "/" + *path : "";
}

}  // namespace

std::vector<Problem> link_problems(const LinkingMemory& from, const LinkTable& table,
                                   const ScopeFolders& folders,
                                   const std::function<bool(const std::string&)>& exists) {
  std::vector<Problem> problems;
  const auto resolved = resolve_links(from, table);
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    const TextLink& link = resolved[i].shown;
    if (link.state == LinkState::kElsewhere) continue;
    if (link.state == LinkState::kBroken) {
      if (!from.links[i].is_wiki() && exists(file_of(from, link.address, folders))) continue;
      problems.push_back(problem_at(from.memory, link, "broken-link", Severity::kWarning,
                                    "no memory is called " + shown(link.address),
                                    "correct the name, or write that memory"));
      continue;
    }
    const Memory& target = table.memories()[resolved[i].target.memory];
    if (link.ambiguous)
      problems.push_back(
          problem_at(from.memory, link, "ambiguous-link", Severity::kInfo,
                     shown(link.address) + " fits several memories, and leads to " + link.ref,
                     "name more of its path, or its scope"));
    if (from.memory.scope == Scope::kShared && target.scope != Scope::kShared)
      problems.push_back(problem_at(from.memory, link, "private-link", Severity::kWarning,
                                    "leads to " + link.ref + ", which only you have",
                                    "move that one to the shared scope, or say it here"));
  }
  return problems;
}

}  // namespace memfs
