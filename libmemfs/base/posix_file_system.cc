#include "libmemfs/base/posix_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "libmemfs/base/inotify_watch.h"
#include "libmemfs/base/posix_descriptor.h"

namespace memfs {
namespace {

constexpr unsigned kRenameNoReplace = 1;  // <linux/fs.h> RENAME_NOREPLACE
constexpr unsigned kRenameExchange = 2;   // <linux/fs.h> RENAME_EXCHANGE

FileKind kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kDirectory;
  if (S_ISLNK(mode)) return FileKind::kSymlink;
  return FileKind::kOther;
}

FileStat stat_of(const struct stat& st) {
  FileStat out;
  out.kind = kind_of_mode(st.st_mode);
  out.size = static_cast<std::uint64_t>(st.st_size);
  out.mtime_ns = std::int64_t{st.st_mtim.tv_sec} * 1000000000 + st.st_mtim.tv_nsec;
  out.ctime_ns = std::int64_t{st.st_ctim.tv_sec} * 1000000000 + st.st_ctim.tv_nsec;
  out.inode = st.st_ino;
  out.device = st.st_dev;
  out.mode = st.st_mode & 07777U;
  out.owner = st.st_uid;
  out.links = static_cast<std::uint32_t>(st.st_nlink);
  return out;
}

// Makes the entry of a new folder durable. Best effort: some parents may not be opened.
void sync_parent(const std::string& path) {
  const std::string parent = parent_of(path);
  const Fd fd(::open(parent.empty() ? "/" : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) (void)::fsync(fd.get());
}

class PosixFile final : public WritableFile {
 public:
  PosixFile(Fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Result<std::size_t> write(std::string_view bytes) override {
    const ssize_t n = retry([&] { return ::write(fd_.get(), bytes.data(), bytes.size()); });
    if (n < 0) return os_failure("write", path_, errno);
    return static_cast<std::size_t>(n);
  }
  Result<void> set_mode(std::uint32_t mode) override {
    if (::fchmod(fd_.get(), mode) != 0) return os_failure("set the mode", path_, errno);
    return {};
  }
  Result<void> sync() override {
    if (retry([&] { return ::fsync(fd_.get()); }) != 0) return os_failure("sync", path_, errno);
    return {};
  }
  Result<void> close() override {
    // POSIX leaves the descriptor's state after EINTR open; Linux has always closed it.
    const int rc = ::close(fd_.release());
    if (rc != 0 && errno != EINTR) return os_failure("close", path_, errno);
    return {};
  }

 private:
  Fd fd_;
  std::string path_;
};

bool is_on_network(int fd) {
  struct statfs fs = {};
  if (::fstatfs(fd, &fs) != 0) return false;
  // statfs(2): NFS, SMB, SMB2, CIFS, FUSE, 9P, CEPH, AFS.
  constexpr std::array<unsigned, 8> kNetworks = {0x6969,     0x517B,     0xFE534D42, 0xFF534D42,
                                                 0x65735546, 0x01021997, 0x00C36400, 0x5346414F};
  return std::find(kNetworks.begin(), kNetworks.end(), static_cast<unsigned>(fs.f_type)) !=
         kNetworks.end();
}

class MappedFile final : public Bytes {
 public:
  MappedFile(void* address, std::size_t size) : address_(address), size_(size) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() override { ::munmap(address_, size_); }
  std::string_view view() const override { return {static_cast<const char*>(address_), size_}; }
  void will_need(std::string_view piece) const override {
    constexpr std::uintptr_t kPageMask = 4095;
    auto begin = reinterpret_cast<std::uintptr_t>(piece.data());
    const std::uintptr_t end = begin + piece.size();
    begin &= ~kPageMask;
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_WILLNEED);  // NOLINT
  }

 private:
  void* address_;
  std::size_t size_;
};

class PosixLock final : public HeldLock {
 public:
  explicit PosixLock(Fd fd) : fd_(std::move(fd)) {}

 private:
  Fd fd_;  // an OFD lock lives as long as the open file description
};

class PosixDirectory final : public Directory {
 public:
  PosixDirectory(Fd root, std::string path) : root_(std::move(root)), path_(std::move(path)) {}

  const std::string& path() const override { return path_; }

  Result<void> check_writable() override {
    if (::faccessat(root_.get(), ".", W_OK | X_OK, AT_EACCESS) == 0) return {};
    return os_failure("write", path_, errno);
  }

  Result<FileStat> stat(const std::string& rel) override {
    return at_parent<FileStat>("read", rel, [&](int dir, const char* leaf) -> Result<FileStat> {
      struct stat st = {};
      if (::fstatat(dir, leaf, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return os_failure("read", full(rel), errno);
      return stat_of(st);
    });
  }

  Result<std::vector<DirEntry>> list(const std::string& rel) override {
    MEMFS_ASSIGN(Fd fd, open_directory(rel));
    DIR* dir = ::fdopendir(fd.get());
    if (dir == nullptr) return os_failure("list", full(rel), errno);
    fd.release();
    std::vector<DirEntry> entries;
    errno = 0;
    while (const dirent* entry = ::readdir(dir)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") entries.push_back({std::string(name), kind_of(dir, *entry)});
      errno = 0;
    }
    const int failed = errno;
    ::closedir(dir);
    if (failed != 0) return os_failure("list", full(rel), failed);
    return entries;
  }

  Result<FileContent> read(const std::string& rel, std::uint64_t max_bytes) override {
    MEMFS_TRY(check(rel));
    // O_NONBLOCK so that a FIFO does not hang the open; fstat then refuses it.
    const Fd fd(open_beneath(root_.get(), rel, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0));
    if (fd.get() < 0) return os_failure("read", full(rel), errno);
    struct stat st = {};
    if (::fstat(fd.get(), &st) != 0) return os_failure("read", full(rel), errno);
    FileContent content{{}, stat_of(st)};
    if (content.stat.kind != FileKind::kRegular)
      return make_error(ErrorCode::kRefused, "not a regular file").at(full(rel));
    if (content.stat.size > max_bytes) return too_large(rel, content.stat.size, max_bytes);
    // One byte more than the size seen, so that a file that grew meanwhile is noticed.
    content.bytes.resize(content.stat.size + 1);
    std::size_t have = 0;
    while (true) {
      const ssize_t n = retry([&] {
        return ::read(fd.get(), content.bytes.data() + have, content.bytes.size() - have);
      });
      if (n < 0) return os_failure("read", full(rel), errno);
      if (n == 0) break;
      const bool at_end = static_cast<std::size_t>(n) < content.bytes.size() - have;
      have += static_cast<std::size_t>(n);
      if (have > max_bytes) return too_large(rel, have, max_bytes);
      // Of a regular file less comes than was asked for only where it ends.
      if (at_end && have >= content.stat.size) break;
      if (have == content.bytes.size()) content.bytes.resize(have * 2);
    }
    content.bytes.resize(have);
    return content;
  }

  Result<std::shared_ptr<const Bytes>> map(const std::string& rel,
                                           std::uint64_t max_bytes) override {
    MEMFS_TRY(check(rel));
    const Fd fd(open_beneath(root_.get(), rel, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0));
    if (fd.get() < 0) return os_failure("read", full(rel), errno);
    struct stat st = {};
    if (::fstat(fd.get(), &st) != 0) return os_failure("read", full(rel), errno);
    if (!S_ISREG(st.st_mode))
      return make_error(ErrorCode::kRefused, "not a regular file").at(full(rel));
    const auto size = static_cast<std::size_t>(st.st_size);
    if (size > max_bytes) return too_large(rel, size, max_bytes);
    // A page of a mapped file that another host removed, or that a disk cannot read, ends the
    // process: small files and those of a network are read.
    constexpr std::size_t kWorthMapping = 65536;
    if (size < kWorthMapping || is_on_network(fd.get())) return Directory::map(rel, max_bytes);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (address == MAP_FAILED) return os_failure("map", full(rel), errno);
    return std::shared_ptr<const Bytes>(std::make_shared<MappedFile>(address, size));
  }

  Result<std::vector<std::optional<FileStat>>> stat_entries(
      const std::string& rel, std::span<const DirEntry> entries) override {
    std::vector<std::optional<FileStat>> stats(entries.size());
    MEMFS_ASSIGN(const Fd fd, open_directory(rel));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      struct stat st = {};
      if (::fstatat(fd.get(), entries[i].name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0) {
        stats[i] = stat_of(st);
      } else if (errno != ENOENT) {
        return os_failure("read", full(join_path(rel, entries[i].name)), errno);
      }
    }
    return stats;
  }

  Result<std::string> read_link(const std::string& rel) override {
    return at_parent<std::string>(
        "read the link", rel, [&](int dir, const char* leaf) -> Result<std::string> {
          std::string target(4096, '\0');
          const ssize_t n = ::readlinkat(dir, leaf, target.data(), target.size());
          if (n < 0) return os_failure("read the link", full(rel), errno);
          target.resize(static_cast<std::size_t>(n));
          return target;
        });
  }

  Result<std::unique_ptr<WritableFile>> create(const std::string& rel,
                                               std::uint32_t mode) override {
    MEMFS_TRY(check(rel));
    Fd fd(open_beneath(root_.get(), rel, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (fd.get() < 0) return os_failure("create", full(rel), errno);
    return std::unique_ptr<WritableFile>(std::make_unique<PosixFile>(std::move(fd), full(rel)));
  }

  Result<void> append(const std::string& rel, std::string_view bytes, std::uint32_t mode) override {
    MEMFS_TRY(check(rel));
    // O_NONBLOCK so that a FIFO does not hang the open: it is ENXIO if nobody reads it.
    constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    const Fd fd(open_beneath(root_.get(), rel, kFlags, mode));
    struct stat st = {};
    if (fd.get() < 0 ? errno == ENXIO || errno == EISDIR
                     : ::fstat(fd.get(), &st) == 0 && !S_ISREG(st.st_mode))
      return make_error(ErrorCode::kRefused, "not a regular file").at(full(rel));
    if (fd.get() < 0) return os_failure("write", full(rel), errno);
    const ssize_t n = retry([&] { return ::write(fd.get(), bytes.data(), bytes.size()); });
    if (n < 0) return os_failure("write", full(rel), errno);
    if (static_cast<std::size_t>(n) != bytes.size()) return os_failure("write", full(rel), ENOSPC);
    return {};
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    return rename_with(from, to, 0, "rename");
  }
  Result<void> rename_exclusive(const std::string& from, const std::string& to) override {
    return rename_with(from, to, kRenameNoReplace, "rename");
  }
  Result<void> exchange(const std::string& a, const std::string& b) override {
    return rename_with(a, b, kRenameExchange, "swap");
  }

  Result<void> remove(const std::string& rel) override { return unlink_with(rel, 0, "remove"); }
  Result<void> remove_directory(const std::string& rel) override {
    return unlink_with(rel, AT_REMOVEDIR, "remove the folder");
  }

  Result<void> make_directory(const std::string& rel, std::uint32_t mode) override {
    return at_parent<void>("make the folder", rel, [&](int dir, const char* leaf) -> Result<void> {
      if (::mkdirat(dir, leaf, mode) != 0) return os_failure("make the folder", full(rel), errno);
      return {};
    });
  }

  Result<void> sync_directory(const std::string& rel) override {
    MEMFS_ASSIGN(const Fd fd, open_directory(rel));
    // Some file systems cannot sync a directory and say EINVAL; there is nothing more to do then.
    if (retry([&] { return ::fsync(fd.get()); }) != 0 && errno != EINVAL)
      return os_failure("sync the folder", full(rel), errno);
    return {};
  }

  Result<void> sync_all() override {
#ifdef __linux__
    if (::syncfs(root_.get()) != 0) return os_failure("sync the disk of", path_, errno);
#else
    ::sync();
#endif
    return {};
  }

  Result<std::unique_ptr<HeldLock>> try_lock(const std::string& rel, std::uint32_t mode) override {
    MEMFS_TRY(check(rel));
    Fd fd(open_beneath(root_.get(), rel, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, mode));
    if (fd.get() < 0) return os_failure("open the lock file", full(rel), errno);
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (retry([&] { return ::fcntl(fd.get(), F_OFD_SETLK, &whole); }) != 0) {
      if (errno == EAGAIN || errno == EACCES) return std::unique_ptr<HeldLock>();
      return os_failure("lock", full(rel), errno);
    }
    // Whoever removed the lock file in between made a second one possible: ours must still be
    // the one that the name leads to.
    struct stat mine = {};
    const auto named = stat(rel);
    if (::fstat(fd.get(), &mine) != 0) return os_failure("lock", full(rel), errno);
    if (!named || named->inode != mine.st_ino || named->device != mine.st_dev)
      return std::unique_ptr<HeldLock>();
    return std::unique_ptr<HeldLock>(std::make_unique<PosixLock>(std::move(fd)));
  }

 private:
  std::string full(const std::string& rel) const { return join_path(path_, rel); }

  Result<void> check(const std::string& rel) const {
    if (is_safe_relative(rel)) return {};
    return make_error(ErrorCode::kRefused, "the path leads out of the folder").at(full(rel));
  }

  Error too_large(const std::string& rel, std::uint64_t size, std::uint64_t limit) const {
    return make_error(ErrorCode::kInvalid, "the file is too large: " + std::to_string(size) +
                                               " bytes, the limit is " + std::to_string(limit))
        .at(full(rel));
  }

  Result<Fd> open_directory(const std::string& rel) {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    if (rel.empty()) {
      Fd fd(::openat(root_.get(), ".", kFlags));
      if (fd.get() < 0) return os_failure("open the folder", path_, errno);
      return fd;
    }
    MEMFS_TRY(check(rel));
    Fd fd(open_beneath(root_.get(), rel, kFlags, 0));
    if (fd.get() < 0) return os_failure("open the folder", full(rel), errno);
    return fd;
  }

  // Calls `action(parent descriptor, leaf name)`; the parent is reached without links.
  template <typename T, typename Action>
  Result<T> at_parent(const char* doing, const std::string& rel, Action action) {
    MEMFS_TRY(check(rel));
    const std::string parent = parent_of(rel);
    const std::string leaf = leaf_of(rel);
    if (parent.empty()) return action(root_.get(), leaf.c_str());
    const Fd dir(open_beneath(root_.get(), parent, O_PATH | O_DIRECTORY | O_CLOEXEC, 0));
    if (dir.get() < 0) return os_failure(doing, full(rel), errno);
    return action(dir.get(), leaf.c_str());
  }

  Result<void> rename_with(const std::string& from, const std::string& to, unsigned flags,
                           const char* doing) {
    return at_parent<void>(doing, from, [&](int from_dir, const char* from_leaf) -> Result<void> {
      return at_parent<void>(doing, to, [&](int to_dir, const char* to_leaf) -> Result<void> {
        const long rc = flags == 0
                            ? ::renameat(from_dir, from_leaf, to_dir, to_leaf)
                            : ::syscall(SYS_renameat2, from_dir, from_leaf, to_dir, to_leaf, flags);
        if (rc != 0) return os_failure(doing, full(to), errno);
        return {};
      });
    });
  }

  Result<void> unlink_with(const std::string& rel, int flags, const char* doing) {
    return at_parent<void>(doing, rel, [&](int dir, const char* leaf) -> Result<void> {
      if (::unlinkat(dir, leaf, flags) != 0) return os_failure(doing, full(rel), errno);
      return {};
    });
  }

  static FileKind kind_of(DIR* dir, const dirent& entry) {
    switch (entry.d_type) {
      case DT_REG:
        return FileKind::kRegular;
      case DT_DIR:
        return FileKind::kDirectory;
      case DT_LNK:
        return FileKind::kSymlink;
      case DT_UNKNOWN: {
        struct stat st = {};
        if (::fstatat(::dirfd(dir), entry.d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
          return kind_of_mode(st.st_mode);
        return FileKind::kOther;
      }
      default:
        return FileKind::kOther;
    }
  }

  Fd root_;
  std::string path_;
};

}  // namespace

Result<std::shared_ptr<Directory>> PosixFileSystem::open(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0) {
    // A root may be reached through links: it is the user's own choice of folder.
    if (errno == ENOTDIR) return make_error(ErrorCode::kRefused, "not a folder").at(path);
    return os_failure("open the folder", path, errno);
  }
  return std::shared_ptr<Directory>(std::make_shared<PosixDirectory>(std::move(fd), path));
}

Result<void> PosixFileSystem::make_directories(const std::string& path, std::uint32_t mode) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string step = path.substr(0, slash);
    const bool made = ::mkdir(step.c_str(), mode) == 0;
    if (!made && errno != EEXIST) {
      struct stat st = {};
      // A read-only parent that already holds the folder may say EROFS or EACCES first.
      const int failed = errno;
      if (::stat(step.c_str(), &st) != 0 || !S_ISDIR(st.st_mode))
        return os_failure("make the folder", step, failed);
    }
    if (made) sync_parent(step);
    if (slash == std::string::npos) break;
  }
  struct stat st = {};
  if (::stat(path.c_str(), &st) != 0) return os_failure("make the folder", path, errno);
  if (!S_ISDIR(st.st_mode)) return make_error(ErrorCode::kRefused, "not a folder").at(path);
  return {};
}

Result<std::string> PosixFileSystem::real_path(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return os_failure("resolve", path, errno);
  std::string out = resolved;
  std::free(resolved);
  return out;
}

Result<FileStat> PosixFileSystem::stat(const std::string& path) {
  struct stat st = {};
  if (::stat(path.c_str(), &st) != 0) return os_failure("read", path, errno);
  return stat_of(st);
}

bool PosixFileSystem::is_volatile(const std::string& path) {
  constexpr long kTmpfs = 0x01021994;    // statfs(2), TMPFS_MAGIC
  constexpr long kOverlay = 0x794c7630;  // statfs(2), OVERLAYFS_SUPER_MAGIC
  struct statfs fs = {};
  if (::statfs(path.c_str(), &fs) != 0) return false;
  const auto type = static_cast<long>(fs.f_type);
  return type == kTmpfs || type == kOverlay;
}

Result<std::unique_ptr<FolderWatch>> PosixFileSystem::watch_folders() {
  return make_inotify_watch();
}

}  // namespace memfs
