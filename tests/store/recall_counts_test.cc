#include "libmemfs/store/recall_counts.h"

#include <gtest/gtest.h>

#include "libmemfs/base/posix_file_system.h"
#include "tests/support/memory_fs.h"
#include "tests/support/temp_dir.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

constexpr std::size_t kRecord = 16;  // bytes

class RecallCountsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(memory.make_directories("/state", 0700));
    state = *memory.open("/state");
  }
  void note(const std::vector<std::string>& keys, Recall kind = Recall::kReturned,
            std::uint32_t day = 100) {
    ASSERT_TRUE(note_recalls(*state, "shared-1", keys, kind, day));
  }
  RecallCount count(const std::string& key) {
    const RecallCounts counts = load_recalls(*state, "shared-1");
    const auto it = counts.find(recall_hash(key));
    return it == counts.end() ? RecallCount{} : it->second;
  }
  std::string bytes() { return memory.exists(kFile) ? memory.bytes_of(kFile) : ""; }
  // Appends until the file would be carried over the next step by one more record.
  void fill(const std::vector<std::string>& keys) {
    const std::size_t room = kCompactionStep - bytes().size() % kCompactionStep;
    std::vector<std::string> many;
    for (std::size_t i = 1; i < room / kRecord; ++i) many.push_back(keys[i % keys.size()]);
    note(many);
  }

  static constexpr const char* kFile = "/state/scopes/shared-1/recalls";
  MemoryFs memory;
  std::shared_ptr<Directory> state;
};

TEST_F(RecallCountsTest, NothingWasRecalledAtFirst) {
  EXPECT_TRUE(load_recalls(*state, "shared-1").empty());
  note({});
  EXPECT_FALSE(memory.exists(kFile));
}

TEST_F(RecallCountsTest, WhatSearchesReturnAndWhatIsReadIsCountedApart) {
  note({"a", "b"}, Recall::kReturned, 100);
  note({"a"}, Recall::kReturned, 102);
  note({"a"}, Recall::kRead, 101);
  EXPECT_EQ(count("a"), (RecallCount{2, 1, 102}));
  EXPECT_EQ(count("b"), (RecallCount{1, 0, 100}));
  EXPECT_EQ(count("c"), RecallCount{});
}

TEST_F(RecallCountsTest, ScopesCountForThemselves) {
  note({"a"});
  EXPECT_TRUE(load_recalls(*state, "private-1").empty());
}

TEST_F(RecallCountsTest, DaysCountFromTheEpoch) {
  using std::chrono::milliseconds;
  EXPECT_EQ(day_of(Instant(milliseconds(0))), 0U);
  EXPECT_EQ(day_of(Instant(milliseconds(86400000LL - 1))), 0U);
  EXPECT_EQ(day_of(Instant(milliseconds(20000LL * 86400000))), 20000U);
  EXPECT_EQ(day_of(Instant(milliseconds(-5))), 0U);
}

TEST_F(RecallCountsTest, ACommandIsOneWriteWithoutSync) {
  note({"a"});
  RecordingFs recording(memory);
  const auto dir = *recording.fs().open("/state");
  ASSERT_TRUE(note_recalls(*dir, "shared-1", {"a", "b", "c"}, Recall::kRead, 1));
  EXPECT_EQ(recording.changes(), 1);
  EXPECT_EQ(recording.count("append"), 1);
}

TEST_F(RecallCountsTest, ARecordIsSixteenBytesAndLittleEndian) {
  note({"a"}, Recall::kRead, 0x01020304);
  ASSERT_EQ(bytes().size(), kRecord);
  EXPECT_EQ(bytes().substr(8, 4), "\x04\x03\x02\x01");
  EXPECT_EQ(bytes()[12] & 3, 2);
  EXPECT_EQ(bytes().substr(14), std::string("\x01\0", 2));
}

TEST_F(RecallCountsTest, ATornRecordIsSkippedAndTheOthersCount) {
  note({"a"});
  const std::string whole = bytes();
  for (std::size_t torn = 0; torn <= kRecord; ++torn) {
    memory.plant(kFile, whole.substr(0, torn));
    note({"b", "c"});
    EXPECT_EQ(count("b"), (RecallCount{1, 0, 100})) << torn;
    EXPECT_EQ(count("c"), (RecallCount{1, 0, 100})) << torn;
    EXPECT_EQ(count("a").returned, torn == kRecord ? 1U : 0U) << torn;
    EXPECT_EQ(load_recalls(*state, "shared-1").size(), torn == kRecord ? 3U : 2U) << torn;
  }
}

TEST_F(RecallCountsTest, AWriteThatFailsHalfWayLosesItselfOnly) {
  note({"a"});
  FaultFs faults(memory);
  const auto dir = *faults.fs().open("/state");
  faults.arm(1, FaultFs::Mode::kFailOnce);
  EXPECT_FALSE(note_recalls(*dir, "shared-1", {"x"}, Recall::kRead, 7));
  note({"b"});
  EXPECT_EQ(count("a").returned, 1U);
  EXPECT_EQ(count("b").returned, 1U);
  EXPECT_EQ(count("x"), RecallCount{});
}

TEST_F(RecallCountsTest, ForeignContentIsNoRecord) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "A line of something else, number " + std::to_string(i);
  memory.plant(kFile, text);
  note({"a"});
  EXPECT_EQ(count("a").returned, 1U);
  // The check has 14 bits and the kind two more: a few of some 70,000 places look like a record.
  EXPECT_LT(load_recalls(*state, "shared-1").size(), 20U);
}

TEST_F(RecallCountsTest, AFolderOrLinkInItsPlaceCountsNothing) {
  memory.plant_link(kFile, "/elsewhere");
  EXPECT_FALSE(note_recalls(*state, "shared-1", {"a"}, Recall::kRead, 1));
  EXPECT_TRUE(load_recalls(*state, "shared-1").empty());
}

TEST_F(RecallCountsTest, AppendsOfManyProcessesAllCount) {
  const auto other = *memory.open("/state");
  for (int i = 0; i < 50; ++i) {
    note({"a", "b"});
    ASSERT_TRUE(note_recalls(*other, "shared-1", {"b"}, Recall::kRead, 200));
  }
  EXPECT_EQ(count("a"), (RecallCount{50, 0, 100}));
  EXPECT_EQ(count("b"), (RecallCount{50, 50, 200}));
}

TEST_F(RecallCountsTest, AFileThatReachesTheStepIsCompactedAndKeepsItsSums) {
  note({"a"}, Recall::kRead, 555);
  fill({"a", "b"});
  const RecallCounts before = load_recalls(*state, "shared-1");
  EXPECT_EQ(bytes().size(), kCompactionStep - kRecord);
  note({"b"}, Recall::kReturned, 90);
  EXPECT_EQ(bytes().size(), 3 * kRecord);
  EXPECT_EQ(count("a"), before.at(recall_hash("a")));
  EXPECT_EQ(count("b").returned, before.at(recall_hash("b")).returned + 1);
  EXPECT_EQ(count("b").last_day, 100U);
}

TEST_F(RecallCountsTest, CompactionDropsWhatIsNoRecord) {
  memory.plant(kFile, std::string(kCompactionStep - kRecord, 'x'));
  note({"a"});
  EXPECT_EQ(bytes().size(), kRecord);
  EXPECT_EQ(count("a").returned, 1U);
}

TEST_F(RecallCountsTest, AnotherCompactionIsNotWaitedFor) {
  fill({"a"});
  const auto lock = state->try_lock("scopes/shared-1/recalls.lock", 0600);
  ASSERT_TRUE(lock);
  ASSERT_NE(*lock, nullptr);
  note({"a"});
  EXPECT_EQ(bytes().size(), kCompactionStep);
  EXPECT_EQ(count("a").returned, kCompactionStep / kRecord);
}

TEST_F(RecallCountsTest, ACompactionCutOffAnywhereLosesNothing) {
  fill({"a"});
  const std::string full = bytes();
  int points = 0;
  for (bool done = false; !done; ++points) {
    ASSERT_LT(points, 20);
    memory.crash();
    memory.plant(kFile, full);
    FaultFs faults(memory);
    const auto dir = *faults.fs().open("/state");
    faults.arm(points + 2, FaultFs::Mode::kCrash);
    done = note_recalls(*dir, "shared-1", {"a"}, Recall::kReturned, 100).has_value();
    EXPECT_EQ(count("a").returned, kCompactionStep / kRecord) << points;
  }
  EXPECT_GT(points, 3);
}

// Compaction that gains little room would otherwise be due again at the next command.
TEST_F(RecallCountsTest, ManyMemoriesAreNotCompactedAtEachCommand) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i + 2 < kCompactionStep / kRecord; ++i)
    keys.push_back("memory " + std::to_string(i));
  note(keys);
  note({"one", "more"});
  EXPECT_EQ(bytes().size(), kCompactionStep);
  int rewritten = 0;
  for (int i = 0; i < 200; ++i) {
    const std::size_t before = bytes().size();
    note({"one"});
    rewritten += bytes().size() == before + kRecord ? 0 : 1;
  }
  EXPECT_EQ(rewritten, 0);
  EXPECT_EQ(load_recalls(*state, "shared-1").size(), kCompactionStep / kRecord);
}

TEST_F(RecallCountsTest, ASingleCompactedCountStopsAtTheLargestThatFits) {
  for (int i = 0; i < 5; ++i) {
    fill({"a"});
    note({"a"});
  }
  EXPECT_EQ(count("a").returned, 0xFFFFU);
}

TEST(RecallCounts, OnADiskThatCannotBeWrittenCountsAreReadAndNotesFail) {
  TempDir temp;
  PosixFileSystem posix;
  const auto state = *posix.open(temp.path());
  ASSERT_TRUE(note_recalls(*state, "global-1", {"a"}, Recall::kRead, 3));
  WrappingFs read_only(posix, [](const Operation& op) -> Result<void> {
    if (!op.changes) return {};
    return make_error(ErrorCode::kIo, "Read-only file system");
  });
  const auto locked = *read_only.open(temp.path());
  EXPECT_FALSE(note_recalls(*locked, "private-1", {"a"}, Recall::kRead, 4));
  EXPECT_EQ(load_recalls(*locked, "global-1").at(recall_hash("a")), (RecallCount{0, 1, 3}));
}

TEST(RecallCounts, TheFileIsTheOwnersAlone) {
  TempDir temp;
  PosixFileSystem posix;
  const auto state = *posix.open(temp.path());
  ASSERT_TRUE(note_recalls(*state, "global-1", {"a"}, Recall::kRead, 3));
  EXPECT_EQ(state->stat("scopes/global-1/recalls")->mode, 0600U);
}

}  // namespace
}  // namespace memfs::testing
