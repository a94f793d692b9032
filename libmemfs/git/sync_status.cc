#include "libmemfs/git/sync_status.h"

#include <map>
#include <set>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

Error refused(const SyncPlace& place, std::string message, std::string hint) {
  return make_error(ErrorCode::kRefused, std::move(message))
      .at(place.top)
      .with_hint(std::move(hint));
}

// What git leaves in its folder in the middle of something.
Result<void> refuse_unfinished(const SyncPlace& place) {
  struct Unfinished {
    const char* file;
    const char* what;
    const char* cure;
  };
  constexpr Unfinished kUnfinished[] = {
      {"MERGE_HEAD", "a merge", "commit it, or `git merge --abort`"},
      {"rebase-merge", "a rebase", "`git rebase --continue`, or `--abort`"},
      {"rebase-apply", "a rebase", "`git rebase --continue`, or `--abort` (`git am` likewise)"},
      {"CHERRY_PICK_HEAD", "a cherry-pick", "`git cherry-pick --continue`, or `--abort`"},
      {"REVERT_HEAD", "a revert", "`git revert --continue`, or `--abort`"},
      {"BISECT_LOG", "a bisection", "`git bisect reset` ends it"}};
  for (const Unfinished& state : kUnfinished) {
    if (!place.fs->stat(join_path(place.git_dir, state.file))) continue;
    return refused(place, std::string(state.what) + " is going on in this repository", state.cure);
  }
  return {};
}

// The path below the folder of one from the top; "" if it lies elsewhere.
std::string below(const SyncPlace& place, const std::string& path) {
  if (place.folder.empty()) return path;
  return path.starts_with(place.folder + "/") ? path.substr(place.folder.size() + 1) : "";
}

// The path is the last of so many words.
std::string path_behind(const std::string& record, int words) {
  std::size_t at = 0;
  for (int i = 0; i < words; ++i) at = record.find(' ', at) + 1;
  return record.substr(at);
}

// "1 XY …": the state of the file in the work tree, against the last commit.
std::string change_of(const std::string& record) {
  const char staged = record[2];
  const char here = record[3];
  if (here == 'D' || (staged == 'D' && here == '.')) return "forgotten";
  return staged == 'A' || staged == 'D' ? "added" : "updated";
}

class StatusReader {
 public:
  explicit StatusReader(const SyncPlace& place) : place_(place) {}

  Result<SyncStatus> read(const std::string& said) {
    for (const std::string& record : split_nul(said)) MEMFS_TRY(take(record));
    for (const auto& [rel, what] : changed_) status_.changed.push_back({rel, what});
    return std::move(status_);
  }

 private:
  Result<void> take(const std::string& record) {
    constexpr std::string_view kHead = "# branch.oid ";
    constexpr std::string_view kBranch = "# branch.head ";
    if (record.starts_with(kHead)) status_.head = record.substr(kHead.size());
    if (status_.head == "(initial)") status_.head.clear();
    if (record.starts_with(kBranch)) status_.branch = record.substr(kBranch.size());
    if (record.size() < 4) return {};
    if (record[0] == '1') note(path_behind(record, 8), change_of(record));
    if (record[0] == 'u') status_.unmerged.push_back(below(place_, path_behind(record, 10)));
    if (record[0] == '?') take_untracked(record.substr(2));
    if (record[0] == '!') return take_ignored(record.substr(2));
    return {};
  }

  void note(const std::string& path, std::string what) {
    const std::string rel = below(place_, path);
    // Removed from the index, and there all the same: it has two records.
    if (const auto [at, fresh] = changed_.emplace(rel, what); !fresh) at->second = "updated";
  }

  void take_untracked(const std::string& path) {
    if (path.ends_with('/')) {
      status_.repositories.push_back(path);
    } else if (const std::string leaf = leaf_of(path);
               leaf != ".mem.lock" && !leaf.starts_with(".mem-tmp-")) {
      note(path, "added");
    }
  }

  Result<void> take_ignored(const std::string& path) {
    const std::string whole = place_.folder + "/";
    if (!place_.folder.empty() && path.ends_with('/') && whole.starts_with(path)) {
      return refused(place_, "git ignores the folder of shared memories, " + path,
                     "`git check-ignore -v " + path + "x` names the line that does it");
    }
    if (is_memory_file(leaf_of(path))) status_.ignored.push_back(below(place_, path));
    return {};
  }

  const SyncPlace& place_;
  SyncStatus status_{};
  std::map<std::string, std::string> changed_{};
};

// "remote.origin.url" and the like; the last of several values.
Result<std::map<std::string, std::string>> settings_of(const SyncPlace& place) {
  std::map<std::string, std::string> settings;
  MEMFS_ASSIGN(
      const auto said,
      place.git.run({"config", "-z", "--get-regexp",
                     "^(remote\\..*\\.url|remote\\.pushdefault|branch\\..*\\."
                     "(remote|merge|pushremote)|commit\\.gpgsign|merge\\.conflictstyle)$"}));
  for (const std::string& record : split_nul(said.out)) {
    const auto end = record.find('\n');
    settings[record.substr(0, end)] = end == std::string::npos ? "true" : record.substr(end + 1);
  }
  return settings;
}

std::string value_of(const std::map<std::string, std::string>& settings, const std::string& key) {
  const auto at = settings.find(key);
  return at == settings.end() ? std::string() : at->second;
}

// Names of remotes that have a place.
std::vector<std::string> remotes_in(const std::map<std::string, std::string>& settings) {
  std::vector<std::string> names;
  for (const auto& [key, value] : settings)
    if (key.starts_with("remote.") && key.ends_with(".url"))
      names.push_back(key.substr(7, key.size() - 11));
  return names;
}

}  // namespace

Result<SyncStatus> read_status(const SyncPlace& place, bool only_look) {
  MEMFS_TRY(refuse_unfinished(place));
  std::vector<std::string> words;
  if (only_look) words.emplace_back("--no-optional-locks");
  for (const char* word : {"status", "--porcelain=v2", "-z", "--branch", "--no-renames",
                           "--untracked-files=all", "--ignored=matching"})
    words.emplace_back(word);
  MEMFS_ASSIGN(const std::string said, place.git.output(with(std::move(words), place.inside())));
  MEMFS_ASSIGN(SyncStatus status, StatusReader(place).read(said));
  if (status.branch == "(detached)") {
    return refused(place, "no branch is checked out (HEAD is detached)",
                   "`git switch BRANCH`, or `git switch -c NEW`");
  }
  return status;
}

Result<SyncRemote> read_remote(const SyncPlace& place, const std::string& branch) {
  MEMFS_ASSIGN(const auto settings, settings_of(place));
  SyncRemote remote;
  const std::string sign = value_of(settings, "commit.gpgsign");
  remote.sign = sign == "true" || sign == "yes" || sign == "on" || sign == "1";
  const std::string style = value_of(settings, "merge.conflictstyle");
  if (style == "diff3") remote.style = ConflictStyle::kDiff3;
  if (style == "zdiff3") remote.style = ConflictStyle::kZdiff3;
  const auto names = remotes_in(settings);
  const std::string own = "branch." + branch + ".";
  remote.name = value_of(settings, own + "remote");
  const std::string upstream = value_of(settings, own + "merge");
  constexpr std::string_view kHeads = "refs/heads/";
  remote.branch = upstream.starts_with(kHeads) ? upstream.substr(kHeads.size()) : branch;
  if (remote.name.empty() && names.size() == 1) remote.name = names.front();
  if (remote.name.empty()) {
    remote.why_none = names.empty() ? "there is no remote: `git remote add origin URL`"
                                    : "the branch has no upstream, and there are several remotes: "
                                      "`git branch --set-upstream-to REMOTE/BRANCH`";
  } else if (remote.name == "." || !std::set(names.begin(), names.end()).contains(remote.name)) {
    remote.why_none = "the upstream of the branch is in no remote that has a name";
    remote.name.clear();
  }
  remote.push_name = value_of(settings, own + "pushremote");
  if (remote.push_name.empty()) remote.push_name = value_of(settings, "remote.pushdefault");
  if (remote.push_name.empty()) remote.push_name = remote.name;
  return remote;
}

}  // namespace memfs
