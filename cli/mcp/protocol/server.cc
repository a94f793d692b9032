#include "cli/mcp/protocol/server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>

#include "cli/mcp/protocol/session.h"
#include "cli/mcp/protocol/writer.h"
#include "libmemfs/base/posix_descriptor.h"

namespace memfs::mcp {

namespace {

volatile sig_atomic_t stop_pipe = -1;

extern "C" void on_terminate(int /*signal*/) {
  const int before = errno;
  // A full pipe has told already.
  if (::write(stop_pipe, "", 1) < 0) errno = before;
}

// Does nothing, but unlike SIG_IGN it is not handed on to the programs that we start.
extern "C" void on_broken_pipe(int /*signal*/) {}

// SIGTERM becomes readable, SIGPIPE an error of write, until the end of the scope.
class Signals {
 public:
  Signals() = default;
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() {
    if (stop_.get() < 0) return;
    ::sigaction(SIGTERM, &old_terminate_, nullptr);
    ::sigaction(SIGPIPE, &old_pipe_, nullptr);
    stop_pipe = -1;
  }

  Result<void> take() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
      return os_failure("make a pipe", "", errno);
    stop_ = Fd(ends[0]);
    told_ = Fd(ends[1]);
    stop_pipe = ends[1];
    struct sigaction action {};
    action.sa_flags = SA_RESTART;
    action.sa_handler = on_broken_pipe;
    ::sigaction(SIGPIPE, &action, &old_pipe_);
    // A second SIGTERM ends what does not end by itself.
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    action.sa_handler = on_terminate;
    ::sigaction(SIGTERM, &action, &old_terminate_);
    return {};
  }

  int stop_descriptor() const { return stop_.get(); }

 private:
  Fd stop_{};
  Fd told_{};
  struct sigaction old_terminate_ {};
  struct sigaction old_pipe_ {};
};

bool is_readable(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, 0) > 0;
}

class Connection final : public Link {
 public:
  Connection(Service& service, const ServeOptions& options, int stop_fd)
      : service_(service),
        options_(options),
        stop_fd_(stop_fd),
        inbox_(options.in),
        writer_(options.out, stop_fd, inbox_),
        session_(service, *this, options.page_size) {}

  void run() {
    while (!writer_.closed() && !stopped_) {
      if (auto received = inbox_.next(session_.awaits_roots())) {
        handle(std::move(*received));
      } else if (!inbox_.at_end()) {
        wait();
      } else if (session_.awaits_roots()) {
        session_.stop_awaiting_roots();
      } else {
        return;
      }
    }
  }

  void send(const Json& message) override { writer_.write_line(message); }

  bool cancelled(const Json& id) override {
    inbox_.read_ahead();
    stopped_ = stopped_ || writer_.closed() || is_readable(stop_fd_);
    return stopped_ || inbox_.has_cancel_of(id);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void handle(Inbox::Received received) {
    const bool awaited = session_.awaits_roots();
    if (received.broken.empty()) {
      session_.receive(std::move(received.message));
    } else {
      session_.receive_broken(received.broken);
    }
    if (session_.awaits_roots() && !awaited)
      roots_until_ = Clock::now() + std::chrono::milliseconds(options_.roots_timeout_ms);
    tell_changes();
  }

  // What a Service throws here concerns no request.
  void tell_changes() try {
    session_.tell(service_.take_changes());
  } catch (const std::exception&) {
    broken_fd_ = service_.changes_descriptor();
  }

  void wait() {
    const int asked = service_.changes_descriptor();
    const int changes = asked == broken_fd_ ? -1 : asked;
    std::array<pollfd, 3> fds{
        {{options_.in, POLLIN, 0}, {stop_fd_, POLLIN, 0}, {changes, POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), patience()) < 0) return;
    if (fds[1].revents != 0) stopped_ = true;
    if (fds[0].revents != 0) inbox_.read_some();
    if ((fds[2].revents & POLLIN) != 0) {
      tell_changes();
    } else if (fds[2].revents != 0) {
      broken_fd_ = changes;  // closed at the other end: it would wake us for ever
    }
    if (session_.awaits_roots() && patience() == 0) session_.stop_awaiting_roots();
  }

  // Milliseconds for poll.
  int patience() const {
    if (!session_.awaits_roots()) return -1;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(roots_until_ - Clock::now()).count();
    return left > 0 ? static_cast<int>(left) : 0;
  }

  Service& service_;
  const ServeOptions& options_;
  int stop_fd_;
  bool stopped_ = false;
  Inbox inbox_;
  Writer writer_;
  Session session_;
  int broken_fd_ = -1;  // of changes: not asked any more
  Clock::time_point roots_until_{};
};

}  // namespace

Result<void> serve(Service& service, const ServeOptions& options) {
  Signals signals;
  MEMFS_TRY(signals.take());
  Connection(service, options, signals.stop_descriptor()).run();
  return {};
}

}  // namespace memfs::mcp
