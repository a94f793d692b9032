// Trouble that people had with the search of other memory stores, each with its right result.
#include <memfs/search.h>

#include <algorithm>

#include "tests/support/store_fixture.h"

namespace memfs::testing {
namespace {

struct Asked {
  const char* query;
  std::vector<int> found;  // numbers of the texts, the best first; kAnyOrder in front: any order
};
constexpr int kAnyOrder = -1;
constexpr int kMistake = -2;  // a usage error

struct Case {
  const char* name;
  std::vector<std::string> texts;
  std::vector<Asked> asked;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"ChineseAndJapaneseWithoutBlanks",
       {"用户服务器部署在腾讯云国内节点\n今日は成語しりとりをした"},
       {{"腾讯云", {0}}, {"部署", {0}}, {"しりとり", {0}}, {"\"设备\"", {}}, {"设备", {}}}},
      {"WordsOfOneAndTwoCharacters",
       {"用户设备清单"},
       {{"设备", {0}}, {"单", {0}}, {"设", {0}}, {"设备清单", {0}}, {"\"备清\"", {0}}}},
      {"TheSoundMarkOfKanaCanBeLeftOut",
       {"サーバーの設定", "ﾃﾞｰﾀ", "らーめん"},
       {{"サーバ", {0}}, {"サーバー", {0}}, {"データ", {1}}, {"らーめん", {2}}}},
      {"KoreanParticles", {"서울에서 만났다"}, {{"서울", {0}}, {"만났", {0}}, {"에서", {0}}}},
      {"Identifiers",
       {"foo_bar_baz camelCaseName HTTPServer2 std::vector kebab-case-name __init__ x86_64 utf8",
        "foo and then bar"},
       {{"bar", {kAnyOrder, 0, 1}},
        {"foo_bar_baz", {0, 1}},
        {"name", {0}},
        {"camelCaseName", {0}},
        {"case", {0}},
        {"server", {0}},
        {"vector", {0}},
        {"kebab", {0}},
        {"init", {0}},
        {"__init__", {0}},
        {"x86_64", {0}}}},
      {"UnderscoresAroundAWord",
       {"call init first", "call __init__ first", "_emphasis_ in markdown"},
       {{"__init__", {1, 0}}, {"init", {kAnyOrder, 0, 1}}, {"emphasis", {2}}}},
      {"LanguagesThatDifferInASign",
       {"C++ tips", "C# tips", "C tips", ".NET tips"},
       {{"C++", {0}}, {"C#", {1}}, {"c", {2}}, {".net", {3}}}},
      {"TheAtSignSeparates",
       {"ask @alice or bob@example.com, npm @scope/pkg"},
       {{"alice", {0}}, {"@alice", {0}}, {"bob", {0}}, {"example.com", {0}}, {"scope", {0}}}},
      {"Apostrophes",
       {"don't", "don\u2019t", "O'Neil", "l'été", "rock'n'roll", "dogs'"},
       {{"don't", {kAnyOrder, 0, 1}},
        {"don\u2019t", {kAnyOrder, 0, 1}},
        {"dont", {kAnyOrder, 0, 1}},
        {"neil", {2}},
        {"été", {3}},
        {"ete", {3}},
        {"rock'n'roll", {4}},
        {"dogs", {5}}}},
      {"HyphensAndDashes",
       {"e-mail", "e\u2011mail", "e\u2013mail", "email", "co\u00ADoperate"},
       {{"e-mail", {kAnyOrder, 0, 1, 2, 3}},
        {"email", {kAnyOrder, 0, 1, 2, 3}},
        {"mail", {kAnyOrder, 0, 1, 2}},
        {"cooperate", {4}}}},
      {"CaseFolding",
       {"Straße", "ΟΔΟΣ", "οδος", "İstanbul", "ısı IŞIK", "DATE TIME"},
       {{"strasse", {0}},
        {"STRASSE", {0}},
        {"οδός", {kAnyOrder, 1, 2}},
        {"istanbul", {3}},
        {"date", {5}},
        {"time", {5}},
        {"isi", {4}}}},
      {"FullWidthLigaturesAndHalfWidthKana",
       {"ＡＰＩ　ｋｅｙ １２３", "ﬁle", "ｻﾝﾄﾞﾎﾞｯｸｽ", "①", "x²", "№5"},
       {{"api", {0}}, {"123", {0}}, {"file", {1}}, {"サンド", {2}}, {"no5", {5}}}},
      {"MarksThatMakeAnotherWord",
       {"ข้าว", "ขาว", "バス", "ハス", "мой", "हिन्दी"},
       {{"\"ข้าว\"", {0}},
        {"\"ขาว\"", {1}},
        {"\"バス\"", {2}},
        {"\"ハス\"", {3}},
        {"мой", {4}},
        {"हिन्दी", {5}}}},
      {"PunctuationIsData",
       {"pre-edit POL-358 don't TODO: fix a/b (x) 50%% c++ \"q\" name* foo^2 NEAR AND OR NOT"},
       {{"pre-edit", {0}},    {"POL-358", {0}},    {"TODO:", {0}},    {"fix", {0}},
        {"a/b", {0}},         {"(x)", {0}},        {"50%%", {0}},     {"c++", {0}},
        {"\"q\"", {0}},       {"name*", {0}},      {"foo^2", {0}},    {"NEAR", {0}},
        {"NOT", {0}},         {"TODO: fix", {0}},  {"a AND", {0}},    {"\"", {kMistake}},
        {"\"\"", {kMistake}}, {"(", {kMistake}},   {"*", {kMistake}}, {"-", {kMistake}},
        {":", {kMistake}},    {"AND", {kMistake}}, {"-x", {kMistake}}}},
      {"NothingAskedIsNeverEverything",
       {"walrus"},
       {{"", {kMistake}}, {"   ", {kMistake}}, {"!!!", {kMistake}}, {"\u200B", {kMistake}}}},
      {"PhrasesAndPrefixes",
       {"the lock\nfile is stale", "lock the file"},
       {{"\"lock file\"", {0}},
        {"loc*", {kAnyOrder, 0, 1}},
        {"\"lock fi*\"", {0}},
        {"\"stale", {0}}}},
      {"EqualTextsInTheOrderOfTheirNames",
       std::vector<std::string>(10, "equal text"),
       {{"text", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, {"equal", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}}},
  };
  return all;
}

class SearchCases : public StoreFixture, public ::testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < GetParam().texts.size(); ++i)
      memory->plant("/m/shared/" + std::to_string(i) + "n.md",
                    "---\ntitle: T\nrevision: 1\n---\n" + GetParam().texts[i] + "\n");
  }

  std::vector<int> found(const Store& store, const char* query) {
    SearchRequest request;
    request.query = query;
    const auto result = search(store, request, parse_date(now)->at);
    if (!result) {
      EXPECT_EQ(result.error().code, ErrorCode::kUsage) << query;
      return {kMistake};
    }
    std::vector<int> numbers;
    for (const Hit& hit : result->hits) numbers.push_back(std::stoi(hit.memory.name));
    EXPECT_EQ(result->total, numbers.size()) << query;
    return numbers;
  }
};

TEST_P(SearchCases, AreFoundAsTheyShould) {
  // The first time the index is made, the second time it is read.
  for (int round = 0; round < 2; ++round) {
    const Store store = open();
    for (const Asked& asked : GetParam().asked) {
      auto got = found(store, asked.query);
      auto expected = asked.found;
      if (!expected.empty() && expected.front() == kAnyOrder) {
        expected.erase(expected.begin());
        std::sort(got.begin(), got.end());
      }
      EXPECT_EQ(got, expected) << asked.query;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Known, SearchCases, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

// One Arabic ligature becomes eighteen letters: places stay those of the file.
TEST_F(StoreFixture, HighlightsFallOnTheWordInTheOriginalBytes) {
  std::string body;
  for (int i = 0; i < 10000; ++i) body += "\uFDFA";
  memory->plant("/m/shared/big.md", body + " walrus\n");
  memory->plant("/m/shared/small.md", "ﬁnal İ ß walrus and more\n");
  SearchRequest request;
  request.query = "walrus";
  const auto result = search(open(), request, parse_date(now)->at);
  ASSERT_EQ(result->hits.size(), 2U);
  for (const Hit& hit : result->hits) {
    ASSERT_EQ(hit.highlights.size(), 1U) << hit.memory.name;
    const auto [begin, end] = hit.highlights.front();
    EXPECT_EQ(hit.snippet.substr(begin, end - begin), "walrus");
  }
}

}  // namespace
}  // namespace memfs::testing
