#include "cli/mcp/protocol/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace memfs::mcp {
namespace {

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

std::string round_trip(const std::string& text) {
  const auto json = parse_json(text);
  return json ? to_text(*json) : "refused: " + json.error().message;
}

TEST(JsonText, KeepsMembersInTheirOrderAndNumbersInTheirKind) {
  EXPECT_EQ(round_trip(R"({"z":1,"a":{"y":[],"b":{}},"m":[null,true,"x"]})"),
            R"({"z":1,"a":{"y":[],"b":{}},"m":[null,true,"x"]})");
  EXPECT_EQ(round_trip("10.0"), "10.0");
  EXPECT_EQ(round_trip("[-9223372036854775808,18446744073709551615,0,-1]"),
            "[-9223372036854775808,18446744073709551615,0,-1]");
}

TEST(JsonText, SixtyFourLevelsPassAndOneMoreDoesNot) {
  EXPECT_TRUE(parse_json(nested(64)));
  EXPECT_FALSE(parse_json(nested(65)));
  EXPECT_FALSE(parse_json(nested(100'000)));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  EXPECT_NE(round_trip(objects).find("64 levels"), std::string::npos);
}

TEST(JsonText, WhatIsNotJsonIsRefusedWithItsPlace) {
  EXPECT_EQ(round_trip(R"({"a":1,})"), "refused: not JSON at byte 8");
  for (const char* text :
       {"", "{", R"({"jsonrpc":"2.0","method":"test","params":)", "{} {}", "\xff\xfe", "\"\xff\"",
        "\"\xed\xa0\x80\"", R"("\ud83d")", "\"a\tb\"", "01", "1e999", "nul", "'a'", "NaN"})
    EXPECT_FALSE(parse_json(text)) << text;
}

TEST(JsonText, ANulIsNoEnd) {
  EXPECT_FALSE(parse_json(std::string("{}\0", 3)));
  EXPECT_FALSE(parse_json(std::string("{}\0{\"a\":1}", 10)));
}

TEST(JsonText, AMemberThatComesTwiceIsRefusedInSmallAndLargeObjects) {
  EXPECT_EQ(round_trip(R"({"a":1,"a":2})"), "refused: a member comes twice: a");
  EXPECT_TRUE(parse_json(R"([{"a":1},{"a":{"a":1}}])"));
  std::string large = "{";
  for (int i = 0; i < 50; ++i) large += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(parse_json(large + R"("new":1})"));
  EXPECT_FALSE(parse_json(large + R"("k3":1})"));
  EXPECT_FALSE(parse_json(large + R"("k49":1})"));
}

TEST(JsonText, ManyMembersCostNoMoreThanTheirNumber) {
  std::string text = "{\"\":0";
  for (int i = 0; i < 200'000; ++i) text += ",\"k" + std::to_string(i) + "\":0";
  const auto json = parse_json(text + "}");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->size(), 200'001U);
}

TEST(JsonText, TextThatIsNotUtf8GoesOutReplaced) {
  EXPECT_EQ(to_text(Json("a\xff"
                         "b\n")),
            "\"a\xEF\xBF\xBD"
            "b\\n\"");
}

TEST(JsonText, NullMeansNotGiven) {
  const Json json = {{"a", nullptr}, {"b", 1}, {"c", "x"}};
  EXPECT_EQ(member(json, "a"), nullptr);
  EXPECT_EQ(*member(json, "b"), 1);
  EXPECT_EQ(member(json, "d"), nullptr);
  EXPECT_EQ(member(Json::array(), "a"), nullptr);
  EXPECT_EQ(string_member(json, "b"), nullptr);
  EXPECT_EQ(*string_member(json, "c"), "x");
}

}  // namespace
}  // namespace memfs::mcp
