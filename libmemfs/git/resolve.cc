#include <memfs/check.h>
#include <memfs/resolve.h>

#include <algorithm>
#include <map>
#include <set>

#include "libmemfs/base/utf8.h"
#include "libmemfs/check/mend.h"
#include "libmemfs/check/unmerged.h"
#include "libmemfs/git/git.h"
#include "libmemfs/git/resolve_file.h"
#include "libmemfs/git/sync_pending.h"
#include "libmemfs/merge/kept_values.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

bool has_code(const Memory& memory, std::string_view code) {
  return std::any_of(memory.problems.begin(), memory.problems.end(),
                     [&](const Problem& problem) { return problem.code == code; });
}

bool may_be_open(const Memory& memory) {
  const bool kept = std::any_of(memory.extra.begin(), memory.extra.end(),
                                [](const auto& key) { return key.first == kKeptKey; });
  return kept || has_code(memory, "conflict-marker") || has_code(memory, "duplicate-key");
}

class Resolution {
 public:
  Resolution(Store& store, const ResolveWish& wish) : store_(store), wish_(wish) {
    for (UnmergedFile& file : unmerged_files(store.layout())) {
      std::string rel = file.rel;
      unmerged_.emplace(std::move(rel), std::move(file));
    }
  }

  Result<ResolveReport> run() {
    if (!wish_.keep.empty()) return keep_one();
    MEMFS_ASSIGN(const std::vector<Memory> memories, wanted());
    for (const Memory& memory : memories) report_.files.push_back(settle_one(memory));
    return std::move(report_);
  }

 private:
  const UnmergedFile* unmerged(const Memory& memory) const {
    const auto it = unmerged_.find(memory.rel);
    return memory.scope == Scope::kShared && it != unmerged_.end() ? &it->second : nullptr;
  }

  Result<std::vector<Memory>> wanted() const {
    MEMFS_ASSIGN(Listing listing, store_.list());
    std::vector<Memory> memories;
    if (wish_.references.empty()) {
      for (Memory& memory : listing.memories)
        if (may_be_open(memory) || unmerged(memory)) memories.push_back(std::move(memory));
      return memories;
    }
    for (const std::string& reference : wish_.references) {
      MEMFS_ASSIGN(const Found found, StoreInside::of(store_).find(reference, true));
      memories.push_back(found.memory);
    }
    return memories;
  }

  ResolvedFile settle_one(const Memory& memory) {
    const UnmergedFile* in_git = unmerged(memory);
    if (in_git != nullptr && in_git->edit_and_deletion()) return keep_edit(memory, *in_git);
    ResolvedFile file = resolve_file(store_, memory, wish_, sides_of(in_git), base_of(in_git));
    if (in_git != nullptr && file.open.empty() && file.problem.empty()) stage(file, memory.rel);
    return file;
  }

  // What git holds for each side; "" for one that it does not give.
  Sides sides_of(const UnmergedFile* in_git) const {
    Sides sides;
    if (in_git == nullptr) return sides;
    for (const char* stage : {":2:./", ":3:./"})
      sides.push_back(git().output({"cat-file", "blob", stage + in_git->rel}).value_or(""));
    return sides;
  }

  // The common ancestor, as long as git has not been told that the conflict is over; empty for two
  // memories that were given one name.
  std::optional<std::string> base_of(const UnmergedFile* in_git) const {
    if (in_git == nullptr) return std::nullopt;
    if (!in_git->has_base) return std::string();
    const auto base = git().output({"cat-file", "blob", ":1:./" + in_git->rel});
    return base ? std::optional(*base) : std::nullopt;
  }

  // A name may hold signs that git takes for a pattern.
  Git git() const {
    return Git(store_.layout().folder(Scope::kShared).path, {"GIT_LITERAL_PATHSPECS=1"});
  }

  // Who edited did so not knowing of the deletion: the edit stays unless somebody says otherwise.
  ResolvedFile keep_edit(const Memory& memory, const UnmergedFile& in_git) {
    ResolvedFile file;
    file.ref = memory.ref();
    file.path = memory.path;
    const bool delete_it = (wish_.take == Take::kOurs && !in_git.has_ours) ||
                           (wish_.take == Take::kTheirs && !in_git.has_theirs);
    if (delete_it && !wish_.dry_run) {
      const auto forgotten = store_.forget(memory.ref());
      if (!forgotten) {
        file.problem = forgotten.error().message;
        return file;
      }
      file.written = true;
    }
    file.done.emplace_back(delete_it ? "took the deletion; the edited memory is in the archive"
                                     : "kept the edit of one side over the deletion by the other");
    stage(file, memory.rel);
    return file;
  }

  void stage(ResolvedFile& file, const std::string& rel) const {
    if (wish_.dry_run) return;
    std::vector<std::string> words = {"add", "-A", "--", rel};
    // Without the second memory's file the merge would be committed as if it had been deleted.
    if (!file.other_ref.empty())
      words.push_back(file.other_ref.substr(file.other_ref.find('/') + 1) + ".md");
    const auto added = git().output(words);
    file.staged = added.has_value();
    if (!added) file.problem = added.error().message;
    // The file may be as it was before the conflict: `mem sync` must not ask again.
    if (added) (void)note_decision(StoreInside::of(store_).fs(), git(), rel);
  }

  // One of several memories keeps the subject, or the id, that all of them have.
  Result<ResolveReport> keep_one() {
    MEMFS_ASSIGN(Listing listing, store_.list());
    MEMFS_ASSIGN(const Found keeper, StoreInside::of(store_).find(wish_.keep, true));
    if (wish_.references.size() != 1)
      return make_error(ErrorCode::kUsage, "--keep needs one subject or id that several hold")
          .with_hint("mem resolve subject:KEY --keep REF");
    const std::string& what = wish_.references.front();
    if (what.starts_with("subject:")) return clear_subject(listing, keeper.memory, what.substr(8));
    return give_ids(listing, keeper.memory, what);
  }

  Result<ResolveReport> clear_subject(const Listing& listing, const Memory& keeper,
                                      const std::string& subject) {
    if (keeper.subject_key != subject)
      return make_error(ErrorCode::kUsage, keeper.ref() + " does not hold " + subject);
    for (const Memory& memory : listing.memories) {
      if (memory.subject_key != subject || memory.scope != keeper.scope ||
          memory.path == keeper.path)
        continue;
      ResolvedFile file;
      file.ref = memory.ref();
      file.path = memory.path;
      Change change;
      change.fields.push_back({"subject_key", "", {}, true});
      change.consent = wish_.consent;
      if (!wish_.dry_run) {
        const auto done = store_.update(memory.ref(), change);
        if (!done) file.problem = done.error().message;
        file.written = done && done->changed;
      }
      if (file.problem.empty())
        file.done.push_back("no longer holds " + subject + ", which is " + keeper.ref() + "'s");
      report_.files.push_back(std::move(file));
    }
    return std::move(report_);
  }

  Result<ResolveReport> give_ids(const Listing& listing, const Memory& keeper,
                                 const std::string& id) {
    if (keeper.id != id)
      return make_error(ErrorCode::kUsage, keeper.ref() + " does not have the id " + id);
    std::set<std::string> paths;
    for (const Memory& memory : listing.memories)
      if (memory.id == id && memory.path != keeper.path) paths.insert(memory.path);
    CheckReport mended;
    if (!wish_.dry_run) give_new_ids(StoreInside::of(store_), paths, mended);
    for (const Memory& memory : listing.memories) {
      if (!paths.contains(memory.path)) continue;
      ResolvedFile file;
      file.ref = memory.ref();
      file.path = memory.path;
      file.written = !wish_.dry_run;
      for (const Problem& problem : mended.problems)
        if (problem.path == escape_for_terminal(memory.path)) file.problem = problem.message;
      if (file.problem.empty())
        file.done.push_back("got an id of its own; " + keeper.ref() + " keeps " + id);
      report_.files.push_back(std::move(file));
    }
    return std::move(report_);
  }

  Store& store_;
  const ResolveWish& wish_;
  std::map<std::string, UnmergedFile> unmerged_{};
  ResolveReport report_{};
};

}  // namespace

bool ResolveReport::settled() const {
  return std::all_of(files.begin(), files.end(), [](const ResolvedFile& file) {
    return file.open.empty() && file.problem.empty();
  });
}

Result<ResolveReport> resolve_conflicts(Store& store, const ResolveWish& wish) {
  return Resolution(store, wish).run();
}

}  // namespace memfs
