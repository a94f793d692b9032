#include "libmemfs/store/walk.h"

#include <algorithm>
#include <set>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

constexpr int kMaxLinks = 8;

// "a/b" + "../c" → "a/c"; empty if it leads out of the root.
std::string resolve_relative(const std::string& from_folder, std::string_view target) {
  std::vector<std::string> parts;
  const std::string joined = join_path(from_folder, target);
  for (std::size_t begin = 0; begin <= joined.size();) {
    const auto slash = std::min(joined.find('/', begin), joined.size());
    const std::string part = joined.substr(begin, slash - begin);
    begin = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (parts.empty()) return {};
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out;
  for (const std::string& part : parts) out = join_path(out, part);
  return out;
}

class Walker {
 public:
  explicit Walker(Directory& dir) : dir_(dir) {}

  Walk run() {
    std::vector<std::string> folders = {""};
    while (!folders.empty()) {
      const std::string folder = std::move(folders.back());
      folders.pop_back();
      visit(folder, folders);
    }
    add_links();
    std::sort(walk_.files.begin(), walk_.files.end(),
              [](const auto& a, const auto& b) { return a.name_rel < b.name_rel; });
    return std::move(walk_);
  }

 private:
  void visit(const std::string& folder, std::vector<std::string>& folders) {
    auto entries = dir_.list(folder);
    if (!entries) {
      if (folder.empty()) walk_.failure = entries.error();
      // Gone between two looks is no problem, the next run is right.
      if (entries.error().code != ErrorCode::kNotFound)
        note("unreadable", Severity::kError, folder, entries.error().message, entries.error().hint);
      return;
    }
    if (!folder.empty() && has_git(*entries)) {
      note("nested-repository", Severity::kInfo, folder, "a git repository of its own is left out",
           "");
      return;
    }
    for (const DirEntry& entry : *entries) classify(join_path(folder, entry.name), entry, folders);
  }

  static bool has_git(const std::vector<DirEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [](const DirEntry& entry) { return entry.name == ".git"; });
  }

  void classify(const std::string& rel, const DirEntry& entry, std::vector<std::string>& folders) {
    if (entry.name.starts_with(kTemporaryPrefix) && entry.kind == FileKind::kRegular)
      walk_.leftovers.push_back(rel);
    if (entry.name.starts_with('.')) return;
    const bool named_like_memory = is_memory_file(entry.name);
    if (entry.kind == FileKind::kDirectory) {
      if (named_like_memory)
        note("not-a-file", Severity::kWarning, rel, "a folder is named like a memory",
             "rename the folder");
      folders.push_back(rel);
    } else if (entry.kind == FileKind::kRegular) {
      if (named_like_memory) add(rel, rel);
    } else if (entry.kind == FileKind::kSymlink) {
      links_.push_back(rel);
    } else if (named_like_memory) {
      note("not-a-file", Severity::kWarning, rel, "not a regular file: it is not read",
           "remove it or rename it");
    }
  }

  void add(const std::string& name_rel, const std::string& file_rel) {
    if (find_invalid_utf8(name_rel))
      note("name-utf8", Severity::kError, name_rel, "the file's name is not UTF-8",
           "rename the file");
    walk_.files.push_back({name_rel, file_rel});
    files_.insert(file_rel);
  }

  void add_links() {
    std::sort(links_.begin(), links_.end());
    for (const std::string& rel : links_) {
      auto target = resolve_link(dir_, rel);
      if (!target) {
        const bool matters =
            is_memory_file(leaf_of(rel)) || target.error().details.empty();  // a link to a folder
        if (matters)
          note("link", Severity::kWarning, rel, target.error().message, target.error().hint);
      } else if (files_.contains(*target)) {
        note("link-to-memory", Severity::kInfo, rel,
             "a link to the memory " + escape_for_terminal(*target) +
                 ": it is shown under that name",
             "");
      } else if (is_memory_file(leaf_of(rel))) {
        add(rel, *target);
      }
    }
  }

  void note(const char* code, Severity severity, const std::string& rel, std::string message,
            std::string hint) {
    Problem problem;
    problem.code = code;
    problem.severity = severity;
    problem.path = escape_for_terminal(join_path(dir_.path(), rel));
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    walk_.problems.push_back(std::move(problem));
  }

  Directory& dir_;
  Walk walk_;
  std::vector<std::string> links_;
  std::set<std::string> files_;
};

}  // namespace

Result<std::string> resolve_link(Directory& dir, const std::string& rel) {
  std::string at = rel;
  const auto refuse = [&](const char* why) {
    return make_error(ErrorCode::kRefused, std::string("a link that ") + why + " is not followed")
        .at(join_path(dir.path(), rel))
        .with_hint("put the file itself here");
  };
  for (int hop = 0; hop < kMaxLinks; ++hop) {
    MEMFS_ASSIGN(const std::string target, dir.read_link(at));
    if (target.starts_with('/')) return refuse("leads out of the folder");
    at = resolve_relative(parent_of(at), target);
    if (at.empty()) return refuse("leads out of the folder");
    auto stat = dir.stat(at);
    if (!stat) return refuse("leads nowhere").with("target", target);
    if (stat->kind == FileKind::kRegular) return at;
    if (stat->kind != FileKind::kSymlink) return refuse("leads to something that is no file");
  }
  return refuse("goes in circles");
}

Walk walk_scope(Directory& dir) { return Walker(dir).run(); }

}  // namespace memfs
