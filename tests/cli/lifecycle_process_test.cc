// What must hold however many processes write at once: one live holder of a subject, budgets, no
// text twice, and a log that tells of each write.
#include <gtest/gtest.h>
#include <memfs/freshness.h>
#include <memfs/store.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "tests/support/mem_processes.h"

namespace memfs::testing {
namespace {

class LifecycleProcesses : public MemProcesses {
 protected:
  static constexpr int kConflict = 4;
  static constexpr int kRefused = 5;

  Store store() { return *Store::open(*layout_at(temp.path())); }
  int add(const std::string& title, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"add", title, "--body", title + " says so", "--scope", "shared"});
    return mem(more);
  }
  std::vector<std::string> live_holders(const std::string& subject) {
    std::vector<std::string> refs;
    const auto now =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto listing = store().list();
    for (const Memory& memory : listing->memories)
      if (memory.subject_key == subject && !is_expired(memory, now)) refs.push_back(memory.ref());
    return refs;
  }
  // Lines of the log's file that are none.
  std::size_t torn_lines() {
    const std::string text = temp.read(".state/log");
    std::size_t torn = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const auto line = std::string_view(text).substr(at, end - at);
      const auto tabs = std::count(line.begin(), line.end(), '\t');
      if (!line.empty() && tabs != 14) ++torn;
      at = end + 1;
    }
    return torn;
  }
  std::size_t logged(const std::vector<Scope>& scopes) {
    LogFilter filter;
    filter.scopes = scopes;
    const auto entries = store().log(filter);
    return static_cast<std::size_t>(std::count_if(
        entries->begin(), entries->end(),
        [](const WriteEntry& entry) { return entry.operation != Operation::kByHand; }));
  }
};

// Reasonix: its lock holds in one process only.
TEST_F(LifecycleProcesses, ManyWaysToClaimASubjectLeaveOneLiveHolder) {
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    ASSERT_EQ(add("update " + n), 0);
    ASSERT_EQ(add("restore " + n, {"--subject-key", "db.host"}), 0);
    ASSERT_EQ(mem({"update", "shared/restore-" + n, "--clear", "subject_key"}), 0);
    ASSERT_EQ(add("recover " + n, {"--subject-key", "db.host"}), 0);
    ASSERT_EQ(mem({"forget", "shared/recover-" + n}), 0);
  }
  for (int round = 0; round < 4; ++round) {
    std::atomic<int> won{0};
    std::atomic<int> strange{0};
    in_parallel(16, [&](int i) {
      const std::string n = std::to_string(i / 4);
      int code = -1;
      if (i % 4 == 0)
        code = mem({"update", "shared/update-" + n, "--subject-key", "db.host"});
      else if (i % 4 == 1)
        code = mem({"restore", "shared/restore-" + n, "--revision", "1"});
      else if (i % 4 == 2)
        code = mem({"restore", "shared/recover-" + n});
      else
        code = add("add " + std::to_string(round) + n, {"--subject-key", "db.host"});
      if (code == 0) ++won;
      if (code != 0 && code != kConflict && code != 3) ++strange;
    });
    EXPECT_EQ(won, 1);
    EXPECT_EQ(strange, 0);
    const auto holders = live_holders("db.host");
    ASSERT_EQ(holders.size(), 1U);
    ASSERT_EQ(mem({"forget", holders.front()}), 0);
  }
}

TEST_F(LifecycleProcesses, AnExpiredHolderIsExtendedOrReplacedNeverBoth) {
  for (int round = 0; round < 6; ++round) {
    const std::string n = std::to_string(round);
    const std::string subject = "k.r" + n;
    ASSERT_EQ(add("old " + n, {"--subject-key", subject, "--expires-at", "2020-01-01"}), 0);
    std::atomic<int> won{0};
    in_parallel(6, [&](int i) {
      const int code = i % 2 == 0
                           ? mem({"update", "shared/old-" + n, "--expires-at", "2999-01-01"})
                           : add("new " + n + " " + std::to_string(i), {"--subject-key", subject});
      if (code == 0 && i % 2 == 1) ++won;
    });
    EXPECT_LE(won, 1);
    EXPECT_EQ(live_holders(subject).size(), 1U) << subject;
  }
}

// newt: an exact duplicate is a no-op; its last writer wins.
TEST_F(LifecycleProcesses, TheSameTextAddedByManyIsOneMemory) {
  std::atomic<int> added{0};
  std::atomic<int> said_before{0};
  in_parallel(16, [&](int) {
    const ProcessOutput output = run({"add", "Tests need Postgres 15", "--scope", "shared"});
    if (output.out.starts_with("Added ")) ++added;
    if (output.out.starts_with("Nothing to add: shared/")) ++said_before;
  });
  EXPECT_EQ(added, 1);
  EXPECT_EQ(said_before, 15);
  EXPECT_EQ(store().list()->memories.size(), 1U);
  EXPECT_EQ(logged({}), 1U);
}

TEST_F(LifecycleProcesses, ABudgetIsNeverExceededByManyAdds) {
  temp.write("config.yaml", "version: 1\nbudget:\n  shared: {characters: 100, entries: 7}\n");
  std::atomic<int> added{0};
  std::atomic<int> strange{0};
  in_parallel(40, [&](int i) {
    const std::string text = std::to_string(10 + i) + std::string(i % 2 == 0 ? 8 : 18, 'x');
    const int code = mem({"add", "n" + std::to_string(i), "--body", text, "--scope", "shared"});
    if (code == 0) ++added;
    if (code != 0 && code != kRefused) ++strange;
  });
  EXPECT_EQ(strange, 0);
  EXPECT_GE(added, 4) << "it was filled";
  std::uint64_t characters = 0;
  const auto listing = store().list();
  for (const Memory& memory : listing->memories) characters += memory.characters;
  EXPECT_EQ(listing->memories.size(), static_cast<std::size_t>(added));
  EXPECT_LE(characters, 100U);
  EXPECT_LE(listing->memories.size(), 7U);
}

TEST_F(LifecycleProcesses, TheLogTellsOfEachWriteInWholeLines) {
  constexpr std::array<const char*, 3> kFolders = {"private", "shared", "global"};
  for (const char* scope : kFolders)
    ASSERT_EQ(mem({"add", std::string("base ") + scope, "--scope", scope}), 0);
  std::atomic<int> failed{0};
  in_parallel(90, [&](int i) {
    const std::string scope = kFolders.at(static_cast<std::size_t>(i) % 3);
    const std::string reference = scope + "/base-" + scope;
    if (mem({"update", reference, "--append", std::to_string(i)}) != 0) ++failed;
  });
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(logged({}), 93U);
  EXPECT_EQ(torn_lines(), 0U);
}

// A purge takes lines out of the log that writers of other folders add to.
TEST_F(LifecycleProcesses, APurgeTakesNoOtherWriteOutOfTheLog) {
  ASSERT_EQ(add("base"), 0);
  for (int i = 0; i < 30; ++i)
    ASSERT_EQ(mem({"add", "note " + std::to_string(i), "--body", std::to_string(i)}), 0);
  std::atomic<int> failed{0};
  in_parallel(120, [&](int i) {
    const std::string n = std::to_string(i / 4);
    const int code = i % 4 == 0 ? mem({"forget", "private/note-" + n, "--purge"})
                                : mem({"update", "shared/base", "--append", std::to_string(i)});
    if (code != 0) ++failed;
  });
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(logged({Scope::kPrivate}), 30U) << "the purges themselves";
  EXPECT_EQ(logged({Scope::kShared}), 91U);
  EXPECT_EQ(torn_lines(), 0U);
}

}  // namespace
}  // namespace memfs::testing
