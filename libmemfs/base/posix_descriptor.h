// Descriptors, system errors and opening beneath a root: what PosixFileSystem is made of.
#pragma once

#include <memfs/result.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace memfs {

// An owned descriptor.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// The error that `os_error` is, "cannot DOING: …", with a hint where there is a cure.
Error os_failure(const char* doing, const std::string& path, int os_error);

// Calls again what a signal interrupted.
template <typename Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// Opens `rel` beneath the folder `root`: no link is followed, at the end or on the way, and nothing
// leads out. -1 and errno on failure.
int open_beneath(int root, const std::string& rel, int flags, mode_t mode);

}  // namespace memfs
