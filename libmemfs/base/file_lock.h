// Waiting for a lock, bounded.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct LockWait {
  std::chrono::milliseconds limit{10000};
  // Sleeps for the given time; replaced in tests.
  std::function<void(std::chrono::milliseconds)> pause{};
};

// Takes the lock on `rel`, polling with jitter for at most `wait.limit`. A lock left behind by a
// dead process is free at once (the kernel releases it); a held one is never stolen.
// kBusy when the time is over.
Result<std::unique_ptr<HeldLock>> acquire_lock(Directory& dir, const std::string& rel,
                                               std::uint32_t mode, const LockWait& wait);

}  // namespace memfs
