#include "libmemfs/guard/keyword_set.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/guard/guard_examples.h"

namespace memfs {
namespace {

// "value@begin-end" of every place, separated by blanks.
std::string places(const KeywordSet& words, std::string_view text) {
  std::string out;
  words.scan(text, [&](std::uint16_t value, std::size_t begin, std::size_t end) {
    out += (out.empty() ? "" : " ") + std::to_string(value) + "@" + std::to_string(begin) + "-" +
           std::to_string(end);
    return true;
  });
  return out;
}

KeywordSet set_of(std::initializer_list<std::string_view> words) {
  KeywordSet set;
  std::uint16_t value = 0;
  for (const std::string_view word : words) set.add(word, value++);
  set.build();
  return set;
}

TEST(KeywordSet, FindsWordsThatOverlapAndWordsInsideWords) {
  EXPECT_EQ(places(set_of({"he", "she", "hers"}), "ushers"), "1@1-4 0@2-4 2@2-6");
}

TEST(KeywordSet, FindsAWordAgainWhereItsEndIsItsBeginning) {
  EXPECT_EQ(places(set_of({"aa"}), "aaaa"), "0@0-2 0@1-3 0@2-4");
}

TEST(KeywordSet, TakesCapitalsForSmallLettersInAsciiOnly) {
  EXPECT_EQ(places(set_of({"key"}), "KeY kEy"), "0@0-3 0@4-7");
  EXPECT_EQ(places(set_of({"ключ"}), "ключ КЛЮЧ"), "0@0-8");
}

TEST(KeywordSet, TakesAnyRunOfBlanksForABlank) {
  EXPECT_EQ(places(set_of({"you are now"}), "you are now"), "0@0-11");
  EXPECT_NE(places(set_of({"you are now"}), "you \r\n\tare   now"), "");
  EXPECT_EQ(places(set_of({"you are now"}), "you arenow"), "");
}

TEST(KeywordSet, ReportsEveryValueOfAWord) {
  KeywordSet set;
  set.add("token", 7);
  set.add("token", 9);
  set.build();
  EXPECT_EQ(places(set, "a token"), "7@2-7 9@2-7");
}

TEST(KeywordSet, StopsWhenItIsTold) {
  int calls = 0;
  set_of({"a"}).scan("aaaa", [&](std::uint16_t, std::size_t, std::size_t) { return ++calls < 2; });
  EXPECT_EQ(calls, 2);
}

TEST(KeywordSet, FindsNothingInTextWithoutAnyOfItsBytes) {
  EXPECT_EQ(places(set_of({"x"}), std::string("\0\xff\x80 abc", 7)), "");
  EXPECT_EQ(places(set_of({"x"}), ""), "");
}

// Places of the words by looking for each of them everywhere, ordered as a scan gives them.
std::string places_by_search(const std::vector<std::string>& words, std::string_view text) {
  std::string out;
  for (std::size_t end = 1; end <= text.size(); ++end)
    for (std::size_t begin = 0; begin < end; ++begin)
      for (std::size_t word = 0; word < words.size(); ++word)
        if (text.substr(begin, end - begin) == words[word])
          out += (out.empty() ? "" : " ") + std::to_string(word) + "@" + std::to_string(begin) +
                 "-" + std::to_string(end);
  return out;
}

TEST(KeywordSet, FindsWhatASearchForEachWordFinds) {
  bench::Random random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> words;
    KeywordSet set;
    for (std::size_t count = 1 + random.below(6); count > 0; --count) {
      words.push_back(testing::random_text(random, "abc", 1 + random.below(4)));
      set.add(words.back(), static_cast<std::uint16_t>(words.size() - 1));
    }
    set.build();
    const std::string text = testing::random_text(random, "abcd", 40);
    ASSERT_EQ(places(set, text), places_by_search(words, text)) << text;
  }
}

}  // namespace
}  // namespace memfs
