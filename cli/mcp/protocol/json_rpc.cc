#include "cli/mcp/protocol/json_rpc.h"

#include <cmath>
#include <utility>

#include "libmemfs/base/utf8.h"

namespace memfs::mcp {

namespace {

Message invalid(Message message, RpcCode code, std::string fault) {
  message.kind = Message::Kind::kInvalid;
  message.fault_code = code;
  message.fault = std::move(fault);
  return message;
}

// A message with a method: a request if it has an id.
Message classify_call(Json& json, Message message) {
  const auto id = json.find("id");
  message.method = json["method"].get<std::string>();
  // Nothing is ever answered to a notification, so that its faults are nobody's business.
  message.kind = id == json.end() ? Message::Kind::kNotification : Message::Kind::kRequest;
  if (message.kind == Message::Kind::kRequest && message.id.is_null())
    return invalid(std::move(message), kInvalidRequest, "id must be a string or a whole number");
  const auto params = json.find("params");
  message.params = params == json.end() || params->is_null() ? Json::object() : std::move(*params);
  if (message.params.is_object()) return message;
  if (message.kind == Message::Kind::kNotification) message.params = Json::object();
  return message.kind == Message::Kind::kNotification
             ? message
             : invalid(std::move(message), kInvalidParams, "params must be an object");
}

bool has_string(const Json& json, const char* name) { return string_member(json, name) != nullptr; }

}  // namespace

std::string clipped(std::string_view text) {
  constexpr std::size_t kMost = 200;
  return std::string(cut_at_char_boundary(text, kMost)) + (text.size() > kMost ? "…" : "");
}

bool is_id(const Json& json) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (json.is_number_float()) {
    const double value = json.get<double>();
    return std::abs(value) <= kExact && std::trunc(value) == value;
  }
  return json.is_string() || json.is_number_integer();
}

Message classify(Json json) {
  Message message;
  if (json.is_array())
    return invalid(std::move(message), kInvalidRequest, "batches are part of 2025-03-26 only");
  if (!json.is_object())
    return invalid(std::move(message), kInvalidRequest, "a message must be an object");
  if (const auto id = json.find("id"); id != json.end() && is_id(*id)) message.id = *id;
  const bool notification = has_string(json, "method") && !json.contains("id");
  const std::string* version = string_member(json, "jsonrpc");
  if (!notification && (version == nullptr || *version != "2.0"))
    return invalid(std::move(message), kInvalidRequest, "jsonrpc must be \"2.0\"");
  if (has_string(json, "method")) return classify_call(json, std::move(message));
  if (!json.contains("method") && (json.contains("result") || json.contains("error"))) {
    message.kind = Message::Kind::kResponse;
    if (json.contains("result")) message.result = std::move(json["result"]);
    return message;
  }
  return invalid(std::move(message), kInvalidRequest, "method must be a string");
}

Json result_response(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error_response(const Json& id, const RpcError& error, bool null_id) {
  Json response = {{"jsonrpc", "2.0"}};
  if (!id.is_null() || null_id) response["id"] = id;
  Json& body =
      response["error"] = {{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  return response;
}

Json notification(const char* method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

Json request(const Json& id, const char* method) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
}

}  // namespace memfs::mcp
