#include "cli/mcp/protocol/session.h"

#include <exception>
#include <utility>

#include "cli/mcp/protocol/shaping.h"

namespace memfs::mcp {

namespace {

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kClientKey = "io.modelcontextprotocol/clientInfo";

ClientInfo client_of(const Json* json) {
  ClientInfo client;
  if (json == nullptr) return client;
  if (const auto* name = string_member(*json, "name")) client.name = *name;
  if (const auto* version = string_member(*json, "version")) client.version = *version;
  return client;
}

// Newest first, as a client should choose.
Json supported_versions() {
  Json names = Json::array();
  for (auto it = kRevisions.rbegin(); it != kRevisions.rend(); ++it) names.push_back(name_of(*it));
  return names;
}

}  // namespace

Session::Session(Service& service, Link& link, std::size_t page_size)
    : desk_{service, link, service.info(), page_size} {}

Json Session::refusal(const Json& id, const RpcError& error) const {
  // An id that could not be read: null as JSON-RPC has it, left out as MCP has it since 2025-11-25.
  return error_response(id, error, !last_ || *last_ < Revision::k2025_11_25);
}

void Session::receive_broken(const std::string& why) {
  desk_.link.send(refusal({}, {kParseError, why}));
}

void Session::receive(Json message) {
  const bool batch = message.is_array() && session_ == Revision::k2025_03_26;
  const auto answer =
      batch ? answer_to_batch(std::move(message)) : answer_to(classify(std::move(message)));
  if (answer) desk_.link.send(*answer);
}

std::optional<Json> Session::answer_to_batch(Json batch) {
  if (batch.empty()) return refusal({}, {kInvalidRequest, "the batch is empty"});
  if (batch.size() > kMaxBatch)
    return refusal(
        {}, {kInvalidRequest, "more than " + std::to_string(kMaxBatch) + " messages in a batch"});
  Json answers = Json::array();
  for (Json& each : batch) {
    Message message = classify(std::move(each));
    if (message.kind == Message::Kind::kRequest && message.method == "initialize") {
      message.kind = Message::Kind::kInvalid;
      message.fault = "initialize must not be part of a batch";
    }
    if (auto answer = answer_to(std::move(message))) answers.push_back(std::move(*answer));
  }
  if (answers.empty()) return std::nullopt;
  return answers;
}

std::optional<Json> Session::answer_to(Message message) {
  switch (message.kind) {
    case Message::Kind::kRequest:
      return answer_to_request(message);
    case Message::Kind::kNotification:
      take_notification(message);
      return std::nullopt;
    case Message::Kind::kResponse:
      take_response(message);
      return std::nullopt;
    case Message::Kind::kInvalid:
      break;
  }
  return refusal(message.id, {message.fault_code, message.fault});
}

std::optional<Json> Session::answer_to_request(Message& message) {
  auto request = request_of(message);
  if (!request) return refusal(message.id, request.error());
  // A ping before anything is agreed says nothing of the revision.
  if (session_ || is_stateless(request->revision)) last_ = request->revision;
  auto result = run(*request);
  if (!result) return refusal(request->id, result.error());
  if (result->is_null()) return std::nullopt;
  // `initialize` may have changed the session's revision, not that of its own answer.
  return result_response(request->id,
                         finish_result(std::move(*result), desk_.info, request->revision));
}

RpcResult<Request> Session::request_of(Message& message) {
  const Json* meta = member(message.params, "_meta");
  const Json* version = meta == nullptr ? nullptr : member(*meta, kVersionKey);
  if (version != nullptr) return stateless_request(message, *version);
  if (!session_ && message.method != "initialize" && message.method != "ping")
    return rpc_error(kInvalidParams, std::string("before initialize, params._meta must carry ") +
                                         kVersionKey + " and " + kCapabilitiesKey);
  return Request{message.id, message.method, std::move(message.params),
                 session_.value_or(kNewestSession), client_};
}

RpcResult<Request> Session::stateless_request(Message& message, const Json& version) {
  if (!version.is_string())
    return rpc_error(kInvalidParams, std::string(kVersionKey) + " must be a string");
  const auto& name = version.get_ref<const std::string&>();
  const auto revision = parse_revision(name);
  if (!revision || !is_stateless(*revision))
    return rpc_error(kUnsupportedVersion, "requests without session are served by 2026-07-28 only",
                     {{"supported", supported_versions()}, {"requested", clipped(name)}});
  const Json& meta = message.params["_meta"];
  const Json* capabilities = member(meta, kCapabilitiesKey);
  if (capabilities == nullptr || !capabilities->is_object())
    return rpc_error(kInvalidParams, std::string(kCapabilitiesKey) + " must be an object");
  ClientInfo client = client_of(member(meta, kClientKey));
  return Request{message.id, message.method, std::move(message.params), *revision,
                 std::move(client)};
}

// No fault of a service ends the conversation.
RpcResult<Json> Session::run(const Request& request) try {
  if (is_stateless(request.revision)) {
    if (request.method == "server/discover") return discover();
    return answer(desk_, request);
  }
  if (request.method == "initialize") return initialize(request);
  if (request.method == "ping") return Json::object();
  return answer(desk_, request);
} catch (const std::exception& thrown) {
  return rpc_error(kInternalError, std::string("internal error: ") + thrown.what());
}

RpcResult<Json> Session::initialize(const Request& request) {
  const std::string* wanted = string_member(request.params, "protocolVersion");
  if (wanted == nullptr) return rpc_error(kInvalidParams, "protocolVersion must be a string");
  session_ = last_ = agreed_revision(*wanted);
  client_ = client_of(member(request.params, "clientInfo"));
  const Json* capabilities = member(request.params, "capabilities");
  client_has_roots_ = capabilities != nullptr && member(*capabilities, "roots") != nullptr;
  roots_id_ = nullptr;
  desk_.subscriptions.open_session();
  Json result = {{"protocolVersion", name_of(*session_)},
                 {"capabilities", capabilities_json(desk_.info, *session_)},
                 {"serverInfo", server_info_json(desk_.info, *session_)}};
  if (!desk_.info.instructions.empty()) result["instructions"] = desk_.info.instructions;
  return result;
}

Json Session::discover() const {
  constexpr Revision kRevision = Revision::k2026_07_28;
  Json result = {{"supportedVersions", supported_versions()},
                 {"capabilities", capabilities_json(desk_.info, kRevision)}};
  if (!desk_.info.instructions.empty()) result["instructions"] = desk_.info.instructions;
  add_cache_hint(result, desk_.info.ttl_ms, kRevision);
  return result;
}

void Session::take_notification(const Message& message) {
  const std::string& method = message.method;
  if (method == "notifications/cancelled") {
    // A running call has looked for it itself; what is left are the subscriptions.
    if (const Json* id = member(message.params, "requestId")) desk_.subscriptions.close(*id);
  } else if (method == "notifications/initialized" ||
             method == "notifications/roots/list_changed") {
    ask_for_roots();
  }
}

void Session::ask_for_roots() {
  if (!session_ || !client_has_roots_ || !desk_.service.wants_roots()) return;
  roots_id_ = "roots-" + std::to_string(++roots_asked_);
  desk_.link.send(request(roots_id_, "roots/list"));
}

// Only the answer to the latest question counts: an older one may have changed since.
void Session::take_response(const Message& message) {
  if (roots_asked_ == 0 || message.id != Json("roots-" + std::to_string(roots_asked_))) return;
  roots_id_ = nullptr;
  const Json* roots = member(message.result, "roots");
  if (roots == nullptr || !roots->is_array()) return;
  std::vector<std::string> uris;
  for (const Json& root : *roots)
    if (const auto* uri = string_member(root, "uri")) uris.push_back(*uri);
  desk_.service.set_roots(uris);
}

void Session::tell(const Changes& changes) {
  for (const Json& message : desk_.subscriptions.tell(changes)) desk_.link.send(message);
}

}  // namespace memfs::mcp
