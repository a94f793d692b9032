#include "index/analyzer.h"

#include <gtest/gtest.h>

#include <set>

#include "index/normalizer.h"
#include "index/stemmer.h"

namespace memfs::index {
namespace {

std::set<std::string> terms(std::string_view text) {
  std::set<std::string> out;
  for (const Token& token : analyze(text, Purpose::kDocument)) out.insert(token.term);
  return out;
}
// Whether some term of the query stands in the text.
bool finds(std::string_view text, std::string_view query) {
  const auto have = terms(text);
  for (const Token& token : analyze(query, Purpose::kQuery))
    if (token.form != Form::kPair && have.contains(token.term)) return true;
  return false;
}

TEST(Analyzer, PlainTextGivesLowerCaseWords) {
  EXPECT_EQ(terms("The lock\nfile, is STALE!"),
            (std::set<std::string>{"the", "lock", "file", "is", "stale"}));
}

TEST(Analyzer, IdentifiersAreFoundWholeAndByTheirParts) {
  const std::string text =
      "foo_bar_baz camelCaseName HTTPServer2 std::vector kebab-case-name __init__ x86_64 utf8 a/b "
      "POL-358 v1.2.3 #123";
  for (const char* query :
       {"bar",         "foo_bar_baz", "foo_bar",     "name",   "camelCaseName", "case",   "server",
        "HTTPServer2", "vector",      "std::vector", "kebab",  "init",          "x86_64", "utf8",
        "a/b",         "POL-358",     "358",         "v1.2.3", "123",           "#123"})
    EXPECT_TRUE(finds(text, query)) << query;
}

TEST(Analyzer, SignsThatNameALanguageStay) {
  EXPECT_TRUE(terms("C++ tips").contains("c++"));
  EXPECT_FALSE(terms("C++ tips").contains("c"));
  EXPECT_TRUE(terms("C# and F#").contains("c#"));
  EXPECT_TRUE(terms("for .NET now").contains(".net"));
  EXPECT_TRUE(terms("for .NET now").contains("net"));
  EXPECT_FALSE(finds("C tips", "C++"));
}

TEST(Analyzer, AtSignsSeparate) {
  const std::string text = "ask @alice or bob@example.com, npm @scope/pkg";
  for (const char* query : {"alice", "@alice", "bob", "example.com", "scope", "@scope/pkg"})
    EXPECT_TRUE(finds(text, query)) << query;
}

TEST(Analyzer, ApostrophesAndDashesHaveOneForm) {
  for (const char* text : {"don't", "don’t", "donʼt", "don＇t"}) {
    EXPECT_TRUE(finds(text, "don't")) << text;
    EXPECT_TRUE(finds(text, "dont")) << text;
  }
  EXPECT_TRUE(finds("O'Neil", "neil"));
  EXPECT_TRUE(finds("l'été", "été"));
  EXPECT_TRUE(finds("l'été", "ete"));
  EXPECT_TRUE(finds("rock'n'roll dogs'", "dogs"));
  for (const char* text : {"e-mail", "e‑mail", "e–mail"}) {
    EXPECT_TRUE(finds(text, "e-mail")) << text;
    EXPECT_TRUE(finds(text, "email")) << text;
    EXPECT_TRUE(finds(text, "mail")) << text;
  }
  EXPECT_TRUE(finds("co\u00ADoperate", "cooperate"));
}

TEST(Analyzer, AnySubstringOfHanAndKanaIsFound) {
  EXPECT_TRUE(finds("用户服务器部署在腾讯云国内节点", "腾讯云"));
  EXPECT_TRUE(finds("用户服务器部署在腾讯云国内节点", "部署"));
  EXPECT_FALSE(finds("用户服务器部署在腾讯云国内节点", "设备"));
  EXPECT_TRUE(finds("今日は成語しりとりをした", "しりとり"));
  EXPECT_TRUE(finds("用户设备清单", "单"));
  EXPECT_TRUE(finds("ｻﾝﾄﾞﾎﾞｯｸｽ", "サンド"));
  EXPECT_FALSE(finds("バス", "ハス"));
}

TEST(Analyzer, HangulIsFoundWithoutItsParticles) {
  EXPECT_TRUE(finds("서울에서 만났다", "서울"));
  EXPECT_TRUE(finds("서울에서 만났다", "만났"));
  EXPECT_TRUE(finds("서울에서 만났다", "서울에서"));
}

TEST(Analyzer, ThaiIsCutByTheDictionaryHoweverSaraAmWasTyped) {
  EXPECT_TRUE(finds("การเก็บความจำของทีม", "ความจำ"));
  EXPECT_TRUE(finds("น้ำ", "น\u0E49\u0E4D\u0E32"));
  EXPECT_FALSE(finds("ข้าว", "ขาว"));
}

TEST(Analyzer, CaseFoldsTheSameEverywhere) {
  EXPECT_TRUE(finds("Straße", "STRASSE"));
  EXPECT_TRUE(finds("ΟΔΟΣ", "οδός"));
  EXPECT_TRUE(finds("οδος", "οδός"));
  EXPECT_TRUE(finds("İstanbul", "istanbul"));
  EXPECT_TRUE(finds("ısı IŞIK", "isi"));
  EXPECT_TRUE(finds("Łódź", "lodz"));
}

TEST(Analyzer, CompatibilityFormsAreTheirPlainCharacters) {
  EXPECT_TRUE(finds("ＡＰＩ　ｋｅｙ １２３", "api"));
  EXPECT_TRUE(finds("ＡＰＩ　ｋｅｙ １２３", "123"));
  EXPECT_TRUE(finds("ﬁle", "file"));
  EXPECT_TRUE(finds("①", "1"));
  EXPECT_TRUE(finds("x²", "x2"));
  EXPECT_TRUE(finds("№5", "no5"));
}

TEST(Analyzer, MarksStayWhereTheyMakeTheWord) {
  EXPECT_TRUE(finds("हिन्दी", "हिन्दी"));
  EXPECT_TRUE(finds("мой", "мой"));
  EXPECT_TRUE(terms("हिन्दी").contains("हिन्दी"));
  EXPECT_FALSE(terms("हिन्दी").contains("हिनदी"));
}

TEST(Analyzer, EmojiAreWords) { EXPECT_TRUE(finds("ship it 🚀 now", "🚀")); }

TEST(Analyzer, InvisibleCharactersInsideWordsDisappear) {
  EXPECT_TRUE(finds("pass\u200Dword", "password"));
  EXPECT_TRUE(finds("one\u200Btwo", "two")) << "ZERO WIDTH SPACE is a boundary";
}

TEST(Analyzer, PlacesAreBytesOfTheSource) {
  const std::string text = "ﬁnal İ ß walrus";
  for (const Token& token : analyze(text, Purpose::kDocument)) {
    if (token.term == "walrus") {
      EXPECT_EQ(text.substr(token.begin, token.end - token.begin), "walrus");
    }
    EXPECT_LE(token.end, text.size());
    EXPECT_LT(token.begin, token.end);
  }
}

TEST(Analyzer, ExpansionsAndPilesOfMarksAreBounded) {
  std::string ligatures;
  for (int i = 0; i < 10000; ++i) ligatures += "\uFDFA ";
  EXPECT_LT(analyze(ligatures, Purpose::kDocument).size(), 100000U);
  std::string zalgo = "a";
  for (int i = 0; i < 100000; ++i) zalgo += "\u0301";
  EXPECT_LE(analyze(zalgo, Purpose::kDocument).size(), 4U);
  for (const Token& token : analyze(std::string(1 << 20, 'x'), Purpose::kDocument))
    EXPECT_LE(token.term.size(), 128U);
}

TEST(Analyzer, InvalidBytesSeparateWords) {
  EXPECT_EQ(terms("one\xFFtwo"), (std::set<std::string>{"one", "two"}));
}

TEST(Analyzer, WordsAreFoundByTheirStems) {
  EXPECT_TRUE(finds("releases are cut", "release"));
  EXPECT_TRUE(finds("the release branch", "branches"));
  EXPECT_TRUE(finds("в ветках", "ветка"));
  EXPECT_TRUE(finds("الكتاب", "كتاب"));
  EXPECT_FALSE(finds("news", "new")) << "Snowball knows this one";
}

TEST(Stemmer, LeavesOtherLanguagesAndSignsAlone) {
  EXPECT_EQ(stem_of("releases"), "releas");
  EXPECT_EQ(stem_of("run"), "") << "nothing to take off";
  EXPECT_EQ(stem_of("c++"), "");
  EXPECT_EQ(stem_of("những"), "");
  EXPECT_EQ(stem_of("使用"), "");
  EXPECT_EQ(stem_of("v1.2.3"), "");
  EXPECT_EQ(stem_of(std::string(1000, 's')), "");
}

TEST(Normalizer, DropsAccentsOnlyWhereTheyAreAccents) {
  EXPECT_EQ(without_accents("été"), "ete");
  EXPECT_EQ(without_accents("οδός"), "οδος");
  EXPECT_EQ(without_accents("ข้าว"), "ข้าว");
  EXPECT_EQ(without_accents("バ"), "バ");
  EXPECT_EQ(without_accents("हिन्दी"), "हिन्दी");
}

}  // namespace
}  // namespace memfs::index
