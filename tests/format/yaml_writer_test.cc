#include "libmemfs/format/yaml_writer.h"

#include <gtest/gtest.h>

#include "libmemfs/format/yaml_reader.h"

namespace memfs {
namespace {

const char* const kTexts[] = {"plain words",
                              "Fix: the parser",
                              "no",
                              "Yes",
                              "y",
                              "N",
                              "null",
                              "~",
                              "true",
                              "1e3",
                              "007",
                              "0x1F",
                              "1_000",
                              "12:30:45",
                              "2026-03-10",
                              ".inf",
                              "-",
                              "- x",
                              "? x",
                              "a #b",
                              "#a",
                              "x:",
                              "a: b",
                              "'tis",
                              "\"q\"",
                              "C:\\Users\\new",
                              "a\nb",
                              "a\tb",
                              "  lead",
                              "trail ",
                              "",
                              " ",
                              "@x",
                              "`x`",
                              "%x",
                              "&a",
                              "*a",
                              "!t",
                              "|",
                              ">",
                              "[a]",
                              "{a}",
                              "a, b",
                              "发布 分支",
                              "ทดสอบ",
                              "😀",
                              "\xC2\xA0x",
                              "a\u2028b",
                              "\x01",
                              "\x7F",
                              "=",
                              "<<",
                              "key: [",
                              "a]b",
                              "Ünï",
                              "nan",
                              "off",
                              "0o7",
                              "+1",
                              "...",
                              "---"};

TEST(YamlWriter, EveryTextReadsBackTheSameInBlockAndInBrackets) {
  for (const char* text : kTexts) {
    const auto block = read_yaml("k: " + yaml_scalar(text, false) + "\nz: 1\n");
    ASSERT_TRUE(block) << text << ": " << block.error().message;
    EXPECT_EQ(block->root.find("k")->text, text);
    EXPECT_EQ(block->root.find("k")->kind, YamlNode::Kind::kScalar) << text;
    const auto flow = read_yaml("k: " + yaml_list({text, "x"}) + "\n");
    ASSERT_TRUE(flow) << text;
    ASSERT_EQ(flow->root.find("k")->items.size(), 2U) << text;
    EXPECT_EQ(flow->root.find("k")->items[0].text, text);
    const auto braces = read_yaml("{k: " + yaml_scalar(text, true) + ", z: 1}\n");
    ASSERT_TRUE(braces) << text;
    EXPECT_EQ(braces->root.find("k")->text, text);
  }
}

TEST(YamlWriter, WhatAnotherReaderTakesForAnotherTypeIsQuoted) {
  for (const char* text : {"no", "Yes", "y", "ON", "null", "~", "1e3", "007", "12:30:45",
                           "2026-03-10", ".inf", "0o7", "+1", "=", "<<"})
    EXPECT_EQ(yaml_scalar(text, false).front(), '"') << text;
  EXPECT_EQ(yaml_scalar("Release branch", false), "Release branch");
  EXPECT_EQ(yaml_scalar("发布 分支", false), "发布 分支");
}

}  // namespace
}  // namespace memfs
