#include <memfs/search.h>

#include <gtest/gtest.h>

#include <map>

#include "tests/support/store_fixture.h"

namespace memfs::testing {
namespace {

class SearchTest : public StoreFixture {
 protected:
  std::string refs(const std::string& query) {
    SearchRequest request;
    request.query = query;
    const auto result = search(open(), request, parse_date(now)->at);
    if (!result) return std::string("<") + name_of(result.error().code) + ">";
    std::string out;
    for (const Hit& hit : result->hits) out += hit.memory.name + " ";
    return out;
  }
  void plant(const std::string& name, const std::string& bytes) {
    memory->plant("/m/shared/" + name + ".md", bytes);
  }
};

TEST_F(SearchTest, OneBadFileChangesNothingForTheOthersAndIsFoundByItsBody) {
  plant("a", "---\nid: a1\ntitle: ok\nrevision: 1\n---\nwalrus one\n");
  plant("b", "---\ntitle: [oops\n---\nwalrus two\n");
  plant("c", "---\nid: c1\ntitle: ok\nrevision: 1\n---\nwalrus three\n");
  SearchRequest request;
  request.query = "walrus";
  const auto result = search(open(), request, parse_date(now)->at);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->total, 3U);
  ASSERT_EQ(result->problems.size(), 1U);
  EXPECT_EQ(result->problems[0].line, 2);
}

TEST_F(SearchTest, ExpiredMemoriesComeOnlyOnRequest) {
  plant("a", "---\ntitle: T\nexpires: 2026-03-10\n---\nwalrus\n");
  now = "2026-03-10T00:00:00Z";
  EXPECT_EQ(refs("walrus"), "a ");
  now = "2026-03-10T23:59:59Z";
  EXPECT_EQ(refs("walrus"), "a ");
  now = "2026-03-11T00:00:00Z";
  EXPECT_EQ(refs("walrus"), "");
  EXPECT_EQ(refs("walrus is:expired"), "a ");
}

TEST_F(SearchTest, FindsPastedPunctuation) {
  plant("a",
        "pre-edit POL-358 don't TODO: fix a/b (x) 50% c++ \"q\" name* foo^2 NEAR AND OR NOT\n");
  for (const char* query : {"pre-edit", "POL-358", "don't", "TODO:", "a/b", "(x)", "50%", "c++",
                            "\"q\"", "name*", "foo^2", "NEAR", "NOT"})
    EXPECT_EQ(refs(query), "a ") << query;
  for (const char* query : {"\"", "\"\"", "(", "*", "-", ":", "AND", "-x", "", "!!!"})
    EXPECT_EQ(refs(query), "<usage>") << query;
}

TEST_F(SearchTest, FiltersNarrowWithoutScoring) {
  plant("a", "---\ntype: project\ntags: [git]\nsubject_key: project.db\n---\nwalrus\n");
  plant("deploy/b", "---\nactivation: pinned\nkind: preference\n---\nwalrus\n");
  plant("c", "walrus\n");
  EXPECT_EQ(refs("walrus type:project"), "a ");
  EXPECT_EQ(refs("walrus tag:git"), "a ");
  EXPECT_EQ(refs("subject:project.*"), "a ");
  EXPECT_EQ(refs("walrus is:pinned"), "deploy/b ");
  EXPECT_EQ(refs("walrus kind:preference in:deploy/"), "deploy/b ");
  EXPECT_EQ(refs("is:plain"), "c ");
  EXPECT_EQ(refs("walrus -is:plain -type:project"), "deploy/b ");
  EXPECT_EQ(refs("walrus scope:private"), "");
}

TEST_F(SearchTest, KeywordsNamesAndSubjectsAreSearchedToo) {
  plant("release-notes", "---\nkeywords: 发布 分支\nsubject_key: project.release_branch\n---\nx\n");
  EXPECT_EQ(refs("分支"), "release-notes ");
  EXPECT_EQ(refs("notes"), "release-notes ");
  EXPECT_EQ(refs("branch"), "release-notes ");
}

TEST_F(SearchTest, SaysWhereTheHitStands) {
  plant("a", "---\ntitle: T\n---\none\ntwo\nthe walrus\n");
  SearchRequest request;
  request.query = "walrus";
  const auto result = search(open(), request, parse_date(now)->at);
  ASSERT_EQ(result->hits.size(), 1U);
  const Hit& hit = result->hits[0];
  EXPECT_EQ(hit.line, 6);
  EXPECT_EQ(hit.why, "walrus in body");
  EXPECT_EQ(hit.snippet.substr(hit.highlights[0].first,
                               hit.highlights[0].second - hit.highlights[0].first),
            "walrus");
  EXPECT_FALSE(hit.explanation.empty());
}

TEST_F(SearchTest, NearerScopesWinBetweenEqualMemories) {
  const std::string text = "---\nvolatility: evergreen\n---\nwalrus\n";
  memory->plant("/m/global/a.md", text);
  memory->plant("/m/shared/b.md", text);
  memory->plant("/m/private/c.md", text);
  EXPECT_EQ(refs("walrus"), "c b a ");
}

TEST_F(SearchTest, AStaleMemoryComesBehindOneThatIsAsGoodAndNewer) {
  plant("a", "---\nvolatility: volatile\nupdated_at: 2026-01-01\n---\nwalrus\n");
  plant("b", "---\nvolatility: volatile\nupdated_at: " + now.substr(0, 10) + "\n---\nwalrus\n");
  plant("c", "---\nvolatility: stable\nupdated_at: 2026-01-01\n---\nwalrus\n");
  EXPECT_EQ(refs("walrus"), "b c a ");
  const auto at = parse_date(now)->at;
  SearchRequest request;
  request.query = "walrus is:stale";
  const auto hits = search(open(), request, at)->hits;
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits.front().memory.name, "a");
  EXPECT_EQ(hits.front().age.freshness, Freshness::kStale);
}

TEST_F(SearchTest, TheRankingTakesAgesFromRecordsAsTheyAreWorkedOutOfMemories) {
  int stale = 0;
  for (const char* block : {"", "created_at: 2026-11-29\n", "created_at: 2020-01-01\n",
                            "updated_at: 2020-01-01\nlast_verified_at: 2026-11-29\n",
                            "type: reference\nupdated_at: 2026-06-01\n", "updated_at: odd\n"}) {
    for (const char* folder : {"/m/shared/", "/m/private/"}) {
      const std::string head = "---\ntitle: T\n";
      memory->plant(folder + std::string("aging.md"), head + block + "---\nwalrus\n");
      memory->plant(folder + std::string("lasting.md"),
                    head + "volatility: evergreen\n---\nwalrus\n");
      SearchRequest request;
      request.query = "walrus";
      request.scopes = {std::string(folder) == "/m/shared/" ? Scope::kShared : Scope::kPrivate};
      const auto hits = search(open(), request, parse_date(now)->at)->hits;
      ASSERT_EQ(hits.size(), 2U);
      const Hit& aging = hits[hits[0].memory.name == "aging" ? 0 : 1];
      const Hit& lasting = hits[hits[0].memory.name == "aging" ? 1 : 0];
      const bool is_stale = aging.age.freshness == Freshness::kStale;
      stale += is_stale ? 1 : 0;
      EXPECT_NEAR(aging.score / lasting.score, is_stale ? 0.85 : 1.0, 1e-9) << folder << block;
    }
  }
  EXPECT_EQ(stale, 6);
}

TEST_F(SearchTest, AHitByAccidentIsTooWeakToBePutBeforeWhoDidNotAsk) {
  plant("branch", "---\ntitle: Release branch\n---\nReleases are cut from release/7.x.\n");
  plant("deploy", "---\ntitle: Deploys\n---\nThey run in the night, from the main branch.\n");
  plant("tea", "---\ntitle: Tea\n---\nGreen, in the morning.\n");
  const auto strengths = [&](const std::string& query) {
    SearchRequest request;
    request.query = query;
    std::map<std::string, double> out;
    const auto result = search(open(), request, parse_date(now)->at);
    for (const Hit& hit : result->hits) out[hit.memory.name] = hit.strength;
    return out;
  };
  EXPECT_GE(strengths("which branch are releases cut from").at("branch"), kStrongEnough);
  EXPECT_LT(strengths("which branch are releases cut from").at("deploy"), kStrongEnough);
  EXPECT_LT(strengths("who won the football match in Berlin").at("deploy"), kStrongEnough);
  EXPECT_EQ(strengths("tea").at("tea"), 1);
  EXPECT_EQ(strengths("scope:shared").at("tea"), 1) << "filters are met or not";
}

TEST_F(SearchTest, ListTakesTheSameFilters) {
  plant("a", "---\ntype: project\n---\nx\n");
  plant("b", "x\n");
  const auto at = parse_date(now)->at;
  EXPECT_EQ(filter_memories(open().list()->memories, {"type:project"}, at)->size(), 1U);
  EXPECT_EQ(filter_memories(open().list()->memories, {"-type:project"}, at)->size(), 1U);
  EXPECT_EQ(filter_memories(open().list()->memories, {"word"}, at).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace memfs::testing
