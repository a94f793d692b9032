// JSON-RPC 2.0: what kind of message a JSON value is, and the messages that we write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cli/mcp/protocol/json_text.h"

namespace memfs::mcp {

enum RpcCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kResourceNotFound = -32002,    // before 2026-07-28, which says kInvalidParams
  kUnsupportedVersion = -32022,  // 2026-07-28
};

struct RpcError {
  RpcCode code = kInternalError;
  std::string message{};
  Json data{};  // null if none
};

// What the client said, for a message to it: at most 200 bytes.
std::string clipped(std::string_view text);

// The answer to a request: a result or an error.
template <typename T>
using RpcResult = tl::expected<T, RpcError>;

inline tl::unexpected<RpcError> rpc_error(RpcCode code, std::string message, Json data = {}) {
  return tl::unexpected(RpcError{code, std::move(message), std::move(data)});
}

struct Message {
  enum class Kind : std::uint8_t { kRequest, kNotification, kResponse, kInvalid };
  Kind kind = Kind::kInvalid;
  Json id{};             // as it came; null if there is none or if it is no id
  std::string method{};  // of a request or a notification
  Json params{};         // an object; null params are none
  Json result{};         // of a response that is not an error
  std::string fault{};   // of what is invalid: one sentence
  RpcCode fault_code = kInvalidRequest;
};

// Whether MCP takes it as an id: a string, or a whole number that is kept exactly (so also 10.0,
// which goes back as 10.0).
bool is_id(const Json& json);

// Takes a JSON value apart. A batch is none of these and comes out as invalid.
Message classify(Json json);

Json result_response(const Json& id, Json result);
// `id` null: the id could not be read, and stands as null or is left out.
Json error_response(const Json& id, const RpcError& error, bool null_id);
Json notification(const char* method, Json params);
Json request(const Json& id, const char* method);

}  // namespace memfs::mcp
