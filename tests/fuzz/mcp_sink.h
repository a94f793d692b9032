// What a server says while it is fuzzed: every line must be valid JSON-RPC.
#pragma once

#include <string>

#include "cli/mcp/protocol/session.h"
#include "tests/fuzz/require.h"

namespace memfs::testing {

using mcp::Json;

inline void check_one(const Json& message) {
  REQUIRE(message.is_object() && message.at("jsonrpc") == "2.0");
  const int parts = static_cast<int>(message.contains("method")) +
                    static_cast<int>(message.contains("result")) +
                    static_cast<int>(message.contains("error"));
  REQUIRE(parts == 1);
  if (message.contains("result")) REQUIRE(mcp::is_id(message.at("id")));
  if (message.contains("error")) {
    const int code = message.at("error").at("code").get<int>();
    REQUIRE(code < -32019 || code > -32000 || code == -32002);
  }
}

class Sink final : public mcp::Link {
 public:
  void send(const Json& message) override {
    const std::string text = mcp::to_text(message);
    REQUIRE(text.find('\n') == std::string::npos);
    const auto again = mcp::parse_json(text);
    REQUIRE(again);
    if (!again->is_array()) return check_one(*again);
    REQUIRE(!again->empty());
    for (const Json& each : *again) check_one(each);
  }
  // A call that counts to a thousand million has its end here.
  bool cancelled(const Json& /*id*/) override { return ++questions_ % 100 == 0; }

 private:
  int questions_ = 0;
};

}  // namespace memfs::testing
