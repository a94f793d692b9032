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

// What a waiting line takes up.
std::size_t size_of(const LineReader::Line& line) { return sizeof line + line.text.size(); }

bool contains(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

// The id that a line takes back, as text; empty if it takes nothing back. Few lines need a parser
// for that; one that hides the word behind escapes is only seen when its turn comes.
std::string cancelled_id(const std::string& line) {
  constexpr const char* kCancelled = "notifications/cancelled";
  if (!contains(line, kCancelled)) return {};
  const auto message = parse_json(line);
  const std::string* method = message ? string_member(*message, "method") : nullptr;
  if (method == nullptr || *method != kCancelled) return {};
  const Json* params = member(*message, "params");
  const Json* id = params == nullptr ? nullptr : member(*params, "requestId");
  return id == nullptr ? std::string() : to_text(*id);
}

bool is_response(const LineReader::Line& line) {
  if (contains(line.text, "\"method\"")) return false;
  const auto message = parse_json(line.text);
  return message && message->is_object() &&
         (message->contains("result") || message->contains("error"));
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
    if (auto id = cancelled_id(line->text); !id.empty()) cancels_.insert(std::move(id));
    waiting_bytes_ += size_of(*line);
    waiting_.push_back(std::move(*line));
  }
}

std::optional<Inbox::Received> Inbox::next(bool responses_only) {
  const auto found = responses_only ? std::find_if(waiting_.begin(), waiting_.end(), is_response)
                                    : waiting_.begin();
  if (found == waiting_.end()) return std::nullopt;
  return take(found);
}

Inbox::Received Inbox::take(const std::deque<LineReader::Line>::iterator& where) {
  const LineReader::Line line = std::move(*where);
  waiting_.erase(where);
  waiting_bytes_ -= size_of(line);
  if (!cancels_.empty())
    if (const auto cancel = cancels_.find(cancelled_id(line.text)); cancel != cancels_.end())
      cancels_.erase(cancel);
  if (line.too_long)
    return {nullptr, "the line is longer than " + std::to_string(kMaxLineBytes >> 20U) + " MiB"};
  auto message = parse_json(line.text);
  if (!message) return {nullptr, message.error().message};
  return {std::move(*message), {}};
}

}  // namespace memfs::mcp
