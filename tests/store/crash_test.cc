// A kill at any operation of a write leaves the old or the new state, and the next command works.
#include <gtest/gtest.h>
#include <memfs/check.h>

#include <functional>

#include "tests/support/store_fixture.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

class CrashTest : public StoreFixture {
 protected:
  // Every memory as "ref=body", what a reader sees.
  std::string seen() {
    std::string out;
    const auto listing = open().list();
    for (const Memory& found : listing->memories) {
      const auto whole = open().read(found.ref());
      out += found.ref() + "=" + (whole ? whole->memory.body : "unreadable");
      EXPECT_FALSE(found.needs_attention()) << found.ref();
    }
    for (const Problem& problem : listing->problems) out += " PROBLEM " + problem.code;
    // A memory that is nowhere else is in the archive; one that is both is not lost either.
    const auto archived = open().archived();
    for (const ArchivedMemory& copy : *archived)
      if (!open().read(copy.memory.ref()))
        out += "archived " + copy.memory.ref() + "=" + copy.memory.body;
    return out;
  }

  // Runs `operation` once for each kill point until it survives; returns how many there were.
  int kill_everywhere(const std::function<void()>& set_up,
                      const std::function<bool(Store&)>& operation, const std::string& before,
                      const std::string& after) {
    for (int n = 1;; ++n) {
      memory = std::make_shared<MemoryFs>();
      set_up();
      FaultFs faults(*memory);
      Store store = open(std::shared_ptr<FileSystem>(memory, &faults.fs()));
      faults.arm(n, FaultFs::Mode::kCrash);
      const bool survived = operation(store);
      faults.arm(0, FaultFs::Mode::kCrash);
      memory->crash();
      const std::string state = seen();
      EXPECT_TRUE(state == before || state == after)
          << "killed at operation " << n << ": " << state;
      if (survived) {
        EXPECT_EQ(state, after) << "acknowledged, so it must be there";
      }
      EXPECT_TRUE(open().create(wish("Next", "n\n"))) << "the next command works";
      Store checked = open();
      EXPECT_TRUE(check_store(checked, {.fix = true}));
      if (survived) return n - 1;
      if (n > 500) return n;
    }
  }

  void make_a() { ASSERT_TRUE(open().create(wish("A", "one\n"))); }
};

TEST_F(CrashTest, Add) {
  const int points = kill_everywhere(
      [] {}, [](Store& store) { return store.create(wish("A", "one\n")).has_value(); }, "",
      "shared/a=one\n");
  EXPECT_EQ(points, 11) << "folder, lock, create, 2 writes, sync, close, rename, sync, …";
}

TEST_F(CrashTest, Update) {
  const int points =
      kill_everywhere([this] { make_a(); },
                      [](Store& store) { return store.update("a", append("two")).has_value(); },
                      "shared/a=one\n", "shared/a=one\ntwo\n");
  EXPECT_GE(points, 15);
}

TEST_F(CrashTest, Forget) {
  const int points = kill_everywhere([this] { make_a(); },
                                     [](Store& store) { return store.forget("a").has_value(); },
                                     "shared/a=one\n", "archived shared/a=one\n");
  EXPECT_GE(points, 12);
}

TEST_F(CrashTest, Recover) {
  const int points = kill_everywhere(
      [this] {
        make_a();
        ASSERT_TRUE(open().forget("a"));
      },
      [](Store& store) { return store.recover("a").has_value(); }, "archived shared/a=one\n",
      "shared/a=one\n");
  EXPECT_GE(points, 12);
}

TEST_F(CrashTest, AMoveBetweenScopesIsFinishedOrUndoneByTheNextWrite) {
  for (int n = 1;; ++n) {
    memory = std::make_shared<MemoryFs>();
    ASSERT_TRUE(open().create(wish("A", "one\n", Scope::kPrivate)));
    FaultFs faults(*memory);
    Store store = open(std::shared_ptr<FileSystem>(memory, &faults.fs()));
    faults.arm(n, FaultFs::Mode::kCrash);
    const bool survived = store.move({.from = "a", .to = "shared"}).has_value();
    faults.arm(0, FaultFs::Mode::kCrash);
    memory->crash();
    ASSERT_TRUE(open().create(wish("Next", "n\n", Scope::kGlobal))) << n;
    const std::string state = seen();
    EXPECT_TRUE(state == "private/a=one\nglobal/next=n\n" ||
                state == "shared/a=one\nglobal/next=n\n")
        << "killed at operation " << n << ": " << state;
    if (survived) {
      EXPECT_GE(n, 25);
      break;
    }
  }
}

TEST_F(CrashTest, AFailedOperationIsReportedAndChangesNothing) {
  int reported = 0;
  for (int n = 1; n < 40; ++n) {
    memory = std::make_shared<MemoryFs>();
    make_a();
    FaultFs faults(*memory);
    Store store = open(std::shared_ptr<FileSystem>(memory, &faults.fs()));
    faults.arm(n, FaultFs::Mode::kFailOnce);
    const auto updated = store.update("a", append("two"));
    const std::string body = open().read("a")->memory.body;
    EXPECT_TRUE(body == "one\n" || body == "one\ntwo\n") << n;
    if (updated) {
      EXPECT_EQ(body, "one\ntwo\n");
    } else {
      ++reported;
    }
  }
  EXPECT_GE(reported, 10);
}

}  // namespace
}  // namespace memfs::testing
