// Changes of resources that another thread sees, for a Service to hand on.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "cli/mcp/protocol/service.h"

namespace memfs::mcp {

class ChangeQueue {
 public:
  ChangeQueue();
  ~ChangeQueue();
  ChangeQueue(const ChangeQueue&) = delete;
  ChangeQueue& operator=(const ChangeQueue&) = delete;

  // From any thread. More than kMost that nobody takes become one "any".
  void add(std::string uri);
  void add_list_changed();
  // For Service::changes_descriptor and take_changes.
  int descriptor() const { return ends_[0]; }
  Changes take();

 private:
  static constexpr std::size_t kMost = 10'000;
  void wake();

  std::mutex mutex_{};
  Changes changes_{};
  bool awake_ = false;  // a byte is in the pipe
  int ends_[2] = {-1, -1};
};

}  // namespace memfs::mcp
