// Runs another program (the user's own git) and collects what it says. No shell is involved.
#pragma once

#include <memfs/result.h>

#include <chrono>
#include <string>
#include <vector>

namespace memfs {

struct ProcessOutput {
  int exit_code = 0;  // 128 + signal if a signal ended it
  std::string out{};  // standard output and standard error, in the order they came …
  std::string err{};  // … or the latter apart, with split_output
  bool stopped = false;
};

struct ProcessOptions {
  std::chrono::milliseconds time_limit{};  // 0: none
  std::size_t output_limit = 0;            // bytes, 0: none
  bool only_output = false;                // without standard error
  bool split_output = false;               // standard error by itself
  std::string input{};                     // what the program reads on standard input
  std::vector<std::string> without{};      // variables that begin so are not passed on …
  std::vector<std::string> environment{};  // … and these, "NAME=value", are set
};

// `argv[0]` is looked up in PATH. kNotFound if there is no such program.
// A program that passes a limit is ended: `stopped`, with what it had said until then.
Result<ProcessOutput> run_process(const std::vector<std::string>& argv,
                                  const ProcessOptions& options = {});

}  // namespace memfs
