#include <memfs/layout.h>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/store/attributes.h"
#include "libmemfs/store/config.h"
#include "libmemfs/store/renew_file.h"

namespace memfs {
namespace {

constexpr char kConfig[] =
    "version: 1\n"
    "# shared: docs/memory   # where the team's memories lie (default .mem/shared)\n"
    "# index: committed      # commit INDEX.md too (default: ignored)\n";

constexpr char kIgnore[] =
    "# Written by `mem init`: generated pages, locks and temporary files.\n"
    "INDEX.md\n"
    ".mem.lock\n"
    ".mem-tmp-*\n";
// With `index: committed`.
constexpr char kIgnoreLess[] =
    "# Written by `mem init`: locks and temporary files.\n"
    ".mem.lock\n"
    ".mem-tmp-*\n";

Result<void> make_file(Directory& project, const std::string& rel, std::string_view text,
                       InitReport& report) {
  MEMFS_TRY(make_parents(project, rel, 0777));
  auto made = create_file(project, rel, text);
  if (made) {
    report.made.push_back(rel);
    return {};
  }
  if (made.error().code != ErrorCode::kConflict) return made;
  report.kept.push_back(rel);
  return {};
}

// What an older mem wrote is renewed; what a person changed is theirs.
Result<void> make_attributes(Directory& project, const std::string& rel, InitReport& report) {
  constexpr std::uint64_t kMaxAttributes = 1U << 20U;
  const auto there = project.read(rel, kMaxAttributes);
  if (!there || !is_older_attributes(there->bytes))
    return make_file(project, rel, kAttributes, report);
  MEMFS_ASSIGN(const bool renewed, renew_file(project, rel, *there, kAttributes));
  (renewed ? report.renewed : report.kept).push_back(rel);
  return {};
}

bool has_line(std::string_view text, std::string_view line) {
  for (auto at = text.find(line); at != std::string_view::npos; at = text.find(line, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == '\n';
    const auto rest = text.substr(at + line.size());
    if (begins && (rest.empty() || rest.front() == '\n' || rest.starts_with("\r\n"))) return true;
  }
  return false;
}

// What mem wrote follows the config; what a person changed is theirs.
Result<void> make_ignore(Directory& project, const std::string& rel, bool committed,
                         InitReport& report) {
  constexpr std::uint64_t kMaxIgnore = 1U << 20U;
  const std::string wanted = committed ? kIgnoreLess : kIgnore;
  const std::string other = committed ? kIgnore : kIgnoreLess;
  const auto there = project.read(rel, kMaxIgnore);
  if (!there || there->bytes == wanted) return make_file(project, rel, wanted, report);
  if (there->bytes == other) {
    MEMFS_ASSIGN(const bool done, renew_file(project, rel, *there, wanted));
    (done ? report.changed : report.kept).push_back(rel);
    return {};
  }
  report.kept.push_back(rel);
  if (committed && has_line(there->bytes, "INDEX.md"))
    report.advice.push_back("`index: committed` needs the line INDEX.md out of " + rel);
  return {};
}

}  // namespace

Result<InitReport> init_project(FileSystem& fs, Layout& layout) {
  if (layout.self_contained) {
    return make_error(ErrorCode::kUsage, "a root folder needs no `mem init`")
        .with_hint("leave --root and MEM_ROOT out to set up a project");
  }
  InitReport report;
  MEMFS_ASSIGN(const auto project, fs.open(layout.project_root));
  MEMFS_TRY(make_file(*project, ".mem/config.yaml", kConfig, report));
  Settings known;  // read again with the next discovery
  const ProjectConfig config = read_project_config(fs, layout.project_root, known);
  const bool committed = config.index_committed;
  MEMFS_TRY(make_ignore(*project, ".mem/.gitignore", committed, report));
  MEMFS_TRY(make_attributes(*project, ".mem/.gitattributes", report));
  if (!stays_inside(fs, layout.project_root, config.shared)) {
    return make_error(ErrorCode::kRefused, "the shared folder leads out of the project")
        .at(join_path(layout.project_root, config.shared))
        .with_hint("put the folder itself there");
  }
  if (!config.shared.starts_with(".mem/")) {
    MEMFS_TRY(make_ignore(*project, config.shared + "/.gitignore", committed, report));
    MEMFS_TRY(make_attributes(*project, config.shared + "/.gitattributes", report));
  }
  MEMFS_TRY(make_parents(*project, config.shared + "/x", 0777));
  layout.has_mem_folder = true;
  ScopeFolder& shared = layout.folder(Scope::kShared);
  shared.path = join_path(layout.project_root, config.shared);
  shared.exists = shared.usable = true;
  shared.why = "in the project, committed with it";
  return report;
}

}  // namespace memfs
