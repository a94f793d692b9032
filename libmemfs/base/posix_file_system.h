// PosixFileSystem: the one place with file system calls. Linux first: openat2, statx-like stamps,
// OFD locks and renameat2 stay behind this file, with portable fall-backs beside them.
#pragma once

#include "libmemfs/base/file_system.h"

namespace memfs {

class PosixFileSystem final : public FileSystem {
 public:
  Result<std::shared_ptr<Directory>> open(const std::string& path) override;
  Result<void> make_directories(const std::string& path, std::uint32_t mode) override;
  Result<std::string> real_path(const std::string& path) override;
  Result<FileStat> stat(const std::string& path) override;
  bool is_volatile(const std::string& path) override;
  Result<std::unique_ptr<FolderWatch>> watch_folders() override;
};

}  // namespace memfs
