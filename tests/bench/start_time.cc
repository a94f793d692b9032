// Start time of `mem version` against an empty static program, taken in turns in one run.
//
//   start_time MEM EMPTY
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

extern char** environ;

namespace {

double milliseconds(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t pid = 0;
  if (posix_spawn(&pid, argv[0], &quiet, nullptr, argv.data(), environ) != 0) std::perror(argv[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  posix_spawn_file_actions_destroy(&quiet);
  return took.count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: start_time MEM EMPTY\n");
    return 2;
  }
  constexpr int kRounds = 500;
  constexpr double kTarget = 1.6;
  std::vector<double> mem;
  std::vector<double> empty;
  for (int i = 0; i < kRounds; ++i) {
    empty.push_back(milliseconds({argv[2]}));
    mem.push_back(milliseconds({argv[1], "version"}));
  }
  const double ratio = median(mem) / median(empty);
  std::printf(
      "start of `mem version` %.3f ms, empty static program %.3f ms: %.2f× (target ≤ %.1f×) %s\n",
      median(mem), median(empty), ratio, kTarget, ratio <= kTarget ? "PASS" : "FALL SHORT");
  return 0;
}
