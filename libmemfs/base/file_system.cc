#include "libmemfs/base/file_system.h"

namespace memfs {
namespace {

class StringBytes final : public Bytes {
 public:
  explicit StringBytes(std::string text) : text_(std::move(text)) {}
  std::string_view view() const override { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::shared_ptr<const Bytes> bytes_of(std::string text) {
  return std::make_shared<StringBytes>(std::move(text));
}

Result<std::shared_ptr<const Bytes>> Directory::map(const std::string& rel,
                                                    std::uint64_t max_bytes) {
  MEMFS_ASSIGN(FileContent content, read(rel, max_bytes));
  return bytes_of(std::move(content.bytes));
}

Result<std::vector<std::optional<FileStat>>> Directory::stat_entries(
    const std::string& rel, std::span<const DirEntry> entries) {
  std::vector<std::optional<FileStat>> stats;
  for (const DirEntry& entry : entries) {
    auto found = stat(join_path(rel, entry.name));
    if (!found && found.error().code != ErrorCode::kNotFound) return std::move(found).error();
    stats.push_back(found ? std::optional(*found) : std::nullopt);
  }
  return stats;
}

Result<std::unique_ptr<FolderWatch>> FileSystem::watch_folders() {
  return make_error(ErrorCode::kUnsupported, "changes are not told");
}

bool is_safe_relative(std::string_view rel) {
  if (rel.empty() || rel.find('\0') != std::string_view::npos) return false;
  while (true) {
    const auto slash = rel.find('/');
    const auto part = rel.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    rel.remove_prefix(slash + 1);
  }
}

std::string parent_of(std::string_view rel) {
  const auto slash = rel.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(rel.substr(0, slash));
}

std::string leaf_of(std::string_view rel) {
  const auto slash = rel.rfind('/');
  return std::string(slash == std::string_view::npos ? rel : rel.substr(slash + 1));
}

std::string join_path(std::string_view a, std::string_view b) {
  if (a.empty()) return std::string(b);
  if (b.empty()) return std::string(a);
  std::string joined(a);
  if (joined.back() != '/') joined += '/';
  joined += b.front() == '/' ? b.substr(1) : b;
  return joined;
}

}  // namespace memfs
