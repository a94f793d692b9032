#include "libmemfs/check/folder.h"

#include <memfs/freshness.h>

#include <algorithm>
#include <map>

#include "libmemfs/check/problem.h"
#include "libmemfs/format/field_table.h"
#include "libmemfs/format/key_spelling.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

void check_leftovers(const ScopeView& view, std::vector<Problem>& problems) {
  for (const std::string& rel : view.catalogue.leftovers)
    problems.push_back(problem_at(
        "leftover", join_path(view.dir->path(), rel), "a temporary file of an interrupted write",
        "`mem check --fix` keeps its bytes in the history and removes it"));
}

void check_page(StoreInside::Impl& store, const ScopeView& view, std::vector<Problem>& problems) {
  const auto page = store.renew_index(*view.dir, view.scope, view.catalogue, true);
  if (!page) {
    problems.push_back(scope_problem(page.error()));
  } else if (!page->skipped.empty()) {
    problems.push_back(problem_at("index-foreign", page->path, page->skipped));
  } else if (page->exists && !page->current) {
    problems.push_back(problem_at(
        "index-stale", page->path,
        page->blank ? "INDEX.md holds nothing but NUL bytes" : "INDEX.md differs from the files",
        "`mem index` renews it"));
  }
}

// Whether somebody else can get as far as the folder: each folder above lets them through.
bool is_within_reach(FileSystem& fs, const std::string& path) {
  constexpr std::uint32_t kOthersEnter = 0011;
  for (std::string at = path; at.size() > 1;) {
    at = at.substr(0, std::max<std::size_t>(at.rfind('/'), 1));
    const auto stat = fs.stat(at);
    if (stat && (stat->mode & kOthersEnter) == 0) return false;
  }
  return true;
}

// Files inside a closed folder are closed, whatever their own mode says.
void check_permissions(FileSystem& fs, const ScopeView& view, std::vector<Problem>& problems) {
  constexpr std::uint32_t kOthers = 0077;
  if (view.scope == Scope::kShared) return;
  const std::string& path = view.dir->path();
  const auto stat = fs.stat(path);
  if (!stat || (stat->mode & kOthers) == 0 || !is_within_reach(fs, path)) return;
  problems.push_back(problem_at("private-permissions", path,
                                "other users of this machine can look into the folder of " +
                                    std::string(name_of(view.scope)) + " memories",
                                "chmod -R go-rwx " + escape_for_terminal(path)));
}

std::string most_frequent(const std::map<std::string, std::size_t>& keys) {
  constexpr std::size_t kShown = 5;
  std::vector<std::pair<std::string, std::size_t>> sorted(keys.begin(), keys.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, sorted.size()); ++i)
    text += (i == 0 ? "`" : ", `") + escape_for_terminal(sorted[i].first) + "`";
  return text + (sorted.size() > kShown ? ", …" : "");
}

// One note for the whole scope: keys of other tools are welcome.
void check_unknown_keys(const ScopeView& view, std::vector<Problem>& problems) {
  std::map<std::string, std::size_t> keys;
  std::size_t files = 0;
  for (const Memory& memory : view.catalogue.memories) {
    bool any = false;
    for (const auto& [key, value] : memory.extra) {
      if (key == kMergeConflictKey) continue;
      if (is_foreign_key(key) || misspelt_field(key) != nullptr) continue;
      ++keys[key];
      any = true;
    }
    files += any ? 1 : 0;
  }
  if (keys.empty()) return;
  problems.push_back(
      problem_at("unknown-keys", view.dir->path(),
                 std::to_string(files) + (files == 1 ? " memory has" : " memories have") +
                     " keys that mem keeps as they are and does not use: " + most_frequent(keys),
                 "nothing is to be done if they belong to another tool"));
}

}  // namespace

void check_folder(StoreInside::Impl& store, const ScopeView& view, std::vector<Problem>& problems) {
  problems.insert(problems.end(), view.catalogue.problems.begin(), view.catalogue.problems.end());
  check_leftovers(view, problems);
  check_page(store, view, problems);
  check_permissions(store.fs(), view, problems);
  check_unknown_keys(view, problems);
}

Result<void> check_journal(StoreInside::Impl& store, std::vector<Problem>& problems) {
  const auto state_dir = store.fs().open(store.layout.state);
  if (!state_dir) return {};
  Journal journal(store.fs(), *state_dir, "journal");
  MEMFS_ASSIGN(const auto pending, journal.pending());
  for (const std::string& name : pending) {
    const std::string path = join_path((*state_dir)->path(), "journal/" + name);
    const auto loaded = journal.load(name);
    problems.push_back(
        loaded ? problem_at("interrupted", path, "an operation was interrupted",
                            "the next write in its project finishes it")
               : problem_at("journal-damaged", path, loaded.error().message, loaded.error().hint));
  }
  return {};
}

void check_dates(const Memory& memory, Instant now, std::vector<Problem>& problems) {
  for (const auto& [key, date] : {std::pair("created_at", &memory.created_at),
                                  {"updated_at", &memory.updated_at},
                                  {"last_verified_at", &memory.last_verified_at}}) {
    if (!*date || !is_future((*date)->at, now)) continue;
    Problem problem = problem_of(memory, "future-date",
                                 std::string(key) + " lies in the future, so its age is not known",
                                 "correct the date, or the clock of the machine that wrote it");
    problem.key = key;
    problems.push_back(std::move(problem));
  }
}

}  // namespace memfs
