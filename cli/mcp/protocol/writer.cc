#include "cli/mcp/protocol/writer.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace memfs::mcp {

void Writer::write_line(const Json& message) {
  const std::string line = to_text(message) + '\n';
  std::string_view rest = line;
  while (!closed_ && !rest.empty())
    if (wait_for_room()) write_some(rest);
}

// No more at a time than a pipe with room takes without blocking.
void Writer::write_some(std::string_view& bytes) {
  const auto count = ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
  if (count >= 0) {
    bytes.remove_prefix(static_cast<std::size_t>(count));
  } else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
    closed_ = true;  // EPIPE, or as good as that
  }
}

// Whether there is room now.
bool Writer::wait_for_room() {
  std::array<pollfd, 3> fds{{{fd_, POLLOUT, 0},
                             {stop_fd_, POLLIN, 0},
                             {inbox_.wants_more() ? inbox_.descriptor() : -1, POLLIN, 0}}};
  if (::poll(fds.data(), fds.size(), -1) < 0) {
    closed_ = errno != EINTR;
    return false;
  }
  if (fds[0].revents != 0) return true;
  if (fds[1].revents != 0) closed_ = true;
  if (fds[2].revents != 0) inbox_.read_some();
  return false;
}

}  // namespace memfs::mcp
