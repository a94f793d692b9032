// Tools, resources, prompts, completion, pages, progress, cancellation, subscriptions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mcp/conversation.h"

namespace memfs::testing {
namespace {

using mcp::Json;

std::string call(const std::string& tool, const std::string& arguments) {
  return R"({"name":")" + tool + R"(","arguments":)" + arguments + "}";
}

TEST(McpTools, ArgumentsThatAreMissingOrNullAreNone) {
  Conversation talk;
  talk.open("2025-11-25");
  for (const char* params :
       {R"({"name":"echo"})", R"({"name":"echo","arguments":null})",
        R"({"name":"echo","arguments":{}})", R"({"name":"echo","unknown":[1]})"})
    EXPECT_EQ(talk.ask("tools/call", params)["result"]["structuredContent"], Json::object());
}

TEST(McpTools, MalformedCallsAreErrorsAndTheNextIsServed) {
  Conversation talk;
  talk.open("2025-11-25");
  for (const char* params :
       {R"({"name":"echo","arguments":"x"})", R"({"name":"echo","arguments":[]})",
        R"({"name":"echo","arguments":5})", R"({"name":"nothing"})", R"({"name":5})",
        R"({"name":null})", "{}", "[]", "null"})
    EXPECT_EQ(code_of(talk.ask("tools/call", params)), -32602) << params;
  EXPECT_EQ(talk.service().calls(), 0);
  EXPECT_TRUE(talk.ask("tools/call", call("echo", "{}")).contains("result"));
}

TEST(McpTools, ArgumentsArriveAsTheyWereWritten) {
  Conversation talk;
  talk.open("2025-11-25");
  const std::string arguments = R"({"limit":10.0,"big":18446744073709551615,"none":null,"t":"é"})";
  const Json result = talk.ask("tools/call", call("echo", arguments))["result"];
  EXPECT_EQ(mcp::to_text(result["structuredContent"]), arguments);
  EXPECT_EQ(result["content"][0]["text"], arguments);
}

TEST(McpTools, ARefusalIsAResultAndAThrowAnError) {
  Conversation talk;
  talk.open("2025-11-25");
  const Json refused = talk.ask("tools/call", call("refuse", "{}"))["result"];
  EXPECT_EQ(refused["isError"], true);
  EXPECT_EQ(refused["content"][0]["text"], "that is refused");
  EXPECT_EQ(code_of(talk.ask("tools/call", call("throw", "{}"))), -32603);
  EXPECT_EQ(code_of(talk.ask("ping")), 0);
}

TEST(McpTools, NoMemberIsNewerThanTheRevision) {
  const auto first_tool = [](const char* revision) {
    Conversation talk;
    talk.open(revision);
    return talk.ask("tools/list")["result"]["tools"][0];
  };
  const auto names = [](const Json& json) {
    std::string all;
    for (const auto& [name, value] : json.items()) all += name + ' ';
    return all;
  };
  EXPECT_EQ(names(first_tool("2024-11-05")), "name description inputSchema ");
  EXPECT_EQ(names(first_tool("2025-03-26")), "name description inputSchema annotations ");
  EXPECT_EQ(names(first_tool("2025-06-18")),
            "name title description inputSchema outputSchema annotations ");
  EXPECT_EQ(mcp::to_text(first_tool("2025-03-26")["annotations"]),
            R"({"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,)"
            R"("openWorldHint":false})");
}

TEST(McpTools, StructuredContentCameWith20250618) {
  for (const char* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    Conversation talk;
    talk.open(revision);
    const Json result = talk.ask("tools/call", call("echo", R"({"a":1})"))["result"];
    EXPECT_EQ(result.contains("structuredContent"), std::string(revision) >= "2025-06-18");
    EXPECT_EQ(result["content"][0]["text"], R"({"a":1})");
  }
}

TEST(McpPages, AListInPagesIsWhole) {
  Conversation talk(7, 3);
  talk.open("2025-11-25");
  std::vector<std::string> uris;
  std::string params = "{}";
  for (int pages = 1; pages < 10; ++pages) {
    const Json result = talk.ask("resources/list", params)["result"];
    for (const Json& resource : result["resources"]) uris.push_back(resource["uri"]);
    if (!result.contains("nextCursor")) {
      EXPECT_EQ(pages, 3);
      break;
    }
    params = R"({"cursor":)" + mcp::to_text(result["nextCursor"]) + "}";
  }
  EXPECT_THAT(uris, ::testing::ElementsAre("note://1", "note://2", "note://3", "note://4",
                                           "note://5", "note://6", "note://7"));
}

TEST(McpPages, ACursorOfAnotherListOrOfNoneIsInvalid) {
  Conversation talk(7, 3);
  talk.open("2025-11-25");
  const Json cursor = talk.ask("tools/list")["result"]["nextCursor"];
  ASSERT_TRUE(cursor.is_string());
  const std::string params = R"({"cursor":)" + mcp::to_text(cursor) + "}";
  EXPECT_EQ(code_of(talk.ask("tools/list", params)), 0);
  EXPECT_EQ(code_of(talk.ask("resources/list", params)), -32602);
  for (const char* bad : {R"("")", R"("zz")", R"("abc")", "5", "{}", R"("é")"})
    EXPECT_EQ(code_of(talk.ask("tools/list", R"({"cursor":)" + std::string(bad) + "}")), -32602);
  EXPECT_EQ(code_of(talk.ask("tools/list", R"({"cursor":null})")), 0);
}

TEST(McpResources, AnUnknownResourceHasTheCodeOfTheEra) {
  Conversation talk;
  const Json modern = talk.ask_stateless("resources/read", {{"uri", "note://99"}});
  EXPECT_EQ(code_of(modern), -32602);
  talk.open("2025-11-25");
  const Json legacy = talk.ask("resources/read", R"({"uri":"note://99"})");
  EXPECT_EQ(code_of(legacy), -32002);
  EXPECT_EQ(legacy["error"]["message"], "no such note");
  EXPECT_EQ(legacy["error"]["data"]["hint"], "list the resources");
  EXPECT_EQ(legacy["error"]["data"]["uri"], "note://99");
}

TEST(McpResources, WhatIsReadMayBeKeptByTheReaderOnly) {
  Conversation talk;
  const Json result = talk.ask_stateless("resources/read", {{"uri", "note://1"}})["result"];
  EXPECT_EQ(result["contents"][0]["text"], "This is note-1");
  EXPECT_EQ(result["ttlMs"], 0);
  EXPECT_EQ(result["cacheScope"], "private");
}

TEST(McpPrompts, RequiredArgumentsMustBeStringsAndThere) {
  Conversation talk;
  talk.open("2025-11-25");
  const Json result =
      talk.ask("prompts/get", R"({"name":"greet","arguments":{"who":"Ada"}})")["result"];
  EXPECT_EQ(result["messages"][0]["content"]["text"], "Greet Ada");
  EXPECT_EQ(result["messages"][1]["role"], "assistant");
  for (const char* params : {R"({"name":"greet"})", R"({"name":"greet","arguments":{"who":null}})",
                             R"({"name":"greet","arguments":{"who":5}})",
                             R"({"name":"greet","arguments":[]})", R"({"name":"no"})", "{}"})
    EXPECT_EQ(code_of(talk.ask("prompts/get", params)), -32602) << params;
}

TEST(McpCompletion, AtMostAHundredValues) {
  Conversation talk(250);
  talk.open("2025-11-25");
  const auto complete = [&](const std::string& value) {
    return talk.ask("completion/complete",
                    R"({"ref":{"type":"ref/resource","uri":"note://{number}"},)"
                    R"("argument":{"name":"number","value":")" +
                        value + R"("},"context":{"arguments":{"a":"b"}}})")["result"]["completion"];
  };
  EXPECT_EQ(complete("")["values"].size(), 100U);
  EXPECT_EQ(complete("")["total"], 250);
  EXPECT_EQ(complete("")["hasMore"], true);
  EXPECT_EQ(mcp::to_text(complete("25")), R"({"values":["25","250"],"total":2,"hasMore":false})");
}

TEST(McpCompletion, WhatCannotBeCompletedIsInvalid) {
  Conversation talk;
  talk.open("2025-11-25");
  const std::string argument = R"(,"argument":{"name":"who","value":""}})";
  EXPECT_EQ(code_of(talk.ask("completion/complete",
                             R"({"ref":{"type":"ref/prompt","name":"greet"})" + argument)),
            0);
  for (const std::string ref :
       {R"({"type":"ref/prompt","name":"no"})", R"({"type":"ref/resource","uri":"no"})",
        R"({"type":"ref/other"})", "5", "null", R"({"type":"ref/prompt"})"})
    EXPECT_EQ(code_of(talk.ask("completion/complete", R"({"ref":)" + ref + argument)), -32602);
  EXPECT_EQ(
      code_of(talk.ask("completion/complete", R"({"ref":{"type":"ref/prompt","name":"greet"}})")),
      -32602);
}

TEST(McpProgress, IsToldToWhoAskedAndGrows) {
  Conversation talk;
  talk.open("2025-11-25");
  const auto all =
      talk.say_all(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count",)"
                   R"("arguments":{"n":3},"_meta":{"progressToken":"t"}}})");
  ASSERT_EQ(all.size(), 4U);
  for (int i = 0; i < 3; ++i) {
    const Json& params = all[static_cast<std::size_t>(i)]["params"];
    EXPECT_EQ(params["progressToken"], "t");
    EXPECT_EQ(params["progress"], i + 1);
    EXPECT_EQ(params["message"], "at " + std::to_string(i + 1));
  }
  EXPECT_EQ(all[3]["result"]["structuredContent"]["reached"], 3);
  EXPECT_EQ(talk.say_all(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)" +
                         call("count", R"({"n":3})") + "}")
                .size(),
            1U);
}

TEST(McpProgress, HasNoMessageBefore20250326) {
  Conversation talk;
  talk.open("2024-11-05");
  const auto all =
      talk.say_all(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count",)"
                   R"("arguments":{"n":1},"_meta":{"progressToken":7}}})");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(mcp::to_text(all[0]["params"]), R"({"progressToken":7,"progress":1,"total":1})");
}

TEST(McpCancellation, ACallThatIsTakenBackStopsAndIsNotAnswered) {
  Conversation talk;
  talk.open("2025-11-25");
  talk.cancel(1, 3);
  const auto all =
      talk.say_all(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count",)"
                   R"("arguments":{"n":100},"_meta":{"progressToken":"t"}}})");
  EXPECT_EQ(all.size(), 2U);
  EXPECT_EQ(all.back()["method"], "notifications/progress");
  EXPECT_EQ(talk.service().calls(), 1);
}

TEST(McpCancellation, ACallThatIsTakenBackBeforeItBeganIsNotBegun) {
  Conversation talk;
  talk.open("2025-11-25");
  talk.cancel(1);
  EXPECT_TRUE(talk.ask("tools/call", call("echo", "{}")).is_null());
  EXPECT_EQ(talk.service().calls(), 0);
}

TEST(McpSubscriptions, ASessionHearsOfWhatItSubscribedTo) {
  Conversation talk;
  talk.open("2025-11-25");
  EXPECT_EQ(talk.ask("resources/subscribe", R"({"uri":"note://1"})")["result"], Json::object());
  EXPECT_EQ(code_of(talk.ask("resources/subscribe", "{}")), -32602);
  const auto told = talk.tell({{"note://2", "note://1", "note://1"}, false, false});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(mcp::to_text(told[0]), R"({"jsonrpc":"2.0","method":"notifications/resources/updated",)"
                                   R"("params":{"uri":"note://1"}})");
  EXPECT_EQ(talk.tell({{}, true, false}).size(), 1U);
  EXPECT_EQ(talk.tell({{}, false, true}).size(), 1U);
  talk.ask("resources/unsubscribe", R"({"uri":"note://1"})");
  EXPECT_TRUE(talk.tell({{"note://1"}, true, false}).empty());
}

TEST(McpSubscriptions, WithoutASessionNothingIsToldUnasked) {
  Conversation talk;
  EXPECT_TRUE(talk.tell({{"note://1"}, true, true}).empty());
  talk.ask_stateless("tools/list");
  EXPECT_TRUE(talk.tell({{"note://1"}, true, true}).empty());
}

TEST(McpSubscriptions, AListenerIsAcknowledgedFirstAndItsNotificationsAreTagged) {
  Conversation talk;
  const Json acknowledged =
      talk.ask_stateless("subscriptions/listen",
                         {{"notifications", Json::parse(R"({"resourceSubscriptions":["note://1"],
        "resourcesListChanged":true,"toolsListChanged":true})")}});
  EXPECT_EQ(mcp::to_text(acknowledged),
            R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":)"
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":)"
            R"({"resourceSubscriptions":["note://1"],"resourcesListChanged":true}}})");
  const auto told = talk.tell({{"note://1", "note://2"}, false, true});
  ASSERT_EQ(told.size(), 2U);
  for (const Json& each : told)
    EXPECT_EQ(each["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
}

TEST(McpSubscriptions, AListenerEndsWithItsCancellation) {
  Conversation talk;
  const Json everything = {{"notifications", {{"resourcesListChanged", true}}}};
  talk.ask_stateless("subscriptions/listen", everything);
  EXPECT_EQ(code_of(talk.ask_stateless("subscriptions/listen", everything)), -32600);
  talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  EXPECT_EQ(talk.tell({{}, false, true}).size(), 1U);
  talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_TRUE(talk.tell({{}, false, true}).empty());
}

TEST(McpSubscriptions, MalformedAndTooManyAreRefused) {
  Conversation talk;
  for (const char* filter :
       {"{}", R"({"notifications":5})", R"({"notifications":{"resourceSubscriptions":"x"}})",
        R"({"notifications":{"resourceSubscriptions":[5]}})"})
    EXPECT_EQ(code_of(talk.ask_stateless("subscriptions/listen", Json::parse(filter))), -32602);
  Json uris = Json::array();
  for (int i = 0; i < 10'000; ++i) uris.push_back("note://" + std::to_string(i));
  EXPECT_EQ(code_of(talk.ask_stateless("subscriptions/listen",
                                       {{"notifications", {{"resourceSubscriptions", uris}}}})),
            -32602);
}

}  // namespace
}  // namespace memfs::testing
