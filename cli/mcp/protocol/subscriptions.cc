#include "cli/mcp/protocol/subscriptions.h"

#include <algorithm>
#include <utility>

namespace memfs::mcp {

namespace {

constexpr const char* kUpdated = "notifications/resources/updated";
constexpr const char* kListChanged = "notifications/resources/list_changed";

// Those that changed and are wanted, each once.
std::set<std::string> wanted(const Changes& changes, const std::set<std::string>& uris) {
  if (changes.any) return uris;
  std::set<std::string> both;
  for (const std::string& uri : changes.uris)
    if (uris.count(uri) > 0) both.insert(uri);
  return both;
}

Json tag_of(const Json& id) { return {{"io.modelcontextprotocol/subscriptionId", id}}; }

// `notifications.resourceSubscriptions`, if it is a list of strings.
RpcResult<std::set<std::string>> uris_of(const Json& filter) {
  std::set<std::string> uris;
  const Json* list = member(filter, "resourceSubscriptions");
  if (list == nullptr) return uris;
  const auto is_string = [](const Json& uri) { return uri.is_string(); };
  if (!list->is_array() || !std::all_of(list->begin(), list->end(), is_string))
    return rpc_error(kInvalidParams, "resourceSubscriptions must be a list of URIs");
  for (const Json& uri : *list) uris.insert(uri.get<std::string>());
  return uris;
}

bool is_true(const Json& filter, const char* name) {
  const Json* value = member(filter, name);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

tl::unexpected<RpcError> too_many() {
  return rpc_error(kInvalidParams,
                   "more than " + std::to_string(kMaxSubscriptions) + " subscriptions");
}

}  // namespace

void Subscriptions::open_session() {
  session_open_ = true;
  session_uris_.clear();
}

std::size_t Subscriptions::count() const {
  std::size_t sum = session_uris_.size() + listeners_.size();
  for (const Listener& listener : listeners_) sum += listener.uris.size();
  return sum;
}

RpcResult<Json> Subscriptions::subscribe(const std::string& uri) {
  if (session_uris_.count(uri) == 0 && count() >= kMaxSubscriptions) return too_many();
  session_uris_.insert(uri);
  return Json::object();
}

RpcResult<Json> Subscriptions::listen(const Json& id, const Json& params, bool has_resources) {
  const Json* filter = member(params, "notifications");
  if (filter == nullptr || !filter->is_object())
    return rpc_error(kInvalidParams, "notifications must say what to listen to");
  const auto same = [&](const Listener& listener) { return listener.id == id; };
  if (std::any_of(listeners_.begin(), listeners_.end(), same))
    return rpc_error(kInvalidRequest, "a subscription with this id is open");
  auto uris = uris_of(*filter);
  if (!uris) return tl::unexpected(std::move(uris).error());
  if (count() + uris->size() >= kMaxSubscriptions) return too_many();
  Json honoured = Json::object();
  if (has_resources && !uris->empty()) honoured["resourceSubscriptions"] = *uris;
  const bool list = has_resources && is_true(*filter, "resourcesListChanged");
  if (list) honoured["resourcesListChanged"] = true;
  listeners_.push_back({id, has_resources ? std::move(*uris) : std::set<std::string>{}, list});
  return notification("notifications/subscriptions/acknowledged",
                      {{"_meta", tag_of(id)}, {"notifications", std::move(honoured)}});
}

void Subscriptions::close(const Json& id) {
  std::erase_if(listeners_, [&](const Listener& listener) { return listener.id == id; });
}

std::vector<Json> Subscriptions::tell(const Changes& changes) const {
  std::vector<Json> messages;
  for (const std::string& uri : wanted(changes, session_uris_))
    messages.push_back(notification(kUpdated, {{"uri", uri}}));
  if (changes.list && session_open_) messages.push_back(notification(kListChanged, Json::object()));
  for (const Listener& listener : listeners_) {
    for (const std::string& uri : wanted(changes, listener.uris))
      messages.push_back(notification(kUpdated, {{"_meta", tag_of(listener.id)}, {"uri", uri}}));
    if (changes.list && listener.list)
      messages.push_back(notification(kListChanged, {{"_meta", tag_of(listener.id)}}));
  }
  return messages;
}

}  // namespace memfs::mcp
