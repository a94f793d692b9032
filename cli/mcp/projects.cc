#include "cli/mcp/projects.h"

#include <algorithm>

#include "cli/mcp/percent.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

// Of projects that one server is asked for at once.
constexpr std::size_t kOpenStores = 8;
constexpr std::size_t kSeenFolders = 64;

ChosenPlace without(const Environment& environment, std::string why) {
  return {environment.working_directory, std::move(why)};
}

}  // namespace

std::optional<std::string> path_of_uri(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (ascii_lower(uri.substr(0, kScheme.size())) != kScheme) return {};
  std::string_view rest = std::string_view(uri).substr(kScheme.size());
  if (rest.starts_with("localhost/")) rest.remove_prefix(std::string_view("localhost").size());
  if (!rest.starts_with('/')) return {};  // on another machine
  return percent_decoded(rest.substr(0, rest.find_first_of("?#")));
}

Projects::Projects(ServerPlace place, Store::Services services)
    : place_(std::move(place)),
      services_(std::move(services)),
      fs_(services_.fs ? services_.fs : std::make_shared<PosixFileSystem>()) {}

void Projects::set_roots(const std::vector<std::string>& uris) {
  roots_.emplace();
  for (const std::string& uri : uris)
    if (auto path = path_of_uri(uri)) roots_->push_back(std::move(*path));
  if (uris.empty()) roots_.reset();
}

// `by_itself`: nobody named the folder, so that a project must show. The home folder and / are what
// servers are started in for want of a better one, also where somebody keeps them in git.
bool Projects::is_project(const std::string& folder, bool by_itself) {
  const auto stat = fs_->stat(folder);
  if (!stat || stat->kind != FileKind::kDirectory) return false;
  const auto seen = look(folder);
  if (!seen) return false;
  const Layout& layout = seen->layout;
  if (layout.has_mem_folder) return true;
  const auto home = fs_->real_path(place_.environment.home);
  if (layout.project_root == "/" || (home && layout.project_root == *home)) return false;
  return !by_itself || !layout.git_top.empty();
}

Result<ChosenPlace> Projects::served() {
  const Environment& environment = place_.environment;
  if (!environment.root.empty()) return ChosenPlace{environment.working_directory, {}};
  if (!place_.chosen.empty()) return ChosenPlace{place_.chosen, {}};  // a person knows
  if (roots_) {
    for (const std::string& root : *roots_)
      if (is_project(root, false)) return ChosenPlace{root, {}};
    return without(environment, "none of the client's folders is one in which a project is kept");
  }
  for (const std::string& folder : place_.of_harness)
    if (is_project(folder, false)) return ChosenPlace{folder, {}};
  if (is_project(environment.working_directory, true))
    return ChosenPlace{environment.working_directory, {}};
  return without(environment, "the server was started in " + environment.working_directory +
                                  ", which is no project: name one by `project`, or start it "
                                  "with -C DIR");
}

Result<ChosenPlace> Projects::named(const std::string& project) {
  const std::string& root = place_.environment.root;
  if (!root.empty()) {
    return make_error(ErrorCode::kUsage, "this server serves one folder of memories, " + root)
        .with_hint("leave out `project`");
  }
  if (!project.starts_with('/') || project.find('\0') != std::string::npos)
    return make_error(ErrorCode::kUsage, "`project` must be an absolute path");
  const auto stat = fs_->stat(project);
  if (!stat || stat->kind != FileKind::kDirectory)
    return make_error(ErrorCode::kNotFound, "there is no such folder").at(project);
  if (!is_project(project, false)) {
    return make_error(ErrorCode::kRefused, "no project is kept there")
        .at(project)
        .with_hint("name the project's own folder; `mem init` in it makes any folder one");
  }
  return ChosenPlace{project, {}};
}

Result<Projects::Seen> Projects::look(const std::string& folder) {
  Environment environment = place_.environment;
  environment.working_directory = folder;
  if (const auto known = seen_.find(folder); known != seen_.end()) {
    if (layout_stamp(*fs_, environment, known->second.layout) == known->second.stamp)
      return known->second;
    seen_.erase(known);
  }
  // The stamp first, so that it tells of whatever changes while the layout is found.
  MEMFS_ASSIGN(const Layout first, discover_layout(*fs_, environment));
  Seen seen;
  seen.stamp = layout_stamp(*fs_, environment, first);
  MEMFS_ASSIGN(seen.layout, discover_layout(*fs_, environment));
  if (seen_.size() >= kSeenFolders) seen_.clear();
  seen_[folder] = seen;
  return seen;
}

Result<std::shared_ptr<Store>> Projects::store(const std::string& project) {
  MEMFS_ASSIGN(const ChosenPlace place, project.empty() ? served() : named(project));
  MEMFS_ASSIGN(const Seen seen, look(place.folder));
  const std::string stamp = seen.stamp + place.missing;
  auto known = opened_.find(place.folder);
  if (known == opened_.end() || known->second.stamp != stamp) {
    MEMFS_ASSIGN(auto store, open(place, seen.layout));
    known = opened_.insert_or_assign(place.folder, Opened{stamp, std::move(store)}).first;
  }
  known->second.used = ++clock_;
  const auto opened = known->second.store;
  // The one that is served; each watch is one of a limited number.
  if (project.empty()) opened->keep_warm();
  forget_oldest();
  return opened;
}

Result<std::shared_ptr<Store>> Projects::open(const ChosenPlace& place, Layout layout) {
  if (!place.missing.empty()) layout = without_project(std::move(layout), place.missing);
  MEMFS_ASSIGN(Store store, Store::open(std::move(layout), services_));
  return std::make_shared<Store>(std::move(store));
}

void Projects::forget_oldest() {
  while (opened_.size() > kOpenStores) {
    const auto oldest = std::min_element(
        opened_.begin(), opened_.end(),
        [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    opened_.erase(oldest);
  }
}

}  // namespace memfs::cli
