// Memories as resources, prompts and completion.
#include <algorithm>

#include "cli/mcp/resources.h"
#include "tests/mcp/memory/memory_talk.h"

namespace memfs::testing {
namespace {

class ResourcesTest : public MemoryTalk {
 protected:
  Json get(const std::string& method, const Json& params) {
    return serve().ask(method, mcp::to_text(params));
  }
  Json read(const std::string& uri) { return get("resources/read", {{"uri", uri}}); }
  std::string text_of(const std::string& uri) {
    const Json response = read(uri);
    return response.contains("result")
               ? response["result"]["contents"][0]["text"].get<std::string>()
               : mcp::to_text(response);
  }
  Json complete(const std::string& argument, const std::string& value,
                const std::string& scope = {}) {
    Json params = {{"ref", {{"type", "ref/resource"}, {"uri", "mem://{scope}/{+name}"}}},
                   {"argument", {{"name", argument}, {"value", value}}}};
    if (!scope.empty()) params["context"] = {{"arguments", {{"scope", scope}}}};
    return get("completion/complete", params)["result"]["completion"]["values"];
  }
};

TEST_F(ResourcesTest, ThereAreTheContextAndTheIndexOfEachScope) {
  std::vector<std::string> uris;
  const Json listed = serve().ask("resources/list");
  for (const Json& resource : listed["result"]["resources"]) uris.push_back(resource["uri"]);
  EXPECT_EQ(uris, (std::vector<std::string>{"mem://context", "mem://index/private",
                                            "mem://index/shared", "mem://index/global"}));
  const Json templates = serve().ask("resources/templates/list");
  EXPECT_EQ(templates["result"]["resourceTemplates"][0]["uriTemplate"], "mem://{scope}/{+name}");
}

TEST_F(ResourcesTest, AMemoryOfOnesOwnIsItsFile) {
  plant("private/deploy/rollback.md", "---\ntitle: Rollback\n---\nPress the button.\n");
  EXPECT_EQ(text_of("mem://private/deploy/rollback"), file("private/deploy/rollback.md"));
  EXPECT_EQ(text_of("mem://private/deploy%2Frollback"), file("private/deploy/rollback.md"));
}

TEST_F(ResourcesTest, NamesOfAnyScriptAreReadByTheirPercentSigns) {
  plant("private/発布 ブランチ.md", "release/7.x\n");
  EXPECT_EQ(text_of("mem://private/%E7%99%BA%E5%B8%83%20%E3%83%96%E3%83%A9%E3%83%B3%E3%83%81"),
            "release/7.x\n");
}

TEST_F(ResourcesTest, ASharedMemoryStandsBetweenTagsWithItsSource) {
  plant("shared/a.md", "---\ntitle: A\n---\nText </memory> of the team.\n");
  const std::string text = text_of("mem://shared/a");
  EXPECT_TRUE(text.starts_with("shared: whoever can commit")) << text;
  EXPECT_NE(
      text.find("<memory ref=\"shared/a\" title=\"A\">\nText &lt;/memory> of the team.\n</memory>"),
      std::string::npos)
      << text;
}

TEST_F(ResourcesTest, TheIndexHasALineForEachMemory) {
  plant("private/a.md", "---\ndescription: About a\n---\nb\n");
  EXPECT_EQ(text_of("mem://index/private"), "- private/a: About a\n");
  EXPECT_EQ(text_of("mem://index/global"), "");
}

TEST_F(ResourcesTest, WhatIsNotThereIsNotFoundInTheCodeOfTheRevision) {
  plant("private/a.md", "b\n");
  for (const char* uri : {"mem://private/b", "mem://private/../a", "mem://a", "mem://nobody/a",
                          "mem://index/nobody", "mem://private/%zz", "mem://private/%00",
                          "file:///etc/passwd", "mem://", "", "mem://private/"})
    EXPECT_EQ(read(uri)["error"]["code"], -32002) << uri;
  const Json stateless = serve().ask_stateless("resources/read", {{"uri", "mem://private/b"}});
  EXPECT_EQ(stateless["error"]["code"], -32602);
}

// A URI names one memory: not whatever a reference on a command line would find.
TEST_F(ResourcesTest, AUriIsNoSearch) {
  plant("private/deploy/rollback.md", "---\naliases: [back]\n---\nb\n");
  EXPECT_EQ(read("mem://private/rollback")["error"]["code"], -32002);
  EXPECT_EQ(read("mem://private/back")["error"]["code"], -32002);
}

TEST_F(ResourcesTest, CompletionKnowsScopesAndNames) {
  plant("private/deploy/rollback.md", "b\n");
  plant("private/rollout.md", "b\n");
  plant("global/roll.md", "b\n");
  EXPECT_EQ(complete("scope", "s"), (Json{"shared"}));
  EXPECT_EQ(complete("name", "roll"), (Json{"roll", "rollout", "deploy/rollback"}));
  EXPECT_EQ(complete("name", "roll", "global"), (Json{"roll"}));
  EXPECT_EQ(complete("name", "xyz"), Json::array());
}

TEST_F(ResourcesTest, ChangedMemoriesAreToldByEverySpellingOfTheirUri) {
  const std::vector<std::string> uris = cli::changed_uris({"private/deploy/roll back"});
  for (const char* uri : {"mem://context", "mem://index/private", "mem://private/deploy/roll back",
                          "mem://private/deploy/roll%20back", "mem://private/deploy%2Froll%20back"})
    EXPECT_NE(std::find(uris.begin(), uris.end(), uri), uris.end()) << uri;
  EXPECT_TRUE(cli::changed_uris({}).empty());
}

TEST_F(ResourcesTest, TheReviewNamesWhatIsStaleEndedOrSaidTwiceWithTheCalls) {
  plant("private/old.md",
        "---\nvolatility: volatile\nupdated_at: 2026-01-01T00:00:00Z\n---\nrelease/7.x\n");
  plant("private/over.md", "---\nexpires_at: 2026-11-01\n---\nThe freeze lasts.\n");
  plant("private/clash-1.md", "---\nsubject_key: a.b\n---\none\n");
  plant("private/clash-2.md", "---\nsubject_key: a.b\n---\ntwo\n");
  const Json prompt = get("prompts/get", {{"name", "review-memories"}});
  const std::string text = prompt["result"]["messages"][0]["content"]["text"];
  for (const char* part : {"# Stale", "private/old", "verify_memory", "# Ended", "private/over",
                           "ended 2026-11-01", "# Contradictions", "private/clash-"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const Json global =
      get("prompts/get", {{"name", "review-memories"}, {"arguments", {{"scope", "global"}}}});
  const std::string nothing = global["result"]["messages"][0]["content"]["text"];
  EXPECT_NE(nothing.find("Nothing needs a review"), std::string::npos) << nothing;
}

TEST_F(ResourcesTest, AReviewChangesNothing) {
  plant("private/a.md", "b\n");
  const auto before = file("private/a.md");
  get("prompts/get", {{"name", "review-memories"}});
  EXPECT_EQ(file("private/a.md"), before);
  EXPECT_EQ(get("prompts/get",
                {{"name", "review-memories"}, {"arguments", {{"scope", "x"}}}})["error"]["code"],
            -32602);
}

}  // namespace
}  // namespace memfs::testing
