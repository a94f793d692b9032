// One entry goes into settings in JSON and out again: nothing else changes, not a byte.
#include "libmemfs/setup/json_edit.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace memfs::setup {
namespace {

using Json = nlohmann::json;

const JsonPath kServers = {"mcpServers"};
constexpr std::string_view kEntry = R"({"command":"/usr/bin/mem","args":["mcp"]})";

std::string put_in(std::string_view text) {
  const auto made = insert_json(text, kServers, "mem", kEntry);
  return made ? made->text : "failed: " + made.error().message;
}

std::string meaning(std::string_view text) {
  const auto node = parse_json(text);
  return node ? canonical(*node) : "failed: " + node.error().message;
}

std::size_t index_in(std::string_view text, const JsonPath& path, const std::string& key) {
  const auto root = parse_json(text);
  const JsonNode* container = container_at(*root, path);
  std::size_t index = container->items.size() - 1;  // of a list: the last one
  for (std::size_t i = 0; i < container->items.size(); ++i)
    if (!key.empty() && container->items[i].key == key) index = i;
  return index;
}

// What remains of a text after an entry was put in and taken out.
std::string round_trip(std::string_view text, const JsonPath& path, const std::string& key) {
  const auto made = insert_json(text, path, key, kEntry);
  if (!made) return "not put in: " + made.error().message;
  const auto back = remove_json(made->text, path, index_in(made->text, path, key), made->footprint);
  return back ? *back : "not taken out: " + back.error().message;
}

TEST(JsonEdit, AnEntryStandsAsItsNeighboursDo) {
  EXPECT_EQ(
      put_in("{\n    \"mcpServers\": {\n        \"a\": {}\n    }\n}\n"),
      "{\n    \"mcpServers\": {\n        \"a\": {},\n        \"mem\": {\n            "
      "\"command\": \"/usr/bin/mem\",\n            \"args\": [\"mcp\"]\n        }\n    }\n}\n");
  EXPECT_EQ(put_in("{\r\n\t\"mcpServers\": {}\r\n}"),
            "{\r\n\t\"mcpServers\": {\r\n\t\t\"mem\": {\r\n\t\t\t\"command\": "
            "\"/usr/bin/mem\",\r\n\t\t\t\"args\": [\"mcp\"]\r\n\t\t}\r\n\t}\r\n}");
  EXPECT_EQ(put_in(R"({"mcpServers":{"a":1},"b":2})"),
            R"({"mcpServers":{"a":1,"mem":{"command":"/usr/bin/mem","args":["mcp"]}},"b":2})");
  EXPECT_EQ(put_in(R"({"mcpServers": {"a": 1}})"),
            R"({"mcpServers": {"a": 1, "mem": {"command": "/usr/bin/mem", "args": ["mcp"]}}})");
}

TEST(JsonEdit, CommentsAndLastCommasStayWhereTheyBelong) {
  EXPECT_EQ(
      put_in("{\n  \"mcpServers\": {\n    \"a\": 1 // the first\n    // the end\n  },\n}\n"),
      "{\n  \"mcpServers\": {\n    \"a\": 1, // the first\n    \"mem\": {\n      \"command\": "
      "\"/usr/bin/mem\",\n      \"args\": [\"mcp\"]\n    }\n    // the end\n  },\n}\n");
  EXPECT_EQ(put_in("{\n  \"mcpServers\": {\n    \"a\": 1, /* c */\n  },\n}\n"),
            "{\n  \"mcpServers\": {\n    \"a\": 1, /* c */\n    \"mem\": {\n      \"command\": "
            "\"/usr/bin/mem\",\n      \"args\": [\"mcp\"]\n    },\n  },\n}\n");
}

TEST(JsonEdit, ACommentEndsWhereReadersEndIt) {
  const std::string text = put_in("{\n  \"mcpServers\": {\n    \"a\": 1 /*/ c */\n  }\n}\n");
  EXPECT_TRUE(text.starts_with("{\n  \"mcpServers\": {\n    \"a\": 1, /*/ c */\n    \"mem\": {"))
      << text;
}

TEST(JsonEdit, WhatIsMissingIsMadeAndATextOfNothingBecomesAnObject) {
  EXPECT_EQ(put_in(""),
            "{\n  \"mcpServers\": {\n    \"mem\": {\n      \"command\": "
            "\"/usr/bin/mem\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n");
  EXPECT_EQ(meaning(put_in("\xEF\xBB\xBF{\"theme\": \"dark\"}")),
            R"({"mcpServers":{"mem":{"args":["mcp"],"command":"/usr/bin/mem"}},"theme":"dark"})");
}

TEST(JsonEdit, WhatComesOutIsWhatWentIn) {
  const std::vector<std::string> texts = {"",
                                          "\n",
                                          "\xEF\xBB\xBF",
                                          "\xEF\xBB\xBF\r\n",
                                          "{}",
                                          "{ }",
                                          "{\n}",
                                          "{ \n}\n",
                                          "{\r\n}\r\n",
                                          "{\n\n}",
                                          "{/* c */}",
                                          "{ /* c */ }",
                                          "{ // c\n}",
                                          "{\n  // c\n}\n",
                                          "{\n  // c  \n\n}\n",
                                          "// c\n{}\n",
                                          R"({"a":1})",
                                          R"({ "a" : 1 })",
                                          R"({"a": 1, })",
                                          "{\"a\": 1 // c\n}",
                                          "{\"a\": 1, // c\n}",
                                          "{\"a\": 1 /* c */}",
                                          "{\"a\": 1 /* c */ , /* d */ }",
                                          "{\n  \"a\": 1\n}",
                                          "{\n\n\n  \"a\": 1\n\n}",
                                          "{\n  \"a\": 1, \"b\": 2\n}\n",
                                          "{\"a\": [\n1,\n2]}",
                                          "{\"mcpServers\": {}}",
                                          "{\"mcpServers\": { }}",
                                          "{\"mcpServers\":{\n}}",
                                          "{\n\"mcpServers\": {\n\"x\": {}}\n}",
                                          "{\n  \"mcpServers\": {\n  // none\n  }\n}",
                                          "{\"list\": []}",
                                          "{\"list\": [1]}",
                                          "{\"list\": [\n  1, // one\n  2 // two\n]}",
                                          "{\"list\": [1,]}",
                                          "{\"mcpServers\": {\"x\": 1\n}}",
                                          "\t{\n\t\t\"a\": \"\\u00e4}//\"\n\t}"};
  for (const std::string& text : texts) {
    EXPECT_EQ(round_trip(text, kServers, "mem"), text) << text;
    EXPECT_EQ(round_trip(text, {}, "mem"), text) << text;
    EXPECT_EQ(round_trip(text, {"x", "y"}, "mem"), text) << text;
    EXPECT_EQ(round_trip(text, {"list"}, ""), text) << text;
    EXPECT_EQ(round_trip(text, {"hooks", "SessionStart"}, ""), text) << text;
  }
}

// Random settings, in random layout, with their meaning.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}

  bool last_commas = false;
  std::string object(int depth, Json& meaning) { return container(depth, meaning, true); }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string blank() {
    static const std::vector<std::string> kBlanks = {
        "", " ", "\n", "\n  ", "\r\n\t", "// x\n", "/* y */ ", "\n    // {,}\n", "  ", "\n\n /**/"};
    return below(3) == 0 ? kBlanks[below(static_cast<unsigned>(kBlanks.size()))] : "";
  }
  std::string container(int depth, Json& meaning, bool object) {
    meaning = object ? Json::object() : Json::array();
    std::string out = object ? "{" : "[";
    const unsigned count = below(4);
    for (unsigned i = 0; i < count; ++i) {
      Json value;
      const std::string key = "k" + std::to_string(i);
      out += blank() + (object ? "\"" + key + "\"" + blank() + ":" : "") + blank();
      out += item(depth, value) + blank();
      if (i + 1 < count || below(4) == 0) {
        last_commas = last_commas || i + 1 == count;
        out += "," + blank();
      }
      if (object) {
        meaning[key] = value;
      } else {
        meaning.push_back(value);
      }
    }
    return out + blank() + (object ? "}" : "]");
  }
  std::string item(int depth, Json& meaning) {
    if (depth > 0 && below(2) == 0) return container(depth - 1, meaning, below(3) > 0);
    static const std::vector<std::string> kScalars = {"1",
                                                      "-2.5e3",
                                                      "true",
                                                      "null",
                                                      "\"\"",
                                                      "\"a // b, }\"",
                                                      "\"\\\"\\\\\"",
                                                      "false",
                                                      "\"\\ud83d\\ude00 \xC3\xA4\""};
    const std::string& text = kScalars[below(static_cast<unsigned>(kScalars.size()))];
    meaning = Json::parse(text);
    return text;
  }
  std::mt19937 random_;
};

TEST(JsonEdit, InRandomSettingsTheEntryIsAllThatIsAdded) {
  int put = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomText random(seed);
    Json before;
    const std::string text = random.object(3, before);
    ASSERT_EQ(Json::parse(meaning(text)), before) << text;
    for (const JsonPath& path :
         {JsonPath{}, JsonPath{"k0"}, JsonPath{"k1", "new"}, JsonPath{"k0", "k0"}}) {
      const auto made = insert_json(text, path, "mem", kEntry);
      if (!made) {
        EXPECT_EQ(made.error().code, ErrorCode::kRefused);
        continue;
      }
      Json after = before;
      Json* place = &after;
      for (const std::string& key : path) place = &(*place)[key];
      (*place)["mem"] = Json::parse(kEntry);
      ASSERT_EQ(Json::parse(meaning(made->text)), after) << text;
      if (!random.last_commas) {
        ASSERT_EQ(Json::parse(made->text, nullptr, true, true), after) << text;
      }
      ASSERT_EQ(round_trip(text, path, "mem"), text);
      ++put;
    }
  }
  EXPECT_GT(put, 6000);
}

TEST(JsonEdit, AContainerInWhichSomethingElseMovedInStays) {
  const auto made = insert_json("{}", kServers, "mem", kEntry);
  ASSERT_TRUE(made);
  const auto other = insert_json(made->text, kServers, "other", "1");
  ASSERT_TRUE(other);
  const auto left = remove_json(other->text, kServers, 0, made->footprint);
  ASSERT_TRUE(left);
  EXPECT_EQ(*left, "{\n  \"mcpServers\": {\n    \"other\": 1\n  }\n}");
}

TEST(JsonEdit, AContainerWithACommentStays) {
  const auto made = insert_json("{}", kServers, "mem", kEntry);
  ASSERT_TRUE(made);
  std::string text = made->text;
  text.insert(text.find("{\n    \"mem\"") + 1, " // mine");
  const auto left = remove_json(text, kServers, 0, made->footprint);
  ASSERT_TRUE(left);
  EXPECT_NE(left->find("// mine"), std::string::npos) << *left;
}

TEST(JsonEdit, AValueIsReplacedWhereItStands) {
  const std::string text =
      "{\n  \"mcpServers\": {\n    \"mem\": {\"command\": \"old\"}, // x\n  }\n}\n";
  const auto changed = replace_json(text, kServers, 0, R"({"command":"new"})");
  ASSERT_TRUE(changed);
  EXPECT_EQ(*changed,
            "{\n  \"mcpServers\": {\n    \"mem\": {\"command\": \"new\"}, // x\n  }\n}\n");
}

TEST(JsonEdit, WhatIsNoJsonIsRefusedWithItsPlace) {
  const std::vector<std::tuple<std::string, int, int>> broken = {
      {"{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3},
      {"{\"a\": }", 1, 7},
      {"{\"a\": \"x\n\"}", 1, 7},
      {"{", 1, 2},
      {"{} x", 1, 4},
      {"{\"a\" 1}", 1, 6},
      {"{\"a\": 01}", 1, 7},
      {"{'a': 1}", 1, 2},
      {"/* {}", 1, 1},
      {"{\"a\": \"\\x\"}", 1, 8},
      {"{\"a\": \xFF}", 1, 7},
      {"[1 2]", 1, 4},
      {"{\"a\": 1,, }", 1, 9}};
  for (const auto& [text, line, column] : broken) {
    const auto made = insert_json(text, kServers, "mem", kEntry);
    ASSERT_FALSE(made) << text;
    EXPECT_EQ(made.error().code, ErrorCode::kInvalid) << text;
    EXPECT_EQ(made.error().line, line) << text;
    EXPECT_EQ(made.error().column, column) << text;
  }
  EXPECT_FALSE(parse_json(std::string(100000, '[')));
}

TEST(JsonEdit, AListWhereAnObjectIsWantedIsRefused) {
  for (const char* text : {"[]", "1", R"({"mcpServers": []})", R"({"mcpServers": "x"})"}) {
    const auto made = insert_json(text, kServers, "mem", kEntry);
    ASSERT_FALSE(made) << text;
    EXPECT_EQ(made.error().code, ErrorCode::kRefused) << text;
  }
  EXPECT_FALSE(insert_json(R"({"a": {}})", {"a"}, "", "1"));
}

}  // namespace
}  // namespace memfs::setup
