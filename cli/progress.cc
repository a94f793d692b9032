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

ProgressBar::~ProgressBar() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressBar::show(std::size_t done, std::size_t total) {
  constexpr std::size_t kWidth = 30;
  constexpr auto kQuick = std::chrono::milliseconds(300);  // what ends by then needs no bar
  constexpr auto kPause = std::chrono::milliseconds(100);
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || total == 0 || now - begun_ < kQuick || now - last_ < kPause) return;
  const std::size_t full = kWidth * done / total;
  std::cerr << "\r" << what_ << " [" << std::string(full, '#') << std::string(kWidth - full, '.')
            << "] " << done << " of " << total << std::flush;
  last_ = now;
  shown_ = true;
}

}  // namespace memfs::cli
