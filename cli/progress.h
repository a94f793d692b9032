// A line on a terminal that says something is still going on, from the first second on.
#pragma once

#include <chrono>
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

// A bar on a terminal, drawn anew a few times a second: "importing [#####.....]  6,000 of 12,000".
class ProgressBar {
 public:
  // Does nothing unless `enabled`.
  ProgressBar(bool enabled, std::string what) : enabled_(enabled), what_(std::move(what)) {}
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::size_t done, std::size_t total);

 private:
  bool enabled_;
  std::string what_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace memfs::cli
