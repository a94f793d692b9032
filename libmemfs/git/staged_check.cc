// The errors of what is staged. Each memory of the commit is looked at by itself; the rest of the
// index only where the commit brings an id or a subject that the file had not before.
#include <algorithm>
#include <set>
#include <tuple>

#include "libmemfs/check/between.h"
#include "libmemfs/check/problem.h"
#include "libmemfs/check/texts.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/git/staged.h"
#include "libmemfs/git/staged_check.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

class StagedCheck {
 public:
  StagedCheck(StoreInside::Impl& store, const StagedShared& shared)
      : store_(store), shared_(shared) {}

  Result<CheckReport> run(const std::vector<StagedFile>& files) {
    std::vector<std::string> names;
    for (const StagedFile& file : files) {
      names.push_back(file.blob);
      names.push_back(file.before);
    }
    MEMFS_ASSIGN(blobs_, shared_.blobs(names));
    for (const StagedFile& file : files) look_at(file);
    MEMFS_TRY(compare());
    finish();
    return std::move(report_);
  }

 private:
  void look_at(const StagedFile& file) {
    paths_.insert(file.path);
    const auto bytes = blobs_.find(file.blob);
    if (bytes == blobs_.end()) return;  // git itself will complain
    Problem empty;
    auto memory = shared_.read(file.path, bytes->second, &empty);
    if (!memory) {
      keep(std::move(empty));
      return;
    }
    ++report_.memories;
    const std::optional<Memory> before = former(file);
    add(memory->problems);
    if (bytes->second.size() > kMaxFile)
      keep(problem_of(*memory, "unreadable", "the file is larger than 16 MiB",
                      "split it: one memory holds one idea"));
    add(guard_problems(*memory, fresh_findings(file, *memory, before),
                       store_.layout.settings.guard));
    note_claims(*memory, before);
    if (file.before.empty()) fresh_.insert(memory->path);
    memory->problems.clear();
    memories_.push_back(std::move(*memory));
  }

  std::optional<Memory> former(const StagedFile& file) const {
    const auto bytes = blobs_.find(file.before);
    if (bytes == blobs_.end()) return std::nullopt;
    return shared_.read(file.path, bytes->second);
  }

  // What was committed before stops no other change.
  std::vector<Finding> fresh_findings(const StagedFile& file, const Memory& memory,
                                      const std::optional<Memory>& before) const {
    std::vector<Finding> now = scan_memory(memory, blobs_.at(file.blob));
    if (now.empty() || !before) return now;
    return new_findings(scan_memory(*before, blobs_.at(file.before)), now);
  }

  std::string live_subject(const Memory& memory) const {
    return is_expired(memory, store_.now()) ? std::string() : memory.subject_key;
  }

  // Ids and subjects that the file had not before.
  void note_claims(const Memory& memory, const std::optional<Memory>& before) {
    const auto claim = [&](const std::string& word, const std::string& had) {
      if (!word.empty() && word != had) claims_.insert(word);
    };
    claim(memory.id, before ? before->id : "");
    claim(live_subject(memory), before ? live_subject(*before) : "");
  }

  Result<void> compare() {
    const std::size_t changed = memories_.size();
    MEMFS_TRY(drop_claims_of_moved());
    if (!claims_.empty()) {
      MEMFS_ASSIGN(const auto entries, shared_.with_words({claims_.begin(), claims_.end()}));
      MEMFS_TRY(add_others(entries));
    }
    std::vector<const Memory*> all;
    std::set<std::string> ours;
    for (const Memory& memory : memories_) {
      if (all.size() < changed) ours.insert(escape_for_terminal(memory.path));
      all.push_back(&memory);
    }
    std::vector<Problem> problems;
    check_between(all, {}, store_.now(), problems);
    for (Problem& problem : problems)
      if (ours.contains(problem.path) && is_brought(problem)) keep(std::move(problem));
    return {};
  }

  // Whether this commit is to blame. What came with a merge is `mem check`'s to tell, and stops no
  // other change of the same files.
  bool is_brought(const Problem& problem) const {
    if (problem.code.starts_with("name-")) return fresh_.contains(problem.path);
    for (const Memory& memory : memories_) {
      if (escape_for_terminal(memory.path) != problem.path) continue;
      if (problem.code == "subject-clash") return claims_.contains(memory.subject_key);
      if (problem.code == "duplicate-id") return claims_.contains(memory.id);
    }
    return true;
  }

  // What a memory had before it was moved is not new.
  Result<void> drop_claims_of_moved() {
    if (claims_.empty()) return {};
    MEMFS_ASSIGN(const auto removed, shared_.removed());
    std::vector<std::string> names;
    for (const StagedFile& file : removed) names.push_back(file.before);
    MEMFS_ASSIGN(const auto blobs, shared_.blobs(names));
    for (const StagedFile& file : removed) {
      const auto bytes = blobs.find(file.before);
      const auto before =
          bytes == blobs.end() ? std::nullopt : shared_.read(file.path, bytes->second);
      if (!before || before->id.empty()) continue;
      const auto same = [&](const Memory& memory) { return memory.id == before->id; };
      const auto now = std::find_if(memories_.begin(), memories_.end(), same);
      if (now == memories_.end()) continue;
      if (std::count_if(memories_.begin(), memories_.end(), same) == 1) claims_.erase(before->id);
      if (live_subject(*before) == live_subject(*now)) claims_.erase(live_subject(*now));
    }
    return {};
  }

  // Memories of the index that this commit does not change.
  Result<void> add_others(const std::vector<IndexedFile>& entries) {
    std::vector<std::string> names;
    for (const IndexedFile& entry : entries)
      if (!paths_.contains(entry.path)) names.push_back(entry.blob);
    MEMFS_ASSIGN(const auto blobs, shared_.blobs(names));
    for (const IndexedFile& entry : entries) {
      const auto bytes = blobs.find(entry.blob);
      if (bytes == blobs.end() || paths_.contains(entry.path)) continue;
      auto memory = shared_.read(entry.path, bytes->second);
      if (memory) memories_.push_back(std::move(*memory));
    }
    return {};
  }

  void add(const std::vector<Problem>& problems) {
    for (const Problem& problem : problems) keep(problem);
  }
  void keep(Problem problem) {
    if (problem.severity == Severity::kError) report_.problems.push_back(std::move(problem));
  }

  void finish() {
    std::stable_sort(report_.problems.begin(), report_.problems.end(),
                     [](const Problem& a, const Problem& b) {
                       return std::tie(a.path, a.line) < std::tie(b.path, b.line);
                     });
  }

  StoreInside::Impl& store_;
  const StagedShared& shared_;
  std::map<std::string, std::string> blobs_{};
  std::vector<Memory> memories_{};  // of the commit, and behind them others
  std::set<std::string> paths_{};   // of the commit, as git knows them
  std::set<std::string> fresh_{};   // absolute, of files that are new
  std::set<std::string> claims_{};
  CheckReport report_{};
};

}  // namespace

Result<CheckReport> check_staged_files(Store& store, const StagedShared& shared,
                                       const std::vector<StagedFile>& files) {
  return StagedCheck(StoreInside::of(store), shared).run(files);
}

Result<CheckReport> check_staged(Store& store, const std::vector<std::string>& environment) {
  StoreInside::Impl& inside = StoreInside::of(store);
  if (inside.layout.git_top.empty()) return CheckReport();
  const StagedShared shared(inside.fs(), inside.layout, environment);
  if (shared.folder().empty()) return CheckReport();
  MEMFS_ASSIGN(const auto files, shared.changed());
  if (files.empty()) return CheckReport();
  return check_staged_files(store, shared, files);
}

}  // namespace memfs
