#include "libmemfs/check/unmerged.h"

#include <map>

#include "libmemfs/base/file_system.h"
#include "libmemfs/check/problem.h"
#include "libmemfs/store/git_question.h"

namespace memfs {

std::vector<UnmergedFile> unmerged_files(const Layout& layout) {
  const ScopeFolder& shared = layout.folder(Scope::kShared);
  if (layout.git_top.empty() || !shared.exists) return {};
  // "<mode> <object> <stage>\t<path>", relative to the folder.
  const auto answer = ask_git(shared.path, {"ls-files", "-u", "-z"});
  if (!answer || answer->exit_code != 0) return {};
  std::map<std::string, UnmergedFile> files;
  for (const std::string& line : split_nul(answer->out)) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos || tab == 0) continue;
    const std::string rel = line.substr(tab + 1);
    UnmergedFile& file = files[rel];
    file.rel = rel;
    const char stage = line[tab - 1];
    (stage == '1' ? file.has_base : stage == '2' ? file.has_ours : file.has_theirs) = true;
  }
  std::vector<UnmergedFile> list;
  for (auto& [rel, file] : files) list.push_back(std::move(file));
  return list;
}

void check_unmerged(const Layout& layout, std::vector<Problem>& problems) {
  const ScopeFolder& shared = layout.folder(Scope::kShared);
  for (const UnmergedFile& file : unmerged_files(layout)) {
    if (!file.edit_and_deletion()) continue;
    problems.push_back(problem_at("merge-unfinished", join_path(shared.path, file.rel),
                                  file.has_ours
                                      ? "edited here and deleted by the other side of the merge"
                                      : "deleted here and edited by the other side of the merge",
                                  "`mem resolve` keeps the edit"));
  }
}

}  // namespace memfs
