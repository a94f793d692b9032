#include "libmemfs/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace memfs {

namespace {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

// Waits until there is something to read; false once the deadline has passed.
bool readable_before(int fd, const Deadline& deadline) {
  while (deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        *deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wanted{fd, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(left.count()) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // read() tells what is wrong
  }
  return true;
}

// False if a limit was passed.
bool collect_output(int fd, const ProcessLimits& limits, std::string& out) {
  Deadline deadline;
  if (limits.time.count() > 0) deadline = std::chrono::steady_clock::now() + limits.time;
  std::array<char, 16384> buffer{};
  while (readable_before(fd, deadline)) {
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    out.append(buffer.data(), static_cast<std::size_t>(n));
    if (limits.output > 0 && out.size() > limits.output) return false;
  }
  return false;
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& argv,
                                  const ProcessLimits& limits) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return make_error(ErrorCode::kIo, std::string("cannot make a pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> raw;
  for (const std::string& arg : argv) raw.push_back(const_cast<char*>(arg.c_str()));
  raw.push_back(nullptr);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, raw[0], &actions, nullptr, raw.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    return make_error(failed == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                      "cannot run " + argv[0] + ": " + std::strerror(failed));
  }
  ProcessOutput output;
  const bool whole = collect_output(ends[0], limits, output.out);
  if (!whole) ::kill(pid, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!whole) return make_error(ErrorCode::kBusy, argv[0] + " took too long or said too much");
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace memfs
