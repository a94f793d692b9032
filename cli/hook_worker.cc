#include "cli/hook_worker.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

namespace memfs::cli {
namespace {

using Moment = std::chrono::steady_clock::time_point;

constexpr unsigned kMostSeconds = 600;  // for whoever goes on

std::chrono::microseconds left_until(Moment moment) {
  return std::chrono::ceil<std::chrono::microseconds>(moment - std::chrono::steady_clock::now());
}

// A part on the pipe: its letter, the length of its text, its text.
void send(int to, Part part, std::string_view text) {
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string bytes(1 + sizeof length, static_cast<char>(part));
  std::memcpy(bytes.data() + 1, &length, sizeof length);
  bytes += text;
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::write(to, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno != EINTR) return;  // nobody waits any more
    if (count > 0) at += static_cast<std::size_t>(count);
  }
}

void take_parts(std::string_view bytes, WorkerReport& report) {
  std::uint32_t length = 0;
  while (bytes.size() > sizeof length) {
    std::memcpy(&length, bytes.data() + 1, sizeof length);
    if (bytes.size() < 1 + sizeof length + length) return;
    const std::string_view text = bytes.substr(1 + sizeof length, length);
    const Part part{bytes.front()};
    if (part == Part::kReminder) report.reminder = text;
    if (part == Part::kContext) report.context = text;
    if (part == Part::kTrouble) report.trouble = text;
    if (part == Part::kGoesOn) report.goes_on = true;
    if (part == Part::kEnd) report.finished = true;
    bytes.remove_prefix(1 + sizeof length + length);
  }
}

void close_all_but(int kept) {
  std::vector<int> open;
  if (DIR* folder = ::opendir("/proc/self/fd")) {
    while (const dirent* entry = ::readdir(folder)) open.push_back(std::atoi(entry->d_name));
    ::closedir(folder);
  } else {
    constexpr int kSome = 1024;
    for (int fd = 3; fd < kSome; ++fd) open.push_back(fd);
  }
  for (const int fd : open)
    if (fd > STDERR_FILENO && fd != kept) ::close(fd);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (nothing < 0)
      ::close(fd);
    else
      ::dup2(nothing, fd);
  if (nothing > STDERR_FILENO) ::close(nothing);
}

[[noreturn]] void be_the_child(int to, const std::function<void(const Tell&)>& work) {
  ::setsid();
  close_all_but(to);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(kMostSeconds);
  try {
    work([to](Part part, std::string_view text) { send(to, part, text); });
    send(to, Part::kEnd, {});
  } catch (const std::exception&) {
    // Out of memory, mostly: the parent sees that nothing came.
  }
  ::_exit(0);
}

// All that comes until the deadline; true if the child has closed its end.
bool collect(int from, Moment deadline, std::string& bytes) {
  std::array<char, 65536> buffer{};
  while (true) {
    const auto left = left_until(deadline);
    if (left.count() <= 0) return false;
    pollfd wait = {from, POLLIN, 0};
    constexpr int kMicroseconds = 1000;
    const int ready =
        ::poll(&wait, 1, static_cast<int>((left.count() + kMicroseconds - 1) / kMicroseconds));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count == 0) return true;
    if (count > 0) bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

WorkerReport run_worker(Moment deadline, const std::function<void(const Tell&)>& work) {
  WorkerReport report;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return report;
  const pid_t child = ::fork();
  if (child == 0) be_the_child(ends[1], work);
  ::close(ends[1]);
  std::string bytes;
  const bool ended = child > 0 && collect(ends[0], deadline, bytes);
  ::close(ends[0]);
  take_parts(bytes, report);
  if (ended) ::waitpid(child, nullptr, 0);
  report.child = ended ? 0 : static_cast<int>(child);
  return report;
}

void dismiss(const WorkerReport& report) {
  if (report.child <= 0 || report.goes_on) return;
  ::kill(report.child, SIGKILL);
  ::waitpid(report.child, nullptr, 0);
}

void end_at(Moment deadline) {
  const auto left = std::max<std::int64_t>(left_until(deadline).count(), 1);
  constexpr std::int64_t kSecond = 1'000'000;
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(left / kSecond);
  timer.it_value.tv_usec = static_cast<suseconds_t>(left % kSecond);
  std::signal(SIGALRM, [](int) { ::_exit(0); });
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace memfs::cli
