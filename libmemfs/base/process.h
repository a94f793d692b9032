// Runs another program (the user's own git) and collects what it says. No shell is involved.
#pragma once

#include <memfs/result.h>

#include <string>
#include <vector>

namespace memfs {

struct ProcessOutput {
  int exit_code = 0;  // 128 + signal if a signal ended it
  std::string out;    // standard output and standard error, in the order they came
};

// `argv[0]` is looked up in PATH; standard input is empty. kNotFound if there is no such program.
Result<ProcessOutput> run_process(const std::vector<std::string>& argv);

}  // namespace memfs
