#include "tests/mcp/talk.h"

#include <utility>

namespace memfs::testing {

using mcp::Json;

std::vector<Json> Talk::say_all(std::string_view line) {
  sent_.clear();
  if (auto json = mcp::parse_json(line)) {
    session_.receive(std::move(*json));
  } else {
    session_.receive_broken(json.error().message);
  }
  for (const Json& message : sent_) messages_.keep(line, message);
  return sent_;
}

Json Talk::say(std::string_view line) {
  const auto all = say_all(line);
  return all.size() == 1 ? all.front() : Json();
}

Json Talk::ask(const std::string& method, const std::string& params) {
  return say(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}");
}

Json Talk::ask_stateless(const std::string& method, Json params) {
  return ask(method, mcp::to_text(stateless(std::move(params))));
}

Json Talk::open(const std::string& revision, const std::string& capabilities) {
  Json response =
      ask("initialize", R"({"protocolVersion":")" + revision + R"(","capabilities":)" +
                            capabilities + R"(,"clientInfo":{"name":"test","version":"1"}})");
  return response.contains("result") ? response["result"] : response;
}

std::vector<Json> Talk::tell(const mcp::Changes& changes) {
  sent_.clear();
  session_.tell(changes);
  for (const Json& message : sent_) messages_.keep("", message);
  return sent_;
}

void Talk::cancel(const Json& id, int after_questions) {
  cancelled_ = id;
  questions_left_ = after_questions;
}

bool Talk::cancelled(const Json& id) {
  return !cancelled_.is_null() && cancelled_ == id && questions_left_-- <= 0;
}

int code_of(const Json& response) {
  return response.contains("error") ? response["error"]["code"].get<int>() : 0;
}

Json stateless(Json params) {
  Json& meta = params["_meta"];
  meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  meta["io.modelcontextprotocol/clientCapabilities"] = Json::object();
  meta["io.modelcontextprotocol/clientInfo"] = {{"name", "test"}, {"version", "1"}};
  return params;
}

}  // namespace memfs::testing
