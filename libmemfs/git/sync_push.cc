#include "libmemfs/git/sync_push.h"

#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

// The branch that the remote shows first, "" if that cannot be told. What the clone noted of it
// long ago is believed only where it forbids a push.
Result<std::string> default_branch(const SyncPlace& place, const SyncRemote& remote) {
  const std::string start = "refs/remotes/" + remote.name + "/";
  MEMFS_ASSIGN(const auto known, place.git.run({"symbolic-ref", "-q", start + "HEAD"}));
  const std::string name(trim(known.out));
  if (known.exit_code == 0 && name == start + remote.branch) return remote.branch;
  MEMFS_ASSIGN(const auto asked, place.git.run({"ls-remote", "--symref", remote.name, "HEAD"}));
  constexpr std::string_view kRef = "ref: refs/heads/";
  const auto tab = asked.out.find('\t');
  if (asked.exit_code != 0 || !asked.out.starts_with(kRef) || tab == std::string::npos)
    return std::string();
  return asked.out.substr(kRef.size(), tab - kRef.size());
}

// "Ada Lovelace <ada@example.org> 1764493200 +0000"
Result<std::string> user_of(const SyncPlace& place) {
  MEMFS_ASSIGN(const std::string author, place.git.line({"var", "GIT_AUTHOR_IDENT"}));
  const auto mail = author.find('<');
  std::string user = branch_slug(author.substr(0, mail));
  if (user.empty() && mail != std::string::npos)
    user = branch_slug(author.substr(mail + 1, author.find('@', mail) - mail - 1));
  return user.empty() ? std::string("somebody") : user;
}

// Whether commits that only we have change anything but memories. Also those that a merge
// overruled: what was never to leave the machine would go with them.
Result<bool> carries_code(const SyncPlace& place, const std::string& tip,
                          const std::vector<std::string>& known) {
  if (place.folder.empty()) return false;
  std::vector<std::string> words = {"rev-list", "-n", "1", tip};
  for (const std::string& commit : known) words.push_back("^" + commit);
  MEMFS_ASSIGN(const std::string said, place.git.output(with(words, place.outside())));
  if (!said.empty()) return true;
  words.insert(words.end(), {"--full-history", "--no-merges"});
  MEMFS_ASSIGN(const std::string overruled,
               place.git.output(with(std::move(words), place.outside())));
  return !overruled.empty();
}

Result<bool> is_merged(const SyncPlace& place, const std::string& tip,
                       const std::string& upstream) {
  MEMFS_ASSIGN(const bool contained, is_ancestor(place.git, tip, upstream));
  if (contained) return true;
  MEMFS_ASSIGN(const auto trees,
               resolve_objects(place.git, {place.tree_in(tip), place.tree_in(upstream)}));
  return trees[0] == trees[1];  // merged as one new commit
}

// A commit that has all that the remote has, and our memories.
Result<std::string> commit_to_push(const SyncPlace& place, const SyncRemote& remote,
                                   const std::string& head, const std::string& folder,
                                   const std::vector<std::string>& tips) {
  std::vector<std::string> parents;
  for (const std::string& tip : tips) {
    MEMFS_ASSIGN(const bool contained, is_ancestor(place.git, tip, head));
    if (!contained) parents.push_back(tip);
  }
  if (parents.empty()) return head;
  parents.push_back(head);
  MEMFS_ASSIGN(const std::string tree,
               put_folder(place.git, tips.front() + "^{tree}", place.folder, folder));
  return make_commit(place.git, tree, parents,
                     "Merge memories into " + remote.name + "/" + remote.branch + "\n",
                     remote.sign);
}

bool was_overtaken(const std::string& said) {
  for (const char* words : {"(fetch first)", "(non-fast-forward)", "(stale info)",
                            "cannot lock ref", "failed to update ref", "reference already exists"})
    if (said.find(words) != std::string::npos) return true;
  return false;
}

Result<Pushed> push(const SyncPlace& place, const SyncRemote& remote, const std::string& commit,
                    const PushTarget& target, SyncReport& report) {
  MEMFS_ASSIGN(const auto said,
               place.git.run({"push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no",
                              remote.push_name, commit + ":refs/heads/" + target.branch}));
  if (said.exit_code != 0 && was_overtaken(said.out + said.err)) return Pushed::kOvertaken;
  if (said.exit_code != 0) {
    return make_error(ErrorCode::kIo,
                      "`git push " + remote.push_name + "` failed: " + words_of_git(said.err))
        .at(place.top)
        .with_hint("the memories are committed here; once the cause is gone, `mem sync` goes on");
  }
  report.pushed_to = remote.push_name + " " + target.branch;
  if (target.is_proposal) report.url = url_in(said.err);
  return Pushed::kDone;
}

}  // namespace

std::string branch_slug(const std::string& text) {
  std::string slug = slug_of(text);
  while (slug.ends_with('.')) slug.pop_back();
  return slug;
}

std::string url_in(const std::string& said) {
  for (std::size_t at = 0; at < said.size();) {
    const auto end = std::min(said.find('\n', at), said.size());
    const std::string line = said.substr(at, end - at);
    const auto url = line.find("http");
    if (line.starts_with("remote:") && url != std::string::npos &&
        (line.compare(url, 7, "http://") == 0 || line.compare(url, 8, "https://") == 0))
      return line.substr(url, line.find_first_of(" \t\r", url) - url);
    at = end + 1;
  }
  return {};
}

Result<PushTarget> plan_target(const SyncPlace& place, const SyncRemote& remote) {
  PushTarget target;
  target.branch = remote.branch;
  if (place.push_direct) return target;
  MEMFS_ASSIGN(const std::string first, default_branch(place, remote));
  target.is_proposal = first.empty() || first == remote.branch || remote.push_name != remote.name;
  if (!target.is_proposal) return target;
  MEMFS_ASSIGN(const std::string user, user_of(place));
  target.stem = "mem/" + user + "-" + branch_slug(remote.branch);
  return target;
}

Result<void> choose_proposal(const SyncPlace& place, const SyncRemote& remote,
                             const std::string& upstream, PushTarget& target) {
  const std::string start = "refs/remotes/" + remote.push_name + "/";
  for (int number = 1;; ++number) {
    target.branch = target.stem + (number == 1 ? "" : "-" + std::to_string(number));
    MEMFS_ASSIGN(const auto tip, resolve_objects(place.git, {start + target.branch}));
    target.tip = tip.front();
    if (target.tip.empty()) return {};
    MEMFS_ASSIGN(const bool merged, is_merged(place, target.tip, upstream));
    if (merged) continue;
    // Code in it is somebody's own work under that name.
    MEMFS_ASSIGN(const bool code, carries_code(place, target.tip, {upstream}));
    if (!code) return {};
  }
}

Result<Pushed> push_memories(const SyncPlace& place, const SyncRemote& remote,
                             const std::string& upstream, const PushTarget& target,
                             SyncReport& report) {
  std::vector<std::string> tips;
  for (const std::string& tip : {upstream, target.tip})
    if (!tip.empty()) tips.push_back(tip);
  std::vector<std::string> names = {"HEAD", place.tree_in("HEAD")};
  for (const std::string& tip : tips) names.push_back(place.tree_in(tip));
  MEMFS_ASSIGN(const auto found, resolve_objects(place.git, names));
  // What is there already, also if only as a proposal.
  if (std::find(found.begin() + 2, found.end(), found[1]) != found.end()) return Pushed::kDone;
  MEMFS_ASSIGN(const bool code, carries_code(place, found[0], tips));
  if (code) {
    report.notes.push_back("commits that are not on " + remote.name +
                           " yet change other files too: `git push` them, then `mem sync`");
    return Pushed::kDone;
  }
  MEMFS_ASSIGN(const std::string commit, commit_to_push(place, remote, found[0], found[1], tips));
  return push(place, remote, commit, target, report);
}

}  // namespace memfs
