#include "libmemfs/base/file_lock.h"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <thread>

namespace memfs {

Result<std::unique_ptr<HeldLock>> acquire_lock(Directory& dir, const std::string& rel,
                                               std::uint32_t mode, const LockWait& wait) {
  std::minstd_rand jitter(static_cast<unsigned>(::getpid()));
  std::chrono::milliseconds waited{0};
  std::chrono::milliseconds step{1};
  while (true) {
    auto lock = dir.try_lock(rel, mode);
    if (!lock) return lock;
    if (*lock != nullptr) return lock;
    if (waited >= wait.limit) break;
    // Backing off to 20 ms keeps a hundred waiters from spinning; the jitter keeps them apart.
    const auto nap =
        step / 2 + std::chrono::milliseconds(jitter() % static_cast<unsigned>(step.count()) + 1);
    if (wait.pause) {
      wait.pause(nap);
    } else {
      std::this_thread::sleep_for(nap);
    }
    waited += nap;
    step = std::min(step * 2, std::chrono::milliseconds(20));
  }
  return make_error(ErrorCode::kBusy, "another mem process holds the lock of this folder")
      .at(join_path(dir.path(), rel))
      .with_hint("try again; `fuser` on this file names the holder");
}

}  // namespace memfs
