// What the programs in which agents work tell their hooks, and how they take the answer.
#include "cli/hook_input.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace memfs::cli {
namespace {

TEST(HookInput, EachProgramIsUnderstood) {
  const HookInput claude = hook_input_of(
      R"({"session_id":"a","transcript_path":"/t","cwd":"/p","hook_event_name":"UserPromptSubmit","prompt":"hi"})");
  EXPECT_EQ(claude.session, "a");
  EXPECT_EQ(claude.folder, "/p");
  EXPECT_EQ(claude.event, "UserPromptSubmit");
  EXPECT_EQ(claude.prompt, "hi");
  const HookInput code =
      hook_input_of(R"({"sessionId":"b","cwd":"/q","hookEventName":"SessionStart"})");
  EXPECT_EQ(code.session, "b");
  EXPECT_EQ(code.event, "SessionStart");
  const HookInput cursor = hook_input_of(
      R"({"conversation_id":"c","workspace_roots":["/r","/s"],"hook_event_name":"sessionStart"})");
  EXPECT_EQ(cursor.session, "c");
  EXPECT_EQ(cursor.folder, "/r");
}

TEST(HookInput, WhatIsNoObjectIsNothing) {
  for (const char* text :
       {"", "{", "[]", "null", "\"x\"", "{\"cwd\": \"/p\"} x", "{\"cwd\": \"\xFF\"}"})
    EXPECT_EQ(hook_input_of(text).folder, "") << text;
  EXPECT_EQ(hook_input_of(R"({"cwd": 5, "prompt": null, "session_id": {"a": 1}})").session, "");
}

TEST(HookInput, AFolderThatIsToldAndIsNoPathIsNowhere) {
  for (const char* text : {R"({"cwd": 5})", R"({"cwd": ""})", R"({"workspace_roots": []})",
                           R"({"workspace_roots": [null]})", R"({"cwd": {"path": "/p"}})"})
    EXPECT_TRUE(hook_input_of(text).nowhere) << text;
  for (const char* text : {"{}", R"({"cwd": null})", R"({"cwd": "/p"})", "not JSON",
                           R"({"cwd": null, "workspace_roots": ["/p"]})"})
    EXPECT_FALSE(hook_input_of(text).nowhere) << text;
}

TEST(HookOutput, TheFormFollowsTheEvent) {
  for (const char* event : {"SessionStart", "UserPromptSubmit", "BeforeAgent"}) {
    EXPECT_EQ(hook_format_of(event), HookFormat::kSpecific);
    const auto json =
        nlohmann::json::parse(hook_output(HookFormat::kSpecific, event, "a \"b\"\n\x01\xFF"));
    EXPECT_EQ(json["hookSpecificOutput"]["hookEventName"], event);
    EXPECT_EQ(json["hookSpecificOutput"]["additionalContext"], "a \"b\"\n\x01\xEF\xBF\xBD");
  }
  EXPECT_EQ(hook_format_of("sessionStart"), HookFormat::kCursor);
  EXPECT_EQ(nlohmann::json::parse(
                hook_output(HookFormat::kCursor, "sessionStart", "x"))["additional_context"],
            "x");
  EXPECT_EQ(hook_format_of(""), HookFormat::kText);
  EXPECT_EQ(hook_output(HookFormat::kText, "", "x"), "x\n");
}

TEST(HookOutput, NothingToSayIsNoOutputButWhereAWordIsWaitedFor) {
  EXPECT_EQ(hook_output(HookFormat::kSpecific, "UserPromptSubmit", ""), "");
  EXPECT_EQ(hook_output(HookFormat::kText, "", ""), "");
  EXPECT_EQ(hook_output(HookFormat::kCursor, "sessionStart", ""), "{}\n");
  EXPECT_EQ(hook_output(HookFormat::kCursor, "beforeSubmitPrompt", "x"), "{\"continue\":true}\n");
}

}  // namespace
}  // namespace memfs::cli
