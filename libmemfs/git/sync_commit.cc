#include "libmemfs/git/sync_commit.h"

#include <algorithm>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"

namespace memfs {
namespace {

constexpr char kScratchIndex[] = "mem-sync-commit";
constexpr std::uint64_t kMaxIndex = std::uint64_t{4} << 30U;

Error with_problems(const std::vector<Problem>& problems) {
  const Problem& first = problems.front();
  const std::string more =
      problems.size() > 1 ? " (and " + std::to_string(problems.size() - 1) + " more)" : "";
  Error error = make_error(ErrorCode::kRefused, first.message + more + ": nothing is committed")
                    .at(first.path, first.line, first.column)
                    .with_hint(first.hint)
                    .with("reason", "problems");
  for (const Problem& problem : problems)
    error.rows.push_back({"problems",
                          {{"path", problem.path},
                           {"line", std::to_string(problem.line)},
                           {"message", problem.message},
                           {"code", problem.code}}});
  return error;
}

// Reads what would be committed. A file that goes away meanwhile has no errors.
Result<void> refuse_errors(const SyncPlace& place, const std::vector<ChangedFile>& changed) {
  std::vector<Problem> problems;
  MEMFS_ASSIGN(const auto dir, place.fs->open(join_path(place.top, place.folder)));
  for (const ChangedFile& file : changed) {
    if (file.what == "forgotten") continue;
    const auto content = dir->read(file.rel, kMaxFile);
    if (!content) continue;
    for (Problem& problem : place.errors_in(file.rel, content->bytes))
      problems.push_back(std::move(problem));
  }
  if (problems.empty()) return {};
  return with_problems(problems);
}

// Picks the files up while nobody writes them, each by its name: with patterns for what is left out
// `git add` passes over new files in folders of longer names.
Result<void> stage(const SyncPlace& place, const SyncStatus& status,
                   std::vector<std::string> environment) {
  std::string paths;
  for (const ChangedFile& file : status.changed) {
    const bool gone = file.what == "added" && !place.fs->stat(place.absolute(file.rel));
    if (!gone) paths += join_path(place.folder, file.rel) + '\0';
  }
  for (const std::string& rel : status.unmerged) paths += join_path(place.folder, rel) + '\0';
  if (paths.empty()) return {};
  environment.emplace_back("GIT_LITERAL_PATHSPECS=1");
  MEMFS_TRY(place.git.with(std::move(environment))
                .output({"add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul"},
                        std::move(paths)));
  return {};
}

// The index as it will be, made apart: what is refused leaves the user's as it was.
Result<std::string> index_to_be(const SyncPlace& place, const SyncStatus& status) {
  MEMFS_ASSIGN(const auto dir, place.fs->open(place.git_dir));
  const auto index = dir->read("index", kMaxIndex);
  if (!index && index.error().code != ErrorCode::kNotFound) return index.error();
  MEMFS_TRY(replace_file(*dir, kScratchIndex, index ? index->bytes : std::string()));
  if (!index) MEMFS_TRY(dir->remove(kScratchIndex));
  std::string path = join_path(place.git_dir, kScratchIndex);
  MEMFS_TRY(stage(place, status, {"GIT_INDEX_FILE=" + path}));
  return path;
}

void drop_scratch_index(const SyncPlace& place) {
  if (const auto dir = place.fs->open(place.git_dir)) (void)(*dir)->remove(kScratchIndex);
}

// Ids and subjects that another memory has, and the like, where this commit is what brings them.
Result<void> refuse_clashes(const SyncPlace& place, const SyncStatus& status) {
  if (!place.errors_staged) return {};
  const auto index = index_to_be(place, status);
  auto problems = index ? place.errors_staged({"GIT_INDEX_FILE=" + *index})
                        : Result<std::vector<Problem>>(index.error());
  drop_scratch_index(place);
  if (!problems) return std::move(problems).error();
  if (problems->empty()) return {};
  return with_problems(*problems);
}

// Only words that stand in a subject: "add", "update", "forget".
std::string verb_of(const std::string& what) {
  if (what == "added") return "add";
  if (what == "forgotten") return "forget";
  return what == "updated" ? "update" : what;
}

// Without the scope, which is the same for all.
std::string short_ref(const std::string& ref) {
  constexpr std::string_view kShared = "shared/";
  return escape_for_terminal(ref.starts_with(kShared) ? ref.substr(kShared.size()) : ref);
}

struct Staged {
  std::vector<SyncItem> items{};
  bool elsewhere = false;  // something outside the folder is staged as well
};

// "R100", the old and the new path; "A" and one path …
Result<Staged> read_staged(const SyncPlace& place, const std::string& said) {
  Staged staged;
  const auto words = split_nul(said);
  const std::string prefix = place.folder.empty() ? "" : place.folder + "/";
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const char kind = words[i][0];
    const std::string& from = words[i + 1];
    if (kind == 'R') ++i;
    const std::string& path = words[i + 1];
    if (kind == 'U' && !path.starts_with(prefix)) {
      return make_error(ErrorCode::kRefused, "the file is not merged yet")
          .at(join_path(place.top, path))
          .with_hint("decide, and `git add` it, or take it back; then `mem sync`");
    }
    if (!path.starts_with(prefix) || !from.starts_with(prefix)) staged.elsewhere = true;
    if (!path.starts_with(prefix)) continue;
    const std::string rel = path.substr(prefix.size());
    const std::string what = kind == 'A'   ? "added"
                             : kind == 'D' ? "forgotten"
                             : kind == 'R' && from.starts_with(prefix)
                                 ? "moved from " + place.ref_of(from.substr(prefix.size()))
                                 : "updated";
    staged.items.push_back(place.item(rel, what));
  }
  return staged;
}

Result<Staged> staged_changes(const SyncPlace& place) {
  MEMFS_ASSIGN(const std::string said,
               place.git.output({"diff", "--cached", "--name-status", "-z", "-M90%",
                                 "--no-ext-diff", "--ignore-submodules=none"}));
  return read_staged(place, said);
}

// The index as it is, but with nothing staged outside the folder: what is to be committed now.
Result<std::string> index_of_the_folder(const SyncPlace& place) {
  MEMFS_ASSIGN(const auto dir, place.fs->open(place.git_dir));
  MEMFS_ASSIGN(const FileContent index, dir->read("index", kMaxIndex));
  MEMFS_TRY(replace_file(*dir, kScratchIndex, index.bytes));
  const std::string path = join_path(place.git_dir, kScratchIndex);
  const Git apart = place.git.with({"GIT_INDEX_FILE=" + path});
  MEMFS_TRY(apart.output(with({"reset", "-q"}, place.outside())));
  return path;
}

Error as_refusal_to_commit(Error error) {
  return std::move(error).with_hint(
      "the memories are staged; once the cause is gone, `mem sync` goes on");
}

Result<void> commit_staged(const SyncPlace& place, const Staged& staged) {
  std::vector<std::string> environment;
  if (staged.elsewhere) {
    MEMFS_ASSIGN(const std::string index, index_of_the_folder(place));
    environment.push_back("GIT_INDEX_FILE=" + index);
  }
  const Git git = place.git.with(environment);
  auto done =
      git.output({"commit", "-q", "--cleanup=whitespace", "-F", "-"}, commit_message(staged.items));
  if (staged.elsewhere) drop_scratch_index(place);
  if (!done) return as_refusal_to_commit(std::move(done).error());
  return {};
}

void tell_of_odd_files(const SyncPlace& place, const SyncStatus& status, SyncReport& report) {
  for (const std::string& nested : status.repositories)
    report.notes.push_back(escape_for_terminal(nested) +
                           " is a repository of its own and is left out");
  if (!status.ignored.empty())
    report.notes.push_back(std::to_string(status.ignored.size()) +
                           " ignored by git and not shared, such as " +
                           escape_for_terminal(place.ref_of(status.ignored.front())));
}

}  // namespace

std::string commit_message(const std::vector<SyncItem>& items) {
  constexpr std::size_t kSubject = 72;
  constexpr std::size_t kLines = 500;
  std::string subject = "Memories:";
  std::string body;
  std::size_t named = 0;
  for (const SyncItem& item : items) {
    const std::string words =
        " " +
        (item.what.starts_with("moved from ") ? "move " + short_ref(item.what.substr(11)) + " to "
                                              : verb_of(item.what) + " ") +
        short_ref(item.ref);
    // Room for " and 99999 more" is kept, unless nothing follows.
    const std::size_t room = &item == &items.back() ? kSubject : kSubject - 15;
    const bool fits = subject.size() + words.size() + 1 <= room;
    if (named == static_cast<std::size_t>(&item - items.data()) && (fits || named == 0)) {
      subject += (named == 0 ? "" : ",") + words;
      ++named;
    }
    if (static_cast<std::size_t>(&item - items.data()) < kLines)
      body += "- " + escape_for_terminal(item.ref) + ": " + escape_for_terminal(item.what) + "\n";
  }
  const std::size_t left = items.size() - named;
  if (left > 0) subject += " and " + std::to_string(left) + " more";
  if (items.size() > kLines) body += "- and " + std::to_string(items.size() - kLines) + " more\n";
  return subject + "\n\n" + body;
}

Result<void> commit_memories(const SyncPlace& place, const SyncStatus& status, bool dry_run,
                             SyncReport& report) {
  tell_of_odd_files(place, status, report);
  if (dry_run) {
    MEMFS_TRY(refuse_errors(place, status.changed));
    for (const ChangedFile& file : status.changed)
      report.committed.push_back(place.item(file.rel, file.what));
    return {};
  }
  if (status.changed.empty() && status.unmerged.empty()) return {};
  {
    MEMFS_ASSIGN(const Locks locks, place.lock());
    MEMFS_TRY(refuse_errors(place, status.changed));
    MEMFS_TRY(refuse_clashes(place, status));
    MEMFS_TRY(stage(place, status, {}));
  }
  MEMFS_ASSIGN(Staged staged, staged_changes(place));
  if (staged.items.empty()) return {};
  MEMFS_TRY(commit_staged(place, staged));
  std::move(staged.items.begin(), staged.items.end(), std::back_inserter(report.committed));
  return {};
}

}  // namespace memfs
