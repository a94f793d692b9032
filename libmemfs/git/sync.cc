// The steps of a sync in their order, again and again while others are faster.
#include <memfs/sync.h>

#include <algorithm>
#include <random>
#include <thread>

#include "libmemfs/base/utf8.h"
#include "libmemfs/git/sync_commit.h"
#include "libmemfs/git/sync_conflict.h"
#include "libmemfs/git/sync_merge.h"
#include "libmemfs/git/sync_push.h"

namespace memfs {
namespace {

constexpr int kTries = 5;

// Half to one and a half of a time that doubles: two who collided do not collide again.
void back_off(const SyncRequest& request, int attempt) {
  constexpr int kFirst = 100;
  const int most = kFirst << attempt;
  std::random_device source;
  const int wait = most / 2 + static_cast<int>(source() % static_cast<unsigned>(most));
  if (request.pause) return request.pause(std::chrono::milliseconds(wait));
  std::this_thread::sleep_for(std::chrono::milliseconds(wait));
}

class Sync {
 public:
  Sync(const SyncPlace& place, const SyncRequest& request) : place_(place), request_(request) {}

  Result<SyncReport> run() {
    report_.dry_run = request_.dry_run;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      if (attempt > 0) back_off(request_, attempt);
      MEMFS_ASSIGN(const bool done, once());
      if (done) return finished();
    }
    return make_error(ErrorCode::kBusy, "others were faster " + std::to_string(kTries) + " times")
        .at(place_.top)
        .with_hint("the memories are committed here; `mem sync` tries again");
  }

 private:
  // Each try may have told the same.
  SyncReport finished() {
    std::vector<std::string> notes;
    for (std::string& note : report_.notes)
      if (std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
    report_.notes = std::move(notes);
    return std::move(report_);
  }

  // False if it is to be done again.
  Result<bool> once() {
    if (!request_.dry_run) MEMFS_TRY(place_.renew_page());
    MEMFS_ASSIGN(const SyncStatus status, read_status(place_, request_.dry_run));
    report_.branch = status.branch;
    MEMFS_TRY(look_at_waiting(status));
    if (!report_.waiting.empty()) return true;
    MEMFS_TRY(commit_memories(place_, status, request_.dry_run, report_));
    MEMFS_ASSIGN(remote_, read_remote(place_, status.branch));
    if (remote_.name.empty()) {
      report_.notes.push_back("nothing is fetched or pushed: " + remote_.why_none);
      return true;
    }
    if (request_.dry_run) return tell_dry_run();
    return exchange();
  }

  Result<void> look_at_waiting(const SyncStatus& status) {
    decided_.clear();
    const auto waiting = read_waiting(place_);
    if (waiting) {
      MEMFS_ASSIGN(decided_, decided_files(place_, *waiting, status, report_));
      decided_from_ = waiting->theirs;
    }
    for (const std::string& rel : status.unmerged) {
      const bool ours = waiting && std::any_of(waiting->files.begin(), waiting->files.end(),
                                               [&](const auto& file) { return file.path == rel; });
      if (ours) continue;
      return make_error(ErrorCode::kRefused, "the file is not merged yet")
          .at(place_.absolute(rel))
          .with_hint("decide, and `git add` it; then `mem sync`");
    }
    return {};
  }

  bool tell_dry_run() {
    report_.notes.push_back("what " + remote_.name + "/" + remote_.branch +
                            " has by now is not known without fetching");
    return true;
  }

  Result<bool> exchange() {
    MEMFS_ASSIGN(PushTarget target, plan_target(place_, remote_));
    MEMFS_ASSIGN(const std::string upstream, fetch(target));
    if (upstream.empty() && !place_.personal) {
      report_.notes.push_back("nothing is pushed: " + remote_.name + " has no branch " +
                              remote_.branch + " yet: `git push -u " + remote_.name + " " +
                              remote_.branch + "` makes it");
      return true;
    }
    if (upstream.empty()) MEMFS_TRY(refuse_other_branches());
    if (target.is_proposal) MEMFS_TRY(choose_proposal(place_, remote_, upstream, target));
    MEMFS_ASSIGN(const Landing landing, merge_all(upstream, target));
    if (landing == Landing::kOpen) return true;
    if (landing == Landing::kOvertaken) return false;
    MEMFS_TRY(drop_waiting(place_));
    MEMFS_TRY(commit_page());
    if (!request_.push) return true;
    MEMFS_ASSIGN(const Pushed pushed, push_memories(place_, remote_, upstream, target, report_));
    return pushed == Pushed::kDone;
  }

  // A repository without our branch is a new one, or not the one that is meant.
  Result<void> refuse_other_branches() const {
    MEMFS_ASSIGN(const std::string heads,
                 place_.git.output({"ls-remote", "--heads", remote_.name}));
    if (heads.empty()) return {};
    return make_error(ErrorCode::kRefused,
                      remote_.name + " has branches, but none called " + remote_.branch)
        .at(place_.top)
        .with_hint("is it yours alone? `git -C " + place_.top +
                   " branch -m NAME` takes the name of its branch");
  }

  // The tip of the upstream branch, "" if there is none.
  Result<std::string> fetch(const PushTarget& target) {
    const std::string tracking = remote_.tracking(remote_.branch);
    std::vector<std::string> words = {
        "fetch",      "-q",
        "--no-tags",  "--no-recurse-submodules",
        remote_.name, "+refs/heads/" + remote_.branch + ":" + tracking};
    const std::string own = target.is_proposal ? "refs/heads/" + target.stem + "*" : "";
    const std::string there = "refs/remotes/" + remote_.push_name + "/" + target.stem + "*";
    const std::string proposals = own.empty() ? "" : "+" + own + ":" + there;
    const bool together = remote_.push_name == remote_.name;
    if (!own.empty() && together) words.insert(words.end(), {"--prune", proposals});
    MEMFS_ASSIGN(const auto said, place_.git.run(words));
    if (said.exit_code != 0 && said.err.find("couldn't find remote ref") != std::string::npos)
      return std::string();
    if (said.exit_code != 0) return fetch_failed(said);
    if (!own.empty() && !together)
      MEMFS_TRY(place_.git.output({"fetch", "-q", "--no-tags", "--no-recurse-submodules", "--prune",
                                   remote_.push_name, proposals}));
    MEMFS_ASSIGN(const auto tip, resolve_objects(place_.git, {tracking}));
    return tip.front();
  }

  Error fetch_failed(const ProcessOutput& said) const {
    return make_error(ErrorCode::kIo,
                      "`git fetch " + remote_.name + "` failed: " + words_of_git(said.err))
        .at(place_.top)
        .with_hint("the memories are committed here; once the cause is gone, `mem sync` goes on");
  }

  Result<Landing> merge_all(const std::string& upstream, const PushTarget& target) {
    std::vector<Source> sources;
    if (!upstream.empty()) sources.push_back({remote_.name + "/" + remote_.branch, upstream});
    if (!target.tip.empty())
      sources.push_back({remote_.push_name + "/" + target.branch, target.tip});
    for (const Source& source : sources) {
      std::vector<TreeConflict> decided;
      if (!decided_.empty()) {
        MEMFS_ASSIGN(const bool theirs, is_ancestor(place_.git, decided_from_, source.commit));
        if (theirs) decided = decided_;
      }
      MEMFS_ASSIGN(const MergeOutcome outcome,
                   merge_source(place_, report_.branch, source, remote_, decided, report_));
      if (outcome.landing != Landing::kDone) return outcome.landing;
    }
    return Landing::kDone;
  }

  // A committed INDEX.md is made anew from what was merged.
  Result<void> commit_page() {
    if (!place_.index_committed || report_.merged.empty()) return {};
    MEMFS_TRY(place_.renew_page());
    MEMFS_ASSIGN(const SyncStatus status, read_status(place_, false));
    return commit_memories(place_, status, false, report_);
  }

  const SyncPlace& place_;
  const SyncRequest& request_;
  SyncReport report_{};
  SyncRemote remote_{};
  std::vector<TreeConflict> decided_{};
  std::string decided_from_{};
};

}  // namespace

Result<SyncReport> sync_shared(Store& store, const SyncRequest& request) {
  MEMFS_ASSIGN(const SyncPlace place, shared_place(store));
  return Sync(place, request).run();
}

Result<SyncReport> sync_personal(Store& store, const std::string& remote,
                                 const SyncRequest& request) {
  MEMFS_ASSIGN(const SyncPlace place, personal_place(store, remote, !request.dry_run));
  return Sync(place, request).run();
}

Result<SyncReport> abort_sync(Store& store, bool personal) {
  MEMFS_ASSIGN(const SyncPlace place,
               personal ? personal_place(store, {}, false) : shared_place(store));
  const auto waiting = read_waiting(place);
  if (!waiting || std::all_of(waiting->files.begin(), waiting->files.end(),
                              [](const auto& file) { return file.is_decided; })) {
    return make_error(ErrorCode::kNotFound, "no conflict waits for a decision")
        .at(place.top)
        .with_hint("`mem sync` merges what the remote has");
  }
  MEMFS_ASSIGN(const SyncStatus status, read_status(place, false));
  SyncReport report;
  report.branch = status.branch;
  MEMFS_TRY(take_back(place, *waiting, status, report));
  return report;
}

}  // namespace memfs
