// memory_batch: several writes as one, as hermes-agent has them: looked at in their final state.
#include "tests/mcp/memory/memory_talk.h"

namespace memfs::testing {
namespace {

class BatchToolTest : public MemoryTalk {
 protected:
  Json batch(const Json& operations) { return done("memory_batch", {{"operations", operations}}); }
  Json refused_batch(const Json& operations) {
    return refused("memory_batch", {{"operations", operations}});
  }
  std::string body(const std::string& ref) {
    const auto found = person().read(ref);
    return found ? found->memory.body : "";
  }
};

TEST_F(BatchToolTest, HermesEachOperationAnswersAsItsOwnToolDoes) {
  done("remember", {{"name", "old"}, {"body", "release/7.x"}, {"subject_key", "release.branch"}});
  done("remember", {{"name", "sure"}, {"body", "Tests need Postgres 15"}});
  done("remember", {{"name", "back"}, {"body", "Lunch is at noon"}});
  done("forget", {{"ref", "back"}});
  const Json results = batch({{{"action", "forget"}, {"ref", "old"}},
                              {{"action", "remember"},
                               {"name", "branch"},
                               {"body", "release/8.x"},
                               {"subject_key", "release.branch"},
                               {"tags", {"git"}}},
                              {{"action", "recover"}, {"ref", "back"}},
                              {{"action", "verify"}, {"ref", "sure"}}})["results"];
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(results[0]["ref"], "private/old");
  EXPECT_FALSE(results[0]["archived_as"].get<std::string>().empty());
  EXPECT_EQ(results[1]["ref"], "private/branch");
  EXPECT_TRUE(results[1]["created"].get<bool>());
  EXPECT_EQ(results[2]["revision"], 2);
  EXPECT_EQ(results[3]["revision"], 2);
  EXPECT_EQ(results[3]["usage"]["entries"]["used"], 3) << "after all of it";
  EXPECT_EQ(body("subject:release.branch"), "release/8.x\n");
}

TEST_F(BatchToolTest, HermesTheBudgetIsLookedAtInTheEnd) {
  plant("config.yaml", "version: 1\nbudget: {private: {characters: 40}}\n");
  done("remember", {{"name", "a"}, {"body", std::string(30, 'a')}});
  const Json swap = {{{"action", "remember"}, {"name", "b"}, {"body", std::string(30, 'b')}},
                     {{"action", "forget"}, {"ref", "a"}}};
  EXPECT_EQ(refused_batch({swap[0], {{"action", "verify"}, {"ref", "a"}}})["reason"], "budget");
  EXPECT_EQ(body("b"), "");
  batch(swap);
  EXPECT_EQ(body("b"), std::string(30, 'b') + "\n");
}

TEST_F(BatchToolTest, OneThatFailsLeavesEverythingAndIsNamed) {
  done("remember", {{"name", "a"}, {"body", "one"}});
  const Json error = refused_batch(
      {{{"action", "remember"}, {"name", "b"}, {"body", "two"}},
       {{"action", "update"}, {"ref", "a"}, {"body", "x"}, {"expected_revision", 7}}});
  EXPECT_EQ(error["code"], "conflict");
  EXPECT_EQ(error["item"], 1);
  EXPECT_EQ(error["revision"], 1);
  EXPECT_TRUE(text().find("item 1: the memory changed") != std::string::npos) << text();
  EXPECT_EQ(body("a"), "one\n");
  EXPECT_EQ(body("b"), "");
}

TEST_F(BatchToolTest, AnUpdateNeverMakesAMemory) {
  EXPECT_EQ(refused_batch({{{"action", "update"}, {"name", "a"}, {"body", "x"}}})["code"],
            "not-found");
  EXPECT_TRUE(person().list()->memories.empty());
}

TEST_F(BatchToolTest, AnUpdateKeepsWhatItLeavesOut) {
  done("remember", {{"name", "a"}, {"body", "one"}, {"tags", {"git"}}, {"type", "project"}});
  batch({{{"action", "update"}, {"id", "a"}, {"body", "two"}}});
  const auto memory = person().read("a")->memory;
  EXPECT_EQ(memory.tags, std::vector<std::string>{"git"});
  EXPECT_EQ(memory.type, "project");
}

TEST_F(BatchToolTest, ANearDuplicateIsRefusedWithTheMemoryToUpdate) {
  done("remember", {{"name", "deploy"}, {"body", "The deploy key rotates every month."}});
  const Json again = {{"action", "remember"}, {"body", "The deploy key rotates every month!"}};
  EXPECT_EQ(refused_batch(Json::array({again}))["holder_ref"], "private/deploy");
  Json forced = again;
  forced["force"] = true;
  batch(Json::array({forced}));
}

TEST_F(BatchToolTest, WrongOperationsAreNamed) {
  const std::vector<std::pair<Json, std::string>> cases = {
      {Json(), "`operations` must be a list of 1 to 100 objects"},
      {Json::array(), "`operations` must be a list"},
      {"x", "`operations` must be a list"},
      {Json::array({1}), "item 0: an operation is an object"},
      {Json::array({Json::object()}), "item 0: `action` is required"},
      {{{{"action", "erase"}}}, "item 0: there is no action `erase`"},
      {{{{"action", "forget"}}}, "item 0: `ref` is required"},
      {{{{"action", "forget"}, {"ref", 5}}}, "item 0: `ref` must be a text"},
      {{{{"action", "update"}}}, "item 0: `ref` is required"},
  };
  for (const auto& [operations, message] : cases) {
    const Json error = refused_batch(operations);
    EXPECT_EQ(error["code"], "usage");
    EXPECT_TRUE(text().starts_with(message)) << text();
  }
}

TEST_F(BatchToolTest, TheUserTakesItBackAsOne) {
  done("remember", {{"name", "a"}, {"body", "one"}});
  batch({{{"action", "forget"}, {"ref", "a"}},
         {{"action", "remember"}, {"name", "b"}, {"body", "two"}}});
  Store store = person();
  ASSERT_TRUE(store.undo());
  EXPECT_EQ(body("a"), "one\n");
  EXPECT_EQ(body("b"), "");
}

}  // namespace
}  // namespace memfs::testing
