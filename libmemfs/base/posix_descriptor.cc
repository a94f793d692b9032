#include "libmemfs/base/posix_descriptor.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstring>

namespace memfs {
namespace {

ErrorCode code_of(int os_error) {
  switch (os_error) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    case EEXIST:
    case ENOTEMPTY:
      return ErrorCode::kConflict;
    case ELOOP:
    case EXDEV:
      return ErrorCode::kRefused;
    case ENOSYS:
    case EINVAL:
    case EOPNOTSUPP:
      return ErrorCode::kUnsupported;
    default:
      return ErrorCode::kIo;
  }
}

// The portable way beneath a root: one component at a time, no link followed.
int open_by_steps(int root, const std::string& rel, int flags, mode_t mode) {
  Fd here(::fcntl(root, F_DUPFD_CLOEXEC, 0));
  std::size_t begin = 0;
  while (here.get() >= 0) {
    const auto slash = rel.find('/', begin);
    const std::string part = rel.substr(begin, slash - begin);
    if (slash == std::string::npos)
      return retry([&] { return ::openat(here.get(), part.c_str(), flags | O_NOFOLLOW, mode); });
    const int next = retry([&] {
      return ::openat(here.get(), part.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_RDONLY);
    });
    if (next < 0) return -1;
    here = Fd(next);
    begin = slash + 1;
  }
  return -1;
}

}  // namespace

Error os_failure(const char* doing, const std::string& path, int os_error) {
  Error error = make_error(code_of(os_error), std::string("cannot ") + doing + ": " +
                                                  std::strerror(os_error));  // NOLINT
  error.path = path;
  error.os_error = os_error;
  if (os_error == ENOSPC || os_error == EDQUOT) error.hint = "free some space and try again";
  if (os_error == EACCES || os_error == EPERM || os_error == EROFS)
    error.hint = "check the permissions of this path and of its folder";
  return error;
}

int open_beneath(int root, const std::string& rel, int flags, mode_t mode) {
  static std::atomic<bool> have_openat2 = true;
  if (have_openat2) {
    struct open_how how = {};
    how.flags = static_cast<__u64>(static_cast<unsigned>(flags | O_NOFOLLOW));
    how.mode = (flags & O_CREAT) != 0 ? mode : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    const long fd =
        retry([&] { return ::syscall(SYS_openat2, root, rel.c_str(), &how, sizeof how); });
    if (fd >= 0) return static_cast<int>(fd);
    // EPERM: a seccomp filter that does not know the call; EAGAIN: a rename race on "..".
    if (errno != ENOSYS && errno != EPERM && errno != EAGAIN) return -1;
    if (errno == ENOSYS) have_openat2 = false;
  }
  return open_by_steps(root, rel, flags, mode);
}

}  // namespace memfs
