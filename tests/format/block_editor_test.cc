#include "libmemfs/format/block_editor.h"

#include <gtest/gtest.h>

namespace memfs {
namespace {

KeyEdit text(const char* key, const char* value) {
  NewValue v;
  v.text = value;
  return {key, v};
}
KeyEdit bare(const char* key, const char* value) {
  NewValue v;
  v.form = NewValue::Form::kBare;
  v.text = value;
  return {key, v};
}
KeyEdit list(const char* key, std::vector<std::string> items) {
  NewValue v;
  v.form = NewValue::Form::kList;
  v.items = std::move(items);
  return {key, v};
}
KeyEdit clear(const char* key) { return {key, std::nullopt}; }

std::string edited(std::string_view file, const std::vector<KeyEdit>& edits) {
  auto result = edit_front_matter(file, edits);
  return result ? *result : "refused: " + result.error().message;
}

TEST(BlockEditor, TouchesOnlyTheValueOfAKey) {
  EXPECT_EQ(edited("---\n# owner: infra\nid: a1\ntitle: \"T\"   # short\nzeta: [a,  b]\nver: "
                   "\"1.10\"\nnote: |\n  l1\n  l2\nrevision: 1\n---\nb\n",
                   {text("title", "U"), bare("revision", "2")}),
            "---\n# owner: infra\nid: a1\ntitle: \"U\"   # short\nzeta: [a,  b]\nver: "
            "\"1.10\"\nnote: |\n  l1\n  l2\nrevision: 2\n---\nb\n");
}

TEST(BlockEditor, KeepsCrlfMixedNewlinesAndTheBom) {
  EXPECT_EQ(edited("\xEF\xBB\xBF---\r\nid: a1\r\ntitle: T\r\n---\r\nx\r\n",
                   {text("title", "U"), bare("revision", "1")}),
            "\xEF\xBB\xBF---\r\nid: a1\r\ntitle: U\r\nrevision: 1\r\n---\r\nx\r\n");
  EXPECT_EQ(
      edited("---\nid: a1\r\ntitle: T\nrevision: 1\n---\r\nx\r\ny\nz\r\n", {text("title", "U")}),
      "---\nid: a1\r\ntitle: U\nrevision: 1\n---\r\nx\r\ny\nz\r\n");
}

TEST(BlockEditor, KeepsEveryByteOfTheBody) {
  for (const std::string body :
       {"\nx\n\n\n", "    code\n", "no newline at end", "", "---\n", "\r\n"})
    EXPECT_EQ(edited("---\ntitle: T\n---\n" + body, {text("title", "U")}),
              "---\ntitle: U\n---\n" + body);
}

struct Style {
  const char* what;
  const char* before;
  const char* set;      // title set to "U"
  const char* cleared;  // title removed
};

class ValueStyle : public ::testing::TestWithParam<Style> {};

TEST_P(ValueStyle, IsReplacedAndRemovedWithoutTouchingItsNeighbours) {
  const std::string a = "a: 1\n";
  const std::string z = "z: 2\n";
  const auto file = [&](const std::string& middle) { return "---\n" + a + middle + z + "---\nb"; };
  EXPECT_EQ(edited(file(GetParam().before), {text("title", "U")}), file(GetParam().set));
  EXPECT_EQ(edited(file(GetParam().before), {clear("title")}), file(GetParam().cleared));
}

INSTANTIATE_TEST_SUITE_P(
    BlockEditor, ValueStyle,
    ::testing::Values(
        Style{"plain", "title: T x\n", "title: U\n", ""},
        Style{"plain with comment", "title:   T  # c\n", "title:   U  # c\n", ""},
        Style{"trailing blanks", "title: T  \n", "title: U  \n", ""},
        Style{"single quotes", "title: 'it''s'\n", "title: 'U'\n", ""},
        Style{"double quotes", "title: \"a \\\" b\" # c\n", "title: \"U\" # c\n", ""},
        Style{"empty", "title:\n", "title: U\n", ""},
        Style{"empty with comment", "title: # c\n", "title: U # c\n", ""},
        Style{"null", "title: ~\n", "title: U\n", ""},
        Style{"plain over lines", "title: one\n  two\n\n  three\n", "title: U\n", ""},
        Style{"quoted over lines", "title: \"one\n  two\"\n", "title: \"U\"\n", ""},
        Style{"next line", "title:\n  T\n", "title: U\n", ""},
        Style{"next line with comment", "title: # c\n  T\n", "title: U # c\n", ""},
        Style{"literal", "title: |\n  l1\n\n  # l2\n", "title: U\n", ""},
        Style{"folded with strip", "title: >-\n  l1\n  l2\n", "title: U\n", ""},
        Style{"literal keeping lines", "title: |+\n  l1\n\n", "title: U\n\n", ""},
        Style{"block list", "title:\n- x\n- y\n", "title: U\n", ""},
        Style{"indented block list", "title:\n  - x # one\n  - y: 1\n    k: 2\n", "title: U\n", ""},
        Style{"flow list", "title: [x, \"]\", 'y']\n", "title: U\n", ""},
        Style{"flow list over lines", "title: [\n  x,\n  y\n  ]\n", "title: U\n", ""},
        Style{"mapping", "title:\n  k: v\n  m:\n    n: 1\n", "title: U\n", ""},
        Style{"quoted key", "\"title\": T\n", "\"title\": U\n", ""},
        Style{"blank before colon", "title : T\n", "title : U\n", ""},
        Style{"tagged", "title: !!str 5\n", "title: U\n", ""},
        Style{"comment below", "title: T\n# about z\n", "title: U\n# about z\n", "# about z\n"},
        Style{"literal with trailing tab", "title: |\n  a \n  b\t\n", "title: U\n", ""},
        Style{"plain with trailing tab", "title: T\t\n", "title: U\n", ""},
        Style{"list with comments behind", "title:\n  - x\n  # in\n# out\n",
              "title: U\n  # in\n# out\n", "  # in\n# out\n"},
        Style{"list that ends in a literal", "title:\n  - |\n    # text\n# out\n",
              "title: U\n# out\n", "# out\n"},
        Style{"hash in a word", "title: C# x#y\n", "title: U\n", ""}),
    [](const auto& tested) {
      std::string name = tested.param.what;
      for (char& c : name)
        if (c == ' ') c = '_';
      return name;
    });

TEST(BlockEditor, NewKeysGoBehindThePersonsOwnAndTheStoresStayLast) {
  EXPECT_EQ(edited("---\nid: a1\ntitle: T\nrevision: 1\n---\n",
                   {bare("expires_at", "2030-01-01"), bare("updated_at", "2026-01-01T00:00:00Z")}),
            "---\nid: a1\ntitle: T\nexpires_at: 2030-01-01\nupdated_at: "
            "2026-01-01T00:00:00Z\nrevision: 1\n---\n");
  EXPECT_EQ(edited("---\nweird: 1\n---\n",
                   {text("id", "mem-x"), bare("revision", "1"), text("title", "T")}),
            "---\nweird: 1\ntitle: T\nid: mem-x\nrevision: 1\n---\n");
}

TEST(BlockEditor, AddsToTrickyBlocks) {
  EXPECT_EQ(edited("---\n---\nB\n", {text("title", "T")}), "---\ntitle: T\n---\nB\n");
  EXPECT_EQ(edited("---\nnote: |\n  l1\n  l2\n---\n", {text("title", "T")}),
            "---\nnote: |\n  l1\n  l2\ntitle: T\n---\n");
  EXPECT_EQ(edited("---\nnote: |+\n  l1\n\n---\n", {text("title", "T")}),
            "---\nnote: |+\n  l1\n\ntitle: T\n---\n");
  EXPECT_EQ(edited("---\na: 1\n# the end\n---\n", {text("title", "T")}),
            "---\na: 1\ntitle: T\n# the end\n---\n");
  EXPECT_EQ(edited("---\n id: a1\n a: T\n---\n", {text("title", "T")}),
            "---\n id: a1\n a: T\n title: T\n---\n");
  EXPECT_EQ(edited("---\na: 1   \n---\n", {text("title", "T")}), "---\na: 1   \ntitle: T\n---\n");
  EXPECT_EQ(edited("---\n# only this\n---\n", {text("title", "T")}),
            "---\n# only this\ntitle: T\n---\n");
}

TEST(BlockEditor, EditsInsideBraces) {
  EXPECT_EQ(edited("---\n{id: a1, title: T, revision: 1}\n---\n",
                   {text("title", "a, b"), bare("expires_at", "2030-01-01"), clear("id")}),
            "---\n{title: \"a, b\", revision: 1, expires_at: 2030-01-01}\n---\n");
  EXPECT_EQ(edited("---\n{a: 1}\n---\n", {clear("a")}), "---\n{}\n---\n");
  EXPECT_EQ(edited("---\n{}\n---\n", {text("title", "T")}), "---\n{title: T}\n---\n");
}

TEST(BlockEditor, KeepsTheStyleOfAList) {
  EXPECT_EQ(edited("---\ntags:\n  - a\n  - b\nx: 1\n---\n", {list("tags", {"c", "d: e"})}),
            "---\ntags:\n  - c\n  - \"d: e\"\nx: 1\n---\n");
  EXPECT_EQ(edited("---\ntags: [a]\n---\n", {list("tags", {"c", "d, e"})}),
            "---\ntags: [c, \"d, e\"]\n---\n");
  EXPECT_EQ(edited("---\ntags: a, b\n---\n", {list("tags", {})}), "---\ntags: []\n---\n");
}

TEST(BlockEditor, AValueThatReadsAsMeantKeepsItsBytes) {
  const std::string file = "---\ntags:\n  - a # one\n  - \"b\"\ntitle:   'T'\n---\n";
  EXPECT_EQ(edited(file, {list("tags", {"a", "b"}), text("title", "T")}), file);
}

TEST(BlockEditor, GivesAPlainFileABlockOnTop) {
  EXPECT_EQ(edited("# Deploy steps\nrun it\n", {text("title", "T")}),
            "---\ntitle: T\n---\n# Deploy steps\nrun it\n");
  EXPECT_EQ(edited("\xEF\xBB\xBF# H\r\n", {text("title", "T")}),
            "\xEF\xBB\xBF---\r\ntitle: T\r\n---\r\n# H\r\n");
  EXPECT_EQ(edited("---\n\nA rule first\n", {text("title", "T")}),
            "---\ntitle: T\n---\n---\n\nA rule first\n");
}

TEST(BlockEditor, RefusesAnEditAfterWhichTheBlockWouldNotBeRead) {
  EXPECT_EQ(edited("---\ntitle: T\n\n# mine\nid: a1\nx: precious\n---\nbody\n", {clear("title")})
                .substr(0, 7),
            "refused");
}

TEST(BlockEditor, RefusesWhatItCannotEditSafely) {
  EXPECT_EQ(edited("---\ntitle: &t T\nsubject: *t\n---\n", {text("title", "U")}).substr(0, 7),
            "refused");
  EXPECT_EQ(edited("---\n? title\n: T\n---\n", {text("title", "U")}).substr(0, 7), "refused");
  EXPECT_EQ(edited("---\ntitle: Fix: it\n---\n", {text("title", "U")}).substr(0, 7), "refused");
}

TEST(BlockEditor, ClearingWhatIsNotThereChangesNothing) {
  EXPECT_EQ(edited("---\na: 1\n---\nb", {clear("title")}), "---\na: 1\n---\nb");
  EXPECT_EQ(edited("plain", {clear("title")}), "plain");
}

}  // namespace
}  // namespace memfs
