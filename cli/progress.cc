#include "cli/progress.h"

#include <chrono>
#include <iostream>

namespace memfs::cli {

Progress::Progress(bool enabled, std::string what) : what_(std::move(what)) {
  if (enabled) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void Progress::run() {
  std::unique_lock lock(mutex_);
  bool shown = false;
  for (int seconds = 1; !over_.wait_for(lock, std::chrono::seconds(1), [&] { return done_; });
       ++seconds) {
    std::cerr << "\r" << what_ << "… " << seconds << " s" << std::flush;
    shown = true;
  }
  if (shown) std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace memfs::cli
