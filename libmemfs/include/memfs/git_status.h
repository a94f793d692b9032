// Where a clone stands with its shared memories. See docs/git.md.
#pragma once

#include <memfs/git_install.h>
#include <memfs/store.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memfs {

struct GitStatus {
  std::string branch{};                            // empty: none, HEAD is at a commit of its own
  std::string upstream{};                          // "origin/main"; empty: none
  std::optional<std::uint64_t> ahead{}, behind{};  // commits; nullopt: not known
  std::string operation{};  // "merge", "rebase", "cherry-pick", "revert", "am"; empty: none
  // Files of the shared folder, as git knows them. One may be both staged and changed.
  std::vector<std::string> staged{}, changed{}, untracked{}, unmerged{};
  // References of shared memories with markers of a conflict, and with another side's value that
  // waits for a decision.
  std::vector<std::string> markers{}, merge_conflicts{};
  GitInstallReport set_up{};  // what install_git() would do
  bool seal = false;
  std::vector<std::string> next{};  // what to do now, the most urgent first; never empty
};

// kRefused outside git and where there are no shared memories. Writes nothing.
Result<GitStatus> git_status(Store& store, const GitInstallOptions& options);

}  // namespace memfs
