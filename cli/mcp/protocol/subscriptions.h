// Who wants to hear of changed resources: the session (resources/subscribe, before 2026-07-28) and
// each subscriptions/listen.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "cli/mcp/protocol/json_rpc.h"
#include "cli/mcp/protocol/service.h"

namespace memfs::mcp {

// Of all subscriptions together; a client that subscribes for ever is stopped here.
constexpr std::size_t kMaxSubscriptions = 10'000;

class Subscriptions {
 public:
  // A new session hears of no resource yet.
  void open_session();
  RpcResult<Json> subscribe(const std::string& uri);
  void unsubscribe(const std::string& uri) { session_uris_.erase(uri); }

  // `params` of subscriptions/listen; gives the acknowledgement, which must go out first.
  RpcResult<Json> listen(const Json& id, const Json& params, bool has_resources);
  void close(const Json& id);

  // The notifications to send.
  std::vector<Json> tell(const Changes& changes) const;

 private:
  struct Listener {
    Json id;
    std::set<std::string> uris;
    bool list = false;
  };

  std::size_t count() const;

  bool session_open_ = false;
  std::set<std::string> session_uris_{};
  std::vector<Listener> listeners_{};
};

}  // namespace memfs::mcp
