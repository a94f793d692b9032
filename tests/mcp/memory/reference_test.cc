// What the four systems do that this one takes the place of, by the tools through which an agent
// reaches it.
#include "tests/mcp/memory/memory_talk.h"

namespace memfs::testing {
namespace {

class ReferenceTest : public MemoryTalk {
 protected:
  Json body_of(const std::string& ref) {
    return done("read_memory", {{"refs", {ref}}})["memories"][0];
  }
};

// CAR: an unknown kind is an error that the model can correct; what is stored is read leniently.
TEST_F(ReferenceTest, CarAnUnknownKindIsAnErrorAndAStoredOneAFact) {
  const Json error = refused("remember", {{"name", "a"}, {"body", "b"}, {"kind", "rule"}});
  EXPECT_EQ(error["code"], "invalid");
  for (const char* kind : {"fact", "preference", "procedure"})
    EXPECT_NE(text().find(kind), std::string::npos) << text();
  plant("private/old.md", "---\nkind: rule\n---\nb\n");
  EXPECT_EQ(body_of("old")["kind"], "fact");
}

// CAR: preferences are in the context always, facts when they are relevant.
TEST_F(ReferenceTest, CarPreferencesAreAlwaysInContextAndFactsWhenRelevant) {
  done("remember", {{"name", "tabs"}, {"body", "Indent with tabs."}, {"kind", "preference"}});
  done("remember", {{"name", "branch"}, {"body", "Releases are cut from release/7.x."}});
  call("memory_context", {{"no_index", true}});
  EXPECT_NE(text().find("Indent with tabs."), std::string::npos);
  EXPECT_EQ(text().find("release/7.x"), std::string::npos);
  call("memory_context", {{"no_index", true}, {"query", "release branch"}});
  EXPECT_NE(text().find("release/7.x"), std::string::npos) << text();
}

// CAR: a missing store is the first run.
TEST_F(ReferenceTest, CarAMissingStoreIsTheFirstRun) {
  EXPECT_EQ(done("recall", {{"query", "x"}})["total"], 0);
  call("memory_context");
  EXPECT_EQ(text(), "There are no memories yet.\n");
}

// Reasonix: every field of its schema.
TEST_F(ReferenceTest, ReasonixAllFieldsOfRememberAreKept) {
  const Json made = done("remember", {{"name", "project/release-branch.md"},
                                      {"title", "Release branch"},
                                      {"description", "Which branch releases are cut from"},
                                      {"type", "project"},
                                      {"scope", "project"},
                                      {"activation", "pinned"},
                                      {"volatility", "volatile"},
                                      {"subject_key", "project.release_branch"},
                                      {"expires_at", "2027-01-31"},
                                      {"verified", true},
                                      {"keywords", "发布 分支"},
                                      {"body", "release/7.x"}});
  EXPECT_EQ(made["ref"], "private/release-branch");
  EXPECT_EQ(made["expires"], "2027-01-31T23:59:59Z");
  const Json read = body_of("release-branch");
  EXPECT_EQ(read["title"], "Release branch");
  EXPECT_EQ(read["description"], "Which branch releases are cut from");
  EXPECT_EQ(read["type"], "project");
  EXPECT_EQ(read["activation"], "pinned");
  EXPECT_EQ(read["volatility"], "volatile");
  EXPECT_EQ(read["subject_key"], "project.release_branch");
  EXPECT_EQ(read["keywords"], "发布 分支");
  EXPECT_FALSE(read["last_verified_at"].is_null());
}

// Reasonix: what is left out is inherited, title and type as well; keywords and subject can be
// cleared.
TEST_F(ReferenceTest, ReasonixWhatIsLeftOutIsInherited) {
  done("remember", {{"name", "a"},
                    {"title", "The title"},
                    {"type", "user"},
                    {"body", "b"},
                    {"subject_key", "x.y"},
                    {"keywords", "k"}});
  done("remember", {{"name", "a"}, {"body", "c"}, {"subject_key", ""}, {"keywords", ""}});
  const Json read = body_of("a");
  EXPECT_EQ(read["title"], "The title");
  EXPECT_EQ(read["type"], "user");
  EXPECT_TRUE(read["subject_key"].is_null());
  EXPECT_TRUE(read["keywords"].is_null());
}

// Reasonix: one live value for each scope and subject; the refusal names the holder.
TEST_F(ReferenceTest, ReasonixAHeldSubjectNamesItsHolder) {
  const Json holder =
      done("remember", {{"name", "a"}, {"body", "npm"}, {"subject_key", "package_manager"}});
  const Json error = refused(
      "remember",
      {{"name", "b"}, {"body", "pnpm, since the move"}, {"subject_key", "package_manager"}});
  EXPECT_EQ(error["code"], "conflict");
  EXPECT_EQ(error["holder_id"], holder["id"]);
  EXPECT_EQ(error["holder_ref"], "private/a");
  EXPECT_EQ(error["holder_revision"], 1);
  EXPECT_NE(text().find("npm"), std::string::npos) << "its value: " << text();
}

// Reasonix: a key of other letters is an error, never silently none.
TEST_F(ReferenceTest, ReasonixAKeyThatCannotBeIsAnError) {
  EXPECT_EQ(refused("remember", {{"name", "a"}, {"body", "b"}, {"subject_key", "包管理"}})["code"],
            "invalid");
  EXPECT_TRUE(person().list()->memories.empty());
}

// Reasonix: the check holds when a memory comes back.
TEST_F(ReferenceTest, ReasonixRecoveringChecksTheSubjectAgain) {
  done("remember", {{"name", "a"}, {"body", "npm"}, {"subject_key", "x.y"}});
  done("forget", {{"ref", "a"}});
  done("remember", {{"name", "b"}, {"body", "the other manager: pnpm"}, {"subject_key", "x.y"}});
  EXPECT_EQ(refused("recover_memory", {{"ref", "a"}})["holder_ref"], "private/b");
}

// Reasonix: automatic writes only create.
TEST_F(ReferenceTest, ReasonixRequireCreateNeverChangesAMemory) {
  done("remember", {{"name", "a"}, {"body", "npm"}});
  EXPECT_EQ(refused("remember", {{"name", "a"}, {"body", "other"}, {"if_absent", true}})["code"],
            "conflict");
}

// Reasonix: an expired memory is not recalled, and `never` takes the end away.
TEST_F(ReferenceTest, ReasonixExpiredMemoriesAreLeftOutUntilTheirEndIsTakenAway) {
  done("remember", {{"name", "a"}, {"body", "freeze"}, {"expires_at", "2026-11-29"}});
  EXPECT_EQ(done("recall", {{"query", "freeze"}})["total"], 0);
  EXPECT_EQ(done("recall", {{"query", "freeze"}, {"include_expired", true}})["total"], 1);
  done("remember", {{"name", "a"}, {"expires_at", "none"}});
  EXPECT_EQ(done("recall", {{"query", "freeze"}})["total"], 1);
}

// Reasonix: a bare date lasts to the end of that day.
TEST_F(ReferenceTest, ReasonixADateLastsToTheEndOfItsDay) {
  done("remember", {{"name", "a"}, {"body", "freeze"}, {"expires_at", "2026-11-30"}});
  EXPECT_EQ(done("recall", {{"query", "freeze"}})["total"], 1);
}

// Reasonix: auto-recall within a budget, stale facts as pointers, with reasons.
TEST_F(ReferenceTest, ReasonixRelevantFactsComeWithReasonsAndStaleOnesAsPointers) {
  done("remember", {{"name", "branch"}, {"body", "Releases are cut from release/7.x."}});
  plant("private/old.md",
        "---\ntitle: Release freeze\nvolatility: volatile\nupdated_at: 2026-01-01T00:00:00Z\n---\n"
        "The release freeze begins on Friday.\n");
  call("memory_context", {{"query", "release"}, {"relevant_only", true}});
  EXPECT_NE(text().find("why=\"releas"), std::string::npos) << text();
  EXPECT_EQ(text().find("begins on Friday"), std::string::npos) << text();
  EXPECT_NE(text().find("private/old"), std::string::npos) << text();
}

// Reasonix: [[name]] links are resolved.
TEST_F(ReferenceTest, ReasonixLinksAreResolvedBothWays) {
  done("remember", {{"name", "a"}, {"body", "see [[b]]"}});
  done("remember", {{"name", "b"}, {"body", "the target"}});
  EXPECT_EQ(body_of("b")["backlinks"][0]["ref"], "private/a");
}

// Reasonix: CJK words are found, in either direction of writing them.
TEST_F(ReferenceTest, ReasonixChineseIsFoundByItsWords) {
  done("remember", {{"title", "发布流程"}, {"body", "每周二从发布分支构建"}});
  EXPECT_EQ(done("recall", {{"query", "发布分支"}})["total"], 1);
}

// mermaid: a title that is all CJK has a file of its own, and a slug is never overwritten.
TEST_F(ReferenceTest, MermaidEachTitleHasItsOwnFile) {
  const Json one = done("remember", {{"title", "发布"}, {"body", "一"}});
  const Json two = done("remember", {{"title", "部署"}, {"body", "二"}});
  EXPECT_NE(one["path"], two["path"]);
  const Json same = done("remember", {{"title", "发布"}, {"body", "quite another thing"}});
  EXPECT_NE(same["ref"], one["ref"]);
  EXPECT_EQ(body_of(one["ref"])["body"], "一\n");
}

// mermaid: a bare name never takes the memory of another scope.
TEST_F(ReferenceTest, MermaidForgetByABareNameOfTwoIsAConflict) {
  done("remember", {{"name", "private/a"}, {"body", "here"}});
  done("remember", {{"name", "global/a"}, {"body", "everywhere"}});
  EXPECT_EQ(refused("forget", {{"ref", "a"}})["code"], "conflict");
  EXPECT_EQ(person().list()->memories.size(), 2U);
}

// mermaid: shared and global are chosen, private is usual.
TEST_F(ReferenceTest, MermaidScopesAreChosenAndPrivateIsUsual) {
  EXPECT_EQ(done("remember", {{"name", "a"}, {"body", "one"}})["scope"], "private");
  EXPECT_EQ(done("remember", {{"name", "b"}, {"body", "two"}, {"scope", "shared"}})["scope"],
            "shared");
  EXPECT_EQ(done("remember", {{"name", "c"}, {"body", "three"}, {"scope", "global"}})["scope"],
            "global");
}

// newt: a full scope refuses with usage, the whole list and what to do, in words for the model.
TEST_F(ReferenceTest, NewtAFullScopeListsItsEntries) {
  plant("config.yaml", "version: 1\nbudget:\n  private: {characters: 30}\n");
  done("remember", {{"name", "a"}, {"body", "twelve chars"}});
  const Json error =
      refused("remember", {{"name", "b"}, {"body", "much more than there is room for"}});
  EXPECT_EQ(error["reason"], "budget");
  EXPECT_EQ(error["entries"][0]["ref"], "private/a");
  EXPECT_NE(text().find("- private/a"), std::string::npos) << text();
}

// newt: usage after each success, a soft warning when it is nearly full.
TEST_F(ReferenceTest, NewtUsageIsInEachResultAndAWarningNearTheLimit) {
  plant("config.yaml", "version: 1\nbudget:\n  private: {characters: 14}\n");
  const Json made = done("remember", {{"name", "a"}, {"body", "twelve chars"}});
  EXPECT_EQ(made["usage"]["used"], 13);
  EXPECT_NE(made["warnings"][0].get<std::string>().find("% full"), std::string::npos)
      << made["warnings"];
}

// newt: an exact duplicate is a no-op.
TEST_F(ReferenceTest, NewtAnExactDuplicateIsNoWrite) {
  const Json made = done("remember", {{"title", "A"}, {"body", "b"}});
  const Json again = done("remember", {{"title", "A"}, {"body", "b"}});
  EXPECT_TRUE(again["duplicate"].get<bool>());
  EXPECT_FALSE(again["changed"].get<bool>());
  EXPECT_EQ(again["id"], made["id"]);
}

// hermes-agent: what changed behind one's back is not overwritten.
TEST_F(ReferenceTest, HermesAFileThatChangedIsNotOverwritten) {
  const Json made = done("remember", {{"name", "a"}, {"body", "b"}});
  plant("private/a.md", file("private/a.md") + "by hand\n");
  const Json error = refused("remember", {{"name", "a"}, {"body", "c"}, {"expected_revision", 1}});
  EXPECT_EQ(error["code"], "conflict");
  EXPECT_NE(file("private/a.md").find("by hand"), std::string::npos);
}

}  // namespace
}  // namespace memfs::testing
