#include "libmemfs/git/sync_place.h"

#include <memfs/git_hooks.h>

#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

Error no_repository(const std::string& folder) {
  return make_error(ErrorCode::kRefused, "the shared memories lie in no git repository")
      .at(folder)
      .with_hint("`git init`, and `git remote add origin URL`");
}

// The top folder, git's own folder, and the folder below the top.
struct Whereabouts {
  std::string top, git_dir, prefix;
};

Result<Whereabouts> whereabouts_of(const std::string& folder) {
  const Git git(folder);
  auto said = git.run({"rev-parse", "--show-toplevel", "--absolute-git-dir", "--show-prefix"});
  if (!said && said.error().code == ErrorCode::kNotFound)
    return make_error(ErrorCode::kRefused, said.error().message).with_hint(said.error().hint);
  if (!said) return std::move(said).error();
  // Also in a bare repository, and where git does not trust the folder's owner.
  if (said->exit_code != 0) {
    Error error = no_repository(folder);
    if (said->err.find("dubious ownership") != std::string::npos) {
      error.message = "git does not trust the owner of the repository";
      error.hint = "`git -C " + folder + " status` tells how to let it";
    }
    return error;
  }
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < said->out.size();) {
    const auto end = std::min(said->out.find('\n', at), said->out.size());
    lines.push_back(said->out.substr(at, end - at));
    at = end + 1;
  }
  if (lines.size() < 2) return no_repository(folder);
  std::string prefix = lines.size() > 2 ? lines[2] : "";
  while (prefix.ends_with('/')) prefix.pop_back();
  return Whereabouts{lines[0], lines[1], prefix};
}

// "shared/deploy/rollback", or "shared/README.md".
std::string ref_below(Scope scope, const std::string& rel) {
  const std::string start = std::string(name_of(scope)) + "/";
  return start + (is_memory_file(leaf_of(rel)) ? memory_name(rel) : rel);
}

Result<Locks> lock_shared(Store& store) {
  StoreInside::Impl& inside = StoreInside::of(store);
  MEMFS_TRY(inside.finish_interrupted());
  Locks locks;
  std::shared_ptr<Directory> dir;
  MEMFS_ASSIGN(auto lock, inside.lock_only(Scope::kShared, dir));
  locks.push_back(std::move(lock));
  MEMFS_TRY(refuse_half_written(store, dir->path()));
  return locks;
}

}  // namespace

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> SyncPlace::inside() const {
  return {"--", folder.empty() ? ":(top)" : ":(top,literal)" + folder,
          ":(top,exclude,glob)**/.mem-tmp-*", ":(top,exclude,glob)**/.mem.lock"};
}

std::vector<std::string> SyncPlace::outside() const {
  return {"--", ":(top)", ":(top,exclude,literal)" + folder};
}

Result<void> keep_in_history(Store& store, Scope scope, const std::string& rel,
                             const std::string& path, const std::string& bytes) {
  MEMFS_ASSIGN(const auto dir, StoreInside::of(store).open_state());
  State state(dir);
  Problem ignored;
  const auto memory = read_memory({scope, rel, path}, bytes, &ignored);
  return memory && is_memory_file(leaf_of(rel)) ? state.keep(*memory, bytes)
                                                : state.keep_stray(bytes);
}

Result<void> refuse_half_written(Store& store, const std::string& folder) {
  StoreInside::Impl& inside = StoreInside::of(store);
  const auto dir = inside.fs().open(inside.layout.state);
  if (!dir) return {};
  Journal journal(inside.fs(), *dir, "journal");
  MEMFS_ASSIGN(const auto pending, journal.pending());
  for (const std::string& name : pending) {
    const auto changes = journal.load(name);
    if (!changes) continue;  // `mem check` reports it
    const bool here = std::any_of(changes->begin(), changes->end(), [&](const FileChange& change) {
      return (change.root + "/").starts_with(folder + "/");
    });
    if (here)
      return make_error(ErrorCode::kBusy, "an operation on these memories was cut off")
          .at(join_path((*dir)->path(), "journal/" + name))
          .with_hint("`mem check --fix` in its project finishes it");
  }
  return {};
}

std::vector<Problem> errors_in_file(Store& store, Scope scope, const std::string& rel,
                                    const std::string& path, const std::string& bytes) {
  std::vector<Problem> errors;
  if (!is_memory_file(leaf_of(rel))) return errors;
  Problem empty;
  const auto memory = read_memory({scope, rel, path}, bytes, &empty);
  if (!memory) {
    if (empty.severity == Severity::kError) errors.push_back(std::move(empty));
    return errors;
  }
  for (const Problem& problem : memory->problems)
    if (problem.severity == Severity::kError) errors.push_back(problem);
  const GuardPolicy& policy = store.layout().settings.guard;
  const GuardVerdict verdict =
      judge(scan_memory(*memory, bytes), *memory, policy, Consent{}, false);
  for (const Finding& finding : verdict.refused) {
    if (finding.kind != GuardKind::kSecret) continue;
    Problem problem;
    problem.code = "guard-" + finding.rule;
    problem.severity = Severity::kError;
    problem.path = escape_for_terminal(path);
    problem.line = finding.line;
    problem.column = finding.column;
    problem.message = finding.message;
    problem.hint = finding.hint;
    problem.ref = memory->ref();
    errors.push_back(std::move(problem));
  }
  return errors;
}

Result<SyncPlace> shared_place(Store& store) {
  StoreInside::Impl& inside = StoreInside::of(store);
  const Layout& layout = inside.layout;
  const ScopeFolder& shared = layout.folder(Scope::kShared);
  if (!shared.usable) {
    return make_error(ErrorCode::kRefused, "there are no shared memories here: " + shared.why)
        .with_hint("`mem where` shows every place in use");
  }
  if (!layout.self_contained && layout.git_top.empty()) return no_repository(shared.path);
  if (!shared.exists) MEMFS_TRY(inside.fs().make_directories(shared.path, 0777));
  MEMFS_ASSIGN(const Whereabouts at, whereabouts_of(shared.path));
  SyncPlace place{Git(at.top), at.top, at.prefix, at.git_dir, &inside.fs()};
  place.push_direct = layout.settings.push_direct;
  place.index_committed = layout.index_committed;
  Store* owner = &store;
  const std::string folder = join_path(at.top, at.prefix);
  place.lock = [owner] { return lock_shared(*owner); };
  place.ref_of = [](const std::string& rel) { return ref_below(Scope::kShared, rel); };
  place.errors_in = [owner, folder](const std::string& rel, const std::string& bytes) {
    return errors_in_file(*owner, Scope::kShared, rel, join_path(folder, rel), bytes);
  };
  place.errors_staged =
      [owner](const std::vector<std::string>& environment) -> Result<std::vector<Problem>> {
    MEMFS_ASSIGN(CheckReport report, check_staged(*owner, environment));
    return std::move(report.problems);
  };
  place.keep = [owner, folder](const std::string& rel, const std::string& bytes) {
    return keep_in_history(*owner, Scope::kShared, rel, join_path(folder, rel), bytes);
  };
  const bool page = layout.index_committed;
  place.renew_page = [owner, page]() -> Result<void> {
    if (page) MEMFS_TRY(owner->refresh_index(Scope::kShared));
    return {};
  };
  return place;
}

}  // namespace memfs
