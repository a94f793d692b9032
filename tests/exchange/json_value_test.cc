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

}  // namespace
}  // namespace memfs::testing
