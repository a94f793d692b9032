#include "index/searcher.h"

#include <gtest/gtest.h>

#include <random>

#include "index/segment_merger.h"
#include "tests/support/index_fixture.h"

namespace memfs::index {
namespace {

const std::vector<FieldSpec> kTwoFields = {{"title", 5.0, 0.3}, {"body", 1.0, 0.4}};

struct Doc {
  std::string title;
  std::string body;
};

// Documents found, best first.
std::vector<std::uint32_t> found(const std::vector<Doc>& docs, std::string_view text) {
  const auto query = parse_query(text, [](auto, auto) { return false; });
  std::vector<std::vector<std::string>> texts;
  for (const Doc& doc : docs) texts.push_back({doc.title, doc.body});
  const Snapshot snapshot = testing::snapshot_of(kTwoFields, texts);
  SearchOptions options;
  options.limit = 1000;
  std::vector<std::uint32_t> out;
  for (const Match& match : search(snapshot, *query, options)) out.push_back(match.id.document);
  return out;
}
using Docs = std::vector<std::uint32_t>;

TEST(Searcher, ADocumentWithAllWordsComesFirst) {
  EXPECT_EQ(found({{"", "release"}, {"", "release branch"}, {"", "other"}}, "release branch"),
            (Docs{1, 0}));
}

TEST(Searcher, ATitleCountsMoreThanABody) {
  EXPECT_EQ(found({{"x", "walrus"}, {"walrus", "x"}}, "walrus"), (Docs{1, 0}));
}

TEST(Searcher, PhrasesNeedTheirWordsInOrderAcrossLineBreaks) {
  const std::vector<Doc> docs = {{"", "the lock\nfile is stale"}, {"", "lock the file"}};
  EXPECT_EQ(found(docs, "\"lock file\""), (Docs{0}));
  EXPECT_EQ(found(docs, "\"lock fi*\""), (Docs{0}));
  EXPECT_EQ(found(docs, "loc*").size(), 2U);
  EXPECT_EQ(found({{"", "使用 腾讯云 节点"}}, "\"腾讯云\""), (Docs{0}));
  EXPECT_EQ(found({{"lock", "file"}}, "\"lock file\""), Docs{}) << "not across fields";
}

TEST(Searcher, ExclusionAndDemandAreKept) {
  const std::vector<Doc> docs = {{"", "a b"}, {"", "a c"}, {"", "b c"}};
  EXPECT_EQ(found(docs, "a -b"), (Docs{1}));
  EXPECT_EQ(found(docs, "a +c"), (Docs{1, 2}));
}

TEST(Searcher, AWholeIdentifierRanksAboveItsParts) {
  EXPECT_EQ(found({{"", "foo and bar here"}, {"", "the foo_bar here"}}, "foo_bar").front(), 1U);
  EXPECT_EQ(found({{"", "resume here"}, {"", "résumé here"}}, "résumé").front(), 1U);
}

TEST(Searcher, LanguagesAreToldApart) {
  const std::vector<Doc> docs = {
      {"C++ tips", ""}, {"C# tips", ""}, {"C tips", ""}, {".NET tips", ""}};
  EXPECT_EQ(found(docs, "C++"), (Docs{0}));
  EXPECT_EQ(found(docs, "C#"), (Docs{1}));
  EXPECT_EQ(found(docs, "c"), (Docs{2}));
  EXPECT_EQ(found(docs, ".net"), (Docs{3}));
}

TEST(Searcher, EqualDocumentsKeepTheirOrder) {
  const std::vector<Doc> same(10, {"", "equal text"});
  EXPECT_EQ(found(same, "text"), (Docs{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Searcher, ThaiPairsAreAWeakFallBack) {
  EXPECT_EQ(found({{"", "การเก็บความจำของทีม"}, {"", "ข้าวขาว"}}, "ความจำ"), (Docs{0}));
}

TEST(Searcher, WhatAQuestionIsAboutCountsMoreThanItsGrammar) {
  EXPECT_EQ(found({{"", "这是什么原因"}, {"", "部署由脚本完成"}, {"", "日志"}, {"", "清单"}},
                  "部署是什么")
                .front(),
            1U);
  EXPECT_EQ(found({{"", "それはどこですか"}, {"", "鍵は金庫に保管する"}, {"", "日誌"}},
                  "鍵の保管はどこですか")
                .front(),
            1U);
  EXPECT_EQ(found({{"", "학교는"}, {"", "대학교의"}, {"", "기록"}}, "대학교는").front(), 1U);
}

// A trivial implementation over lists of words, for plain words in one language.
Docs model(const std::vector<Doc>& docs, const std::vector<std::string>& words) {
  Docs out;
  for (std::uint32_t i = 0; i < docs.size(); ++i) {
    bool any = false;
    for (const std::string& word : words)
      any = any || (" " + docs[i].title + " " + docs[i].body + " ").find(" " + word + " ") !=
                       std::string::npos;
    if (any) out.push_back(i);
  }
  return out;
}

TEST(Searcher, EachMatchTellsWhichWordsItHasAndHowMuchTheySay) {
  const std::vector<std::vector<std::string>> texts = {
      {"", "the release branch"}, {"", "the nightly deploy"}, {"", "the tea"}, {"", "the end"}};
  const Snapshot snapshot = testing::snapshot_of(kTwoFields, texts);
  SearchOptions options;
  options.explain = true;
  const auto query = parse_query("the release zebra \"tea pot\"", [](auto, auto) { return false; });
  const Match best = search(snapshot, *query, options).front();
  ASSERT_EQ(best.words.size(), 4U);
  EXPECT_EQ(best.words[0].text, "the");
  EXPECT_EQ(best.words[0].found, 1);
  EXPECT_EQ(best.words[1].found, 1);
  EXPECT_EQ(best.words[2].found, 0);
  EXPECT_EQ(best.words[3].found, 0);
  EXPECT_LT(best.words[0].information, best.words[1].information / 4);
  EXPECT_EQ(best.words[2].information, best.words[1].information)
      << "what nobody has says as much as what one has";
  EXPECT_EQ(best.words[3].information, 2 * best.words[1].information);
}

TEST(Searcher, FindsTheSameDocumentsAsATrivialSearch) {
  std::mt19937 random(7);
  const std::vector<std::string> words = {"ant", "bee", "cat", "dog", "eel", "fox"};
  const auto pick = [&] { return words[random() % words.size()]; };
  for (int round = 0; round < 200; ++round) {
    std::vector<Doc> docs;
    for (unsigned i = 0; i < 1 + random() % 8; ++i) {
      Doc doc{pick(), pick()};
      for (unsigned k = 0; k < random() % 4; ++k) doc.body += " " + pick();
      docs.push_back(doc);
    }
    const std::vector<std::string> asked = {pick(), pick()};
    auto got = found(docs, asked[0] + " " + asked[1]);
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, model(docs, asked));
  }
}

// Many documents of a small vocabulary, so that lists have several blocks.
std::vector<std::vector<std::string>> many_documents(unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<std::string>> out;
  for (unsigned i = 0; i < count; ++i) {
    std::string body;
    for (unsigned long k = 0, words = 1 + random() % 40; k < words; ++k) {
      // Small numbers are common, large ones rare.
      const unsigned long word = random() % (1 + random() % 60);
      body += "w" + std::string(1, static_cast<char>('a' + word % 26)) +
              std::string(1, static_cast<char>('a' + word / 26)) + " ";
    }
    out.push_back({random() % 5 == 0 ? "waa wba" : "t", body});
  }
  return out;
}

const char* const kQueries[] = {
    "waa",        "waa wba wca", "wzb wya waa",          "\"waa wba\"",     "wa*",
    "waa +wzb",   "waa -wba",    "(waa OR wca) AND wdb", "waa waa waa wba", "\"waa w*\" wzb",
    "wba OR wzb", "nothing"};

std::vector<std::pair<std::string, double>> ranking(const Snapshot& snapshot, const char* text,
                                                    std::size_t limit) {
  const auto query = parse_query(text, [](auto, auto) { return false; });
  SearchOptions options;
  options.limit = limit;
  std::vector<std::pair<std::string, double>> out;
  for (const Match& match : search(snapshot, *query, options))
    out.emplace_back(snapshot.key(match.id), match.score);
  return out;
}

TEST(Searcher, PassingOverDocumentsLosesNone) {
  const Snapshot snapshot = testing::snapshot_of(kTwoFields, many_documents(3000, 1));
  for (const char* query : kQueries) {
    auto all = ranking(snapshot, query, 100000);
    for (const std::size_t limit : {1U, 3U, 10U, 100U}) {
      const auto best = ranking(snapshot, query, limit);
      const std::vector<std::pair<std::string, double>> expected(
          all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(limit, all.size())));
      EXPECT_EQ(best, expected) << query << " " << limit;
    }
    const auto parsed = parse_query(query, [](auto, auto) { return false; });
    std::size_t total = 0;
    (void)search(snapshot, *parsed, {}, &total);
    EXPECT_EQ(total, all.size()) << query;
  }
}

TEST(Searcher, SegmentsAndDocumentSetScoreLikeAFreshIndex) {
  const auto documents = many_documents(900, 2);
  // The fresh index has every third document less; the other one has them dead.
  std::vector<index::SegmentBuilder> fresh;
  fresh.emplace_back(kTwoFields);
  Snapshot grown(kTwoFields);
  std::vector<SegmentView> views;
  for (std::size_t begin = 0; begin < documents.size(); begin += 300) {
    SegmentView view;
    view.segment =
        testing::segment_of(kTwoFields,
                            {documents.begin() + static_cast<std::ptrdiff_t>(begin),
                             documents.begin() + static_cast<std::ptrdiff_t>(begin + 300)},
                            begin);
    for (std::uint32_t i = 0; i < 300; ++i) {
      if (i % 3 == 0) {
        view.dead.add(i);
        continue;
      }
      Document document;
      document.key = std::to_string(100000 + begin + i);
      document.texts[0] = documents[begin + i][0];
      document.texts[1] = documents[begin + i][1];
      fresh.front().add(std::move(document));
    }
    views.push_back(std::move(view));
  }
  grown.add(views, 0);
  auto fault = Segment::Fault::kNone;
  Snapshot at_once(kTwoFields);
  at_once.add({{Segment::open(bytes_of(SegmentBuilder::finish(fresh)), fault), {}, {}, 0}}, 0);
  const auto merged_bytes = merge_segments(kTwoFields, {&views[0], &views[1], &views[2]});
  ASSERT_TRUE(merged_bytes);
  Snapshot merged(kTwoFields);
  merged.add({{Segment::open(bytes_of(*merged_bytes), fault), {}, {}, 0}}, 0);
  EXPECT_EQ(merged.segments()[0].segment->document_count(), 600U);
  for (const char* query : kQueries) {
    EXPECT_EQ(ranking(grown, query, 20), ranking(at_once, query, 20)) << query;
    EXPECT_EQ(ranking(merged, query, 20), ranking(at_once, query, 20)) << query;
  }
}

TEST(Searcher, EverySubstringOfChineseAndJapaneseIsFoundAsAPhraseToo) {
  const std::vector<Doc> docs = {
      {"", "多いに"}, {"", "呼ばれる"}, {"", "東京タワー"}, {"", "京都府"}};
  EXPECT_EQ(found(docs, "\"多い\""), (Docs{0}));
  EXPECT_EQ(found(docs, "+多い"), (Docs{0}));
  EXPECT_EQ(found(docs, "\"呼ば\""), (Docs{1}));
  EXPECT_EQ(found(docs, "\"東京タ\""), (Docs{2}));
  EXPECT_EQ(found(docs, "\"京\""), (Docs{3, 2}));
  EXPECT_EQ(found(docs, "タワ"), (Docs{2}));
  EXPECT_EQ(found({{"", "多いに xa"}, {"", "xa"}}, "xa -多い"), (Docs{1}));
}

TEST(Searcher, WhatAndJoinsIsThereAsAWhole) {
  EXPECT_EQ(found({{"", "京都 大阪"}, {"", "東京都 大阪府"}}, "東京都 AND 大阪府"), (Docs{1}));
  const std::vector<Doc> docs = {{"", "foo apple"}, {"", "foo_bar apple"}, {"", "한국 apple"}};
  EXPECT_EQ(found(docs, "foo_bar AND apple"), (Docs{1}));
  EXPECT_EQ(found(docs, "foo_bar AND apple OR zzz"), (Docs{1}));
  EXPECT_EQ(found(docs, "한국어 AND apple OR zzz"), Docs{});
  EXPECT_EQ(found({{"", "qa"}, {"", "foo qa"}}, "zed OR (+foo qa)"), (Docs{1}));
}

TEST(Searcher, ABeginningFindsAllOfItsWordsHoweverMany) {
  std::vector<std::vector<std::string>> many(3);
  for (unsigned i = 0; i < 30000; ++i) {
    std::string word = "a";
    for (unsigned rest = i + 1; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    many[i % 2].resize(2);
    many[i % 2][1] += word + " ";
  }
  many[2] = {"", "azzzzzz zebra"};
  many[0][0] = many[1][0] = "";
  Snapshot snapshot(kTwoFields);
  snapshot.add({{testing::segment_of(kTwoFields, {many[0], many[1]}), {}, {}, 0},
                {testing::segment_of(kTwoFields, {many[2]}, 2), {}, {}, 0}},
               0);
  EXPECT_EQ(ranking(snapshot, "a*", 10).size(), 3U);
  EXPECT_EQ(ranking(snapshot, "+a* +zebra", 10).size(), 1U);
}

}  // namespace
}  // namespace memfs::index
