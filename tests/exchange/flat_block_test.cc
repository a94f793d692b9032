#include "libmemfs/exchange/flat_block.h"

#include <gmock/gmock.h>

#include "libmemfs/format/front_matter.h"

namespace memfs::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string value(const MendedBlock& mended, const char* key) {
  const FrontMatter front = read_front_matter(mended.file);
  const YamlNode* node = front.yaml.root.find(key);
  return node == nullptr ? "(none)" : node->text;
}

TEST(FlatBlock, WhatYamlReadsAsMeantKeepsEveryByte) {
  for (const std::string file :
       {"no block\n", "---\nname: a\ndescription: plain text\ntags: [a, b]\n---\nbody\n",
        "---\nname: \"a: b\"\ndescription: 'it''s'\ntags: [\"a, b\", c]\n---\n",
        "---\r\nname: a\r\n---\r\nbody: x # y\r\n",
        "---\ndescription: >\n  two\n  lines: of text\nx: {a: 1}\n---\n", "---\n---\n"}) {
    const MendedBlock mended = mend_flat_block(file);
    EXPECT_EQ(mended.file, file);
    EXPECT_THAT(mended.keys, IsEmpty());
  }
}

TEST(FlatBlock, AValueWithAColonOrACommentSignIsReadWhole) {
  const MendedBlock mended = mend_flat_block(
      "---\nname: Fix: the parser\ndescription: see issue #12 \ncreated: 2026-01-01\n---\nb: c "
      "#d\n");
  EXPECT_THAT(mended.keys, ElementsAre("name", "description"));
  EXPECT_EQ(value(mended, "name"), "Fix: the parser");
  EXPECT_EQ(value(mended, "description"), "see issue #12");
  EXPECT_TRUE(mended.file.ends_with("\ncreated: 2026-01-01\n---\nb: c #d\n"));
}

TEST(FlatBlock, AValueThatLooksLikeYamlIsText) {
  const MendedBlock mended = mend_flat_block(
      "---\nname: [draft] plan\ntitle: *bold*\ndescription: \"quoted\" and \\more\n"
      "keywords: @home `x`\n---\n");
  EXPECT_EQ(value(mended, "name"), "[draft] plan");
  EXPECT_EQ(value(mended, "title"), "*bold*");
  EXPECT_EQ(value(mended, "description"), "\"quoted\" and \\more");
  EXPECT_EQ(value(mended, "keywords"), "@home `x`");
}

TEST(FlatBlock, ALineEndOfWindowsStays) {
  EXPECT_EQ(mend_flat_block("---\r\nname: a: b\r\n---\r\nx\r\n").file,
            "---\r\nname: \"a: b\"\r\n---\r\nx\r\n");
}

TEST(FlatBlock, TagsBecomeAListOfTexts) {
  const MendedBlock mended = mend_flat_block("---\nname: a\ntags: [x: y, #z, c]\n---\n");
  const FrontMatter front = read_front_matter(mended.file);
  ASSERT_EQ(front.state, BlockState::kReadable);
  std::vector<std::string> tags;
  const YamlNode* node = front.yaml.root.find("tags");
  ASSERT_NE(node, nullptr);
  for (const YamlNode& item : node->items) tags.push_back(item.text);
  EXPECT_THAT(tags, ElementsAre("x: y", "#z", "c"));
}

TEST(FlatBlock, ALineBreakInATextLosesNoWord) {
  const MendedBlock mended =
      mend_flat_block("---\nname: a\ndescription: first line\nsecond line\n---\nbody\n");
  EXPECT_EQ(value(mended, "description"), "first line second line");
  EXPECT_TRUE(mended.file.ends_with("\n---\nbody\n"));
}

TEST(FlatBlock, OtherKeysAreMendedOnlyWhereTheBlockIsBrokenOtherwise) {
  EXPECT_EQ(value(mend_flat_block("---\nname: a\nnote: b: c\n---\n"), "note"), "b: c");
  const std::string readable = "---\nname: a: b\nnote: c #d\n---\n";
  EXPECT_EQ(value(mend_flat_block(readable), "note"), "c");
}

TEST(FlatBlock, WhatCannotBeMendedStaysAsItIs) {
  for (const std::string file : {"---\nname: a: b\nnever closed\n", "---\nname: a\nname: b\n---\n",
                                 "---\nx:\n  - a\n b: [\n---\n"}) {
    const MendedBlock mended = mend_flat_block(file);
    EXPECT_EQ(mended.file, file);
    EXPECT_THAT(mended.keys, IsEmpty());
  }
}

}  // namespace
}  // namespace memfs::testing
