// Several writes as one: all or none of them, checked on the state that they lead to.
#include <gtest/gtest.h>
#include <memfs/check.h>

#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

const std::string kGithubToken = std::string("ghp_") + "aB3dE5gH7jK9mN1pQ2" + "rS4tU6vW8xY0zA2cD4";

class BatchTest : public StoreFixture {
 protected:
  static NewMemory about(const std::string& title, const std::string& subject,
                         const std::string& body) {
    NewMemory memory = wish(title, body);
    memory.fields.push_back(field("subject_key", subject));
    return memory;
  }
  static std::string detail(const Error& error, const std::string& key) {
    for (const auto& [name, value] : error.details)
      if (name == key) return value;
    return {};
  }
  // What is on disk but for the bookkeeping.
  std::map<std::string, std::string> files() {
    auto all = files_below(*memory, "/m");
    std::erase_if(all, [](const auto& f) { return f.first.starts_with("/m/.state/"); });
    return all;
  }
  // The batch fails by the item, and no file is another one than before.
  Error refused(const std::vector<BatchItem>& items, const std::string& item) {
    const auto before = files();
    const auto result = open().batch(items);
    EXPECT_FALSE(result.has_value());
    if (result) return {};
    EXPECT_EQ(detail(result.error(), "item"), item) << result.error().message;
    EXPECT_EQ(files(), before);
    EXPECT_TRUE(result.error().message.ends_with("nothing was saved")) << result.error().message;
    return result.error();
  }
  // Every memory as "ref=body", then the archived ones.
  std::string seen() {
    std::string out;
    const auto listing = open().list();
    for (const Memory& found : listing->memories)
      out += found.ref() + "=" + open().read(found.ref())->memory.body;
    for (const Problem& problem : listing->problems) out += " PROBLEM " + problem.code;
    const auto archived = open().archived();
    for (const ArchivedMemory& copy : *archived)
      out += "archived " + copy.memory.ref() + "=" + copy.memory.body;
    return out;
  }
  Store limited(std::uint64_t characters) {
    Layout layout = memory_layout(*memory);
    layout.settings.budget(Scope::kShared).characters = characters;
    Store::Services services;
    services.fs = memory;
    services.clock = std::make_shared<FixedClock>(parse_date(now)->at);
    services.ids = std::make_shared<RepeatableIds>();
    services.threads = 1;
    return *Store::open(layout, services);
  }
};

TEST_F(BatchTest, ManyItemsDoNotTakeMoreLooksAtTheFolders) {
  ASSERT_TRUE(open().create(wish("Kept", "one\n", Scope::kPrivate)));
  const auto lists = [&](int items) {
    RecordingFs recording(*memory);
    Store store = open(std::shared_ptr<FileSystem>(memory, &recording.fs()));
    std::vector<BatchItem> batch;
    for (int i = 0; i < items; ++i) {
      SaveWish save;
      save.name = "item-" + std::to_string(items) + "-" + std::to_string(i);
      save.body = "body of " + save.name + "\n";
      save.consent.near_duplicate = true;
      batch.emplace_back(save);
    }
    EXPECT_TRUE(store.batch(batch));
    return std::count_if(recording.operations().begin(), recording.operations().end(),
                         [](const Operation& one) {
                           return one.verb == "list" && !one.path.starts_with("/m/.state");
                         });
  };
  const auto few = lists(2);
  EXPECT_EQ(lists(20), few);
}

TEST_F(BatchTest, EachKindOfItemDoesWhatTheSingleWriteDoes) {
  ASSERT_TRUE(open().create(wish("Kept", "one\n")));
  ASSERT_TRUE(open().create(wish("Gone", "two\n")));
  ASSERT_TRUE(open().create(wish("Back", "three\n")));
  ASSERT_TRUE(open().create(wish("Sure", "four\n")));
  ASSERT_TRUE(open().forget("back"));
  const auto done =
      open().batch({wish("New", "five\n", Scope::kPrivate), BatchUpdate{"kept", append("more")},
                    BatchForget{"gone", ""}, BatchRecover{"back", {}}, BatchVerify{"sure", {}}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(seen(),
            "private/new=five\nshared/back=three\nshared/kept=one\nmore\nshared/sure=four\n"
            "archived shared/gone=two\n");
  ASSERT_EQ(done->items.size(), 5U);
  EXPECT_EQ(done->items[0].written->ref(), "private/new");
  EXPECT_EQ(done->items[1].written->memory.revision, 2U);
  EXPECT_EQ(done->items[2].forgotten->ref, "shared/gone");
  EXPECT_EQ(done->items[3].written->memory.revision, 2U) << "it came back as a new revision";
  EXPECT_TRUE(done->items[4].written->memory.last_verified_at);
  EXPECT_EQ(done->items[2].forgotten->usage.entries, 3U) << "the usage after all of it";
  EXPECT_EQ(done->items[4].written->usage.entries, 3U);
  EXPECT_NE(file("shared/INDEX.md").find("(back.md)"), std::string::npos);
  EXPECT_EQ(file("shared/INDEX.md").find("(gone.md)"), std::string::npos);
  Store checked = open();
  EXPECT_EQ(check_store(checked, {})->problems.size(), 0U);
}

TEST_F(BatchTest, TheOldBytesAreInTheHistory) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const std::string old = file("shared/a.md");
  ASSERT_TRUE(open().batch({BatchUpdate{"a", append("two")}}));
  EXPECT_EQ(open().revision("a", "1")->bytes, old);
}

TEST_F(BatchTest, OneItemThatFailsLeavesEverythingAsItWas) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const Error error = refused({wish("New", "x\n"), BatchUpdate{"a", append("two")},
                               BatchForget{"nowhere", ""}, BatchVerify{"a", {}}},
                              "2");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_EQ(error.message, "item 2: there is no memory nowhere; nothing was saved");
}

TEST_F(BatchTest, AFieldThatIsWrongNamesItsItem) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const Error error =
      refused({wish("New", "x\n"), BatchUpdate{"a", set("subject_key", "No!")}}, "1");
  EXPECT_EQ(error.code, ErrorCode::kInvalid);
  EXPECT_EQ(detail(error, "field"), "subject_key");
}

TEST_F(BatchTest, AnExpectedRevisionIsHeldAgainstTheStateFound) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  ASSERT_TRUE(open().update("a", append("two")));
  Change stale = append("three");
  stale.expected_revision = 1;
  const Error error = refused({wish("New", "x\n"), BatchUpdate{"a", stale}}, "1");
  EXPECT_EQ(error.code, ErrorCode::kConflict);
  EXPECT_EQ(detail(error, "revision"), "2");
  EXPECT_EQ(refused({BatchForget{"a", std::string(32, '0')}}, "0").code, ErrorCode::kConflict);
  stale.expected_revision = 2;
  EXPECT_TRUE(open().batch({BatchUpdate{"a", stale}}));
}

TEST_F(BatchTest, ASubjectGoesFromTheOneThatIsForgottenToTheOneThatIsMade) {
  ASSERT_TRUE(open().create(about("Old branch", "release.branch", "7.x\n")));
  for (const bool forget_first : {true, false}) {
    SCOPED_TRACE(forget_first);
    const std::string ref = forget_first ? "old-branch" : "new-branch";
    std::vector<BatchItem> items = {
        BatchForget{ref, ""},
        about(forget_first ? "New branch" : "Third branch", "release.branch", "8.x\n")};
    if (!forget_first) std::swap(items[0], items[1]);
    const auto done = open().batch(items);
    ASSERT_TRUE(done) << done.error().message;
  }
  EXPECT_EQ(open().read("subject:release.branch")->memory.ref(), "shared/third-branch");
}

TEST_F(BatchTest, TwoMemoriesChangeTheirSubjects) {
  ASSERT_TRUE(open().create(about("A", "s.one", "one\n")));
  ASSERT_TRUE(open().create(about("B", "s.two", "two\n")));
  ASSERT_TRUE(open().batch({BatchUpdate{"a", set("subject_key", "s.two")},
                            BatchUpdate{"b", set("subject_key", "s.one")}}));
  EXPECT_EQ(open().read("subject:s.one")->memory.ref(), "shared/b");
  ASSERT_TRUE(open().undo()) << "what no order of single writes could do";
  EXPECT_EQ(open().read("subject:s.one")->memory.ref(), "shared/a");
}

TEST_F(BatchTest, TwoNewMemoriesCannotHoldOneSubject) {
  const Error error =
      refused({about("A", "s.one", "one thing\n"), about("B", "s.one", "quite another\n")}, "1");
  EXPECT_EQ(error.code, ErrorCode::kConflict);
  EXPECT_EQ(detail(error, "holder_ref"), "shared/a");
}

TEST_F(BatchTest, AnItemCannotTakeTheSubjectOfOneThatOnlySaysSomethingElse) {
  ASSERT_TRUE(open().create(about("A", "s.one", "one\n")));
  const Error error =
      refused({BatchUpdate{"a", append("two")}, about("B", "s.one", "quite another\n")}, "1");
  EXPECT_EQ(detail(error, "holder_ref"), "shared/a");
}

TEST_F(BatchTest, TheNameOfWhatIsForgottenIsFree) {
  ASSERT_TRUE(open().create(wish("A", "the first one\n")));
  const std::string first = open().read("a")->memory.id;
  const auto done = open().batch({wish("A!", "something else entirely\n"), BatchForget{"a", ""}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(seen(), "shared/a=something else entirely\narchived shared/a=the first one\n");
  EXPECT_NE(open().read("a")->memory.id, first);
  ASSERT_TRUE(open().undo());
  EXPECT_EQ(open().read("a")->memory.id, first);
}

TEST_F(BatchTest, NewMemoriesOfOneTitleGetNamesOfTheirOwn) {
  ASSERT_TRUE(open().batch(
      {wish("A", "the deploy key rotates monthly\n"), wish("A", "ask Ada about the printers\n")}));
  EXPECT_EQ(open().list()->memories.size(), 2U);
  NewMemory only = wish("A", "lunch is at noon\n");
  only.if_absent = true;
  EXPECT_EQ(refused({only}, "0").code, ErrorCode::kConflict) << "its name is that of another one";
}

TEST_F(BatchTest, ANearDuplicateOfWhatIsForgottenIsNone) {
  ASSERT_TRUE(open().create(wish("Deploy", "The deploy key rotates every month.\n")));
  NewMemory same = wish("Deploy", "The deploy key rotates every month.\n");
  same.if_absent = true;
  same.fields.push_back(field("type", "project"));
  EXPECT_EQ(refused({same}, "0").code, ErrorCode::kRefused);
  EXPECT_TRUE(open().batch({BatchForget{"deploy", ""}, same}));
}

TEST_F(BatchTest, ANearDuplicateOfAnotherItemIsRefused) {
  NewMemory first = wish("Deploy", "The deploy key rotates every month.\n");
  NewMemory second = wish("Keys", "The deploy key rotates every month.\n", Scope::kPrivate);
  second.if_absent = true;
  const Error error = refused({first, second}, "1");
  EXPECT_EQ(detail(error, "reason"), "near-duplicate");
  EXPECT_EQ(detail(error, "holder_ref"), "shared/deploy");
}

TEST_F(BatchTest, TheVerySameTextTwiceIsOneMemory) {
  const auto done = open().batch({wish("A", "one\n"), wish("A", "one\n")});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->items[1].written->duplicate);
  EXPECT_EQ(done->items[1].written->ref(), "shared/a");
  EXPECT_EQ(open().list()->memories.size(), 1U);
}

TEST_F(BatchTest, TheBudgetIsHeldAgainstTheFinalState) {
  ASSERT_TRUE(open().create(wish("A", std::string(90, 'a') + "\n")));
  const NewMemory next = wish("B", std::string(80, 'b') + "\n");
  // First too much, then less: only what is left in the end counts.
  const auto done = limited(100).batch({next, BatchForget{"a", ""}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->items[0].written->usage.used, 81U);
}

TEST_F(BatchTest, TheItemThatIsTooMuchIsNamed) {
  ASSERT_TRUE(open().create(wish("A", std::string(50, 'a') + "\n")));
  const auto before = files();
  const auto result =
      limited(100).batch({wish("B", "bb bb\n"), wish("C", std::string(60, 'c') + "\n"),
                          wish("D", "dd dd\n"), BatchUpdate{"a", set("title", "Other")}});
  ASSERT_FALSE(result);
  const Error& error = result.error();
  EXPECT_EQ(detail(error, "item"), "1") << error.message;
  EXPECT_EQ(detail(error, "reason"), "budget");
  ASSERT_EQ(error.rows.size(), 1U) << "what is there, not what would be new";
  EXPECT_EQ(error.rows[0].cells[0].second, "shared/a");
  EXPECT_EQ(files(), before);
}

TEST_F(BatchTest, TheGuardLooksAtEachItem) {
  NewMemory secret = wish("Key", "token " + kGithubToken + "\n");
  const Error error = refused({wish("A", "one\n"), secret}, "1");
  EXPECT_EQ(error.code, ErrorCode::kRefused);
  EXPECT_EQ(detail(error, "reason"), "guard");
}

TEST_F(BatchTest, WhatIsKnownNowChangesTheMemoryOfThatNameOrMakesIt) {
  ASSERT_TRUE(open().create(wish("Branch", "7.x\n")));
  SaveWish known;
  known.name = "shared/branch";
  known.body = "8.x\n";
  SaveWish fresh;
  fresh.name = "Build tool";
  fresh.body = "cmake\n";
  const auto done = open().batch({known, fresh});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_FALSE(done->items[0].written->created);
  EXPECT_TRUE(done->items[1].written->created);
  EXPECT_EQ(seen(), "private/build-tool=cmake\nshared/branch=8.x\n");
  known.if_absent = true;
  EXPECT_EQ(refused({fresh, known}, "1").code, ErrorCode::kConflict);
}

TEST_F(BatchTest, AStoreThatOnlyReadsMakesNoBatch) {
  Store::Services services;
  services.fs = memory;
  services.read_only = true;
  const auto before = files_below(*memory, "/");
  const auto refused = Store::open(memory_layout(*memory), services)->batch({wish("A", "one\n")});
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_EQ(files_below(*memory, "/"), before);
}

TEST_F(BatchTest, OneMemoryIsMeantByOneItem) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const Error error = refused({BatchUpdate{"a", append("two")}, BatchForget{"shared/a", ""}}, "1");
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.message, "item 1: it means shared/a, as item 0 does; nothing was saved");
}

TEST_F(BatchTest, WhatTheBatchMakesCannotBeMeantByIt) {
  const Error error = refused({wish("A", "one\n"), BatchUpdate{"shared/a", append("two")}}, "1");
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_NE(error.message.find("made by item 0"), std::string::npos);
}

TEST_F(BatchTest, WhatComesBackMustFindItsNameFree) {
  ASSERT_TRUE(open().create(wish("A", "the first one\n")));
  ASSERT_TRUE(open().forget("a"));
  ASSERT_TRUE(open().create(wish("A!", "something else entirely\n")));
  EXPECT_EQ(refused({wish("B", "b\n"), BatchRecover{"a", {}}}, "1").code, ErrorCode::kConflict);
  const auto done = open().batch({BatchRecover{"a", {}}, BatchForget{"a", ""}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(seen(), "shared/a=the first one\narchived shared/a=something else entirely\n");
}

TEST_F(BatchTest, WhatChangesNothingWritesNothing) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  const auto before = files();
  const auto done = open().batch({BatchUpdate{"a", set("title", "A")}});
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->items[0].written->changed);
  EXPECT_EQ(done->items[0].written->ref(), "shared/a");
  EXPECT_EQ(files(), before);
}

TEST_F(BatchTest, UndoTakesTheWholeBatchBackAndWithAReferenceOneWriteOfIt) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  ASSERT_TRUE(open().create(wish("B", "two\n")));
  const std::string before = seen();
  const std::vector<BatchItem> items = {wish("C", "three\n"), BatchUpdate{"a", append("more")},
                                        BatchForget{"b", ""}};
  ASSERT_TRUE(open().batch(items));
  const auto undone = open().undo();
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(undone->others.size(), 2U);
  EXPECT_EQ(seen(), before + "archived shared/c=three\n");

  ASSERT_TRUE(open().batch({BatchRecover{"c", {}}, BatchUpdate{"a", append("again")}}));
  ASSERT_TRUE(open().undo("a"));
  EXPECT_EQ(open().read("a")->memory.body, "one\n");
  EXPECT_TRUE(open().read("c")) << "the rest of it stands";
  ASSERT_TRUE(open().undo()) << "and is what is taken back next";
  EXPECT_FALSE(open().read("c"));
}

TEST_F(BatchTest, ABatchIsNotTakenBackOverALaterChange) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  ASSERT_TRUE(open().batch({wish("C", "three\n"), BatchUpdate{"a", append("more")}}));
  memory->plant("/m/shared/a.md", file("shared/a.md") + "by hand\n");
  const auto before = files();
  const auto undone = open().undo();
  ASSERT_FALSE(undone);
  EXPECT_EQ(undone.error().code, ErrorCode::kConflict);
  EXPECT_EQ(files(), before);
}

TEST_F(BatchTest, APlanSeesWhatIsThereUnderTheLocks) {
  ASSERT_TRUE(open().create(wish("A", "one\n")));
  Store store = open();
  const auto done = store.batch([&](const std::vector<const Memory*>& memories) {
    EXPECT_EQ(memories.size(), 1U);
    EXPECT_EQ(store.load(*memories[0])->body, "one\n");
    const auto other = open().create(wish("B", "b\n"));
    EXPECT_EQ(other.error().code, ErrorCode::kBusy);
    return Result<std::vector<BatchItem>>({BatchForget{memories[0]->id, ""}});
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(seen(), "archived shared/a=one\n");
}

// Everything that a batch does, for the kill and the failure of each operation.
class BatchFaults : public BatchTest {
 protected:
  void begin() {
    memory = std::make_shared<MemoryFs>();
    ASSERT_TRUE(open().create(wish("A", "one\n")));
    ASSERT_TRUE(open().create(wish("B", "two\n", Scope::kPrivate)));
    ASSERT_TRUE(open().create(wish("C", "three\n")));
    ASSERT_TRUE(open().forget("c"));
  }
  static std::vector<BatchItem> items() {
    return {wish("B!", "four\n", Scope::kPrivate), BatchUpdate{"a", append("more")},
            BatchForget{"private/b", ""}, BatchRecover{"c", {}}};
  }
  const std::string before = "private/b=two\nshared/a=one\narchived shared/c=three\n";
  const std::string after =
      "private/b=four\nshared/a=one\nmore\nshared/c=three\narchived private/b=two\n";
};

TEST_F(BatchFaults, AKillAtAnyOperationLeavesAllOrNothingForTheNextWrite) {
  for (int n = 1;; ++n) {
    begin();
    FaultFs faults(*memory);
    Store store = open(std::shared_ptr<FileSystem>(memory, &faults.fs()));
    faults.arm(n, FaultFs::Mode::kCrash);
    const bool survived = store.batch(items()).has_value();
    faults.arm(0, FaultFs::Mode::kCrash);
    memory->crash();
    ASSERT_TRUE(open().create(wish("Next", "n\n", Scope::kGlobal))) << n;
    ASSERT_TRUE(open().forget("global/next"));
    const std::string gone = "archived global/next=n\n";
    const std::string state = seen();
    EXPECT_TRUE(state == before + gone || state == after + gone)
        << "killed at operation " << n << ": " << state;
    Store checked = open();
    ASSERT_TRUE(check_store(checked, {.fix = true}));  // the page is not made durable
    const auto report = check_store(checked, {});
    for (const Problem& problem : report->problems)
      ADD_FAILURE() << n << ": " << problem.code << " " << problem.path << problem.message;
    if (survived) {
      EXPECT_EQ(state, after + gone);
      EXPECT_GE(n, 50);
      break;
    }
  }
}

TEST_F(BatchFaults, AFailureAtAnyOperationLeavesAllOrNothing) {
  int failed = 0;
  for (int n = 1;; ++n) {
    begin();
    FaultFs faults(*memory);
    Store store = open(std::shared_ptr<FileSystem>(memory, &faults.fs()));
    faults.arm(n, FaultFs::Mode::kFailOnce);
    const auto done = store.batch(items());
    const bool reached = faults.operations() >= n;
    faults.arm(0, FaultFs::Mode::kFailOnce);
    if (!done) ++failed;
    // What could be neither finished nor undone stays in the journal for the next write.
    ASSERT_TRUE(open().create(wish("Next", "n\n", Scope::kGlobal))) << n;
    ASSERT_TRUE(open().forget("global/next"));
    const std::string gone = "archived global/next=n\n";
    const std::string state = seen();
    EXPECT_TRUE(state == after + gone || (!done && state == before + gone))
        << "failed at operation " << n << ": " << state;
    if (!reached) break;
  }
  EXPECT_GE(failed, 30);
}

TEST_F(BatchFaults, AFailedUndoOfABatchLeavesAllOrNothing) {
  for (int n = 1;; ++n) {
    begin();
    ASSERT_TRUE(open().batch(items()));
    FaultFs faults(*memory);
    Store store = open(std::shared_ptr<FileSystem>(memory, &faults.fs()));
    faults.arm(n, FaultFs::Mode::kCrash);
    const bool survived = store.undo().has_value();
    faults.arm(0, FaultFs::Mode::kCrash);
    memory->crash();
    ASSERT_TRUE(open().create(wish("Next", "n\n", Scope::kGlobal))) << n;
    const std::string state = seen();
    const std::string undone = "private/b=two\nshared/a=one\nglobal/next=n\n";
    EXPECT_TRUE(state.starts_with(undone) ||
                state.starts_with("private/b=four\nshared/a=one\nmore"))
        << n << ": " << state;
    if (survived) {
      EXPECT_TRUE(state.starts_with(undone)) << state;
      EXPECT_NE(state.find("archived private/b=four\n"), std::string::npos);
      EXPECT_NE(state.find("archived shared/c=three\n"), std::string::npos);
      EXPECT_GE(n, 40);
      break;
    }
  }
}

}  // namespace
}  // namespace memfs::testing
