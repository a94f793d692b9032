#include "index/query.h"

#include <gtest/gtest.h>

namespace memfs::index {
namespace {

Result<Query> parse(std::string_view text) {
  return parse_query(text, [](std::string_view name, std::string_view value) {
    return name == "type" && value == "project";
  });
}

std::string shape_of(const Clause& clause) {
  std::string out = clause.mode == Clause::Mode::kMustNot ? "-"
                    : clause.mode == Clause::Mode::kMust  ? "+"
                                                          : "";
  switch (clause.kind) {
    case Clause::Kind::kWord:
      return out + clause.tokens.front().term;
    case Clause::Kind::kPhrase:
      return out + "'" + clause.text + "'";
    case Clause::Kind::kPrefix:
      return out + clause.prefix + "*";
    default:
      out += clause.kind == Clause::Kind::kAll    ? "all("
             : clause.kind == Clause::Kind::kBest ? "best("
                                                  : "some(";
  }
  for (const Clause& inner : clause.clauses)
    out += (out.back() == '(' ? "" : " ") + shape_of(inner);
  return out + ")";
}

// "word:x" "phrase:x" "prefix:x" with its sign, and filters.
std::string shape(std::string_view text) {
  auto query = parse(text);
  if (!query) return std::string("<") + name_of(query.error().code) + ">";
  std::string out;
  for (const Clause& clause : query->clauses) out += shape_of(clause) + " ";
  for (const Filter& filter : query->filters)
    out += (filter.negated ? "-" : "") + filter.name + "=" + filter.value + " ";
  return out;
}

TEST(Query, HasWordsPhrasesPrefixesAndSigns) {
  EXPECT_EQ(shape("lock file"), "lock file ");
  EXPECT_EQ(shape("\"lock file\" sta*"), "'lock file' sta* ");
  EXPECT_EQ(shape("a -b +c"), "a -b +c ");
}

TEST(Query, OperatorsJoinWhatStandsBesideThem) {
  EXPECT_EQ(shape("a OR b c"), "best(a b) c ");
  EXPECT_EQ(shape("a AND b"), "+all(a b) ");
  EXPECT_EQ(shape("a OR b AND c"), "best(a all(b c)) ");
  EXPECT_EQ(shape("(a OR b) AND c"), "+all(best(a b) c) ");
  EXPECT_EQ(shape("(a b) OR c"), "best(some(a b) c) ");
  EXPECT_EQ(shape("-(a b) c"), "-some(a b) c ");
  EXPECT_EQ(shape("+(a OR b) c"), "+best(a b) c ");
  EXPECT_EQ(shape("a AND -b"), "-b a ");
  EXPECT_EQ(shape("a OR type:project b"), "a b type=project ");
}

TEST(Query, OperatorsThatJoinNothingAndParenthesesInWordsAreData) {
  EXPECT_EQ(shape("a AND"), "a ");
  EXPECT_EQ(shape("OR a"), "a ");
  EXPECT_EQ(shape("AND"), "<usage>");
  EXPECT_EQ(shape("(a) b"), "a b ");
  EXPECT_EQ(shape("f(x) (open"), "f x open ");
  EXPECT_EQ(shape("(())"), "<usage>");
  EXPECT_EQ(shape(std::string(5000, '(') + "a" + std::string(5000, ')')), "a ");
}

TEST(Query, AFilterIsOneOnlyIfNameAndValueAreKnown) {
  EXPECT_EQ(shape("type:project x"), "x type=project ");
  EXPECT_EQ(shape("-type:project x"), "x -type=project ");
  EXPECT_EQ(shape("type: string"), "type string ");
  EXPECT_EQ(shape("TODO: fix"), "todo fix ");
  EXPECT_EQ(shape("type:project"), "type=project ");
}

TEST(Query, PunctuationIsData) {
  EXPECT_EQ(shape("pre-edit"), "pre-edit ");
  EXPECT_EQ(shape("foo^2 50% (x)"), "foo 2 50 x ");
  EXPECT_EQ(shape("name*"), "name* ");
  EXPECT_EQ(shape("NEAR NOT"), "near not ");
  EXPECT_EQ(shape("\"unbalanced word"), "unbalanced word ");
  EXPECT_EQ(parse("\"unbalanced")->notes.size(), 1U);
  EXPECT_EQ(shape("c++ a/b"), "c++ a/b ");
}

TEST(Query, NothingToLookForIsAUsageErrorAndNeverEverything) {
  for (const char* text :
       {"", "   ", "!!!", "\u200B", "\"", "\"\"", "(", "*", "-", ":", "AND", "-x", "-x -\"y z\""})
    EXPECT_EQ(shape(text), "<usage>") << text;
  EXPECT_EQ(shape("a AND"), "a ");
}

TEST(Query, EachPairOfAHanRunIsAWordOfItsOwn) { EXPECT_EQ(shape("设备清单"), "设备 备清 清单 "); }

double weight(std::string_view text, std::size_t clause) {
  return parse(text)->clauses.at(clause).weight;
}

TEST(Query, PairsOfGrammarWeighLess) {
  // 硕塞 塞是 是谁 谁的 的儿 儿子
  EXPECT_GT(weight("硕塞是谁的儿子", 0), weight("硕塞是谁的儿子", 5)) << "an unknown name";
  EXPECT_GT(weight("硕塞是谁的儿子", 5), weight("硕塞是谁的儿子", 4));
  EXPECT_GT(weight("硕塞是谁的儿子", 4), weight("硕塞是谁的儿子", 3));
  EXPECT_LT(weight("いつ", 0), weight("トキ", 0));
  EXPECT_EQ(weight("walrus", 0), 1);
  EXPECT_EQ(weight("设备", 0), 1);
}

TEST(Query, ASignedWordOfCharactersIsMeantAsAWhole) {
  EXPECT_EQ(shape("-东京都 塔"), "-'东京都' 塔* ");
  EXPECT_EQ(shape("+东京都"), "+'东京都' ");
}

TEST(Query, HanAndTheHiraganaBehindItAreAPairBesideTheirRuns) {
  EXPECT_EQ(shape("食べる"), "食* 食べ べる ") << "one character is the beginning of pairs";
  EXPECT_EQ(weight("食べる", 0), 1);
  EXPECT_LT(weight("食べる", 1), weight("食べる", 2));
  EXPECT_EQ(shape("バルブを"), "バル ルブ を ");
}

TEST(Query, PairsOfALongRunWeighLessButMoreTogether) {
  EXPECT_LT(weight("オペレーティングシステム", 0), weight("オペ", 0));
  EXPECT_GT(weight("オペレ", 0) * 2, weight("オペ", 0));
}

TEST(Query, WhatCannotBeMeantIsSaid) {
  const auto note = [](std::string_view text) {
    const auto query = parse(text);
    return query->notes.empty() ? std::string() : query->notes.front();
  };
  EXPECT_EQ(shape("a -(type:project)"), "a -type=project ");
  EXPECT_NE(note("type:project OR a").find("OR does not join"), std::string::npos);
  EXPECT_NE(note("a OR type:project").find("OR does not join"), std::string::npos);
  EXPECT_NE(note("a AND NOT b").find("-word"), std::string::npos);
  EXPECT_EQ(note("a AND type:project"), "");
}

TEST(Query, PastedTextIsBounded) {
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "a* AND x_y_z 用户服务器 \" (";
  const auto query = parse(many);
  ASSERT_TRUE(query);
  EXPECT_LE(query->clauses.size(), 600U);
  EXPECT_FALSE(query->notes.empty());
  EXPECT_LE(parse(std::string(100000, 'a') + "_b")->clauses.size(), 1U);
}

}  // namespace
}  // namespace memfs::index
