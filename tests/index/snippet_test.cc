#include "index/snippet.h"

#include <gtest/gtest.h>

#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

Snippet snippet(std::string_view text, std::string_view words, std::size_t length = 40) {
  return make_snippet(text, *parse_query(words, [](auto, auto) { return false; }), length);
}
std::string first_mark(const Snippet& s) {
  if (s.highlights.empty()) return "";
  return s.text.substr(s.highlights[0].begin, s.highlights[0].end - s.highlights[0].begin);
}

TEST(Snippet, MarksTheOriginalBytes) {
  const Snippet s = snippet("ﬁnal İ ß then the Walrus comes", "walrus");
  EXPECT_EQ(first_mark(s), "Walrus");
  EXPECT_EQ(first_mark(snippet("uses Ｗａｌｒｕｓ here", "walrus")), "Ｗａｌｒｕｓ");
  EXPECT_EQ(first_mark(snippet("部署在腾讯云国内", "腾讯")), "腾讯");
}

TEST(Snippet, ShowsTheWindowWithMostWords) {
  const std::string text = "lock alone here. " + std::string(300, 'x') + " the lock file is stale";
  EXPECT_NE(snippet(text, "lock stale", 60).text.find("stale"), std::string::npos);
}

TEST(Snippet, ShowsTheRareWordAndThePhraseHoweverOftenCommonWordsCome) {
  std::string text = "intro\n";
  for (int i = 0; i < 700; ++i) text += "step_" + std::to_string(i) + " done, deploy it\n";
  text += "step_needle here\ndeploy failed now\n";
  Snippet s = snippet(text, "step_needle");
  EXPECT_EQ(text.substr(s.offset, 11), "step_needle");
  s = snippet(text, "done needle");
  EXPECT_NE(s.text.find("needle"), std::string::npos);
  s = snippet(text, "\"deploy failed\"");
  EXPECT_EQ(text.substr(s.offset, 13), "deploy failed");
}

TEST(Snippet, NeverCutsACharacter) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "ก้👩‍👩‍👧é";
  text += " walrus ";
  for (int i = 0; i < 200; ++i) text += "ก้👩‍👩‍👧é";
  for (std::size_t length = 1; length < 60; ++length)
    EXPECT_FALSE(find_invalid_utf8(snippet(text, "walrus", length).text)) << length;
}

TEST(Snippet, WithoutAHitTheTextBegins) {
  const Snippet s = snippet("first line\nsecond", "walrus");
  EXPECT_FALSE(s.hit);
  EXPECT_EQ(s.text, "first line second");
}

}  // namespace
}  // namespace memfs::index
