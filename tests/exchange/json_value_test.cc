#include "libmemfs/exchange/json_value.h"

#include <gtest/gtest.h>

namespace memfs::testing {
namespace {

TEST(JsonValue, KnowsTheLineOfEachValueAndOfEachFault) {
  const auto value = parse_json("{\n \"a\": [\n  {\"b\": 1}\n ]\n}", "/x.json");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->find("a")->items[0].line, 3);
  const auto fault = parse_json("{\n \"a\": 1,\n  x\n}", "/x.json");
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().line, 3);
  EXPECT_EQ(fault.error().column, 3);
  EXPECT_EQ(parse_json("[1, 2", "/x.json").error().message, "it ends in the middle of a value");
  for (const char* text :
       {"\"\\ud800\"", "\"\\u0000\"", "\"\xFF\"", "nul", "", "1 2", "{\"a\":1,\"a\":2}"})
    EXPECT_FALSE(parse_json(text, "/x.json")) << text;
  const std::string same = R"({"a":[1,-2.50,1e300,true,null],"b":{"ü":"\"\n"}})";
  const auto again = parse_json(same, "/x.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(json_text(*again), same);
}

TEST(JsonValue, ANumberAtTheEndOfItsLineIsOnThatLine) {
  const auto value = parse_json("[\n1\n,\n[2\n],\n-0.5]\n", "/x.json");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->items[0].line, 2);
  EXPECT_EQ(value->items[1].line, 4);
  EXPECT_EQ(value->items[1].items[0].line, 4);
  EXPECT_EQ(value->items[2].line, 6);
}

TEST(JsonValue, AKeyThatIsGivenTwiceIsNamedInAFewWords) {
  const std::string key(100000, 'k');
  const auto value = parse_json("{\"" + key + "\":1,\n\"" + key + "\":2}", "/x.json");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().line, 2);
  EXPECT_LT(value.error().message.size(), 200U);
}

TEST(JsonValue, ATextOfNothingButValuesEndsBeforeItTakesTheMemory) {
  EXPECT_TRUE(parse_json("[0,{\"a\":[]}]", "/x.json", 1, 4));
  for (const char* text : {"[0,{\"a\":[]},\n0]", "[0,0,0,\n[]]", "[[],[],[],\n{}]"}) {
    const auto value = parse_json(text, "/x.json", 1, 4);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().message, "it has more than 4 values");
    EXPECT_EQ(value.error().line, 2);
  }
}

}  // namespace
}  // namespace memfs::testing
