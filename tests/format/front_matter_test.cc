#include "libmemfs/format/front_matter.h"

#include <gtest/gtest.h>

namespace memfs {
namespace {

std::string code_of(const FrontMatter& front) {
  for (const auto& [key, value] : front.error.details)
    if (key == "code") return value;
  return front.state == BlockState::kBroken ? "?" : "";
}

std::string body_of(std::string_view file) {
  return std::string(file.substr(read_front_matter(file).body_begin));
}

BlockState state_of(std::string_view file) { return read_front_matter(file).state; }

TEST(FrontMatter, EndsAtTheFirstClosingFenceAndLaterRulesAreBody) {
  const std::string file = "---\nid: a1\n---\nA\n\n---\n\nB\n\n---\n\nC\n";
  EXPECT_EQ(state_of(file), BlockState::kReadable);
  EXPECT_EQ(body_of(file), "A\n\n---\n\nB\n\n---\n\nC\n");
}

TEST(FrontMatter, TakesDotsTrailingBlanksCrlfAndABom) {
  EXPECT_EQ(body_of("---\nid: b1\n...\nbody\n"), "body\n");
  EXPECT_EQ(body_of("---  \nid: b1\n--- \t\nbody\n"), "body\n");
  EXPECT_EQ(body_of("---\r\nid: a1\r\n---\r\nline\r\n"), "line\r\n");
  EXPECT_EQ(read_front_matter("---\r\nid: a1\r\n---\r\n").newline, "\r\n");
  const auto bom = read_front_matter("\xEF\xBB\xBF---\nid: a1\n---\n# H\n");
  EXPECT_EQ(bom.state, BlockState::kReadable);
  EXPECT_TRUE(bom.bom);
}

TEST(FrontMatter, ARuleOrAPlainTextIsNoBlock) {
  EXPECT_EQ(state_of("---\n\nHello\n"), BlockState::kNone);
  EXPECT_EQ(state_of("---\n"), BlockState::kNone);
  EXPECT_EQ(state_of("# Title\n---\na: b\n---\n"), BlockState::kNone);
  EXPECT_EQ(state_of("\xEF\xBB\xBF\n---\nid: c1\n---\n"), BlockState::kNone);
  EXPECT_EQ(state_of("----\na: b\n---\n"), BlockState::kNone);
}

TEST(FrontMatter, ABlankLineBehindTheOpeningFenceIsARuleUnlessKeysFollow) {
  EXPECT_EQ(state_of("---\n\ntitle: T\n---\nB\n"), BlockState::kReadable);
  EXPECT_EQ(body_of("---\n\ntitle: T\n---\nB\n"), "B\n");
  EXPECT_EQ(state_of("---\n\nHello\n\n---\n\nB\n"), BlockState::kNone);
  EXPECT_EQ(state_of("---\n\nA sentence: with a colon\n---\nB\n"), BlockState::kNone);
  EXPECT_EQ(state_of("---\n\ntitle: never closed\n"), BlockState::kNone);
  EXPECT_EQ(state_of("---\n\na: b: c\n---\nB\n"), BlockState::kBroken) << "never guessed away";
  EXPECT_EQ(state_of("---\n\n---\nB\n"), BlockState::kNone);
}

TEST(FrontMatter, AnEmptyBlockIsABlock) {
  EXPECT_EQ(state_of("---\n---\nBody\n"), BlockState::kReadable);
  EXPECT_EQ(body_of("---\n---\nBody\n"), "Body\n");
  EXPECT_EQ(state_of("---\n# only a comment\n---\n"), BlockState::kReadable);
}

TEST(FrontMatter, EmptyAndNulFilledFilesAreTold) {
  for (const std::string file : {"", "\n\n \n", "\xEF\xBB\xBF"})
    EXPECT_EQ(state_of(file), BlockState::kEmptyFile);
  EXPECT_EQ(state_of(std::string(300, '\0')), BlockState::kEmptyFile);
}

struct Broken {
  const char* what;
  std::string block;  // between the fences
  const char* code;
  int line;  // of the file
};

class BrokenBlock : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenBlock, IsNamedWithCodeAndLineAndItsBodyStays) {
  const auto front = read_front_matter("---\n" + GetParam().block + "---\nwalrus\n");
  EXPECT_EQ(front.state, BlockState::kBroken);
  EXPECT_EQ(code_of(front), GetParam().code) << front.error.message;
  EXPECT_EQ(front.error.line, GetParam().line) << front.error.message;
  EXPECT_FALSE(front.error.hint.empty());
  EXPECT_EQ(body_of("---\n" + GetParam().block + "---\nwalrus\n"), "walrus\n");
}

INSTANTIATE_TEST_SUITE_P(
    FrontMatter, BrokenBlock,
    ::testing::Values(
        Broken{"unquoted colon", "id: a1\ntitle: Fix: the parser\nrevision: 1\n", "yaml-colon", 3},
        Broken{"open list", "title: [oops\n", "yaml-open", 2},
        Broken{"not a mapping", "Hello\n", "yaml-key", 2},
        Broken{"key given twice", "id: a1\ntitle: A\nrevision: 3\ntitle: B\n", "duplicate-key", 5},
        Broken{"quoted and plain key", "revision: 3\n\"revision\": 4\n", "duplicate-key", 3},
        Broken{"open single quote", "id: a1\ntitle: 'tis fine\nexpires: 2020-01-01\nrevision: 3\n",
               "yaml-quote", 3},
        Broken{"open double quote", "id: a1\nsubject: \"abc\ntitle: x\nexpires: 2020-01-01\n",
               "yaml-quote", 3},
        Broken{"quote closed by a later one", "id: a1\na: \"abc\ntitle: x\nb: \"y\"\n",
               "yaml-quote", 3},
        Broken{"missing blank at the end", "id: a1\ntitle: T\nrevision:3\n", "yaml-missing-blank",
               4},
        Broken{"missing blank alone", "title:T\n", "yaml-missing-blank", 2},
        Broken{"no-break space", "id: a1\ntitle:\xC2\xA0T\n", "yaml-nbsp", 3},
        Broken{"full-width colon", "id: a1\ntitle\xEF\xBC\x9AT\n", "yaml-wide-colon", 3},
        Broken{"invisible character in a key", "ti\xE2\x80\x8Btle: T\n", "yaml-invisible-key", 2},
        Broken{"tab", "id: a1\ntags:\n\t- x\nrevision: 1\n", "yaml-tab", 4},
        Broken{"conflict markers",
               "id: a1\ntitle: T\n<<<<<<< HEAD\nrevision: 4\n=======\nrevision: 5\n>>>>>>> x\n",
               "conflict-marker", 4},
        Broken{"NUL", std::string("id: a1\ntitle: a\0b\n", 18), "nul", 3},
        Broken{"invalid UTF-8", "id: a1\ntitle: \xFF\n", "utf8", 3},
        Broken{"backslash in double quotes", "title: \"C:\\Users\\new\"\n", "yaml-escape", 2},
        Broken{"unknown escape", "title: \"\\q\"\n", "yaml-escape", 2},
        Broken{"half a surrogate pair", "title: \"\\ud83d\\ude00\"\n", "yaml-escape", 2},
        Broken{"dedent", " id: a1\ntitle: T\n", "yaml-indent", 3},
        Broken{"second document", "id: a1\n--- x\nb: 2\n", "yaml-documents", 3},
        Broken{"deep brackets", "x: " + std::string(20000, '[') + "\n", "yaml-depth", 2},
        Broken{"deep braces", "x: " + std::string(2000, '{') + "\n", "yaml-depth", 2},
        Broken{"too large", "x: " + std::string(70000, 'y') + "\n", "yaml-size", 2},
        Broken{"long key", "id: a\n" + std::string(1100, 'k') + ": v\n", "yaml-key", 3},
        Broken{"lone CR", "id: a1\nx: a\rb\n", "cr-newlines", 3},
        Broken{"empty key", "id: a1\n: z\n", "yaml-key", 3},
        Broken{"list as key", "? [a, b]\n: c\n", "yaml-key", 2}),
    [](const auto& tested) {
      std::string name = tested.param.what;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

TEST(FrontMatter, AnUnclosedBlockGuessesNoEnd) {
  const std::string file = "---\nid: a1\ntitle: T\n\n# Heading\ntext walrus\n";
  const auto front = read_front_matter(file);
  EXPECT_EQ(front.state, BlockState::kBroken);
  EXPECT_EQ(code_of(front), "unclosed-block");
  EXPECT_EQ(front.error.line, 1);
  EXPECT_EQ(body_of(file), file);
}

TEST(FrontMatter, OldMacNewlinesAreNamed) {
  EXPECT_EQ(code_of(read_front_matter("---\rid: a1\r---\rx\r")), "cr-newlines");
}

TEST(FrontMatter, EscapesGiveTheirCharacters) {
  const auto front = read_front_matter("---\nx: \"\\_\\N\\u00e9\\U0001F600\\x41\"\n---\n");
  ASSERT_EQ(front.state, BlockState::kReadable);
  EXPECT_EQ(front.yaml.root.find("x")->text, "\u00A0\u0085é😀A");
}

TEST(FrontMatter, AliasesAreReadAndNeverExpanded) {
  const auto self = read_front_matter("---\nid: a1\nx: &x {a: *x}\n---\nb\n");
  EXPECT_EQ(self.state, BlockState::kReadable);
  EXPECT_TRUE(self.yaml.has_alias_or_anchor);
  std::string laughs = "---\nid: a1\na0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    std::string items = before;
    for (int k = 0; k < 8; ++k) items += "," + before;
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + items + "]\n";
  }
  EXPECT_EQ(state_of(laughs + "---\nb\n"), BlockState::kReadable);
}

TEST(FrontMatter, TabsInValuesAndMultiLineTextsAreFine) {
  const auto front = read_front_matter(
      "---\nid:\tb1\ntitle: a\tb\t\nnote: |\n  # not a comment\n\n  key: value\nq: 'it''s\n  two "
      "lines'\n---\n");
  ASSERT_EQ(front.state, BlockState::kReadable) << front.error.message;
  EXPECT_EQ(front.yaml.root.find("title")->text, "a\tb");
  EXPECT_EQ(front.yaml.root.find("note")->text, "# not a comment\n\nkey: value\n");
  EXPECT_EQ(front.yaml.root.find("q")->text, "it's two lines");
}

}  // namespace
}  // namespace memfs
