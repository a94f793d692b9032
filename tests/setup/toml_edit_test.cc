// A table goes into settings in TOML and out again: nothing else changes, not a byte.
#include "libmemfs/setup/toml_edit.h"

#include <gtest/gtest.h>

namespace memfs::setup {
namespace {

const TomlPath kPath = {"mcp_servers", "mem"};
const TomlKeys kKeys = {{"command", "\"/usr/bin/mem\""}, {"args", "[\"mcp\"]"}};

std::string round_trip(const std::string& text) {
  const BlockInsertion made = insert_toml_table(text, kPath, kKeys);
  const auto table = find_toml_table(made.text, kPath);
  if (!table || !*table) return "not found again";
  return remove_block(made.text, (*table)->begin, (*table)->end, made.footprint);
}

TEST(TomlEdit, ATableGoesToTheEnd) {
  EXPECT_EQ(insert_toml_table("", kPath, kKeys).text,
            "[mcp_servers.mem]\ncommand = \"/usr/bin/mem\"\nargs = [\"mcp\"]\n");
  EXPECT_EQ(insert_toml_table("model = \"x\"", kPath, kKeys).text,
            "model = \"x\"\n\n[mcp_servers.mem]\ncommand = \"/usr/bin/mem\"\nargs = [\"mcp\"]\n");
  EXPECT_EQ(insert_toml_table("a = 1\r\n\r\n", kPath, kKeys).text,
            "a = 1\r\n\r\n[mcp_servers.mem]\r\ncommand = \"/usr/bin/mem\"\r\nargs = [\"mcp\"]\r\n");
}

const std::vector<std::string> kTexts = {
    "",
    "\n",
    "\n\n",
    "\xEF\xBB\xBF",
    "\xEF\xBB\xBF"
    "a = 1\n",
    "a = 1",
    "a = 1\n",
    "a = 1\n\n",
    "a = 1\r\n",
    "a = 1\r\n# end",
    "# only a comment",
    "[x]\ny = '''\n[mcp_servers.mem]\n'''\n",
    "[x]\ny = \"\"\"a\\\"\"\"\" # c\n",
    "a = [\n  1, # one\n  [2, 3],\n]\n",
    "t = { a = 1, \"b c\" = [\"]\", '}'] }\n",
    "[[list]]\nd = 1979-05-27T07:32:00Z\n",
    "[ mcp_servers . other ]\ncommand = \"x\"\n[mcp_servers.other.env]\nA = \"1\"\n",
    "mcp_servers.other.command = 'x'\n",
    "[mcp_servers]\n",
    "\"quoted.key\" = 1\n'lit' = 2\n\n\n   \n"};

TEST(TomlEdit, WhatComesOutIsWhatWentIn) {
  for (const std::string& text : kTexts) {
    const auto none = find_toml_table(text, kPath);
    ASSERT_TRUE(none) << text << none.error().message;
    EXPECT_FALSE(*none) << text;
    EXPECT_EQ(round_trip(text), text) << text;
  }
}

TEST(TomlEdit, AQuotedKeyIsReadAsWhatItSays) {
  for (const char* text : {"[mcp_servers.\"mem\"]\n", "['mcp_servers'.\"m\\u0065m\"]\n",
                           "\"mcp\\u005fservers\".mem.command = 'x'\n"}) {
    const auto table = find_toml_table(text, kPath);
    ASSERT_TRUE(table) << text;
    EXPECT_TRUE(*table) << text;
  }
  EXPECT_FALSE(*find_toml_table("[mcp_servers.'m\\u0065m']\n\"\\e\" = 1\n", kPath));
}

TEST(TomlEdit, WhatWasWrittenBehindItStays) {
  const BlockInsertion made = insert_toml_table("a = 1", kPath, kKeys);
  const std::string more = made.text + "\n# mine\n[other]\nb = 2\n";
  const auto table = find_toml_table(more, kPath);
  ASSERT_TRUE(table && *table);
  EXPECT_EQ(remove_block(more, (*table)->begin, (*table)->end, made.footprint),
            "a = 1\n\n# mine\n[other]\nb = 2\n");
}

TEST(TomlEdit, ATableIsFoundHoweverItIsWritten) {
  const auto plain = find_toml_table("[ \"mcp_servers\" . 'mem' ] # x\ncommand = 'y' # z\n", kPath);
  ASSERT_TRUE(plain && *plain);
  EXPECT_TRUE((*plain)->plain);
  ASSERT_EQ((*plain)->keys.size(), 1U);
  EXPECT_EQ((*plain)->keys[0].second, "'y'");
  for (const char* other :
       {"[mcp_servers]\nmem = { command = \"x\" }\n", "mcp_servers.mem.command = \"x\"\n",
        "[mcp_servers]\nmem.command = \"x\"\n", "[mcp_servers.mem.env]\nA = \"1\"\n",
        "[mcp_servers.mem]\ncommand = \"x\"\n[mcp_servers.mem.env]\nA = \"1\"\n",
        "[[mcp_servers.mem]]\ncommand = \"x\"\n"}) {
    const auto table = find_toml_table(other, kPath);
    ASSERT_TRUE(table && *table) << other;
    EXPECT_FALSE((*table)->plain) << other;
  }
}

TEST(TomlEdit, NothingIsAddedToAnInlineTable) {
  for (const char* text :
       {"a = 1\nmcp_servers = { x = { command = \"y\" } }\n", "a = 1\n[[mcp_servers]]\nb = 1\n"}) {
    const auto table = find_toml_table(text, kPath);
    ASSERT_FALSE(table) << text;
    EXPECT_EQ(table.error().code, ErrorCode::kRefused);
    EXPECT_EQ(table.error().line, 2);
  }
}

TEST(TomlEdit, AValueIsReplacedWhereItStands) {
  const auto changed = replace_toml_value(
      "[mcp_servers.mem] # x\n  command  =  'old' # y\nargs = []\n", kPath, "command", "\"new\"");
  ASSERT_TRUE(changed);
  EXPECT_EQ(*changed, "[mcp_servers.mem] # x\n  command  =  \"new\" # y\nargs = []\n");
}

TEST(TomlEdit, WhatIsNoTomlIsRefusedWithItsLine) {
  const std::vector<std::pair<std::string, int>> broken = {
      {"a = 1\nb\n", 2},  {"a = \"x\n", 1}, {"a = [1, 2\n\n", 1},
      {"[x\ny = 1\n", 1}, {"a = \n", 1},    {"a = 1 2 = 3\n[y] z\n", 2},
      {"a = '''x\n", 1},  {"= 1\n", 1},     {"a = [1 [2]]\n", 1},
      {"a = \xFF\n", 1}};
  for (const auto& [text, line] : broken) {
    const auto table = find_toml_table(text, kPath);
    ASSERT_FALSE(table) << text;
    EXPECT_EQ(table.error().code, ErrorCode::kInvalid) << text;
    EXPECT_EQ(table.error().line, line) << text;
  }
}

}  // namespace
}  // namespace memfs::setup
