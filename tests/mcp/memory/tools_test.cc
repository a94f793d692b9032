// The tools as a model uses them.
#include "tests/mcp/memory/memory_talk.h"

namespace memfs::testing {
namespace {

class ToolsTest : public MemoryTalk {
 protected:
  static std::vector<std::string> names(const Json& listed) {
    std::vector<std::string> all;
    for (const Json& tool : listed["result"]["tools"]) all.push_back(tool["name"]);
    return all;
  }
  static std::vector<std::string> refs(const Json& result) {
    std::vector<std::string> all;
    for (const Json& hit : result["hits"]) all.push_back(hit["ref"]);
    return all;
  }
  // A body of so many letters in lines.
  static std::string lines(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += "line " + std::to_string(i) + "\n";
    return text;
  }
};

using Names = std::vector<std::string>;

TEST_F(ToolsTest, TheUsualOnesAreFewAndInAFixedOrder) {
  EXPECT_EQ(names(serve("").ask("tools/list")),
            (Names{"remember", "recall", "read_memory", "forget", "memory_context"}));
}

TEST_F(ToolsTest, ReadOnlyLeavesTheReadingOnes) {
  EXPECT_EQ(names(serve("", true).ask("tools/list")),
            (Names{"recall", "read_memory", "memory_context"}));
}

TEST_F(ToolsTest, EachHasAllFourAnnotationsAndAnAllowedName) {
  const Json listed = serve("all").ask("tools/list");
  for (const Json& tool : listed["result"]["tools"]) {
    for (const char* hint : {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
      EXPECT_TRUE(tool["annotations"].contains(hint)) << tool["name"] << " " << hint;
    EXPECT_FALSE(tool["annotations"]["openWorldHint"].get<bool>());
    const std::string name = tool["name"];
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << name;
  }
}

TEST_F(ToolsTest, AServerWithoutAPlaceForMemoriesOffersNone) {
  cli::ServerPlace place;
  place.environment.working_directory = "/";
  EXPECT_TRUE(names(serve(place).ask("tools/list")).empty());
}

// MC-1
TEST_F(ToolsTest, MissingAndNullArgumentsAreNone) {
  Talk& talk = serve();
  for (const char* params : {R"({"name":"recall"})", R"({"name":"recall","arguments":null})",
                             R"({"name":"recall","arguments":{"query":null}})",
                             R"({"name":"recall","arguments":{"query":"  "}})"}) {
    const Json result = talk.ask("tools/call", params)["result"];
    EXPECT_TRUE(result["isError"].get<bool>()) << params;
    EXPECT_EQ(result["content"][0]["text"], "`query` is required") << params;
  }
}

// MC-1
TEST_F(ToolsTest, ArgumentsThatAreNoObjectAreARequestThatIsWrong) {
  Talk& talk = serve();
  for (const char* params : {R"({"name":"recall","arguments":"x"})",
                             R"({"name":"recall","arguments":[]})", "null", "[]"})
    EXPECT_EQ(talk.ask("tools/call", params)["error"]["code"], -32602) << params;
  EXPECT_EQ(talk.ask("ping")["result"], Json::object());
}

TEST_F(ToolsTest, AValueOfAWrongTypeIsNamed) {
  const std::vector<std::pair<Json, std::string>> cases = {
      {{{"query", 5}}, "`query` must be a text"},
      {{{"query", Json::array()}}, "`query` must be a text"},
      {{{"query", "x"}, {"limit", "ten"}}, "`limit` must be a whole number from 1 to 100"},
      {{{"query", "x"}, {"limit", 10.5}}, "`limit` must be a whole number"},
      {{{"query", "x"}, {"limit", 0}}, "`limit` must be a whole number"},
      {{{"query", "x"}, {"limit", -1}}, "`limit` must be a whole number"},
      {{{"query", "x"}, {"limit", 1e300}}, "`limit` must be a whole number"},
      {{{"query", "x"}, {"scopes", "mine"}}, "`scopes` must be private, shared or global"},
      {{{"query", "x"}, {"type", "none"}},
       "`type` must be one of user, feedback, project, reference"},
      {{{"query", "x"}, {"scopes", {1}}}, "`scopes` must be a list of texts"},
      {{{"query", "x"}, {"only_strong", "yes"}}, "`only_strong` must be true or false"},
      {{{"query", "x"}, {"min_strength", 2}}, "`min_strength` must be a number from 0 to 1"},
      {{{"query", "x"}, {"project", 7}}, "`project` must be a text"}};
  for (const auto& [arguments, message] : cases) {
    const Json error = refused("recall", arguments);
    EXPECT_TRUE(text().starts_with(message)) << text();
    EXPECT_EQ(error["code"], "usage");
  }
}

TEST_F(ToolsTest, TenPointZeroIsTenAndUnknownMembersAreIgnored) {
  const Json result = done("recall", {{"query", "x"}, {"limit", 10.0}, {"colour", "blue"}});
  EXPECT_EQ(result["total"], 0);
}

TEST_F(ToolsTest, RememberMakesThenChangesAndKeepsWhatIsLeftOut) {
  const Json made = done("remember", {{"name", "release-branch"},
                                      {"body", "release/7.x"},
                                      {"type", "project"},
                                      {"tags", {"git", "release"}},
                                      {"keywords", "发布"}});
  EXPECT_EQ(made["ref"], "private/release-branch");
  EXPECT_TRUE(made["created"].get<bool>());
  EXPECT_EQ(made["revision"], 1);
  EXPECT_EQ(made["usage"]["used"], 12);
  const Json changed =
      done("remember", {{"id", made["id"]}, {"body", "release/8.x"}, {"expected_revision", 1}});
  EXPECT_FALSE(changed["created"].get<bool>());
  EXPECT_EQ(changed["revision"], 2);
  const Json read = done("read_memory", {{"refs", {"release-branch"}}})["memories"][0];
  EXPECT_EQ(read["body"], "release/8.x\n");
  EXPECT_EQ(read["type"], "project");
  EXPECT_EQ(read["tags"], (Json{"git", "release"}));
  EXPECT_EQ(read["keywords"], "发布");
}

TEST_F(ToolsTest, AnEmptyTextClearsAFieldAndNullLeavesIt) {
  done("remember", {{"name", "editor"},
                    {"body", "vi"},
                    {"subject_key", "user.editor"},
                    {"keywords", "text"},
                    {"expires_at", "2027-01-31"}});
  done("remember", {{"name", "editor"}, {"keywords", ""}, {"subject_key", nullptr}});
  done("remember", {{"name", "editor"}, {"expires_at", "never"}});
  const Json read = done("read_memory", {{"refs", "editor"}})["memories"][0];
  EXPECT_TRUE(read["keywords"].is_null());
  EXPECT_EQ(read["subject_key"], "user.editor");
  EXPECT_TRUE(read["expires_at"].is_null());
}

TEST_F(ToolsTest, AStaleRevisionIsAConflictThatNamesBoth) {
  done("remember", {{"name", "editor"}, {"body", "vi"}});
  done("remember", {{"name", "editor"}, {"body", "vim"}});
  const Json error =
      refused("remember", {{"name", "editor"}, {"body", "emacs"}, {"expected_revision", 1}});
  EXPECT_EQ(error["code"], "conflict");
  EXPECT_EQ(error["revision"], 2);
  EXPECT_NE(text().find("it is at revision 2, expected 1"), std::string::npos) << text();
  EXPECT_EQ(done("read_memory", {{"refs", {"editor"}}})["memories"][0]["body"], "vim\n");
}

TEST_F(ToolsTest, ANearDuplicateIsRefusedWithTheMemoryToChange) {
  done("remember", {{"title", "Release branch"},
                    {"body", "Releases are cut from the branch release/7.x, never from main."}});
  const Json again = {{"title", "The release branch"},
                      {"body", "Releases are cut from the branch release/7.x, never from main!"}};
  const Json error = refused("remember", again);
  EXPECT_EQ(error["reason"], "near-duplicate");
  EXPECT_EQ(error["holder_ref"], "private/release-branch");
  Json forced = again;
  forced["force"] = true;
  EXPECT_TRUE(done("remember", forced)["created"].get<bool>());
}

TEST_F(ToolsTest, CredentialsAreRefusedInWhatTheTeamReads) {
  const Json error = refused("remember", {{"name", "token"},
                                          {"scope", "shared"},
                                          {"body", "ghp_x7Kq2mZ9vB4nR8sT1wY6uC3dF5gH0jL2pQ9a"}});
  EXPECT_EQ(error["code"], "refused");
  EXPECT_EQ(text().find("ghp_x7K"), std::string::npos) << "never repeated";
  EXPECT_TRUE(person().list()->memories.empty());
}

TEST_F(ToolsTest, ForgetArchivesAndRecoverBringsBack) {
  done("remember", {{"name", "editor"}, {"body", "vi"}});
  const Json gone = done("forget", {{"ref", "editor"}});
  EXPECT_EQ(gone["ref"], "private/editor");
  EXPECT_EQ(refused("read_memory", {{"refs", {"editor"}}})["code"], "not-found");
  const Json back = done("recover_memory", {{"ref", "editor"}});
  EXPECT_EQ(back["revision"], 2);
  EXPECT_EQ(done("read_memory", {{"refs", {"editor"}}})["memories"][0]["body"], "vi\n");
}

TEST_F(ToolsTest, VerifyRenewsWhatWasStale) {
  plant("private/branch.md",
        "---\ntitle: Branch\nvolatility: volatile\nid: mem-01jb0000000000000000000000\n"
        "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\nrevision: 1\n---\n"
        "release/7.x\n");
  EXPECT_EQ(done("recall", {{"query", "branch"}})["hits"][0]["freshness"], "stale");
  EXPECT_EQ(done("verify_memory", {{"ref", "branch"}})["revision"], 2);
  EXPECT_EQ(done("recall", {{"query", "branch"}})["hits"][0]["freshness"], "fresh");
}

TEST_F(ToolsTest, RecallFiltersAndSaysWhyItFound) {
  done("remember",
       {{"name", "a"}, {"body", "the deploy key"}, {"type", "project"}, {"tags", {"x"}}});
  done("remember", {{"name", "b"}, {"body", "deploy by hand"}, {"kind", "preference"}});
  done("remember", {{"name", "global/c"}, {"body", "deploy everywhere"}});
  EXPECT_EQ(refs(done("recall", {{"query", "deploy"}})).size(), 3U);
  EXPECT_EQ(refs(done("recall", {{"query", "deploy"}, {"type", "project"}})), Names{"private/a"});
  EXPECT_EQ(refs(done("recall", {{"query", "deploy"}, {"tags", {"x"}}})), Names{"private/a"});
  EXPECT_EQ(refs(done("recall", {{"query", "deploy"}, {"kind", "preference"}})),
            Names{"private/b"});
  EXPECT_EQ(refs(done("recall", {{"query", "deploy"}, {"scopes", {"global"}}})), Names{"global/c"});
  const Json hit = done("recall", {{"query", "deploy"}, {"limit", 1}})["hits"][0];
  EXPECT_TRUE(hit["why"].get<std::string>().starts_with("deploy in ")) << hit["why"];
  EXPECT_EQ(hit["etag"].get<std::string>().size(), 32U);
}

TEST_F(ToolsTest, RecallKeepsToABudgetAndTellsWhatItLeftOut) {
  for (const char* name : {"a", "b", "c"})
    done("remember", {{"name", name},
                      {"body", std::string("deploy ") + name + " " + std::string(600, name[0])}});
  const Json result = done("recall", {{"query", "deploy"}, {"budget", "500"}});
  EXPECT_LT(result["hits"].size(), 3U);
  EXPECT_EQ(result["hits"].size() + result["left_out_for_the_budget"].get<std::size_t>(), 3U);
}

TEST_F(ToolsTest, RecallLeavesOutWhatFitsByAccident) {
  done("remember", {{"name", "a"}, {"body", "how the parser of the front matter works"}});
  const Json weak =
      done("recall", {{"query", "works zebra giraffe elephant"}, {"only_strong", true}});
  EXPECT_TRUE(weak["hits"].empty());
  EXPECT_EQ(weak["left_out_as_weak"], 1);
}

TEST_F(ToolsTest, ReadGivesAPartInWholeLinesAndTellsOfTheRest) {
  done("remember", {{"name", "long"}, {"body", lines(100)}});
  const Json part =
      done("read_memory", {{"refs", {"long"}}, {"from_line", 10}, {"lines", 2}})["memories"][0];
  EXPECT_EQ(part["body"], "line 10\nline 11\n");
  EXPECT_EQ(part["part"]["from_line"], 10);
  EXPECT_EQ(part["part"]["bytes_before"].get<std::size_t>() + 16 +
                part["part"]["bytes_after"].get<std::size_t>(),
            lines(100).size());
  const Json little = done("read_memory", {{"refs", {"long"}}, {"max_bytes", 20}})["memories"][0];
  EXPECT_EQ(little["body"], "line 1\nline 2\n");
  EXPECT_EQ(little["part"]["lines"], 2);
}

TEST_F(ToolsTest, ReadOfSeveralTellsWhichIsMissing) {
  done("remember", {{"name", "editor"}, {"body", "vi, see [[shell]]"}});
  done("remember", {{"name", "shell"}, {"body", "sh"}});
  const Json both = done("read_memory", {{"refs", {"shell", "nowhere"}}})["memories"];
  EXPECT_EQ(both[0]["backlinks"][0]["ref"], "private/editor");
  EXPECT_EQ(both[1]["error"]["code"], "not-found");
}

TEST_F(ToolsTest, ReadGivesAnOlderState) {
  done("remember", {{"name", "editor"}, {"body", "vi"}});
  done("remember", {{"name", "editor"}, {"body", "vim"}});
  const Json old = done("read_memory", {{"refs", {"editor"}}, {"revision", "1"}})["memories"][0];
  EXPECT_TRUE(old["file"].get<std::string>().ends_with("---\nvi\n")) << old["file"];
}

TEST_F(ToolsTest, ContextShowsRulesAndAccountsForTheRest) {
  done("remember", {{"name", "tabs"}, {"body", "Use tabs."}, {"kind", "preference"}});
  done("remember", {{"name", "branch"}, {"body", "release/7.x"}});
  call("memory_context");
  EXPECT_NE(text().find("Use tabs."), std::string::npos) << text();
  EXPECT_NE(text().find("private/branch: release/7.x"), std::string::npos) << text();
  EXPECT_EQ(refused("memory_context", {{"budget", "many"}})["code"], "usage");
  call("memory_context", {{"relevant_only", true}, {"query", "release"}});
  EXPECT_EQ(text().find("Use tabs."), std::string::npos) << text();
}

TEST_F(ToolsTest, AHandEditIsReadAndNotOverwritten) {
  const Json made = done("remember", {{"name", "editor"}, {"body", "vi"}});
  std::string bytes = file("private/editor.md");
  bytes.replace(bytes.find("vi\n"), 3, "nano\n");
  plant("private/editor.md", bytes);
  EXPECT_EQ(done("read_memory", {{"refs", {"editor"}}})["memories"][0]["body"], "nano\n");
  const Json error =
      refused("remember", {{"name", "editor"}, {"body", "ed"}, {"if_match", made["etag"]}});
  EXPECT_EQ(error["code"], "conflict");
  EXPECT_EQ(file("private/editor.md"), bytes);
}

TEST_F(ToolsTest, AFileThatCannotBeReadIsNamedAndLeftAlone) {
  const std::string broken = "---\ntitle: [unclosed\n---\ntext\n";
  plant("private/broken.md", broken);
  const Json error = refused("remember", {{"name", "broken"}, {"title", "New"}});
  EXPECT_EQ(error["code"], "invalid");
  EXPECT_NE(text().find("/m/private/broken.md:"), std::string::npos) << text();
  EXPECT_EQ(file("private/broken.md"), broken);
}

TEST_F(ToolsTest, ABodyWithANulSaysSo) {
  const std::string body("one\0two", 7);
  refused("remember", {{"name", "editor"}, {"body", body}});
  EXPECT_NE(text().find("NUL"), std::string::npos) << text();
  done("remember", {{"name", "editor"}, {"body", "vi"}});
  refused("remember", {{"name", "editor"}, {"body", body}});
  EXPECT_NE(text().find("NUL"), std::string::npos) << text();
}

// MC-7
TEST_F(ToolsTest, TheSameByTheStatelessRevision) {
  Talk& talk = serve();
  const Json result = talk.ask_stateless(
      "tools/call", {{"name", "remember"}, {"arguments", {{"name", "editor"}, {"body", "vi"}}}});
  EXPECT_EQ(result["result"]["resultType"], "complete");
  EXPECT_EQ(result["result"]["structuredContent"]["ref"], "private/editor");
  EXPECT_EQ(person().log({})->front().by, "test") << "the client's name is in the log";
}

TEST_F(ToolsTest, TheLogHasNoMoreThanTheBeginningOfALongName) {
  Talk& talk = serve();
  const Json client = {{"name", std::string(100000, 'x')}, {"version", "1"}};
  talk.ask("initialize", mcp::to_text({{"protocolVersion", "2025-11-25"},
                                       {"capabilities", Json::object()},
                                       {"clientInfo", client}}));
  done("remember", {{"name", "editor"}, {"body", "vi"}});
  EXPECT_EQ(person().log({})->front().by, std::string(100, 'x'));
}

TEST_F(ToolsTest, BeforeStructuredContentThereIsTheSameAsText) {
  Talk& talk = serve();
  talk.open("2024-11-05");
  const Json result =
      talk.ask("tools/call", R"({"name":"recall","arguments":{"query":"x"}})")["result"];
  EXPECT_FALSE(result.contains("structuredContent"));
  EXPECT_EQ(result["content"][0]["text"], R"({"total":0,"hits":[]})");
}

}  // namespace
}  // namespace memfs::testing
