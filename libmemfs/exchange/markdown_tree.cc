// Any folder of markdown files, or one file: an Obsidian vault, the content of Hugo or Jekyll,
// basic-memory. Each file is one memory of the same path; its own bytes stay.
#include <algorithm>
#include <array>

#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/import_reader.h"
#include "libmemfs/exchange/item_name.h"
#include "libmemfs/exchange/source_files.h"
#include "libmemfs/exchange/toml_block.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

constexpr char kSource[] = "markdown:";

bool any_file(std::string_view rel) { return !leaf_of(std::string(rel)).starts_with('.'); }

// The path without the extension of a markdown file; "" for other files.
std::string stem_of(const std::string& rel) {
  for (const std::string_view extension : {".md", ".markdown"}) {
    if (rel.size() <= extension.size()) continue;
    const std::string_view end = std::string_view(rel).substr(rel.size() - extension.size());
    if (ascii_lower(end) == extension) return rel.substr(0, rel.size() - extension.size());
  }
  return {};
}

bool is_readme(const std::string& rel) { return leaf_of(rel) == "README.md"; }

// "2024-05-01-title": the day on which a page of Jekyll was made.
std::optional<Instant> day_in(const std::string& rel) {
  const std::string leaf = leaf_of(rel);
  if (leaf.size() < 11 || leaf[10] != '-') return std::nullopt;
  const auto date = parse_date(leaf.substr(0, 10));
  return date ? std::optional(date->at) : std::nullopt;
}

Instant time_of(const FileStat& stat) {
  return Instant(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(stat.mtime_ns)));
}

class TreeReader {
 public:
  explicit TreeReader(const ImportPlace& place) : place_(place) {}

  Result<ImportSource> read() {
    MEMFS_ASSIGN(Tree tree, open());
    root_ = tree.root;
    source_.bad = std::move(tree.bad);
    source_.notes = std::move(tree.notes);
    for (const TreeFile& file : tree.files) take(file);
    tell(others_, "file that is not markdown was", "files that are not markdown were");
    tell(components_, "file with components (.mdx) was", "files with components (.mdx) were");
    tell(
        pages_,
        "page for agents or index (AGENTS.md, CLAUDE.md, GEMINI.md, INDEX.md, MEMORY.md) was",
        "pages for agents and indexes (AGENTS.md, CLAUDE.md, GEMINI.md, INDEX.md, MEMORY.md) were");
    return std::move(source_);
  }

 private:
  Result<Tree> open() const {
    if (place_.stat.kind == FileKind::kDirectory) return walk_source(place_, "markdown", any_file);
    Tree tree;
    const std::string folder = parent_of(place_.path);
    MEMFS_ASSIGN(tree.root, place_.fs.open(folder.empty() ? "/" : folder));
    tree.files.push_back({leaf_of(place_.path), place_.stat});
    return tree;
  }

  void tell(std::size_t count, const char* one, const char* many) {
    if (count > 0) source_.notes.push_back(count_of(count, one, many) + " left out");
  }

  void take(const TreeFile& file) {
    const std::string stem = stem_of(file.rel);
    if (stem.empty()) {
      ++(file.rel.ends_with(".mdx") ? components_ : others_);
      return;
    }
    if (is_page_file(leaf_of(file.rel)) && !is_readme(file.rel)) {
      ++pages_;
      return;
    }
    if (file.stat.size > kMaxFile) return refuse_large(file);
    Incoming item;
    item.name = name_of_path(is_readme(file.rel) ? readme_name(stem) : stem, item.warnings);
    item.source = kSource + file.rel;
    item.path = join_path(root_->path(), file.rel);
    const auto day = day_in(file.rel);
    item.created = day ? *day : time_of(file.stat);
    item.read = [root = root_, rel = file.rel]() -> Result<std::string> {
      MEMFS_ASSIGN(FileContent content, root->read(rel, kMaxFile));
      if (!has_toml_block(content.bytes)) return std::move(content.bytes);
      return yaml_of_toml(content.bytes, join_path(root->path(), rel));
    };
    source_.items.push_back(std::move(item));
  }

  // No memory is called README: the one of a folder is its `readme`, that of the tree bears the
  // tree's name.
  std::string readme_name(const std::string& stem) const {
    const std::string folder = parent_of(stem);
    if (!folder.empty()) return join_path(folder, "readme");
    return leaf_of(root_->path()) + "-readme";
  }

  void refuse_large(const TreeFile& file) {
    source_.bad.push_back(
        {file.rel, make_error(ErrorCode::kInvalid, "the file is larger than 16 MiB")
                       .at(join_path(root_->path(), file.rel))
                       .with_hint("split it: one memory holds one idea")});
  }

  const ImportPlace& place_;
  std::shared_ptr<Directory> root_{};
  ImportSource source_{};
  std::size_t others_ = 0, components_ = 0, pages_ = 0;
};

}  // namespace

Result<ImportSource> read_markdown(const ImportPlace& place) { return TreeReader(place).read(); }

}  // namespace memfs
