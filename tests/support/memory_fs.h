// MemoryFs: a file system in memory that knows what would survive a power cut.
//
// Every file has its bytes as written and as last synced; every folder its entries as they are
// and as last synced. crash() throws away what was not synced, the way a disk may.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "libmemfs/base/file_system.h"

namespace memfs::testing {

class MemoryFs final : public FileSystem {
 public:
  struct Node {
    FileKind kind = FileKind::kRegular;
    std::string bytes;   // content, or the target of a link
    std::string synced;  // what survives a crash
    std::uint64_t inode = 0;
    std::uint32_t mode = 0644;
    std::int64_t mtime = 0;
    std::map<std::string, std::shared_ptr<Node>> entries;
    std::map<std::string, std::shared_ptr<Node>> synced_entries;
  };

  MemoryFs();

  Result<std::shared_ptr<Directory>> open(const std::string& path) override;
  Result<void> make_directories(const std::string& path, std::uint32_t mode) override;
  Result<std::string> real_path(const std::string& path) override;
  Result<FileStat> stat(const std::string& path) override;
  bool is_volatile(const std::string& /*path*/) override { return true; }

  // Power cut: everything returns to its last synced state, locks are free.
  void crash();
  // What a test wants to see or plant: absolute paths, durable at once.
  std::string bytes_of(const std::string& path);
  bool exists(const std::string& path);
  void plant(const std::string& path, std::string bytes);
  void plant_link(const std::string& path, std::string target);

  // For the implementation.
  std::shared_ptr<Node> new_node(FileKind kind, std::uint32_t mode);
  std::shared_ptr<Node> find(const std::shared_ptr<Node>& from, const std::string& rel,
                             Error* error);
  std::int64_t tick() { return ++ticks_; }
  std::set<std::uint64_t>& locked() { return locked_; }

 private:
  std::shared_ptr<Node> find_or_make_parent(const std::string& path);

  std::shared_ptr<Node> root_;
  std::uint64_t inodes_ = 1;
  std::int64_t ticks_ = 1;
  std::set<std::uint64_t> locked_;
};

}  // namespace memfs::testing
