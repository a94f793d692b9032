#include "libmemfs/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

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

// Our own variables as the options want them. The texts belong to `environ` and to the options.
std::vector<char*> environment_for(const ProcessOptions& options) {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const bool out = std::any_of(options.without.begin(), options.without.end(),
                                 [&](const std::string& start) { return text.starts_with(start); });
    if (!out) variables.push_back(*variable);
  }
  for (const std::string& variable : options.environment)
    variables.push_back(const_cast<char*>(variable.c_str()));
  variables.push_back(nullptr);
  return variables;
}

// False if a limit was passed.
bool collect_output(int fd, const ProcessOptions& options, std::string& out) {
  Deadline deadline;
  if (options.time_limit.count() > 0)
    deadline = std::chrono::steady_clock::now() + options.time_limit;
  std::array<char, 16384> buffer{};
  while (readable_before(fd, deadline)) {
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    out.append(buffer.data(), static_cast<std::size_t>(n));
    if (options.output_limit > 0 && out.size() > options.output_limit) return false;
  }
  return false;
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& argv,
                                  const ProcessOptions& options) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return make_error(ErrorCode::kIo, std::string("cannot make a pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (options.only_output) {
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  } else {
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  }
  std::vector<char*> raw;
  for (const std::string& arg : argv) raw.push_back(const_cast<char*>(arg.c_str()));
  raw.push_back(nullptr);
  std::vector<char*> variables = environment_for(options);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, raw[0], &actions, nullptr, raw.data(), variables.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    return make_error(failed == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                      "cannot run " + argv[0] + ": " + std::strerror(failed));
  }
  ProcessOutput output;
  const bool whole = collect_output(ends[0], options, output.out);
  if (!whole) ::kill(pid, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  output.stopped = !whole;
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace memfs
