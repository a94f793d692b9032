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

// Whether our own variable "NAME=value" is not to be passed on.
bool is_left_out(std::string_view variable, const ProcessOptions& options) {
  const std::string_view name = variable.substr(0, variable.find('=') + 1);
  const auto hides = [&](const std::string& start) { return variable.starts_with(start); };
  const auto replaces = [&](const std::string& other) { return other.starts_with(name); };
  return std::any_of(options.without.begin(), options.without.end(), hides) ||
         std::any_of(options.environment.begin(), options.environment.end(), replaces);
}

// The texts belong to `environ` and to the options.
std::vector<char*> environment_for(const ProcessOptions& options) {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_left_out(*variable, options)) variables.push_back(*variable);
  }
  for (const std::string& variable : options.environment)
    variables.push_back(const_cast<char*>(variable.c_str()));
  variables.push_back(nullptr);
  return variables;
}

// A descriptor that is closed with its owner.
class Pipe {
 public:
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(ours);
    close(theirs);
  }

  // `ours` reads what the program writes, or with `to_program` the other way round.
  Result<void> open(bool to_program) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      return make_error(ErrorCode::kIo, std::string("cannot make a pipe: ") + std::strerror(errno));
    ours = ends.at(to_program ? 1 : 0);
    theirs = ends.at(to_program ? 0 : 1);
    ::fcntl(ours, F_SETFL, O_NONBLOCK);
    return {};
  }
  static void close(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }

  int ours = -1;
  int theirs = -1;
};

// What goes to a running program and comes from it.
struct Conversation {
  Pipe in{}, out{}, err{};
  std::string_view input{};
};

// False at the end.
bool read_some(Pipe& pipe, std::string& text) {
  std::array<char, 16384> buffer{};
  const ssize_t n = ::read(pipe.ours, buffer.data(), buffer.size());
  if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0) Pipe::close(pipe.ours);
  return n > 0;
}

// A program need not read all that it is given.
void write_some(Conversation& with) {
  const ssize_t n = ::write(with.in.ours, with.input.data(), with.input.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  with.input.remove_prefix(n > 0 ? static_cast<std::size_t>(n) : with.input.size());
  if (with.input.empty()) Pipe::close(with.in.ours);
}

// False if a limit was passed.
bool converse(Conversation& with, const ProcessOptions& options, ProcessOutput& output) {
  Deadline deadline;
  if (options.time_limit.count() > 0)
    deadline = std::chrono::steady_clock::now() + options.time_limit;
  if (with.input.empty()) Pipe::close(with.in.ours);
  while (with.out.ours >= 0 || with.err.ours >= 0) {
    int wait = -1;
    if (deadline) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          *deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) return false;
      wait = static_cast<int>(left.count()) + 1;
    }
    // poll() passes over descriptors below zero.
    std::array<pollfd, 3> wanted = {
        {{with.in.ours, POLLOUT, 0}, {with.out.ours, POLLIN, 0}, {with.err.ours, POLLIN, 0}}};
    if (::poll(wanted.data(), wanted.size(), wait) < 0) continue;
    if (wanted[0].revents != 0) write_some(with);
    if (wanted[1].revents != 0) read_some(with.out, output.out);
    if (wanted[2].revents != 0) read_some(with.err, output.err);
    if (options.output_limit > 0 && output.out.size() > options.output_limit) return false;
  }
  return true;
}

// Lets no SIGPIPE end this process while it writes to a program that has ended; one that came for
// another reason stays as it is.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;
  ~NoBrokenPipe() {
    const timespec now{};
    if (::sigismember(&before_, SIGPIPE) == 0) {
      while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t pipe_{}, before_{};
};

// 0, or the number of the error.
int spawn(const std::vector<std::string>& argv, const ProcessOptions& options,
          const Conversation& with, const sigset_t& signals, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, with.in.theirs, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, with.out.theirs, STDOUT_FILENO);
  if (options.only_output) {
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  } else {
    ::posix_spawn_file_actions_adddup2(
        &actions, options.split_output ? with.err.theirs : with.out.theirs, STDERR_FILENO);
  }
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  // A server ignores it; its children would inherit that, and go on writing to who has left.
  sigset_t usual;
  ::sigemptyset(&usual);
  ::sigaddset(&usual, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  std::vector<char*> raw;
  for (const std::string& arg : argv) raw.push_back(const_cast<char*>(arg.c_str()));
  raw.push_back(nullptr);
  std::vector<char*> variables = environment_for(options);
  const int failed =
      ::posix_spawnp(&pid, raw[0], &actions, &attributes, raw.data(), variables.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return failed;
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& argv,
                                  const ProcessOptions& options) {
  const NoBrokenPipe guard;
  Conversation with;
  with.input = options.input;
  MEMFS_TRY(with.in.open(true));
  MEMFS_TRY(with.out.open(false));
  if (options.split_output) MEMFS_TRY(with.err.open(false));
  pid_t pid = 0;
  const int failed = spawn(argv, options, with, guard.before(), pid);
  for (Pipe* pipe : {&with.in, &with.out, &with.err}) Pipe::close(pipe->theirs);
  if (failed != 0) {
    return make_error(failed == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                      "cannot run " + argv[0] + ": " + std::strerror(failed));
  }
  ProcessOutput output;
  const bool whole = converse(with, options, output);
  if (!whole) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  output.stopped = !whole;
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace memfs
