// `mem check --fix`: what loses nothing, told, once.
#include <random>

#include "libmemfs/base/hash.h"
#include "libmemfs/format/front_matter.h"
#include "tests/check/check_fixture.h"
#include "tests/support/store_world.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

class MendTest : public CheckFixture {};

// Case 1.
TEST_F(MendTest, AnUnquotedColonIsQuotedAndEveryOtherByteStays) {
  const std::string bytes = "---\nid: a1\ntitle: Fix: the parser\nrevision: 1\n---\nwalrus body\n";
  write("shared/a.md", bytes);
  const auto before = problems("yaml-colon");
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(before[0].line, 3);
  EXPECT_EQ(before[0].column, 11);
  EXPECT_EQ(file("shared/a.md"), bytes) << "without --fix nothing is written";
  EXPECT_EQ(mended_of(check(true)),
            "quoted the value of `title` (a.md)\nmade INDEX.md (INDEX.md)\n");
  EXPECT_EQ(file("shared/a.md"),
            "---\nid: a1\ntitle: \"Fix: the parser\"\nrevision: 1\n---\nwalrus body\n");
  EXPECT_EQ(open().read("a")->memory.title, "Fix: the parser");
}

TEST_F(MendTest, TheBytesBeforeAreInTheHistoryAndTheWriteIsInTheLog) {
  const std::string bytes = "---\ntitle: Fix: the parser\nid: a1\nrevision: 1\n---\nb\n";
  write("shared/a.md", bytes);
  check(true);
  Store store = open();
  const auto log = store.log({});
  ASSERT_FALSE(log->empty());
  EXPECT_EQ(log->front().operation, memfs::Operation::kFix);
  EXPECT_EQ(store.revision("a", log->front().before)->bytes, bytes);
  const auto undone = store.undo();
  ASSERT_FALSE(undone) << "a state that cannot be read is not brought back";
  EXPECT_EQ(undone.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(undone.error().message.starts_with("the state before the repair does not come back"))
      << undone.error().message;
}

TEST_F(MendTest, WhatMayMeanSomethingElseIsLeftAlone) {
  for (const std::string block :
       {"title: Fix: the parser # done\n", "tags: a: b\n", "title: [x: y\n",
        "title: Fix: the parser\n  and: more\n", "title: Fix: a\ntags:\n\t- x\n"}) {
    const std::string bytes = "---\n" + block + "---\nb\n";
    write("shared/a.md", bytes);
    check(true);
    EXPECT_EQ(file("shared/a.md"), bytes) << block;
  }
}

TEST_F(MendTest, ACommentIsNeverTakenForAValue) {
  const std::string bytes = "---\ntitle: Fix issue #12\n---\nb\n";
  write("shared/a.md", bytes);
  EXPECT_EQ(codes_of(check(true)), "comment-cuts ");
  EXPECT_EQ(file("shared/a.md"), bytes);
}

// Case 51.
TEST_F(MendTest, TheCopyOfAMemoryThatMemWroteGetsAnIdOfItsOwn) {
  add("A", "one\n", Scope::kPrivate);
  const std::string original = file("private/a.md");
  const std::string id = open().read("private/a")->memory.id;
  write("private/backup.md", original);
  EXPECT_EQ(problems("duplicate-id").size(), 2U);
  EXPECT_EQ(mended_of(check(true)),
            "gave the copy an id of its own (backup.md)\nrenewed INDEX.md (INDEX.md)\n");
  EXPECT_EQ(file("private/a.md"), original) << "the one that the log knows keeps its id";
  const Memory copy = open().read("private/backup")->memory;
  EXPECT_NE(copy.id, id);
  EXPECT_EQ(copy.revision, 2U);
  EXPECT_EQ(copy.body, "one\n");
  EXPECT_EQ(problems("duplicate-id").size(), 0U);
  EXPECT_EQ(open().history("private/a")->revisions.size(), 1U) << "history stays with its memory";
  EXPECT_EQ(open().history("private/backup")->revisions.size(), 2U);
  EXPECT_TRUE(open().undo()) << "identity stays, but it is taken back";
}

TEST_F(MendTest, WhereNothingTellsWhichIsTheCopyBothStayAndItIsSaid) {
  const std::string bytes = "---\nid: mem-01m8n2sak0tn2v5x9yb6c0dehj\nrevision: 1\n---\nb\n";
  write("shared/a.md", bytes);
  write("shared/b.md", bytes);
  const CheckReport report = check(true);
  EXPECT_EQ(with_code(report, "duplicate-id").size(), 2U);
  EXPECT_EQ(file("shared/a.md"), bytes);
  EXPECT_EQ(file("shared/b.md"), bytes);
}

TEST_F(MendTest, AMemoryThatLostItsIdGetsOneAndAHandWrittenFileDoesNot) {
  write("shared/lost.md", "---\ntitle: T\ncreated_at: 2026-01-01\nrevision: 3\n---\nb\n");
  write("shared/hand.md", "# by hand\n");
  write("shared/foreign.md", "---\ntitle: U\nrevision: 3\n---\nc\n");
  check(true);
  EXPECT_FALSE(open().read("lost")->memory.id.empty());
  EXPECT_EQ(file("shared/hand.md"), "# by hand\n");
  EXPECT_EQ(file("shared/foreign.md"), "---\ntitle: U\nrevision: 3\n---\nc\n");
}

TEST_F(MendTest, LeftOversAreSweptAndTold) {
  write("shared/a.md", "x\n");
  write("shared/.mem-tmp-1-1", "bytes of an edit");
  const CheckReport report = check(true);
  EXPECT_EQ(mended_of(report),
            "removed a temporary file, whose bytes are in the history (.mem-tmp-1-1)\n"
            "made INDEX.md (INDEX.md)\n");
  EXPECT_EQ(
      memory->bytes_of("/m/.state/history/strays/" + content_hash("bytes of an edit") + ".md"),
      "bytes of an edit");
}

TEST_F(MendTest, AFolderThatCannotBeWrittenEndsNothing) {
  write("private/a.md", "---\ntitle: A: b\n---\nx\n");
  write("shared/a.md", "---\ntitle: A: c\n---\ny\n");
  write("private/.mem.lock", "");
  const auto dir = *memory->open("/m/private");
  const auto held = *dir->try_lock(".mem.lock", 0600);
  const CheckReport report = check(true);
  ASSERT_EQ(with_code(report, "not-fixed").size(), 1U);
  EXPECT_NE(with_code(report, "not-fixed")[0].message.find("not mended: "), std::string::npos);
  EXPECT_EQ(file("private/a.md"), "---\ntitle: A: b\n---\nx\n");
  EXPECT_EQ(file("shared/a.md"), "---\ntitle: \"A: c\"\n---\ny\n");
}

// Each changing operation of the disk fails once.
TEST_F(MendTest, AFailureAtAnyPointLosesNothingAndTheNextRunDoesTheRest) {
  const std::string colon = "---\ntitle: A: b\n---\nwalrus\n";
  const std::string lost = "---\ntitle: T\ncreated_at: 2026-01-01\nrevision: 3\n---\nheron\n";
  int faults = 0;
  for (int n = 1; n < 200; ++n) {
    memory = std::make_shared<MemoryFs>();
    write("shared/a.md", colon);
    write("shared/lost.md", lost);
    write("shared/.mem-tmp-1-1", "half");
    auto faulty = std::make_shared<FaultFs>(*memory);
    faulty->arm(n, FaultFs::Mode::kFailOnce);
    Store store = open(std::shared_ptr<FileSystem>(faulty, &faulty->fs()));
    ASSERT_TRUE(check_store(store, {.fix = true})) << n;
    const bool failed = faulty->operations() >= n;
    const std::string there = file("shared/a.md");
    EXPECT_TRUE(there == colon || there == "---\ntitle: \"A: b\"\n---\nwalrus\n") << n << there;
    EXPECT_TRUE(file("shared/lost.md").ends_with("---\nheron\n")) << n;
    const std::string stray =
        "/m/.state/history/strays/" + content_hash(std::string("half")) + ".md";
    EXPECT_TRUE(memory->exists("/m/shared/.mem-tmp-1-1") || memory->exists(stray)) << n;
    check(true);
    EXPECT_EQ(mended_of(check(true)), "") << n;
    EXPECT_EQ(file("shared/a.md"), "---\ntitle: \"A: b\"\n---\nwalrus\n") << n;
    if (!failed) break;
    ++faults;
  }
  EXPECT_GT(faults, 20) << "there were points to fail at";
}

std::string body_of(const std::string& bytes) {
  return bytes.substr(read_front_matter(bytes).body_begin);
}

// Folders of files as people, merges and crashes leave them.
class BrokenFolder {
 public:
  explicit BrokenFolder(unsigned seed) : random_(seed) {}

  std::map<std::string, std::string> files() {
    std::map<std::string, std::string> files;
    const unsigned count = 2 + pick(10);
    for (unsigned i = 0; i < count; ++i) {
      const std::string scope = pick(2) == 0 ? "shared/" : "private/";
      files[scope + (pick(6) == 0 ? ".mem-tmp-" : "f") + std::to_string(i) + ".md"] = one();
    }
    return files;
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

  std::string one() {
    if (pick(8) == 0) return pick(2) == 0 ? "" : std::string(20, '\0');
    std::string block;
    const unsigned keys = pick(5);
    for (unsigned i = 0; i < keys; ++i) block += line();
    std::string body = text();
    if (block.empty()) return body;
    return "---\n" + block + (pick(9) == 0 ? "" : "---\n") + body;
  }

  std::string line() {
    static const std::vector<std::string> kLines = {"title: Fix: the parser\n",
                                                    "title: plain\n",
                                                    "title: @home\n",
                                                    "description: a: b: c\n",
                                                    "description: 'tis: fine\n",
                                                    "source: %x: y # z\n",
                                                    "name: `code`: x\n",
                                                    "id: mem-01m8n2sak0tn2v5x9yb6c0dehj\n",
                                                    "id: a1\n",
                                                    "revision: 3\n",
                                                    "revision: 010\n",
                                                    "created_at: 2026-01-01\n",
                                                    "tags: [a, b\n",
                                                    "tags: [a]\r\n",
                                                    "<<<<<<< HEAD\n",
                                                    "extra: {x: 1}\n",
                                                    "# comment: here\n"};
    return kLines[pick(static_cast<unsigned>(kLines.size()))];
  }

  std::string text() {
    std::string text;
    const unsigned lines = pick(4);
    for (unsigned i = 0; i < lines; ++i) {
      text += "line " + std::to_string(pick(100));
      text += pick(5) == 0 ? ": x\r\n" : "\n";
    }
    return text;
  }

  std::mt19937 random_;
};

TEST_F(MendTest, OfGeneratedFoldersNoBodyByteChangesAndASecondRunFindsNothingToDo) {
  std::size_t mended = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    memory = std::make_shared<MemoryFs>();
    const auto files = BrokenFolder(seed).files();
    for (const auto& [rel, bytes] : files) write(rel, bytes);
    const CheckReport first = check(true);
    for (const Mended& one : first.mended) mended += one.ref.empty() ? 0 : 1;
    const auto after = files_below(*memory, "/m/shared");
    for (const auto& [rel, bytes] : files) {
      if (rel.find(".mem-tmp-") != std::string::npos) continue;
      EXPECT_EQ(body_of(file(rel)), body_of(bytes)) << seed << " " << rel << "\n" << bytes;
    }
    const CheckReport second = check(true);
    EXPECT_EQ(mended_of(second), "") << seed;
    EXPECT_EQ(files_below(*memory, "/m/shared"), after) << seed;
    EXPECT_EQ(with_code(second, "not-fixed").size(), with_code(first, "not-fixed").size()) << seed;
  }
  EXPECT_GT(mended, 20U) << "the folders hold things to mend";
}

}  // namespace
}  // namespace memfs::testing
