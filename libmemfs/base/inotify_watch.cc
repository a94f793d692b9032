#include "libmemfs/base/inotify_watch.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "libmemfs/base/posix_descriptor.h"

namespace memfs {
namespace {

constexpr std::uint32_t kMask = IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// Only this machine writes to these, so that it hears of every write. Of a file system that is not
// known it is not said. From <linux/magic.h> and the sources of those that are not in it.
bool is_local(int fd) {
  constexpr std::array<unsigned, 14> kLocal = {
      0xEF53,      // ext2, ext3, ext4
      0x58465342,  // XFS
      0x9123683E,  // Btrfs
      0x01021994,  // tmpfs
      0x858458F6,  // ramfs
      0xF2F52010,  // F2FS
      0x794C7630,  // overlayfs: what lies below it must not change while it is mounted
      0x2FC12FC1,  // ZFS
      0xCA451A4E,  // bcachefs
      0x3153464A,  // JFS
      0x3434,      // NILFS
      0x4D44,      // FAT
      0x2011BAB0,  // exFAT
      0x7366746E,  // ntfs3
  };
  struct statfs fs = {};
  if (::fstatfs(fd, &fs) != 0) return false;
  return std::find(kLocal.begin(), kLocal.end(), static_cast<unsigned>(fs.f_type)) != kLocal.end();
}

Error unsupported(const std::string& path, const std::string& why, const char* hint) {
  return make_error(ErrorCode::kUnsupported, "changes cannot be watched: " + why)
      .at(path)
      .with_hint(hint);
}

FolderEvent event_of(const inotify_event& raw, const char* name) {
  FolderEvent event;
  event.folder = raw.wd;
  if (raw.len > 0) event.entry = name;  // padded with NUL bytes
  event.is_folder = (raw.mask & IN_ISDIR) != 0;
  if ((raw.mask & (IN_CREATE | IN_MOVED_TO)) != 0) event.kind = FolderEvent::Kind::kAppeared;
  constexpr std::uint32_t kGone =
      IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT;
  if ((raw.mask & kGone) != 0) event.kind = FolderEvent::Kind::kVanished;
  return event;
}

class InotifyWatch final : public FolderWatch {
 public:
  explicit InotifyWatch(Fd fd) : fd_(std::move(fd)) {}

  int descriptor() const override { return fd_.get(); }

  Result<WatchedFolder> add(const std::string& path, bool follow) override {
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW);
    const Fd folder(::open(path.c_str(), flags));
    struct stat st = {};
    if (folder.get() < 0 || ::fstat(folder.get(), &st) != 0)
      return os_failure("open the folder", path, errno);
    if (!is_local(folder.get()))
      return unsupported(path, "other machines may write to this file system", "");
    // By the descriptor: the path may lead elsewhere by now.
    const std::string opened = "/proc/self/fd/" + std::to_string(folder.get());
    const int number = ::inotify_add_watch(fd_.get(), opened.c_str(), kMask);
    if (number < 0)
      return unsupported(path, std::strerror(errno),
                         "`sysctl fs.inotify.max_user_watches` says how many folders there may be");
    return WatchedFolder{number, st.st_dev, st.st_ino};
  }

  void remove(int number) override { (void)::inotify_rm_watch(fd_.get(), number); }

  FolderEvents take() override {
    FolderEvents taken;
    // Not until it is empty: somebody may write faster than this reads.
    int pending = 0;
    if (::ioctl(fd_.get(), FIONREAD, &pending) != 0) taken.lost = true;
    while (pending > 0) {
      const ssize_t n = retry([&] { return ::read(fd_.get(), buffer_.data(), buffer_.size()); });
      if (n <= 0) {
        taken.lost = taken.lost || (n < 0 && errno != EAGAIN);
        break;
      }
      read_events(static_cast<std::size_t>(n), taken);
      pending -= static_cast<int>(n);
    }
    return taken;
  }

 private:
  void read_events(std::size_t size, FolderEvents& taken) const {
    inotify_event raw = {};
    for (std::size_t at = 0; at + sizeof raw <= size; at += sizeof raw + raw.len) {
      std::memcpy(&raw, buffer_.data() + at, sizeof raw);
      if ((raw.mask & IN_Q_OVERFLOW) != 0) {
        taken.lost = true;
      } else {
        taken.events.push_back(event_of(raw, buffer_.data() + at + sizeof raw));
      }
    }
  }

  Fd fd_;
  std::array<char, 65536> buffer_{};
};

}  // namespace

Result<std::unique_ptr<FolderWatch>> make_inotify_watch() {
  Fd fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (fd.get() < 0)
    return unsupported("", std::strerror(errno),
                       "`sysctl fs.inotify.max_user_instances` says how many processes may watch");
  return std::unique_ptr<FolderWatch>(std::make_unique<InotifyWatch>(std::move(fd)));
}

}  // namespace memfs
