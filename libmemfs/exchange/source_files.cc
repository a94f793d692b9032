#include "libmemfs/exchange/source_files.h"
#include "libmemfs/exchange/count_of.h"

#include <algorithm>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

constexpr int kMaxDepth = 64;  // of folders; a tree that goes deeper is a trap

Error wrong_kind(const ImportPlace& place, std::string_view format, bool wants_file) {
  return make_error(ErrorCode::kUsage,
                    std::string(format) + " is imported from a " +
                        (wants_file ? "file, and this is a folder" : "folder, and this is a file"))
      .at(place.path);
}

bool is_nul_filled(std::string_view bytes) {
  return !bytes.empty() && bytes.find_first_not_of('\0') == std::string_view::npos;
}

// Where a path ends in the directory's own words.
Error placed(const Directory& dir, const std::string& rel, Error error) {
  if (error.path.empty()) error.path = join_path(dir.path(), rel);
  return error;
}

class TreeWalk {
 public:
  TreeWalk(Tree& tree, NameFilter wanted, NameFilter wanted_folder)
      : tree_(tree), wanted_(wanted), wanted_folder_(wanted_folder) {}

  void run() {
    visit("", 0);
    std::sort(tree_.files.begin(), tree_.files.end(),
              [](const TreeFile& a, const TreeFile& b) { return a.rel < b.rel; });
    if (links_ > 0)
      tree_.notes.push_back(count_of(links_, "symbolic link was", "symbolic links were") +
                            " not followed");
  }

 private:
  void visit(const std::string& folder, int depth) {
    auto entries = tree_.root->list(folder);
    if (!entries) return refuse(folder, std::move(entries).error());
    for (const DirEntry& entry : *entries) look_at(join_path(folder, entry.name), entry, depth);
  }

  void look_at(const std::string& rel, const DirEntry& entry, int depth) {
    const bool is_folder = entry.kind == FileKind::kDirectory;
    if (entry.kind == FileKind::kSymlink && wanted_(rel)) ++links_;
    if (is_folder ? !enters(rel, entry.name) : entry.kind != FileKind::kRegular || !wanted_(rel))
      return;
    if (find_invalid_utf8(rel))
      return refuse(rel, make_error(ErrorCode::kInvalid, "its name is not UTF-8")
                             .with_hint("rename it, then import again"));
    if (is_folder && depth >= kMaxDepth)
      return refuse(rel, make_error(ErrorCode::kRefused, "folders are nested more than " +
                                                             std::to_string(kMaxDepth) + " deep"));
    if (is_folder) return visit(rel, depth + 1);
    auto stat = tree_.root->stat(rel);
    if (!stat) return refuse(rel, std::move(stat).error());
    tree_.files.push_back({rel, *stat});
  }

  bool enters(const std::string& rel, const std::string& name) const {
    return !name.starts_with('.') || (wanted_folder_ != nullptr && wanted_folder_(rel));
  }

  void refuse(const std::string& rel, Error error) {
    tree_.bad.push_back({rel, placed(*tree_.root, rel, std::move(error))});
  }

  Tree& tree_;
  NameFilter wanted_;
  NameFilter wanted_folder_;
  std::size_t links_ = 0;
};

}  // namespace

Result<SourceFile> read_source_file(const ImportPlace& place, std::string_view format) {
  if (place.stat.kind == FileKind::kDirectory) return wrong_kind(place, format, true);
  SourceFile file;
  file.leaf = leaf_of(place.path);
  const std::string folder = parent_of(place.path);
  MEMFS_ASSIGN(file.folder, place.fs.open(folder.empty() ? "/" : folder));
  auto content = file.folder->read(file.leaf, kMaxSourceFile);
  if (!content) return placed(*file.folder, file.leaf, std::move(content).error());
  file.bytes = std::move(content->bytes);
  if (is_nul_filled(file.bytes)) {
    return make_error(ErrorCode::kInvalid, "the file holds nothing but NUL bytes: a write was lost")
        .at(place.path)
        .with_hint("restore it from a backup; nothing was imported and nothing was changed");
  }
  return file;
}

Result<std::string> read_optional(Directory& dir, const std::string& rel, bool& there) {
  auto content = dir.read(rel, kMaxSourceFile);
  there = content.has_value();
  if (there) return std::move(content->bytes);
  if (content.error().code == ErrorCode::kNotFound) return std::string();
  return placed(dir, rel, std::move(content).error());
}

Result<Tree> walk_source(const ImportPlace& place, std::string_view format, NameFilter wanted,
                         NameFilter wanted_folder) {
  if (place.stat.kind != FileKind::kDirectory) return wrong_kind(place, format, false);
  Tree tree;
  MEMFS_ASSIGN(tree.root, place.fs.open(place.path));
  TreeWalk(tree, wanted, wanted_folder).run();
  return tree;
}

}  // namespace memfs
