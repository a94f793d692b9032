// A line on a terminal that says something is still going on, from the first second on.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace memfs::cli {

class Progress {
 public:
  // Does nothing unless `enabled` (stderr is a terminal and --quiet is not given).
  Progress(bool enabled, std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void run();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace memfs::cli
