// Runs another program (the user's own git) and collects what it says. No shell is involved.
#pragma once

#include <memfs/result.h>

#include <chrono>
#include <string>
#include <vector>

namespace memfs {

struct ProcessOutput {
  int exit_code = 0;  // 128 + signal if a signal ended it
  std::string out;    // standard output and standard error, in the order they came
};

struct ProcessLimits {
  std::chrono::milliseconds time{};  // 0: none
  std::size_t output = 0;            // bytes, 0: none
};

// `argv[0]` is looked up in PATH; standard input is empty. kNotFound if there is no such program.
// kBusy, the program being ended, if it takes longer or says more than the limits allow.
Result<ProcessOutput> run_process(const std::vector<std::string>& argv,
                                  const ProcessLimits& limits = {});

}  // namespace memfs
