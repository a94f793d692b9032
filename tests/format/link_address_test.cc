#include "libmemfs/format/link_address.h"

#include <gtest/gtest.h>

namespace memfs {
namespace {

using Names = std::vector<std::string_view>;

TEST(LinkAddress, AHashMayBelongToTheNameOrBeginAHeading) {
  EXPECT_EQ(names_in("note"), Names{"note"});
  EXPECT_EQ(names_in("Sprint #4#Part 1"), (Names{"Sprint #4#Part 1", "Sprint #4", "Sprint"}));
  EXPECT_EQ(names_in("#heading"), Names{"#heading"});
  EXPECT_EQ(names_in(""), Names{});
  EXPECT_EQ(names_in(std::string(100, '#')).size(), 8U);
}

TEST(LinkAddress, AnAddressOfMarkdownHasAPathAndARest) {
  EXPECT_EQ(split_address("../a.md#part?x").path, "../a.md");
  EXPECT_EQ(split_address("../a.md#part?x").rest, "#part?x");
  EXPECT_EQ(split_address("a.md").rest, "");
}

TEST(LinkAddress, ASchemeTellsAnAddressElsewhere) {
  for (const char* address : {"https://a.b/c.md", "mailto:a@b.c", "mem://shared/a", "//host/a.md"})
    EXPECT_TRUE(has_scheme(address)) << address;
  for (const char* address : {"a.md", "../a.md", "a b:c.md", ":a", "", "#a:b", "./x:y.md"})
    EXPECT_FALSE(has_scheme(address)) << address;
}

TEST(LinkAddress, PathsAreDecodedAndEncoded) {
  EXPECT_EQ(decode_path("a%20b%2Fc.md"), "a b/c.md");
  EXPECT_EQ(decode_path(R"(a\_b\(c\).md)"), "a_b(c).md");
  EXPECT_EQ(decode_path("R&amp;D%.md"), "R&D%.md");
  EXPECT_EQ(decode_path("100%"), "100%");
  EXPECT_EQ(decode_path("a%00b"), "a%00b");
  for (const char* path : {"a b (c).md", "café/x#1.md", "100%.md", "a[b]|c\\d.md", "R&amp;D.md",
                           "x:y.md", "'q' \"r\".md"}) {
    EXPECT_EQ(decode_path(encode_path(path)), path);
    EXPECT_FALSE(has_scheme(encode_path(path))) << path;
  }
  EXPECT_EQ(encode_path("a/b_c-d.md"), "a/b_c-d.md");
}

TEST(LinkAddress, PathsAreMadeNormalAndRelative) {
  EXPECT_EQ(normal_path("a/./b/../c"), "a/c");
  EXPECT_EQ(normal_path("a/../../b"), std::nullopt);
  EXPECT_EQ(relative_path("", "a.md"), "a.md");
  EXPECT_EQ(relative_path("a/b", "a/b/c.md"), "c.md");
  EXPECT_EQ(relative_path("a/b", "a/c/d.md"), "../c/d.md");
  EXPECT_EQ(relative_path("a", "a"), "../a");
}

TEST(LinkAddress, ANameThatALinkCannotHoldIsTold) {
  for (const char* name : {"note", "Sprint #4", "C++", "a/b", "~x"})
    EXPECT_TRUE(fits_wiki_link(name)) << name;
  for (const char* name : {"", "a|b", "a[b", "a]b", "#a", " a", "a ", "a\nb", "a\\"})
    EXPECT_FALSE(fits_wiki_link(name)) << name;
  for (const char* name : {"note", "a/b c", "记忆/笔记", "guides/index"})
    EXPECT_TRUE(is_linkable_name(name)) << name;
  for (const char* name : {"New|Name", "a#b", "a^b", "a[b]", "a\nb", "con", "a//b", "a/", "/a",
                           "../a", "a/.b", "-a", "a.", "INDEX", "index", "x/README", "a:b"})
    EXPECT_FALSE(is_linkable_name(name)) << name;
}

TEST(LinkAddress, AnAttachmentIsNoBrokenLink) {
  for (const char* name : {"photo.PNG", "a/b.pdf", "README", "docs/README.md", "board.canvas"})
    EXPECT_TRUE(is_other_file(name)) << name;
  for (const char* name : {"note", "release 7.x", "node.js", "a.png/b"})
    EXPECT_FALSE(is_other_file(name)) << name;
}

}  // namespace
}  // namespace memfs
