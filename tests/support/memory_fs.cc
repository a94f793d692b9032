#include "tests/support/memory_fs.h"

#include <unistd.h>

#include <cerrno>

namespace memfs::testing {
namespace {

using Node = MemoryFs::Node;
using NodePtr = std::shared_ptr<Node>;

Error fails(ErrorCode code, const std::string& path, int os_error) {
  Error error = make_error(
      code, code == ErrorCode::kNotFound ? "No such file or directory" : "operation failed");
  error.path = path;
  error.os_error = os_error;
  return error;
}

FileStat stat_of(const Node& node) {
  FileStat out;
  out.owner = ::geteuid();  // whoever runs the tests
  out.kind = node.kind;
  out.size = node.bytes.size();
  out.mtime_ns = out.ctime_ns = node.mtime;
  out.inode = node.inode;
  out.device = 1;
  out.mode = node.mode;
  return out;
}

void sync_below(Node& node) {
  node.synced = node.bytes;
  node.synced_entries = node.entries;
  for (auto& [name, child] : node.entries) sync_below(*child);
}

class MemoryFile final : public WritableFile {
 public:
  MemoryFile(MemoryFs& fs, NodePtr node) : fs_(fs), node_(std::move(node)) {}
  Result<std::size_t> write(std::string_view bytes) override {
    // Short writes are part of the contract, so every long one is short here.
    const std::size_t n = bytes.size() > 64 ? bytes.size() / 2 : bytes.size();
    node_->bytes += bytes.substr(0, n);
    node_->mtime = fs_.tick();
    return n;
  }
  Result<void> set_mode(std::uint32_t mode) override {
    node_->mode = mode;
    return {};
  }
  Result<void> sync() override {
    node_->synced = node_->bytes;
    return {};
  }
  Result<void> close() override { return {}; }

 private:
  MemoryFs& fs_;
  NodePtr node_;
};

class MemoryLock final : public HeldLock {
 public:
  MemoryLock(MemoryFs& fs, std::uint64_t inode) : fs_(fs), inode_(inode) {}
  ~MemoryLock() override { fs_.locked().erase(inode_); }

 private:
  MemoryFs& fs_;
  std::uint64_t inode_;
};

class MemoryDirectory final : public Directory {
 public:
  MemoryDirectory(MemoryFs& fs, NodePtr root, std::string path)
      : fs_(fs), root_(std::move(root)), path_(std::move(path)) {}

  const std::string& path() const override { return path_; }

  Result<FileStat> stat(const std::string& rel) override {
    MEMFS_ASSIGN(const NodePtr node, entry(rel));
    return stat_of(*node);
  }
  Result<std::vector<DirEntry>> list(const std::string& rel) override {
    MEMFS_ASSIGN(const NodePtr node, folder(rel));
    std::vector<DirEntry> out;
    for (const auto& [name, child] : node->entries) out.push_back({name, child->kind});
    return out;
  }
  Result<FileContent> read(const std::string& rel, std::uint64_t max_bytes) override {
    MEMFS_ASSIGN(const NodePtr node, entry(rel));
    if (node->kind != FileKind::kRegular) return fails(ErrorCode::kRefused, full(rel), ELOOP);
    if (node->bytes.size() > max_bytes) return fails(ErrorCode::kInvalid, full(rel), 0);
    return FileContent{node->bytes, stat_of(*node)};
  }
  Result<std::string> read_link(const std::string& rel) override {
    MEMFS_ASSIGN(const NodePtr node, entry(rel));
    if (node->kind != FileKind::kSymlink) return fails(ErrorCode::kUnsupported, full(rel), EINVAL);
    return node->bytes;
  }
  Result<std::unique_ptr<WritableFile>> create(const std::string& rel,
                                               std::uint32_t mode) override {
    MEMFS_ASSIGN(const NodePtr dir, parent(rel));
    if (dir->entries.contains(leaf_of(rel))) return fails(ErrorCode::kConflict, full(rel), EEXIST);
    auto node = fs_.new_node(FileKind::kRegular, mode & ~022U);
    dir->entries[leaf_of(rel)] = node;
    return std::unique_ptr<WritableFile>(std::make_unique<MemoryFile>(fs_, node));
  }
  Result<void> append(const std::string& rel, std::string_view bytes, std::uint32_t mode) override {
    MEMFS_ASSIGN(const NodePtr dir, parent(rel));
    auto& node = dir->entries[leaf_of(rel)];
    if (!node) node = fs_.new_node(FileKind::kRegular, mode & ~022U);
    if (node->kind != FileKind::kRegular) return fails(ErrorCode::kRefused, full(rel), ELOOP);
    node->bytes += bytes;
    node->mtime = fs_.tick();
    return {};
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    return move(from, to, true);
  }
  Result<void> rename_exclusive(const std::string& from, const std::string& to) override {
    return move(from, to, false);
  }
  Result<void> exchange(const std::string& a, const std::string& b) override {
    MEMFS_ASSIGN(const NodePtr a_node, entry(a));
    MEMFS_ASSIGN(const NodePtr b_node, entry(b));
    MEMFS_ASSIGN(const NodePtr a_dir, parent(a));
    MEMFS_ASSIGN(const NodePtr b_dir, parent(b));
    a_dir->entries[leaf_of(a)] = b_node;
    b_dir->entries[leaf_of(b)] = a_node;
    return {};
  }
  Result<void> remove(const std::string& rel) override {
    MEMFS_ASSIGN(const NodePtr node, entry(rel));
    if (node->kind == FileKind::kDirectory) return fails(ErrorCode::kIo, full(rel), EISDIR);
    MEMFS_ASSIGN(const NodePtr dir, parent(rel));
    dir->entries.erase(leaf_of(rel));
    return {};
  }
  Result<void> make_directory(const std::string& rel, std::uint32_t mode) override {
    MEMFS_ASSIGN(const NodePtr dir, parent(rel));
    if (dir->entries.contains(leaf_of(rel))) return fails(ErrorCode::kConflict, full(rel), EEXIST);
    dir->entries[leaf_of(rel)] = fs_.new_node(FileKind::kDirectory, mode & ~022U);
    return {};
  }
  Result<void> remove_directory(const std::string& rel) override {
    MEMFS_ASSIGN(const NodePtr node, folder(rel));
    if (!node->entries.empty()) return fails(ErrorCode::kConflict, full(rel), ENOTEMPTY);
    MEMFS_ASSIGN(const NodePtr dir, parent(rel));
    dir->entries.erase(leaf_of(rel));
    return {};
  }
  Result<void> sync_directory(const std::string& rel) override {
    MEMFS_ASSIGN(const NodePtr node, folder(rel));
    node->synced_entries = node->entries;
    return {};
  }
  Result<void> sync_all() override {
    MEMFS_ASSIGN(const NodePtr node, folder(""));
    sync_below(*node);
    return {};
  }
  Result<std::unique_ptr<HeldLock>> try_lock(const std::string& rel, std::uint32_t mode) override {
    MEMFS_ASSIGN(const NodePtr dir, parent(rel));
    auto& node = dir->entries[leaf_of(rel)];
    if (!node) node = fs_.new_node(FileKind::kRegular, mode);
    if (!fs_.locked().insert(node->inode).second) return std::unique_ptr<HeldLock>();
    return std::unique_ptr<HeldLock>(std::make_unique<MemoryLock>(fs_, node->inode));
  }

 private:
  std::string full(const std::string& rel) const { return join_path(path_, rel); }
  Result<NodePtr> entry(const std::string& rel) {
    if (!is_safe_relative(rel)) return fails(ErrorCode::kRefused, full(rel), 0);
    Error error;
    auto node = fs_.find(root_, rel, &error);
    if (!node) return std::move(error).at(full(rel));
    return node;
  }
  Result<NodePtr> folder(const std::string& rel) {
    if (rel.empty()) return root_;
    MEMFS_ASSIGN(NodePtr node, entry(rel));
    if (node->kind != FileKind::kDirectory) {
      return fails(node->kind == FileKind::kSymlink ? ErrorCode::kRefused : ErrorCode::kNotFound,
                   full(rel), ENOTDIR);
    }
    return node;
  }
  Result<NodePtr> parent(const std::string& rel) {
    if (!is_safe_relative(rel)) return fails(ErrorCode::kRefused, full(rel), 0);
    return folder(parent_of(rel));
  }
  Result<void> move(const std::string& from, const std::string& to, bool replace) {
    MEMFS_ASSIGN(const NodePtr node, entry(from));
    MEMFS_ASSIGN(const NodePtr from_dir, parent(from));
    MEMFS_ASSIGN(const NodePtr to_dir, parent(to));
    if (!replace && to_dir->entries.contains(leaf_of(to)))
      return fails(ErrorCode::kConflict, full(to), EEXIST);
    from_dir->entries.erase(leaf_of(from));
    to_dir->entries[leaf_of(to)] = node;
    return {};
  }

  MemoryFs& fs_;
  NodePtr root_;
  std::string path_;
};

void fall_back(Node& node) {
  node.bytes = node.synced;
  node.entries = node.synced_entries;
  for (auto& [name, child] : node.entries) fall_back(*child);
}

}  // namespace

MemoryFs::MemoryFs() : root_(new_node(FileKind::kDirectory, 0755)) {}

std::shared_ptr<MemoryFs::Node> MemoryFs::new_node(FileKind kind, std::uint32_t mode) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->mode = mode;
  node->inode = ++inodes_;
  node->mtime = tick();
  return node;
}

std::shared_ptr<MemoryFs::Node> MemoryFs::find(const std::shared_ptr<Node>& from,
                                               const std::string& rel, Error* error) {
  auto node = from;
  for (std::size_t begin = 0; begin < rel.size();) {
    const auto slash = std::min(rel.find('/', begin), rel.size());
    const std::string part = rel.substr(begin, slash - begin);
    begin = slash + 1;
    if (part.empty()) continue;
    if (node->kind == FileKind::kSymlink) {
      *error = fails(ErrorCode::kRefused, rel, ELOOP);
      return nullptr;
    }
    const auto it = node->entries.find(part);
    if (it == node->entries.end()) {
      *error = fails(ErrorCode::kNotFound, rel, ENOENT);
      return nullptr;
    }
    node = it->second;
  }
  return node;
}

Result<std::shared_ptr<Directory>> MemoryFs::open(const std::string& path) {
  Error error;
  auto node = find(root_, path, &error);
  if (!node) return error;
  if (node->kind != FileKind::kDirectory) return fails(ErrorCode::kRefused, path, ENOTDIR);
  return std::shared_ptr<Directory>(std::make_shared<MemoryDirectory>(*this, node, path));
}

Result<void> MemoryFs::make_directories(const std::string& path, std::uint32_t mode) {
  auto node = root_;
  for (std::size_t begin = 1; begin <= path.size();) {
    const auto slash = std::min(path.find('/', begin), path.size());
    auto& child = node->entries[path.substr(begin, slash - begin)];
    if (!child) {
      child = new_node(FileKind::kDirectory, mode);
      node->synced_entries = node->entries;
    }
    if (child->kind != FileKind::kDirectory) return fails(ErrorCode::kRefused, path, ENOTDIR);
    node = child;
    begin = slash + 1;
  }
  return {};
}

Result<std::string> MemoryFs::real_path(const std::string& path) {
  MEMFS_TRY(stat(path));
  return path;
}

Result<FileStat> MemoryFs::stat(const std::string& path) {
  Error error;
  auto node = find(root_, path, &error);
  if (!node) return error;
  return stat_of(*node);
}

void MemoryFs::crash() {
  fall_back(*root_);
  locked_.clear();
}

std::shared_ptr<MemoryFs::Node> MemoryFs::find_or_make_parent(const std::string& path) {
  (void)make_directories(parent_of(path), 0755);
  Error error;
  return find(root_, parent_of(path), &error);
}

std::string MemoryFs::bytes_of(const std::string& path) {
  Error error;
  const auto node = find(root_, path, &error);
  return node ? node->bytes : "<no such file>";
}

bool MemoryFs::exists(const std::string& path) {
  Error error;
  return find(root_, path, &error) != nullptr;
}

void MemoryFs::plant(const std::string& path, std::string bytes) {
  const auto parent = find_or_make_parent(path);
  auto node = new_node(FileKind::kRegular, 0644);
  node->bytes = node->synced = std::move(bytes);
  parent->entries[leaf_of(path)] = parent->synced_entries[leaf_of(path)] = node;
}

void MemoryFs::plant_link(const std::string& path, std::string target) {
  const auto parent = find_or_make_parent(path);
  auto node = new_node(FileKind::kSymlink, 0777);
  node->bytes = node->synced = std::move(target);
  parent->entries[leaf_of(path)] = parent->synced_entries[leaf_of(path)] = node;
}

}  // namespace memfs::testing
