// $MEM_HOME as a repository of its own: the private and global memories of one person.
#include <algorithm>
#include <set>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/file_lock.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/git/remote_place.h"
#include "libmemfs/git/sync_place.h"
#include "libmemfs/store/git_dir.h"
#include "libmemfs/store/project_record.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

constexpr char kHomeIgnore[] =
    "# Written by `mem sync`: what belongs to one machine, or is made anew.\n"
    "INDEX.md\n"
    ".mem.lock\n"
    ".mem-tmp-*\n"
    ".state/\n";
constexpr char kHomeAttributes[] =
    "# Written by `mem sync`: memories keep their bytes on every system.\n"
    "*.md -text merge=mem\n"
    "*.yaml -text merge=mem\n";

// A path below $MEM_HOME as its scope has it.
struct Inside {
  Scope scope = Scope::kGlobal;
  std::string project{};  // the folder's name
  std::string rel{};      // "" if it lies in no scope
};

Inside inside_of(const std::string& rel) {
  constexpr std::string_view kGlobal = "global/";
  constexpr std::string_view kProjects = "projects/";
  if (rel.starts_with(kGlobal)) return {Scope::kGlobal, {}, rel.substr(kGlobal.size())};
  const auto slash = rel.find('/', kProjects.size());
  constexpr std::string_view kPrivate = "/private/";
  if (!rel.starts_with(kProjects) || slash == std::string::npos ||
      rel.compare(slash, kPrivate.size(), kPrivate) != 0)
    return {};
  return {Scope::kPrivate, rel.substr(kProjects.size(), slash - kProjects.size()),
          rel.substr(slash + kPrivate.size())};
}

// "global/editor", "projects/app-01…/private/notes", or the path of what is no memory.
std::string ref_of(const std::string& rel) {
  const bool memory = !inside_of(rel).rel.empty() && is_memory_file(leaf_of(rel));
  return memory ? memory_name(rel) : rel;
}

// The folders with locks: the home itself, the projects' in the order of their names, global.
std::vector<std::string> locked_folders(Directory& home) {
  std::vector<std::string> folders = {""};
  std::vector<std::string> projects;
  if (const auto entries = home.list("projects"))
    for (const DirEntry& entry : *entries)
      projects.push_back("projects/" + entry.name + "/private");
  std::sort(projects.begin(), projects.end());
  folders.insert(folders.end(), projects.begin(), projects.end());
  folders.emplace_back("global");
  return folders;
}

Result<Locks> lock_home(Store& store) {
  StoreInside::Impl& inside = StoreInside::of(store);
  MEMFS_TRY(inside.finish_interrupted());
  MEMFS_ASSIGN(const auto home, inside.fs().open(inside.layout.mem_home));
  LockWait wait;
  wait.limit = inside.services.lock_wait;
  Locks locks;
  for (const std::string& folder : locked_folders(*home)) {
    if (!folder.empty() && !inside.fs().stat(join_path(home->path(), folder))) continue;
    MEMFS_ASSIGN(auto lock, acquire_lock(*home, join_path(folder, ".mem.lock"), 0600, wait));
    locks.push_back(std::move(lock));
  }
  MEMFS_TRY(refuse_half_written(store, home->path()));
  return locks;
}

// The addresses that git would use, as "insteadOf" of the user's configuration says.
std::vector<std::string> addresses_of(const Git& git, const std::string& remote) {
  std::vector<std::string> addresses;
  for (const char* which : {"--all", "--push"})
    if (const auto said = git.line({"remote", "get-url", which, remote}))
      addresses.push_back(*said);
  return addresses;
}

// The remotes of the project that we are in, and those that others of this person had when they
// were last used, as places.
std::set<std::string> project_places(FileSystem& fs, const Layout& layout) {
  std::set<std::string> places;
  const auto add = [&](const std::string& url) {
    places.insert(remote_place(fs, url, layout.git_top));
  };
  for (const KnownProject& project : read_project_records(fs, layout.mem_home))
    for (const std::string& url : project.remotes) add(url);
  if (layout.git_common_dir.empty()) return places;
  for (const std::string& url : git_remotes(fs, layout.git_common_dir)) add(url);
  const Git git(layout.git_top.empty() ? layout.git_common_dir : layout.git_top);
  const auto names = git.line({"remote"});
  std::string_view rest = names ? std::string_view(*names) : std::string_view();
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    for (const std::string& urls : addresses_of(git, std::string(rest.substr(0, end)))) add(urls);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return places;
}

// Private memories must never get to where the team looks.
Result<void> refuse_project_remote(FileSystem& fs, const Layout& layout, const std::string& url) {
  if (url.empty()) return {};
  const std::string base = layout.mem_home;
  std::vector<std::string> ours = {url};
  if (const auto said = Git(base).line({"ls-remote", "--get-url", url})) ours.push_back(*said);
  const std::set<std::string> places = project_places(fs, layout);
  for (const std::string& address : ours) {
    if (!places.contains(remote_place(fs, address, base))) continue;
    return make_error(
               ErrorCode::kRefused,
               escape_for_terminal(url) + " is the project's own remote, which others can read")
        .with_hint("private memories need a repository that only you can read");
  }
  return {};
}

// The branch that a remote shows first; "main" for an empty one.
std::string first_branch_of(const Git& git, const std::string& remote) {
  if (remote.empty()) return "main";
  const auto said = git.run({"ls-remote", "--symref", remote, "HEAD"});
  constexpr std::string_view kRef = "ref: refs/heads/";
  if (!said || !said->out.starts_with(kRef)) return "main";
  return said->out.substr(kRef.size(), said->out.find('\t') - kRef.size());
}

Result<void> make_missing(Directory& home, const std::string& name, std::string_view text) {
  WriteOptions options;
  options.mode = 0600;
  auto made = create_file(home, name, text, options);
  if (!made && made.error().code != ErrorCode::kConflict) return made;
  return {};
}

// A repository whose work tree is the home and no other's.
Result<void> make_repository(const Git& git, const std::string& home, const std::string& remote,
                             bool make) {
  MEMFS_ASSIGN(const auto top, git.run({"rev-parse", "--show-toplevel"}));
  if (top.exit_code == 0) {
    if (trim(top.out) == home) return {};
    return make_error(ErrorCode::kRefused, "the folder lies in another repository's work tree, " +
                                               escape_for_terminal(trim(top.out)))
        .at(home)
        .with_hint("set MEM_HOME to a folder outside of it, and move the memories there");
  }
  if (!make) {
    return make_error(ErrorCode::kNotFound, "your own memories are not synced yet")
        .at(home)
        .with_hint("`mem sync --personal REMOTE` makes the folder a repository");
  }
  MEMFS_TRY(git.output({"init", "-q", "-b", first_branch_of(git, remote)}));
  return {};
}

Result<void> set_remote(FileSystem& fs, const Layout& layout, const Git& git,
                        const std::string& remote, bool make) {
  MEMFS_ASSIGN(const auto known, git.run({"remote", "get-url", "origin"}));
  const std::string url(trim(known.exit_code == 0 ? known.out : std::string()));
  MEMFS_TRY(refuse_project_remote(fs, layout, remote.empty() ? url : remote));
  if (remote.empty() || remote == url || !make) return {};
  if (url.empty()) {
    MEMFS_TRY(git.output({"remote", "add", "origin", remote}));
    return {};
  }
  return make_error(ErrorCode::kRefused,
                    "your own memories are synced with another remote, " + escape_for_terminal(url))
      .at(git.folder())
      .with_hint("`git -C " + git.folder() + " remote set-url origin " +
                 escape_for_terminal(remote) + "` changes that");
}

void set_callbacks(Store& store, SyncPlace& place) {
  Store* owner = &store;
  const std::string home = place.top;
  place.lock = [owner] { return lock_home(*owner); };
  place.ref_of = ref_of;
  place.errors_in = [owner, home](const std::string& rel,
                                  const std::string& bytes) -> std::vector<Problem> {
    const Inside inside = inside_of(rel);
    if (inside.rel.empty()) return {};
    return errors_in_file(*owner, inside.scope, inside.rel, join_path(home, rel), bytes);
  };
  place.keep = [owner, home](const std::string& rel, const std::string& bytes) {
    const Inside inside = inside_of(rel);
    return keep_in_history(*owner, inside.scope, inside.rel.empty() ? rel : inside.rel,
                           join_path(home, rel), bytes);
  };
  place.renew_page = []() -> Result<void> { return {}; };
}

}  // namespace

Result<SyncPlace> personal_place(Store& store, const std::string& remote, bool make) {
  StoreInside::Impl& inside = StoreInside::of(store);
  const Layout& layout = inside.layout;
  if (layout.self_contained) {
    return make_error(ErrorCode::kRefused, "a folder given by --root has no home to sync")
        .with_hint("leave --root and MEM_ROOT out");
  }
  FileSystem& fs = inside.fs();
  if (make) MEMFS_TRY(fs.make_directories(layout.mem_home, 0700));
  MEMFS_ASSIGN(const std::string home, fs.real_path(layout.mem_home));
  MEMFS_TRY(refuse_project_remote(fs, layout, remote));
  const Git git = Git(home).for_private_files();
  MEMFS_TRY(make_repository(git, home, remote, make));
  MEMFS_TRY(set_remote(fs, layout, git, remote, make));
  MEMFS_ASSIGN(const auto dir, fs.open(home));
  if (make) {
    MEMFS_TRY(make_missing(*dir, ".gitignore", kHomeIgnore));
    MEMFS_TRY(make_missing(*dir, ".gitattributes", kHomeAttributes));
  }
  SyncPlace place{git, home, {}, join_path(home, ".git"), &fs};
  place.personal = place.push_direct = true;
  set_callbacks(store, place);
  return place;
}

}  // namespace memfs
