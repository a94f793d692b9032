// Whether a layout that was found is still the one that there is.
#include <memfs/layout.h>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/hash.h"

namespace memfs {
namespace {

class Stamp {
 public:
  explicit Stamp(FileSystem& fs) : fs_(fs) {}

  // A file by whatever changes with its bytes.
  void file(const std::string& path) {
    const auto stat = fs_.stat(path);
    if (!stat) return note("-");
    note(std::to_string(stat->inode) + " " + std::to_string(stat->device) + " " +
         std::to_string(stat->size) + " " + std::to_string(stat->mtime_ns) + " " +
         std::to_string(stat->ctime_ns));
  }
  // Where a path leads by now: what lies above it may be reached through a link.
  std::string real_path(const std::string& path) {
    const auto real = fs_.real_path(path);
    note(real ? *real : "-");
    return real ? *real : path;
  }
  // A repository, or the file that leads to one; not before it is whole.
  void repository(const std::string& path) {
    const auto stat = fs_.stat(path);
    if (stat && stat->kind == FileKind::kRegular) return file(path);
    folder(path);
    if (!stat) return;
    for (const char* part : {"HEAD", "objects", "refs"})
      note(fs_.stat(join_path(path, part)) ? "+" : "-");
  }
  // A folder by what it is: what lies in it comes and goes.
  void folder(const std::string& path) {
    const auto stat =
        path.empty() ? Result<FileStat>(make_error(ErrorCode::kNotFound, "none")) : fs_.stat(path);
    if (!stat) return note("-");
    note(std::to_string(stat->inode) + " " + std::to_string(stat->device) + " " +
         std::to_string(static_cast<int>(stat->kind)));
  }
  std::string text() const { return content_hash(seen_); }

 private:
  void note(const std::string& what) { seen_ += what + "\n"; }

  FileSystem& fs_;
  std::string seen_{};
};

// The folders from the working directory up in which a project may begin.
void note_way_up(Stamp& stamp, const std::string& start, const std::string& home) {
  for (std::string dir = start; !dir.empty(); dir = parent_of(dir)) {
    stamp.folder(join_path(dir, ".mem"));
    stamp.repository(join_path(dir, ".git"));
    if (dir == home || dir == "/") break;
  }
}

}  // namespace

std::string layout_stamp(FileSystem& fs, const Environment& environment, const Layout& layout) {
  Stamp stamp(fs);
  for (const ScopeFolder& scope : layout.scopes) stamp.folder(scope.path);
  if (layout.self_contained) {
    (void)stamp.real_path(environment.root);
    stamp.file(join_path(parent_of(layout.state), "config.yaml"));
    return stamp.text();
  }
  const std::string home = stamp.real_path(environment.home);
  note_way_up(stamp, stamp.real_path(environment.working_directory), home);
  stamp.file(join_path(layout.project_root, ".mem/config.yaml"));
  stamp.file(join_path(layout.git_common_dir, "config"));
  stamp.file(join_path(layout.mem_home, "config.yaml"));
  stamp.file(join_path(layout.mem_home, "projects"));
  stamp.file(join_path(layout.project_folder, "project.yaml"));
  return stamp.text();
}

}  // namespace memfs
