#include "index/searcher.h"

#include <gtest/gtest.h>

#include <random>

#include "index/memory_index.h"

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
  MemoryIndex index(kTwoFields, query->terms());
  for (const Doc& doc : docs) index.add({doc.title, doc.body});
  std::vector<std::uint32_t> out;
  for (const Match& match : search(index, *query, [](std::uint32_t) { return true; }))
    out.push_back(match.document);
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

TEST(Searcher, AnIndexBuiltInPartsScoresLikeOneBuiltAtOnce) {
  const auto query = parse_query("walrus tusk", [](auto, auto) { return false; });
  const std::vector<std::string> bodies = {"walrus", "tusk tusk walrus", "none", "a tusk"};
  MemoryIndex whole(kTwoFields, query->terms());
  MemoryIndex left(kTwoFields, query->terms());
  MemoryIndex right(kTwoFields, query->terms());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    whole.add({"t", bodies[i]});
    (i < 2 ? left : right).add({"t", bodies[i]});
  }
  left.append(std::move(right));
  const auto all = [](std::uint32_t) { return true; };
  const auto a = search(whole, *query, all);
  const auto b = search(left, *query, all);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].document, b[i].document);
    EXPECT_DOUBLE_EQ(a[i].score, b[i].score);
  }
}

}  // namespace
}  // namespace memfs::index
