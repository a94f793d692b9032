// One client's conversation: which revision serves a request, and what is answered to each line.
//
// `initialize` opens a session of the agreed revision. A request whose _meta names a protocol
// version is served without session by 2026-07-28. Both may come from one client.
#pragma once

#include <optional>
#include <string>

#include "cli/mcp/protocol/methods.h"

namespace memfs::mcp {

// Messages in a batch: each may be one byte, and its answer a hundred.
constexpr std::size_t kMaxBatch = 1000;

class Session {
 public:
  Session(Service& service, Link& link, std::size_t page_size = kPageSize);

  // A line that is JSON. What there is to say goes out over the link.
  void receive(Json message);
  // A line that is none, and why.
  void receive_broken(const std::string& why);
  // Tells the subscribers.
  void tell(const Changes& changes);

  // The client has been asked for its roots: requests should wait for its answer.
  bool awaits_roots() const { return !roots_id_.is_null(); }
  // The answer did not come in time. If it comes, it still counts.
  void stop_awaiting_roots() { roots_id_ = nullptr; }

 private:
  std::optional<Json> answer_to(Message message);
  std::optional<Json> answer_to_request(Message& message);
  std::optional<Json> answer_to_batch(Json batch);
  RpcResult<Request> request_of(Message& message);
  RpcResult<Request> stateless_request(Message& message, const Json& version);
  RpcResult<Json> run(const Request& request);
  RpcResult<Json> initialize(const Request& request);
  Json discover() const;
  void take_notification(const Message& message);
  void ask_for_roots();
  void take_response(const Message& message);
  Json refusal(const Json& id, const RpcError& error) const;

  Desk desk_;
  std::optional<Revision> session_{};  // of initialize
  std::optional<Revision> last_{};     // by which a request was served last
  ClientInfo client_{};                // of initialize
  bool client_has_roots_ = false;
  Json roots_id_{};  // of our request for roots that waits for its answer
  int roots_asked_ = 0;
};

}  // namespace memfs::mcp
