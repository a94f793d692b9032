// Whole-process times of several commands, taken in turns so that a drifting machine hurts all
// alike.
//
//   time_command [--output FILE] REPEATS COMMAND ARGS… [-- COMMAND2 ARGS…]…
//
// Prints a line for each command: median, least, and processor milliseconds, peak memory in KiB,
// runs, exit status. The first run of each is not counted if there are more. A command that has
// taken its share of time is not run again. --output keeps what the commands print.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern char** environ;

namespace {

constexpr double kBudgetMs = 8000;

struct Command {
  std::vector<char*> words;
  std::vector<double> times;
  std::vector<double> processor;
  double spent = 0;
  long peak = 0;
  int status = 0;
};

double in_ms(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void run(Command& command, const char* output) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND,
                                   0644);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  rusage usage{};
  pid_t pid = 0;
  const auto begin = std::chrono::steady_clock::now();
  if (posix_spawn(&pid, command.words[0], &files, nullptr, command.words.data(), environ) == 0)
    wait4(pid, &command.status, 0, &usage);
  else
    command.status = 127 << 8;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  posix_spawn_file_actions_destroy(&files);
  command.times.push_back(took.count());
  command.processor.push_back(in_ms(usage.ru_utime) + in_ms(usage.ru_stime));
  command.peak = std::max(command.peak, usage.ru_maxrss);
  command.spent += took.count();
}

std::vector<Command> commands_of(char** begin, char** end) {
  std::vector<Command> commands(1);
  for (char** word = begin; word != end; ++word) {
    if (std::string(*word) == "--")
      commands.emplace_back();
    else
      commands.back().words.push_back(*word);
  }
  for (Command& command : commands) command.words.push_back(nullptr);
  return commands;
}

void print(Command& command) {
  if (command.times.size() > 1) {
    command.times.erase(command.times.begin());
    command.processor.erase(command.processor.begin());
  }
  std::printf("%.4f\t%.4f\t%.4f\t%ld\t%zu\t%d\n", median(command.times),
              *std::min_element(command.times.begin(), command.times.end()),
              median(command.processor), command.peak, command.times.size(),
              WIFEXITED(command.status) ? WEXITSTATUS(command.status) : 128);
}

}  // namespace

int main(int argc, char** argv) {
  const bool keep = argc > 2 && std::string(argv[1]) == "--output";
  const char* output = keep ? argv[2] : "/dev/null";
  char** begin = argv + (keep ? 3 : 1);
  const int repeats = begin < argv + argc ? std::atoi(*begin) : 0;
  std::vector<Command> commands;
  if (repeats > 0) commands = commands_of(begin + 1, argv + argc);
  const auto is_empty = [](const Command& command) { return command.words[0] == nullptr; };
  if (commands.empty() || std::any_of(commands.begin(), commands.end(), is_empty)) {
    std::fputs("usage: time_command [--output FILE] REPEATS COMMAND ARGS… [-- COMMAND2 ARGS…]…\n",
               stderr);
    return 2;
  }
  // With one repeat that run is the measurement; else the first one warms up.
  const int rounds = repeats == 1 ? 1 : repeats + 1;
  for (int i = 0; i < rounds; ++i)
    for (Command& command : commands)
      if (command.spent < kBudgetMs) run(command, output);
  for (Command& command : commands) print(command);
  return 0;
}
