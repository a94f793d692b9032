#include <memfs/git_status.h>

#include <algorithm>
#include <charconv>

#include "libmemfs/git/install_parts.h"
#include "libmemfs/git/staged.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc()) return std::nullopt;
  return value;
}

// "# branch.head main" and its like.
void read_branch(std::string_view line, GitStatus& status) {
  const auto rest = [&](std::string_view key) -> std::optional<std::string_view> {
    if (!line.starts_with(key)) return std::nullopt;
    return line.substr(key.size());
  };
  if (const auto head = rest("# branch.head "); head && *head != "(detached)")
    status.branch = *head;
  if (const auto upstream = rest("# branch.upstream ")) status.upstream = *upstream;
  if (const auto counts = rest("# branch.ab +")) {
    const auto minus = counts->find(" -");
    if (minus == std::string_view::npos) return;
    status.ahead = number(counts->substr(0, minus));
    status.behind = number(counts->substr(minus + 2));
  }
}

// The rest of the line behind so many blanks.
std::string behind(std::string_view line, int blanks) {
  for (int i = 0; i < blanks; ++i) {
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) return {};
    line.remove_prefix(blank + 1);
  }
  return std::string(line);
}

// One record of `git status --porcelain=v2 -z`; true if another path follows it.
bool read_record(const std::string& line, GitStatus& status) {
  if (line.starts_with("# ")) read_branch(line, status);
  if (line.starts_with("? ")) status.untracked.push_back(line.substr(2));
  if (line.starts_with("u ")) status.unmerged.push_back(behind(line, 10));
  const bool renamed = line.starts_with("2 ");
  if ((!line.starts_with("1 ") && !renamed) || line.size() < 4) return false;
  const std::string path = behind(line, renamed ? 9 : 8);
  if (line[2] != '.') status.staged.push_back(path);
  if (line[3] != '.') status.changed.push_back(path);
  return renamed;
}

Result<void> read_files(const StagedShared& shared, GitStatus& status) {
  MEMFS_ASSIGN(const std::string out,
               shared.git().output({"status", "--porcelain=v2", "--branch", "-z",
                                    "--untracked-files=all", "--", shared.folder()}));
  const auto lines = split_nul(out);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (read_record(lines[i], status)) ++i;
  return {};
}

std::string operation_in(FileSystem& fs, const std::string& dir) {
  struct Sign {
    const char* file;
    const char* operation;
  };
  for (const Sign& sign : {Sign{"rebase-merge", "rebase"}, Sign{"rebase-apply/applying", "am"},
                           Sign{"rebase-apply", "rebase"}, Sign{"CHERRY_PICK_HEAD", "cherry-pick"},
                           Sign{"REVERT_HEAD", "revert"}, Sign{"MERGE_HEAD", "merge"}})
    if (fs.stat(join_path(dir, sign.file))) return sign.operation;
  return {};
}

Result<void> read_conflicts(const Store& store, GitStatus& status) {
  MEMFS_ASSIGN(const Listing listing, store.list({Scope::kShared}));
  for (const Memory& memory : listing.memories) {
    const bool markers =
        std::any_of(memory.problems.begin(), memory.problems.end(), [](const Problem& problem) {
          return problem.code == "conflict-marker" && problem.severity == Severity::kError;
        });
    const bool values =
        std::any_of(memory.problems.begin(), memory.problems.end(), [](const Problem& problem) {
          return problem.code == "merge-undecided" && problem.severity == Severity::kWarning;
        });
    if (markers) status.markers.push_back(memory.ref());
    if (values) status.merge_conflicts.push_back(memory.ref());
  }
  return {};
}

bool is_set_up(const GitStatus& status) {
  return std::all_of(status.set_up.steps.begin(), status.set_up.steps.end(), [](const GitStep& s) {
    return s.outcome == GitStep::Outcome::kKept || s.outcome == GitStep::Outcome::kLeft;
  });
}

// The most urgent first.
void advise(GitStatus& status) {
  const auto say = [&](std::string line) { status.next.push_back(std::move(line)); };
  const bool open =
      !status.merge_conflicts.empty() || !status.markers.empty() || !status.unmerged.empty();
  if (open) say("`mem resolve` shows what is to be decided, and takes the answers");
  if (!status.operation.empty()) {
    const bool goes_on = status.operation != "merge";
    say((open ? "then " : "") + std::string("finish the ") + status.operation + ": `git add` and " +
        (goes_on ? "`git " + status.operation + " --continue`" : "`git commit`"));
  }
  if (!is_set_up(status)) say("`mem git install` lets mem merge and check here");
  if (!status.set_up.to_commit.empty())
    say("commit " + status.set_up.to_commit.front() + ": the team needs it");
  if (open || !status.operation.empty()) return;
  const bool unsaved =
      !status.staged.empty() || !status.changed.empty() || !status.untracked.empty();
  if (unsaved) {
    say("`mem sync` commits these memories and exchanges them with the others");
  } else if (status.behind.value_or(0) > 0 || status.ahead.value_or(0) > 0) {
    say("`mem sync` exchanges memories with the others");
  }
  if (status.next.empty()) say("nothing is to be done");
}

}  // namespace

Result<GitStatus> git_status(Store& store, const GitInstallOptions& options) {
  StoreInside::Impl& inside = StoreInside::of(store);
  GitInstallOptions look = options;
  look.dry_run = true;
  look.global = look.seal = false;
  GitStatus status;
  MEMFS_ASSIGN(status.set_up, install_git(inside.fs(), inside.layout, look));
  const StagedShared shared(inside.fs(), inside.layout, {"GIT_OPTIONAL_LOCKS=0"});
  MEMFS_TRY(read_files(shared, status));
  MEMFS_ASSIGN(const std::string dir, shared.git().line({"rev-parse", "--absolute-git-dir"}));
  status.operation = operation_in(inside.fs(), dir);
  const auto seal = shared.git().run({"config", "--type=bool", "--get", "mem.seal"});
  status.seal = seal && seal->exit_code == 0 && seal->out == "true\n";
  MEMFS_TRY(read_conflicts(store, status));
  advise(status);
  return status;
}

}  // namespace memfs
