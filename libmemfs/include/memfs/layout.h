// Where memories live for a working directory: scopes, state, cache. See docs/format.md, "Scopes".
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>
#include <memfs/settings.h>

#include <array>
#include <string>
#include <vector>

namespace memfs {

class FileSystem;
class Clock;
class IdSource;

// What discovery may look at. The library reads no environment variable itself.
struct Environment {
  std::string working_directory;  // absolute
  std::string root{};             // --root or MEM_ROOT: a self-contained folder, made when needed
  std::string home{};             // $HOME
  std::string mem_home{};         // $MEM_HOME
  std::string xdg_data_home{}, xdg_state_home{}, xdg_cache_home{};
};

struct ScopeFolder {
  Scope scope = Scope::kPrivate;
  std::string path{};  // absolute; empty if it cannot be used or has no place yet
  bool exists = false;
  bool usable = false;  // may be written, the folder being made when it is missing
  std::string why{};    // one sentence: how the path came about, or why there is none
};

struct Layout {
  bool self_contained = false;  // --root
  std::string project_root{};   // absolute, links resolved; empty with --root
  std::string project_name{};
  std::string git_top{};                // absolute, the work tree; empty outside git
  std::string git_common_dir{};         // absolute; empty outside git
  std::string project_id{};             // 26 characters; empty before the first private write
  std::string project_folder{};         // $MEM_HOME/projects/<name>-<id>; empty before that
  bool has_mem_folder = false;          // the project has .mem/
  std::array<ScopeFolder, 3> scopes{};  // in the order private, shared, global
  std::string mem_home{};
  std::string state{};  // history, archive, journal
  std::string cache{};
  bool index_committed = false;  // `index: committed` in the project's config
  Settings settings{};
  std::vector<Problem> notes{};  // configuration problems, copies, known clones

  const ScopeFolder& folder(Scope scope) const {
    return scopes.at(static_cast<std::size_t>(scope));
  }
  ScopeFolder& folder(Scope scope) { return scopes.at(static_cast<std::size_t>(scope)); }
};

// Finds the layout; writes nothing. kInvalid if neither a home nor a root is known, kNotFound if
// the working directory is gone.
Result<Layout> discover_layout(FileSystem& fs, const Environment& environment);

// Another text when discover_layout() may find something else for the environment than `layout`:
// made from what a few files are, so that a server can ask before each call.
std::string layout_stamp(FileSystem& fs, const Environment& environment, const Layout& layout);

// What is left of a layout without a project, for who cannot tell which one is meant: the global
// scope. `why` completes "there are no private memories here: …".
Layout without_project(Layout layout, const std::string& why);

// Makes the folder of a scope ready for a write: the project id at the first private write (kept
// in the git common directory's configuration, or bound to the path outside git), the folders
// with their modes. kRefused if the scope cannot be used here.
Result<void> prepare_scope(FileSystem& fs, Layout& layout, Scope scope, const Clock& clock,
                           IdSource& ids);

struct InitReport {
  std::vector<std::string> made;       // paths relative to the project
  std::vector<std::string> kept;       // already there, left as they were
  std::vector<std::string> changed{};  // .gitignore files that follow `index:` of the config now
  std::vector<std::string> renewed{};  // .gitattributes files that were as an older mem wrote them
  std::vector<std::string> advice{};   // what only the person can change
};

// Makes .mem/ with config, .gitignore, .gitattributes and the shared folder. Safe to repeat: a
// .gitignore that nobody edited follows the config's `index`, a .gitattributes that nobody edited
// the present mem, everything else stays.
Result<InitReport> init_project(FileSystem& fs, Layout& layout);

// A private store that belongs to another clone or a former path of this project.
struct KnownProject {
  std::string id;
  std::string folder;
  std::vector<std::string> places;  // git common directories or paths it is used from
  std::vector<std::string> remotes;
  bool damaged = false;      // its project.yaml is missing or cannot be read: places unknown
  bool same_remote = false;  // one of them is a remote of this project
};
Result<std::vector<KnownProject>> known_projects(FileSystem& fs, const Layout& layout);

// Attaches this project to the private store of `id` (or its folder name). kNotFound, kConflict
// if this project has private memories of its own already.
Result<KnownProject> link_project(FileSystem& fs, Layout& layout, const std::string& id);

}  // namespace memfs
