#include "cli/mcp/protocol/inbox.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "libmemfs/base/posix_descriptor.h"

namespace memfs::mcp {

namespace {

// The id that a message takes back, as text; empty if it takes nothing back.
std::string cancelled_id(const Json& message) {
  const std::string* method = string_member(message, "method");
  if (method == nullptr || *method != "notifications/cancelled") return {};
  const Json* params = member(message, "params");
  const Json* id = params == nullptr ? nullptr : member(*params, "requestId");
  return id == nullptr ? std::string() : to_text(*id);
}

bool is_response(const Inbox::Received& received) {
  const Json& message = received.message;
  return message.is_object() && !message.contains("method") &&
         (message.contains("result") || message.contains("error"));
}

}  // namespace

void Inbox::read_some() {
  std::array<char, 65536> bytes{};
  const auto count = retry([&] { return ::read(fd_, bytes.data(), bytes.size()); });
  if (count > 0) {
    reader_.feed({bytes.data(), static_cast<std::size_t>(count)});
  } else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) {
    at_end_ = true;
    reader_.finish();
  }
  take_lines();
}

void Inbox::read_ahead() {
  while (wants_more()) {
    pollfd in{fd_, POLLIN, 0};
    if (::poll(&in, 1, 0) <= 0) return;
    read_some();
  }
}

void Inbox::take_lines() {
  while (auto line = reader_.next()) {
    Received received;
    received.bytes = line->text.size();
    if (line->too_long) {
      received.broken = "the line is longer than " + std::to_string(kMaxLineBytes >> 20) + " MiB";
    } else if (auto json = parse_json(line->text)) {
      received.message = std::move(*json);
    } else {
      received.broken = json.error().message;
    }
    if (auto id = cancelled_id(received.message); !id.empty()) cancels_.insert(std::move(id));
    waiting_bytes_ += received.bytes;
    waiting_.push_back(std::move(received));
  }
}

std::optional<Inbox::Received> Inbox::next(bool responses_only) {
  const auto found = responses_only ? std::find_if(waiting_.begin(), waiting_.end(), is_response)
                                    : waiting_.begin();
  if (found == waiting_.end()) return std::nullopt;
  return take(found);
}

Inbox::Received Inbox::take(std::deque<Received>::iterator where) {
  Received received = std::move(*where);
  waiting_.erase(where);
  waiting_bytes_ -= received.bytes;
  const auto cancel = cancels_.find(cancelled_id(received.message));
  if (cancel != cancels_.end()) cancels_.erase(cancel);
  return received;
}

}  // namespace memfs::mcp
