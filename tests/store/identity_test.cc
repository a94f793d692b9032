// Who a memory is: ids are its own, numbers only grow, and nobody writes over what they have not
// seen.
#include <gtest/gtest.h>

#include <set>

#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {
namespace {

class IdentityTest : public StoreFixture {
 protected:
  std::string bytes_of(const std::string& reference) {
    return *open().read_bytes(open().read(reference)->memory);
  }
  std::string etag_of(const std::string& reference) { return open().read(reference)->memory.etag; }
  bool ids_are_unique() {
    std::set<std::string> ids;
    const auto listing = open().list();
    for (const Memory& memory_there : listing->memories)
      if (!memory_there.id.empty() && !ids.insert(memory_there.id).second) return false;
    return true;
  }
};

// hermes: refuses to write over a file that changed behind its back.
TEST_F(IdentityTest, AnEditOfWhatSomebodyElseChangedIsRefused) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const std::string seen = etag_of("a");
  const std::string typed = file("shared/a.md") + "typed\n";
  memory->plant("/m/shared/a.md", typed);
  EXPECT_EQ(open().edit("a", "mine\n", seen).error().code, ErrorCode::kConflict);
  Change change = append("mine");
  change.if_match = seen;
  EXPECT_EQ(open().update("a", change).error().code, ErrorCode::kConflict);
  EXPECT_EQ(open().verify("a", change).error().code, ErrorCode::kConflict);
  EXPECT_EQ(file("shared/a.md"), typed);
}

TEST_F(IdentityTest, AnEditDoesNotTakeTheIdOfAnotherMemory) {
  ASSERT_TRUE(open().create(wish("A", "one\n", Scope::kPrivate)));
  memory->plant("/m/shared/note.md", "two\n");
  const auto copied = open().edit("note", bytes_of("a"), etag_of("note"));
  ASSERT_FALSE(copied) << "two memories would have one id";
  EXPECT_EQ(copied.error().code, ErrorCode::kConflict);
  EXPECT_EQ(file("shared/note.md"), "two\n");
  EXPECT_TRUE(
      open().edit("note", "---\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\n---\ntwo\n", etag_of("note")))
      << "an id that nobody has";
}

TEST_F(IdentityTest, WhatCameBackInAnotherScopeIsNotRecoveredBesideIt) {
  const auto made = open().create(wish("A", "one\n", Scope::kPrivate));
  const std::string bytes = file("private/a.md");
  ASSERT_TRUE(open().forget("a"));
  memory->plant("/m/shared/a.md", bytes);  // from git, or a backup
  EXPECT_EQ(open().recover("private/a").error().code, ErrorCode::kConflict);
  EXPECT_TRUE(ids_are_unique());
  EXPECT_EQ(open().read(made->memory.id)->memory.scope, Scope::kShared);
}

TEST_F(IdentityTest, TheLargestNumberIsTheLast) {
  const std::string last =
      "---\ntitle: A\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\nrevision: 9007199254740991\n---\none\n";
  memory->plant("/m/shared/a.md", last);
  const auto refused = open().update("a", append("two"));
  ASSERT_FALSE(refused) << "it would write a number that no reader takes";
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  EXPECT_FALSE(open().verify("a").has_value());
  EXPECT_FALSE(open().move({.from = "a", .to = "global"}).has_value());
  EXPECT_EQ(file("shared/a.md"), last);
  EXPECT_TRUE(open().read("a")->memory.problems.empty());
  EXPECT_TRUE(open().forget("a"));
}

// mermaid: forget by a bare name can take the global one.
TEST_F(IdentityTest, ABareNameThatFitsTwoScopesForgetsNeither) {
  ASSERT_TRUE(open().create(wish("Note", "mine\n", Scope::kPrivate)));
  ASSERT_TRUE(open().create(wish("Note", "for all projects\n", Scope::kGlobal)));
  EXPECT_EQ(open().forget("note").error().code, ErrorCode::kConflict);
  EXPECT_EQ(open().forget("note", true).error().code, ErrorCode::kConflict);
  EXPECT_EQ(open().update("note", append("x")).error().code, ErrorCode::kConflict);
  EXPECT_EQ(open().list()->memories.size(), 2U);
}

// Reasonix: the refusal names the holder's id, revision, name and value.
TEST_F(IdentityTest, ARecoveredMemoryThatClaimsAHeldSubjectNamesTheHolder) {
  NewMemory asked = wish("A", "db1\n");
  asked.fields.push_back(field("subject_key", "db.host"));
  ASSERT_TRUE(open().create(asked));
  ASSERT_TRUE(open().forget("a"));
  asked = wish("B", "db2\n");
  asked.fields.push_back(field("subject_key", "db.host"));
  const auto holder = open().create(asked);
  const auto refused = open().recover("a");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(holder->memory.id), std::string::npos);
  EXPECT_NE(refused.error().message.find("revision 1: db2"), std::string::npos);
  EXPECT_EQ(open().archived()->size(), 1U);
  const auto read = open().read("b");
  EXPECT_EQ(open().undo()->undone.ref(), "shared/b");
  EXPECT_TRUE(open().recover("a")) << "the subject is free again";
}

TEST_F(IdentityTest, AnEditThatClaimsAHeldSubjectIsRefused) {
  NewMemory asked = wish("A", "db1\n");
  asked.fields.push_back(field("subject_key", "db.host"));
  ASSERT_TRUE(open().create(asked));
  memory->plant("/m/shared/b.md", "db2\n");
  const auto refused = open().edit("b", "---\nsubject_key: db.host\n---\ndb2\n", etag_of("b"));
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_EQ(file("shared/b.md"), "db2\n");
}

}  // namespace
}  // namespace memfs::testing
