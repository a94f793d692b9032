// Lines out.
#pragma once

#include <string_view>

#include "cli/mcp/protocol/inbox.h"

namespace memfs::mcp {

// Writes whole lines to `fd`. While nobody takes them it goes on reading into the inbox, so that a
// client that first writes much and then reads is not left standing.
class Writer {
 public:
  Writer(int fd, int stop_fd, Inbox& inbox) : fd_(fd), stop_fd_(stop_fd), inbox_(inbox) {}

  void write_line(const Json& message);
  // Nobody will read what else is written: the reader has gone, or the process is to end.
  bool closed() const { return closed_; }

 private:
  void write_some(std::string_view& bytes);
  bool wait_for_room();

  int fd_;
  int stop_fd_;
  Inbox& inbox_;
  bool closed_ = false;
};

}  // namespace memfs::mcp
