#include "libmemfs/lifecycle/near_duplicate.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "tests/lifecycle/statement_pairs.h"

namespace memfs::testing {
namespace {

using What = Likeness::What;

StatementSketch sketch(const StatementText& text) {
  return StatementSketch({text.title, text.description, text.body});
}

std::optional<Likeness> compare(const StatementText& a, const StatementText& b) {
  return likeness(sketch(a), sketch(b));
}

std::string shown(const StatementPair& pair) {
  return std::string(pair.a.title) + " | " + pair.a.body + "  ~  " + pair.b.title + " | " +
         pair.b.body;
}

TEST(NearDuplicate, TheTablesOfPairsAreToldApartNearlyAlways) {
  int found = 0;
  int wrongly = 0;
  for (const StatementPair& pair : kSamePairs) {
    const bool same = compare(pair.a, pair.b).has_value();
    found += same ? 1 : 0;
    if (!same) std::printf("missed:  %s\n", shown(pair).c_str());
  }
  for (const StatementPair& pair : kOtherPairs) {
    const bool same = compare(pair.a, pair.b).has_value();
    wrongly += same ? 1 : 0;
    if (same) std::printf("wrongly: %s\n", shown(pair).c_str());
  }
  const double recall = static_cast<double>(found) / static_cast<double>(std::size(kSamePairs));
  const double precision = static_cast<double>(found) / static_cast<double>(found + wrongly);
  std::printf("recall %.3f of %zu, precision %.3f (%d of %zu wrongly)\n", recall,
              std::size(kSamePairs), precision, wrongly, std::size(kOtherPairs));
  EXPECT_GE(recall, 0.95);
  EXPECT_GE(precision, 0.95);
}

TEST(NearDuplicate, LikenessIsMutual) {
  for (const auto* pairs : {&kSamePairs[0], &kOtherPairs[0]}) {
    const std::size_t size = pairs == kSamePairs ? std::size(kSamePairs) : std::size(kOtherPairs);
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_EQ(compare(pairs[i].a, pairs[i].b).has_value(),
                compare(pairs[i].b, pairs[i].a).has_value())
          << shown(pairs[i]);
  }
}

TEST(NearDuplicate, EveryMemoryOfTheTablesIsExactlyItself) {
  for (const StatementPair& pair : kSamePairs) {
    const auto found = compare(pair.a, pair.a);
    ASSERT_TRUE(found) << shown(pair);
    EXPECT_EQ(found->what, What::kExact);
    EXPECT_EQ(found->similarity, 1);
  }
}

// Memories about other things: whole tables against each other.
TEST(NearDuplicate, MemoriesOfDifferentPairsAreNotAlike) {
  int compared = 0;
  int alike = 0;
  for (std::size_t i = 0; i < std::size(kSamePairs); ++i) {
    const StatementSketch one = sketch(kSamePairs[i].a);
    for (std::size_t j = i + 1; j < std::size(kSamePairs); ++j) {
      ++compared;
      alike += likeness(one, sketch(kSamePairs[j].b)) ? 1 : 0;
    }
  }
  EXPECT_LE(alike, compared / 100);
}

TEST(NearDuplicate, BytesThatAreEqualButForTheirEndsAreExact) {
  const auto found = compare({"Tabs ", "", "Use tabs.\n\n"}, {"Tabs", "other", "Use tabs.  \n"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, What::kExact);
}

TEST(NearDuplicate, ABlankAtTheBeginningIsNotExact) {
  const auto found = compare({"Release policy", "", "x"}, {" Release policy", "", "x"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, What::kTitle);
}

TEST(NearDuplicate, TheStrongestLikenessIsReported) {
  EXPECT_EQ(compare({"Release branch", "How releases are cut here", "a b c d e f"},
                    {"release branches", "How releases are cut here", "a b c d e f."})
                ->what,
            What::kTitle);
  EXPECT_EQ(compare({"Release branch", "How releases are cut here", "one thing of many others"},
                    {"Branching", "how releases are cut here", "another text entirely, long"})
                ->what,
            What::kDescription);
  EXPECT_EQ(compare({"Release branch", "", "They are cut on Monday morning"},
                    {"Branching", "", "they are cut on monday morning."})
                ->what,
            What::kBody);
}

TEST(NearDuplicate, SimilarityIsTheShareInBoth) {
  EXPECT_EQ(compare({"Release branch policy"}, {"release branch policy"})->similarity, 1);
  const auto near =
      compare({"Always run the linter before pushing"}, {"Run the linter before pushing"});
  EXPECT_NEAR(near->similarity, 4.0 / 5.0, 1e-9);
}

TEST(NearDuplicate, AShortTitleAloneSaysNothing) {
  EXPECT_FALSE(compare({"API", "", "about the billing service"}, {"api", "", "about search"}));
  EXPECT_FALSE(compare({"事故", "", "甲"}, {"事故。", "", "乙"}));
  EXPECT_TRUE(compare({"API"}, {"api"})) << "there is nothing else to tell them apart";
}

TEST(NearDuplicate, NothingIsLikeAnEmptyMemory) {
  EXPECT_FALSE(compare({"", "", ""}, {"", "", ""}));
  EXPECT_FALSE(compare({"???", "", ""}, {"!!!", "", ""}));
}

TEST(NearDuplicate, LongBodiesMayDifferInAWordOfForty) {
  std::string body;
  for (int i = 0; i < 60; ++i)
    body += "word" + std::string(1, static_cast<char>('a' + i % 26)) +
            std::string(1, static_cast<char>('a' + i / 26)) + " ";
  const std::string one = body + "heron";
  const std::string other = body + "badger";
  EXPECT_TRUE(compare({"A title", "", one.c_str()}, {"Something", "", other.c_str()}));
  EXPECT_FALSE(
      compare({"A title", "", (one + " 1").c_str()}, {"Something", "", (one + " 2").c_str()}));
}

TEST(NearDuplicate, AHugeBodyIsComparedByItsBeginningAndItsSize) {
  std::string body;
  for (int i = 0; body.size() < 3 * StatementSketch::kSketchedBody; ++i)
    body += "line " + std::to_string(i) + " of a long text\n";
  const std::string twice = body + body;
  EXPECT_TRUE(compare({"A title", "", body.c_str()}, {"Something", "", (body + "end").c_str()}));
  EXPECT_FALSE(compare({"A title", "", body.c_str()}, {"Something", "", twice.c_str()}));
}

TEST(NearDuplicate, DamagedTextsAreCompared) {
  EXPECT_TRUE(compare({"Release branch \xFF policy"}, {"release branch policy"}));
  EXPECT_FALSE(compare({"\xFF\xFE"}, {"\xFF"}));
}

}  // namespace
}  // namespace memfs::testing
