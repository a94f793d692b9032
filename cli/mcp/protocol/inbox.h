// Lines that have arrived and wait for their turn. They are read ahead while a call runs, so that a
// cancellation is seen, and while an answer waits to be taken. They wait as text, which takes a
// fraction of the room of what is parsed.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>

#include "cli/mcp/protocol/json_text.h"
#include "cli/mcp/protocol/line_reader.h"

namespace memfs::mcp {

class Inbox {
 public:
  explicit Inbox(int fd) : fd_(fd) {}

  struct Received {
    Json message{};
    std::string broken{};  // why the line is no JSON, or empty
  };

  int descriptor() const { return fd_; }
  // Room to read ahead is left, and the end has not come.
  bool wants_more() const { return !at_end_ && waiting_bytes_ + reader_.size() <= kMaxLineBytes; }
  // Reads once; waits if there is nothing to read.
  void read_some();
  // Reads what is there, without waiting.
  void read_ahead();

  // Parses the line whose turn it is; only a response to a request of ours, if `responses_only`.
  std::optional<Received> next(bool responses_only = false);
  // Whether a notification waits that cancels the request.
  bool has_cancel_of(const Json& id) const { return cancels_.count(to_text(id)) > 0; }
  // Nothing more will come.
  bool at_end() const { return at_end_; }

 private:
  void take_lines();
  Received take(const std::deque<LineReader::Line>::iterator& where);

  int fd_;
  LineReader reader_{};
  std::deque<LineReader::Line> waiting_{};
  std::size_t waiting_bytes_ = 0;
  std::multiset<std::string> cancels_{};  // ids, as text, that waiting notifications cancel
  bool at_end_ = false;
};

}  // namespace memfs::mcp
