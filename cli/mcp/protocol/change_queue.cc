#include "cli/mcp/protocol/change_queue.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace memfs::mcp {

// Without a pipe (no descriptors left) changes are told after the next call of a tool.
ChangeQueue::ChangeQueue() {
  if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) ends_[0] = ends_[1] = -1;
}

ChangeQueue::~ChangeQueue() {
  for (const int end : ends_)
    if (end >= 0) ::close(end);
}

void ChangeQueue::wake() {
  if (std::exchange(awake_, true) || ends_[1] < 0) return;
  if (::write(ends_[1], "", 1) != 1) awake_ = false;
}

void ChangeQueue::add(std::string uri) {
  const std::lock_guard lock(mutex_);
  if (changes_.uris.size() < kMost) {
    changes_.uris.push_back(std::move(uri));
  } else {
    changes_.any = true;
  }
  wake();
}

void ChangeQueue::add_list_changed() {
  const std::lock_guard lock(mutex_);
  changes_.list = true;
  wake();
}

Changes ChangeQueue::take() {
  const std::lock_guard lock(mutex_);
  char byte = 0;
  if (std::exchange(awake_, false) && ends_[0] >= 0 && ::read(ends_[0], &byte, 1) < 0) return {};
  return std::exchange(changes_, {});
}

}  // namespace memfs::mcp
