// Many processes of the real executable on one folder.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "libmemfs/base/process.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {

class MemProcesses : public ::testing::Test {
 protected:
  ProcessOutput run(std::vector<std::string> words) {
    words.insert(words.begin(), {MEM_EXECUTABLE, "--root", temp.path()});
    const auto output = run_process(words);
    return output ? *output : ProcessOutput{-1, output.error().message};
  }
  int mem(std::vector<std::string> words) { return run(std::move(words)).exit_code; }

  // Runs `job(i)` for 0 ≤ i < count on several threads, each job a process.
  template <typename Job>
  static void in_parallel(int count, Job job) {
    std::atomic<int> next{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        for (int i = next++; i < count; i = next++) job(i);
      });
    for (std::thread& thread : threads) thread.join();
  }

  TempDir temp;
};

}  // namespace memfs::testing
