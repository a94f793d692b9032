#include "libmemfs/format/flat_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "libmemfs/format/front_matter.h"
#include "tests/support/numbers.h"
#include "tests/support/yaml_equal.h"

namespace memfs {
namespace {

// Whether the flat reader takes the block; if it does, yaml-cpp must say the same.
bool is_flat(std::string_view block) {
  const auto flat = read_flat_block(block);
  if (!flat) return false;
  const auto full = read_yaml_fully(block);
  EXPECT_TRUE(full.has_value()) << "refused by yaml-cpp: " << block;
  EXPECT_TRUE(!full || testing::is_same_block(*flat, *full)) << "read otherwise: " << block;
  return true;
}

TEST(FlatReader, ReadsPlainBlocksAsYamlCppDoes) {
  for (const std::string_view block :
       {"a: b\n", "a: b", "a: b  \r\nc:   d\r\n", "a:\nb: ~\nc: null\nd: Null\n",
        "a: # none\nb: 1\n", "# note\n\na: b # note\n\n# end\n",
        "a: x#y\nb: x:y\nc: http://a.b/?q=1&r=[2]\n",
        "a: \"x # y: z\"\nb: 'it''s'\nc: \" x \" # note\nd: ''\n", "a: -1\nb: -x\n",
        "a.b-c_d: e\n1: 2\na b:c: d\n", "a: 发布\n发布: b\nd\xC3\xA9j\xC3\xA0: \xE2\x80\x94\n"})
    EXPECT_TRUE(is_flat(block)) << block;
}

TEST(FlatReader, ReadsListsAndNestedMappings) {
  for (const std::string_view block :
       {"a: []\nb: [ x ]\nc: [x, \"y, z\", 'u''v', ~, p q ,]\n", "a: [http://x/y, b] # note\n",
        "a:\n- x\n- \"y\"\n-\n- z\nb: c\n", "a:\n  - x\n\n  # note\n  - [y, z]\n",
        "a:\n  b: c\n  d:\n    e: f\n  g:\nh: i\n", "a:\n  - b: c\n    d:\n    - e\n  - b: f\n",
        "a:\n- b: c\n  d: e\n- f\n"})
    EXPECT_TRUE(is_flat(block)) << block;
}

TEST(FlatReader, ReadsTextOverSeveralLines) {
  for (const std::string_view block :
       {"a: b\n  c\n  - d\n\n\n  e\nf: g\n", "a:\n  b c\n  d\n", "a:\n- b\n  c\n- d\n",
        "a: |\n  b\n    c\n\n  # d\ne: f\n", "a: |-\n  b\n\n", "a: >\r\n  b\r\n  c\r\n\r\n  d\r\n",
        "a:\n  b: >-\n    c\n    d\n  e: f\n", "a:\n- |\n b\n- c\n"})
    EXPECT_TRUE(is_flat(block)) << block;
}

TEST(FlatReader, LeavesTheDoubtfulToYamlCpp) {
  for (const std::string_view block : {"",
                                       "\n",
                                       "# note\n",
                                       "text\n",
                                       "- a\n",
                                       " a: b\n",
                                       "a: b: c\n",
                                       "a: b:\n",
                                       "a:b\n",
                                       "a : b\n",
                                       "a: b\na: c\n",
                                       "a: &x b\n",
                                       "a: *x\n",
                                       "a: !t b\n",
                                       "a: {b: c}\n",
                                       "a:\tb\n",
                                       "a: b\tc\n",
                                       "a: b\rc: d\n",
                                       "a: \"b\n",
                                       "a: \"b\\n\"\n",
                                       "a: \"b\" c\n",
                                       "a: [b\n",
                                       "a: [b, [c]]\n",
                                       "a: [b: c]\n",
                                       "a: [b,,c]\n",
                                       "a: - b\n",
                                       "? a\n: b\n",
                                       "<<: *x\n",
                                       "null: 1\n",
                                       "a:\nnull1: b\n",
                                       "a:\n    b: c\n  d: e\n",
                                       "a: b\n  # note\n  c\n",
                                       "a: @b\n",
                                       "a: `b`\n",
                                       "a: %b\n",
                                       "---\na: b\n",
                                       "a: b\n...\n",
                                       "a: b\n<<<<<<< x\n",
                                       "a: b\n=======\n",
                                       "a: \xFF\n",
                                       "\xEF\xBB\xBF"
                                       "a: b\n",
                                       "a\xE2\x80\x8B: b\n",
                                       "a: |+\n  b\n",
                                       "a: |2\n  b\n",
                                       "a: \"b\n  c\"\n"})
    EXPECT_FALSE(is_flat(block)) << block;
  EXPECT_FALSE(is_flat(std::string_view("a: b\0c\n", 7)));
  EXPECT_FALSE(is_flat("a: " + std::string(kMaxYamlBlock, 'x')));
}

TEST(FlatReader, ReadsEveryFixtureAsYamlCppDoes) {
  const auto fixtures = std::filesystem::path(MEM_SOURCE_DIR) / "fixtures";
  int plain = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(fixtures)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(in)), {});
    if (is_flat(block_of(file, read_front_matter(file)))) ++plain;
  }
  EXPECT_GE(plain, 5);
}

TEST(FlatReader, AgreesOnThousandsOfMixedBlocks) {
  constexpr std::string_view kPieces[] = {
      "a",       "b",      "c:",        "d: ",    "key: ",  "- ",    "-",      "  ",
      " ",       "\n",     "\n",        "\n",     "\r\n",   "\n  ",  "\n- ",   "\n  - ",
      "\"",      "'",      "''",        "\"x\"",  "'y'",    "[",     "]",      ", ",
      "[x]",     "#",      " # ",       "|\n",    ">-\n",   "~",     "null",   ":",
      "?",       "&x ",    "*x",        "!t ",    "{",      "}",     "%",      "@",
      "\t",      "---",    "...",       "<<: ",   "\\",     "发",    "é: ",    "\xE2\x80\x8B",
      "1.5",     "=",      "=======\n", "e: f\n", "g: h\n", "\ni: ", "\nj:\n", "\n    k: ",
      "\n  l: ", "\n m: ", "n o: ",     "p:q: "};
  testing::Numbers numbers;
  int flat = 0;
  for (int round = 0; round < 40000; ++round) {
    std::string block = numbers.below(3) == 0 ? "" : "k: v\n";
    const auto pieces = 1 + numbers.below(12);
    for (std::size_t i = 0; i < pieces; ++i) block += kPieces[numbers.below(std::size(kPieces))];
    if (is_flat(block)) ++flat;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(flat, 500) << "the mix no longer reaches the flat reader";
}

}  // namespace
}  // namespace memfs
