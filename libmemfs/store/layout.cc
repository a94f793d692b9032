#include <memfs/layout.h>

#include <algorithm>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_lock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/config.h"
#include "libmemfs/store/git_dir.h"
#include "libmemfs/store/project_record.h"

namespace memfs {
namespace {

bool is_absolute(const std::string& path) { return path.starts_with('/'); }

// The XDG base directory specification: relative values are ignored.
std::string base_directory(const std::string& xdg, const std::string& home, const char* fallback) {
  if (is_absolute(xdg)) return xdg;
  return is_absolute(home) ? join_path(home, fallback) : std::string();
}

void set_folder(FileSystem& fs, Layout& layout, Scope scope, std::string path, std::string why) {
  ScopeFolder& folder = layout.folder(scope);
  folder.scope = scope;
  folder.exists = !path.empty() && fs.stat(path).has_value();
  folder.path = std::move(path);
  folder.usable = true;
  folder.why = std::move(why);
}

void set_unusable(Layout& layout, Scope scope, std::string why) {
  ScopeFolder& folder = layout.folder(scope);
  folder = ScopeFolder{};
  folder.scope = scope;
  folder.why = std::move(why);
}

void note(Layout& layout, std::string code, std::string path, std::string message,
          std::string hint) {
  Problem problem;
  problem.code = std::move(code);
  problem.severity = Severity::kInfo;
  problem.path = std::move(path);
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  layout.notes.push_back(std::move(problem));
}

Layout self_contained(FileSystem& fs, const std::string& root) {
  Layout layout;
  layout.self_contained = true;
  layout.state = join_path(root, ".state");
  layout.cache = join_path(root, ".state/cache");
  for (const Scope scope : kScopes)
    set_folder(fs, layout, scope, join_path(root, name_of(scope)), "inside the chosen root");
  layout.notes = read_own_config(fs, root, layout.settings);
  return layout;
}

struct Place {
  std::string root;     // the project
  std::string git_top;  // empty outside git
  bool has_mem = false;
};

// Walks up to the git top level, never past $HOME, a change of owner or the file system's root.
Place find_project(FileSystem& fs, const std::string& start, const std::string& home) {
  Place place;
  const auto owner = fs.stat(start);
  for (std::string dir = start; !dir.empty(); dir = parent_of(dir)) {
    const auto stat = fs.stat(dir);
    if (!stat || (owner && stat->owner != owner->owner)) break;
    if (place.root.empty() && fs.stat(join_path(dir, ".mem"))) {
      place.root = dir;
      place.has_mem = true;
    }
    if (fs.stat(join_path(dir, ".git")) && git_common_dir(fs, dir)) {
      place.git_top = dir;
      if (place.root.empty()) place.root = dir;
      break;
    }
    if (dir == home) break;
  }
  if (place.root.empty()) place.root = start;
  return place;
}

std::string folder_name(const std::string& name, const std::string& id) {
  const std::string slug = slug_of(name);
  return (slug.empty() ? "project" : slug) + "-" + id;
}

void use_private(FileSystem& fs, Layout& layout, const KnownProject& project, std::string why) {
  layout.project_id = project.id;
  layout.project_folder = project.folder;
  set_folder(fs, layout, Scope::kPrivate, join_path(project.folder, "private"), std::move(why));
}

void await_first_write(FileSystem& fs, Layout& layout) {
  set_folder(fs, layout, Scope::kPrivate, {}, "made at the first private write");
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string place_of(const Layout& layout) {
  return layout.git_common_dir.empty() ? layout.project_root : layout.git_common_dir;
}

bool shares_remote(FileSystem& fs, const Layout& layout, const KnownProject& project) {
  if (layout.git_common_dir.empty()) return false;
  const auto remotes = git_remotes(fs, layout.git_common_dir);
  return std::any_of(remotes.begin(), remotes.end(),
                     [&](const std::string& url) { return contains(project.remotes, url); });
}

void tell_of_known_clone(FileSystem& fs, Layout& layout,
                         const std::vector<KnownProject>& projects) {
  for (const KnownProject& project : projects) {
    if (!shares_remote(fs, layout, project)) continue;
    note(layout, "known-project", project.folder,
         "private memories of another clone of this project exist",
         "`mem link " + project.id + "` uses them here too");
  }
}

bool has_id(FileSystem& fs, const std::string& common_dir, const std::string& id) {
  const auto own = read_project_id(fs, common_dir);
  return own && *own == id;
}

void set_linked(Layout& layout, const std::string& id) {
  set_unusable(layout, Scope::kPrivate,
               "the git configuration is a link to another repository's: `mem link " +
                   (id.empty() ? "ID" : id) + "` uses its private memories here");
}

void find_private_in_git(FileSystem& fs, Layout& layout,
                         const std::vector<KnownProject>& projects) {
  const auto read = read_project_id(fs, layout.git_common_dir);
  if (!read) {
    set_unusable(layout, Scope::kPrivate,
                 "the repository's configuration cannot be read: " + read.error().message);
    return;
  }
  const std::string& id = *read;
  const auto known = std::find_if(projects.begin(), projects.end(),
                                  [&](const KnownProject& p) { return p.id == id; });
  const bool listed = known != projects.end() && contains(known->places, layout.git_common_dir);
  // An id must not be written through a link over, or for, another repository's.
  const std::string link = linked_config(fs, layout.git_common_dir);
  const bool of_repository = !link.empty() && fs.stat(join_path(parent_of(link), "HEAD"));
  if (id.empty() && of_repository) return set_linked(layout, id);
  if (id.empty()) {
    await_first_write(fs, layout);
    tell_of_known_clone(fs, layout, projects);
    return;
  }
  if (known == projects.end()) {
    KnownProject fresh;
    fresh.id = id;
    fresh.folder = join_path(layout.mem_home, "projects/" + folder_name(layout.project_name, id));
    use_private(fs, layout, fresh, "by the project's id in its git configuration");
    return;
  }
  const bool copied =
      !listed && std::any_of(known->places.begin(), known->places.end(),
                             [&](const auto& place) { return has_id(fs, place, id); });
  if (copied && !link.empty()) return set_linked(layout, id);
  if (copied) {
    await_first_write(fs, layout);
    note(layout, "copied-project", layout.git_common_dir,
         "this repository is a copy: its private memories stay with the original",
         "`mem link " + id + "` shares them; the first private write starts a store of its own");
    return;
  }
  use_private(fs, layout, *known,
              listed ? "by the project's id in its git configuration"
                     : "by the project's id: the repository was moved");
}

void find_private_by_path(FileSystem& fs, Layout& layout,
                          const std::vector<KnownProject>& projects) {
  for (const KnownProject& project : projects) {
    // It may be this path's: a new store beside it would hide the old one.
    if (project.damaged &&
        leaf_of(project.folder) == folder_name(layout.project_name, project.id)) {
      set_unusable(layout, Scope::kPrivate,
                   "the record of " + project.folder + " is damaged: restore its project.yaml");
      return;
    }
    if (contains(project.places, layout.project_root)) {
      use_private(fs, layout, project, "bound to this path");
      return;
    }
  }
  await_first_write(fs, layout);
}

void find_shared(FileSystem& fs, Layout& layout) {
  if (!layout.has_mem_folder) {
    set_unusable(layout, Scope::kShared, "the project has no .mem/ yet: `mem init` makes it");
    return;
  }
  ProjectConfig config = read_project_config(fs, layout.project_root, layout.settings);
  layout.index_committed = config.index_committed;
  layout.notes.insert(layout.notes.end(), config.problems.begin(), config.problems.end());
  if (!stays_inside(fs, layout.project_root, config.shared)) {
    const std::string path = join_path(layout.project_root, config.shared);
    set_unusable(layout, Scope::kShared,
                 config.shared + " is a link that leads out of the project");
    note(layout, "shared-outside", path, "the shared folder leads out of the project",
         "put the folder itself there");
    layout.notes.back().severity = Severity::kError;
    return;
  }
  set_folder(fs, layout, Scope::kShared, join_path(layout.project_root, config.shared),
             "in the project, committed with it");
}

}  // namespace

Result<Layout> discover_layout(FileSystem& fs, const Environment& environment) {
  if (!environment.root.empty()) {
    const std::string root = is_absolute(environment.root)
                                 ? environment.root
                                 : join_path(environment.working_directory, environment.root);
    const auto real = fs.real_path(root);
    return self_contained(fs, real ? *real : root);
  }
  Layout layout;
  const std::string& home = environment.home;
  layout.mem_home = is_absolute(environment.mem_home)
                        ? environment.mem_home
                        : base_directory(environment.xdg_data_home, home, ".local/share");
  if (layout.mem_home.empty()) {
    return make_error(ErrorCode::kInvalid, "no place for memories is known: HOME is not set")
        .with_hint("set HOME or MEM_HOME to an absolute path, or use --root DIR");
  }
  if (!is_absolute(environment.mem_home)) layout.mem_home = join_path(layout.mem_home, "mem");
  layout.state = base_directory(environment.xdg_state_home, home, ".local/state");
  layout.state =
      layout.state.empty() ? join_path(layout.mem_home, ".state") : join_path(layout.state, "mem");
  layout.cache = base_directory(environment.xdg_cache_home, home, ".cache");
  layout.cache = layout.cache.empty() ? join_path(layout.mem_home, ".state/cache")
                                      : join_path(layout.cache, "mem");
  MEMFS_ASSIGN(const std::string start, fs.real_path(environment.working_directory));
  const auto real_home = fs.real_path(home.empty() ? "/" : home);
  const Place place = find_project(fs, start, real_home ? *real_home : home);
  layout.project_root = place.root;
  layout.project_name = leaf_of(place.root);
  layout.has_mem_folder = place.has_mem;
  if (!place.git_top.empty()) {
    layout.git_top = place.git_top;
    layout.git_common_dir = *git_common_dir(fs, place.git_top);
    // Worktrees and sub-folders share the store: it is named after the repository.
    const std::string common = layout.git_common_dir;
    layout.project_name = leaf_of(common) == ".git" ? leaf_of(parent_of(common)) : leaf_of(common);
  }
  const auto projects = read_project_records(fs, layout.mem_home);
  if (layout.git_common_dir.empty()) {
    find_private_by_path(fs, layout, projects);
  } else {
    find_private_in_git(fs, layout, projects);
  }
  find_shared(fs, layout);
  set_folder(fs, layout, Scope::kGlobal, join_path(layout.mem_home, "global"),
             "yours, in every project");
  const auto user = read_own_config(fs, layout.mem_home, layout.settings);
  layout.notes.insert(layout.notes.end(), user.begin(), user.end());
  return layout;
}

Layout without_project(Layout layout, const std::string& why) {
  for (const Scope scope : {Scope::kPrivate, Scope::kShared}) set_unusable(layout, scope, why);
  for (std::string* of_project :
       {&layout.project_root, &layout.project_name, &layout.git_top, &layout.git_common_dir,
        &layout.project_id, &layout.project_folder})
    of_project->clear();
  layout.has_mem_folder = false;
  layout.index_committed = false;
  return layout;
}

namespace {

std::string fresh_project_id(const std::vector<KnownProject>& projects, const std::string& name,
                             const Clock& clock, IdSource& ids) {
  for (int attempt = 0;; ++attempt) {
    std::string id = ids.ulid(clock.now(), name, attempt);
    const bool taken = std::any_of(projects.begin(), projects.end(),
                                   [&](const KnownProject& p) { return p.id == id; });
    if (!taken) return id;
  }
}

// The id is made under a lock and after another look, so that two first writes make one store.
Result<void> prepare_private(FileSystem& fs, Layout& layout, const Clock& clock, IdSource& ids) {
  MEMFS_TRY(fs.make_directories(layout.mem_home, 0700));
  MEMFS_ASSIGN(const auto home, fs.open(layout.mem_home));
  MEMFS_ASSIGN(const auto lock, acquire_lock(*home, ".mem.lock", 0600, LockWait{}));
  if (layout.project_id.empty()) {
    const auto known = read_project_records(fs, layout.mem_home);
    if (layout.git_common_dir.empty()) {
      find_private_by_path(fs, layout, known);
    } else {
      find_private_in_git(fs, layout, known);
    }
    if (!layout.folder(Scope::kPrivate).usable)
      return make_error(ErrorCode::kIo, layout.folder(Scope::kPrivate).why);
  }
  const std::string place = place_of(layout);
  KnownProject project;
  const auto projects = read_project_records(fs, layout.mem_home);
  const auto own = std::find_if(projects.begin(), projects.end(),
                                [&](const KnownProject& p) { return p.id == layout.project_id; });
  if (own != projects.end()) project = *own;
  const bool listed = contains(project.places, place);
  if (layout.project_id.empty()) {
    project.id = fresh_project_id(projects, layout.project_name, clock, ids);
    project.folder =
        join_path(layout.mem_home, "projects/" + folder_name(layout.project_name, project.id));
  } else if (project.id.empty()) {
    project.id = layout.project_id;
    project.folder = layout.project_folder;
  }
  if (!listed && !project.damaged) {
    // Places that are gone, or belong to another project by now, make room for the new one.
    std::erase_if(project.places, [&](const std::string& old) {
      return layout.git_common_dir.empty() ? !fs.stat(old) : !has_id(fs, old, project.id);
    });
    project.places.push_back(place);
    if (!layout.git_common_dir.empty()) project.remotes = git_remotes(fs, layout.git_common_dir);
    // First the id, since a record without it would be a store that nobody finds again.
    if (layout.project_id.empty() && !layout.git_common_dir.empty())
      MEMFS_TRY(write_project_id(layout.git_common_dir, project.id));
    MEMFS_TRY(write_project_record(fs, project));
  }
  use_private(fs, layout, project, layout.folder(Scope::kPrivate).why);
  return {};
}

}  // namespace

Result<void> prepare_scope(FileSystem& fs, Layout& layout, Scope scope, const Clock& clock,
                           IdSource& ids) {
  ScopeFolder& folder = layout.folder(scope);
  if (!folder.usable) {
    return make_error(ErrorCode::kRefused, "there are no " + std::string(name_of(scope)) +
                                               " memories here: " + folder.why)
        .with_hint("`mem where` shows every place in use");
  }
  if (scope == Scope::kPrivate && !layout.self_contained)
    MEMFS_TRY(prepare_private(fs, layout, clock, ids));
  if (folder.exists) return {};
  MEMFS_TRY(fs.make_directories(folder.path, scope == Scope::kShared ? 0777 : 0700));
  folder.exists = true;
  return {};
}

Result<std::vector<KnownProject>> known_projects(FileSystem& fs, const Layout& layout) {
  auto projects = read_project_records(fs, layout.mem_home);
  for (KnownProject& project : projects) project.same_remote = shares_remote(fs, layout, project);
  return projects;
}

namespace {

// A place belongs to one project: outside git the first that names it is taken.
Result<void> leave_other_projects(FileSystem& fs, const Layout& layout, const std::string& id) {
  for (KnownProject& other : read_project_records(fs, layout.mem_home)) {
    if (other.id == id || other.damaged || !contains(other.places, place_of(layout))) continue;
    std::erase(other.places, place_of(layout));
    MEMFS_TRY(write_project_record(fs, other));
  }
  return {};
}

}  // namespace

Result<KnownProject> link_project(FileSystem& fs, Layout& layout, const std::string& id) {
  if (layout.self_contained)
    return make_error(ErrorCode::kRefused, "a folder given by --root has its own private memories")
        .with_hint("run it in the project, without --root and MEM_ROOT");
  for (KnownProject& project : read_project_records(fs, layout.mem_home)) {
    if (project.id != id && leaf_of(project.folder) != id) continue;
    if (!layout.project_id.empty() && layout.project_id != project.id &&
        layout.folder(Scope::kPrivate).exists) {
      return make_error(ErrorCode::kConflict, "this project has private memories of its own")
          .at(layout.folder(Scope::kPrivate).path)
          .with_hint("move its files into " + project.folder + "/private and remove that folder");
    }
    MEMFS_TRY(leave_other_projects(fs, layout, project.id));
    if (!contains(project.places, place_of(layout))) project.places.push_back(place_of(layout));
    MEMFS_TRY(write_project_record(fs, project));
    if (!layout.git_common_dir.empty() && !has_id(fs, layout.git_common_dir, project.id))
      MEMFS_TRY(write_project_id(layout.git_common_dir, project.id));
    use_private(fs, layout, project, "attached by `mem link`");
    return project;
  }
  return make_error(ErrorCode::kNotFound, "no private store is known as " + escape_for_terminal(id))
      .with_hint("`mem link` without a name lists them");
}

}  // namespace memfs
