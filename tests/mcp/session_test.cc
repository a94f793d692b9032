// Which revision serves a request, and what is answered to what is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mcp/conversation.h"

namespace memfs::testing {
namespace {

using mcp::Json;

TEST(McpSession, InitializeAnswersAKnownRevisionWithItselfAndOthersWithTheNewest) {
  for (const char* known : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    EXPECT_EQ(Conversation().open(known)["protocolVersion"], known);
  for (const char* unknown : {"9999-99-99", "banana", "", "2026-07-28"})
    EXPECT_EQ(Conversation().open(unknown)["protocolVersion"], "2025-11-25");
}

TEST(McpSession, InitializeWithoutAVersionIsInvalid) {
  Conversation talk;
  EXPECT_EQ(code_of(talk.ask("initialize", R"({"protocolVersion":5})")), -32602);
  EXPECT_EQ(code_of(talk.ask("initialize", "{}")), -32602);
  EXPECT_EQ(talk.open("2025-06-18")["protocolVersion"], "2025-06-18");
}

TEST(McpSession, InitializeTellsWhatTheServerOffers) {
  const Json result = Conversation().open("2025-06-18");
  EXPECT_EQ(mcp::to_text(result["capabilities"]),
            R"({"tools":{},"resources":{"subscribe":true,"listChanged":true},)"
            R"("prompts":{},"completions":{}})");
  EXPECT_EQ(result["serverInfo"]["title"], "A fixture");
  EXPECT_EQ(result["instructions"], "For tests.");
  const Json older = Conversation().open("2024-11-05");
  EXPECT_FALSE(older["capabilities"].contains("completions"));
  EXPECT_FALSE(older["serverInfo"].contains("title"));
}

TEST(McpSession, BeforeInitializeOnlyPingIsServedWithoutMeta) {
  Conversation talk;
  EXPECT_EQ(talk.ask("ping")["result"], Json::object());
  EXPECT_EQ(code_of(talk.ask("tools/list")), -32602);
  EXPECT_EQ(code_of(talk.ask("server/discover")), -32602);
}

TEST(McpSession, DiscoverTellsVersionsAndCapabilities) {
  const Json result = Conversation().ask_stateless("server/discover")["result"];
  EXPECT_EQ(result["supportedVersions"],
            Json::parse(R"(["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"])"));
  EXPECT_EQ(result["resultType"], "complete");
  EXPECT_EQ(result["ttlMs"], 60'000);
  EXPECT_EQ(result["cacheScope"], "private");
  EXPECT_EQ(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "fixture");
}

TEST(McpSession, AStatelessRequestMustSayVersionAndCapabilities) {
  Conversation talk;
  const auto with = [&](const std::string& meta) {
    return talk.ask("tools/list", R"({"_meta":{)" + meta + "}}");
  };
  const std::string version = R"("io.modelcontextprotocol/protocolVersion":)";
  const std::string capabilities = R"("io.modelcontextprotocol/clientCapabilities":)";
  EXPECT_EQ(code_of(with(version + R"("2026-07-28")")), -32602);
  EXPECT_EQ(code_of(with(version + R"("2026-07-28",)" + capabilities + "[]")), -32602);
  EXPECT_EQ(code_of(with(version + "7," + capabilities + "{}")), -32602);
  EXPECT_EQ(code_of(with(capabilities + "{}")), -32602);
  EXPECT_TRUE(with(version + R"("2026-07-28",)" + capabilities + "{}").contains("result"));
}

TEST(McpSession, AVersionThatIsNotServedIsAnsweredWithThoseThatAre) {
  Conversation talk;
  for (const char* version : {"2027-01-01", "2025-11-25", "x"}) {
    Json params = stateless(Json::object());
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version;
    const Json response = talk.ask("tools/list", mcp::to_text(params));
    EXPECT_EQ(code_of(response), -32022);
    EXPECT_EQ(response["error"]["data"]["requested"], version);
    EXPECT_EQ(response["error"]["data"]["supported"][0], "2026-07-28");
  }
}

TEST(McpSession, BothErasMayComeFromOneClient) {
  Conversation talk;
  talk.open("2024-11-05");
  EXPECT_FALSE(talk.ask("tools/list")["result"].contains("resultType"));
  EXPECT_EQ(talk.ask_stateless("tools/list")["result"]["resultType"], "complete");
  EXPECT_FALSE(talk.ask("tools/list")["result"].contains("resultType"));
}

TEST(McpSession, EachEraHasItsOwnMethods) {
  Conversation talk;
  for (const char* method : {"ping", "initialize", "resources/subscribe", "resources/unsubscribe",
                             "logging/setLevel", "roots/list"})
    EXPECT_EQ(code_of(talk.ask_stateless(method)), -32601) << method;
  talk.open("2025-11-25");
  for (const char* method : {"server/discover", "subscriptions/listen", "logging/setLevel",
                             "tasks/list", "notifications/initialized", ""})
    EXPECT_EQ(code_of(talk.ask(method)), -32601) << method;
}

TEST(McpSession, MethodsOfWhatAServerHasNotAreUnknown) {
  FixtureService service;
  service.mutable_info().resources = service.mutable_info().prompts = false;
  Conversation link;
  mcp::Session session(service, link);
  const auto ask = [&](const std::string& method) {
    session.receive(Json::parse(R"({"jsonrpc":"2.0","id":1,"method":")" + method +
                                R"(","params":)" + mcp::to_text(stateless(Json::object())) + "}"));
    return link.last();
  };
  EXPECT_FALSE(ask("server/discover")["result"]["capabilities"].contains("resources"));
  EXPECT_EQ(code_of(ask("resources/list")), -32601);
  EXPECT_EQ(code_of(ask("prompts/get")), -32601);
}

TEST(McpSession, IdsKeepTheirType) {
  Conversation talk;
  for (const char* id : {R"("abc")", R"("")", R"("1")", "0", "-1", "1", "10.0", "9007199254740993",
                         "18446744073709551615"}) {
    const Json response =
        talk.say(R"({"jsonrpc":"2.0","method":"ping","id":)" + std::string(id) + "}");
    EXPECT_EQ(mcp::to_text(response["id"]), id);
    EXPECT_TRUE(response.contains("result")) << id;
  }
}

TEST(McpSession, WhatIsNoIdIsRefused) {
  Conversation talk;
  for (const char* id : {"null", "{}", "[]", "true", "1.5", "123456789012345678901234567890"}) {
    const Json response =
        talk.say(R"({"jsonrpc":"2.0","method":"ping","id":)" + std::string(id) + "}");
    EXPECT_EQ(code_of(response), -32600) << id;
    EXPECT_TRUE(response["id"].is_null()) << id;
  }
}

TEST(McpSession, MalformedMessagesAreInvalidRequests) {
  Conversation talk;
  for (const char* line :
       {"1", "null", R"("x")", "{}", R"({"a":1})", R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
        R"({"id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":1})",
        R"({"jsonrpc":"2.0","id":1,"method":5})", R"({"jsonrpc":"2.0","method":5})", "[]"})
    EXPECT_EQ(code_of(talk.say(line)), -32600) << line;
}

TEST(McpSession, ParamsThatAreNoObjectAreInvalidAndNullIsNone) {
  Conversation talk;
  talk.open("2025-11-25");
  for (const char* params : {"[]", R"("x")", "5", "[1,2]"})
    EXPECT_EQ(code_of(talk.ask("tools/list", params)), -32602) << params;
  EXPECT_EQ(code_of(talk.ask("tools/list", "null")), 0);
  EXPECT_EQ(code_of(talk.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")), 0);
}

TEST(McpSession, NothingIsAnsweredToNotificationsAndResponses) {
  Conversation talk;
  for (const char* line : {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                           R"({"jsonrpc":"2.0","method":"no/such/method"})",
                           R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"throw"}})",
                           R"({"jsonrpc":"2.0","method":"ping","params":[]})",
                           R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
                           R"({"jsonrpc":"2.0","id":1,"result":{}})",
                           R"({"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m"}})"})
    EXPECT_TRUE(talk.say_all(line).empty()) << line;
}

TEST(McpSession, ABrokenLineIsAnsweredWithIdNullUntil20251125) {
  Conversation talk;
  EXPECT_EQ(
      mcp::to_text(talk.say("{")),
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON at byte 2"}})");
  talk.ask("ping");  // says nothing of a revision
  EXPECT_TRUE(talk.say("{").contains("id"));
  talk.open("2025-06-18");
  EXPECT_TRUE(talk.say("{").contains("id"));
  talk.open("2025-11-25");
  EXPECT_EQ(code_of(talk.say("{")), -32700);
  EXPECT_FALSE(talk.say("{").contains("id"));
  EXPECT_FALSE(talk.say("5").contains("id"));
  EXPECT_TRUE(talk.ask("ping").contains("result"));
  Conversation modern;
  modern.ask_stateless("tools/list");
  EXPECT_FALSE(modern.say("{").contains("id"));
}

TEST(McpSession, BatchesAreServedUnder20250326Only) {
  const std::string batch = R"([{"jsonrpc":"2.0","id":1,"method":"ping"},)"
                            R"({"jsonrpc":"2.0","method":"notifications/initialized"},5,)"
                            R"({"jsonrpc":"2.0","id":"x","method":"no"}])";
  for (const char* revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    Conversation talk;
    EXPECT_EQ(code_of(talk.say(batch)), -32600);
    talk.open(revision);
    EXPECT_EQ(code_of(talk.say(batch)), -32600) << revision;
  }
  Conversation talk;
  talk.open("2025-03-26");
  const Json answers = talk.say(batch);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["id"], 1);
  EXPECT_EQ(code_of(answers[1]), -32600);
  EXPECT_EQ(code_of(answers[2]), -32601);
}

TEST(McpSession, OddBatchesAreRefusedAsOne) {
  Conversation talk;
  talk.open("2025-03-26");
  EXPECT_EQ(code_of(talk.say("[]")), -32600);
  EXPECT_TRUE(talk.say_all(R"([{"jsonrpc":"2.0","method":"x"}])").empty());
  std::string many = "[1";
  for (int i = 0; i < 1000; ++i) many += ",1";
  EXPECT_EQ(code_of(talk.say(many + "]")), -32600);
  const Json opened = talk.say(
      R"([{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}])");
  EXPECT_EQ(code_of(opened[0]), -32600);
}

TEST(McpSession, ANewSessionReplacesTheOld) {
  Conversation talk;
  talk.open("2025-11-25");
  EXPECT_TRUE(talk.ask("tools/list")["result"]["tools"][0].contains("title"));
  talk.open("2024-11-05");
  EXPECT_FALSE(talk.ask("tools/list")["result"]["tools"][0].contains("title"));
}

TEST(McpSession, AnEndlessNameIsNotRepeatedInTheError) {
  Conversation talk;
  talk.open("2025-11-25");
  const Json response = talk.ask(std::string(100'000, 'x'));
  EXPECT_LT(mcp::to_text(response).size(), 500U);
}

TEST(McpRoots, AClientThatHasRootsIsAskedAndMayChangeThem) {
  Conversation talk;
  talk.service().ask_for_roots();
  talk.open("2025-06-18", R"({"roots":{"listChanged":true}})");
  const Json asked = talk.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(asked["method"], "roots/list");
  EXPECT_TRUE(talk.session().awaits_roots());
  talk.say(R"({"jsonrpc":"2.0","id":"roots-1","result":{"roots":[{"uri":"file:///a"},{},5]}})");
  EXPECT_FALSE(talk.session().awaits_roots());
  EXPECT_EQ(talk.service().roots(), std::vector<std::string>{"file:///a"});
  const Json again = talk.say(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
  EXPECT_EQ(again["id"], "roots-2");
  talk.say(R"({"jsonrpc":"2.0","id":"roots-1","result":{"roots":[{"uri":"file:///old"}]}})");
  EXPECT_TRUE(talk.session().awaits_roots());
  talk.say(R"({"jsonrpc":"2.0","id":"roots-2","error":{"code":-32603,"message":"no"}})");
  EXPECT_FALSE(talk.session().awaits_roots());
  EXPECT_EQ(talk.service().roots(), std::vector<std::string>{"file:///a"});
}

TEST(McpRoots, AClientWithoutRootsIsNotAsked) {
  Conversation talk;
  talk.service().ask_for_roots();
  talk.open("2025-06-18");
  EXPECT_TRUE(talk.say_all(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").empty());
  EXPECT_FALSE(talk.session().awaits_roots());
}

}  // namespace
}  // namespace memfs::testing
