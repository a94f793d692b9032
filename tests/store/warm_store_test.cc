// A store that is kept warm looks at nothing that did not change, and answers as a fresh one.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memfs/search.h>
#include <memfs/store.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "libmemfs/base/posix_file_system.h"
#include "tests/support/store_world.h"
#include "tests/support/temp_dir.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Instant kNow{std::chrono::hours(500000)};

// A watch that can be made to lose events, or to have no room.
struct Weakness {
  int room = 1000000;
  bool lose = false;
};

class WeakWatch final : public FolderWatch {
 public:
  WeakWatch(std::unique_ptr<FolderWatch> inner, Weakness& weakness)
      : inner_(std::move(inner)), weakness_(weakness) {}
  int descriptor() const override { return inner_->descriptor(); }
  Result<WatchedFolder> add(const std::string& path, bool follow) override {
    if (weakness_.room <= 0) return make_error(ErrorCode::kUnsupported, "no room");
    --weakness_.room;
    return inner_->add(path, follow);
  }
  void remove(int number) override { inner_->remove(number); }
  FolderEvents take() override {
    FolderEvents taken = inner_->take();
    if (std::exchange(weakness_.lose, false)) return {{}, true};
    return taken;
  }

 private:
  std::unique_ptr<FolderWatch> inner_;
  Weakness& weakness_;
};

// The real files; counts what is listed and read but for the index.
class WatchedFs final : public WrappingFs {
 public:
  WatchedFs() : WrappingFs(real_, [this](const Operation& op) { return note(op); }) {}
  Result<std::unique_ptr<FolderWatch>> watch_folders() override {
    MEMFS_ASSIGN(auto inner, real_.watch_folders());
    return std::unique_ptr<FolderWatch>(std::make_unique<WeakWatch>(std::move(inner), weakness));
  }

  Weakness weakness{};
  std::atomic<int> lists{0};
  std::vector<std::string> reads{};
  std::function<void(const Operation&)> meanwhile{};

 private:
  Result<void> note(const Operation& op) {
    if (op.path.find("/.state/") != std::string::npos) return {};
    if (op.verb == "list") ++lists;
    if (op.verb == "read") reads.push_back(fs::path(op.path).filename());
    if (meanwhile) meanwhile(op);
    return {};
  }

  PosixFileSystem real_;
};

class WarmStoreTest : public ::testing::Test {
 protected:
  WarmStoreTest() {
    memory("a", "ant");
    memory("deep/b", "bee");
  }

  void memory(const std::string& name, const std::string& text) const {
    temp_.write("shared/" + name + ".md", "---\ntitle: T\n---\n" + text + "\n");
  }

  Store open() {
    Store::Services services;
    services.fs = files_;
    services.clock = std::make_shared<FixedClock>(kNow);
    services.file_clock = clock_;
    services.threads = 1;
    Store store = *Store::open(*layout_at(temp_.path()), services);
    store.keep_warm();
    return store;
  }

  static std::vector<std::string> find(const Store& store, const std::string& query) {
    SearchRequest request;
    request.query = query;
    std::vector<std::string> refs;
    const auto result = search(store, request, kNow);
    for (const Hit& hit : result->hits) refs.push_back(hit.memory.ref());
    std::sort(refs.begin(), refs.end());
    return refs;
  }

  // How often folders were listed while the query found `refs`.
  int lists_of(const Store& store, const std::string& query, const std::vector<std::string>& refs) {
    files_->lists = 0;
    files_->reads.clear();
    EXPECT_EQ(find(store, query), refs);
    return files_->lists;
  }

  TempDir temp_;
  std::shared_ptr<WatchedFs> files_ = std::make_shared<WatchedFs>();
  std::shared_ptr<MovingClock> clock_ = std::make_shared<MovingClock>(SystemClock().now());
};

TEST_F(WarmStoreTest, TheSecondSearchListsNothing) {
  const Store store = open();
  EXPECT_GT(lists_of(store, "ant", {"shared/a"}), 0);
  EXPECT_EQ(lists_of(store, "bee", {"shared/deep/b"}), 0);
  EXPECT_THAT(files_->reads, ElementsAre("b.md"));  // the hit itself
}

TEST_F(WarmStoreTest, AfterAChangeThatFileAloneIsReadAgain) {
  const Store store = open();
  (void)find(store, "ant");
  memory("a", "cat");
  EXPECT_EQ(lists_of(store, "bee", {"shared/deep/b"}), 0);
  EXPECT_THAT(files_->reads, ElementsAre("a.md", "b.md"));
  EXPECT_EQ(lists_of(store, "cat", {"shared/a"}), 0);
}

TEST_F(WarmStoreTest, WhatComesAndGoesInAKnownFolderIsFoundWithoutAList) {
  const Store store = open();
  (void)find(store, "ant");
  memory("deep/new", "ant");
  EXPECT_EQ(lists_of(store, "ant", {"shared/a", "shared/deep/new"}), 0);
  fs::remove(temp_ / "shared/a.md");
  EXPECT_EQ(lists_of(store, "ant", {"shared/deep/new"}), 0);
  fs::rename(temp_ / "shared/deep/new.md", temp_ / "shared/other.md");
  EXPECT_EQ(lists_of(store, "ant", {"shared/other"}), 0);
}

TEST_F(WarmStoreTest, ItsOwnWritesAreFoundWithoutAList) {
  Store store = open();
  (void)find(store, "ant");
  Change change;
  change.body = {BodyEdit::Kind::kAppend, "wasp\n", {}};
  ASSERT_TRUE(store.update("shared/a", change));
  EXPECT_EQ(lists_of(store, "wasp", {"shared/a"}), 0);
}

TEST_F(WarmStoreTest, ReadingAReferenceListsNothing) {
  const Store store = open();
  (void)find(store, "ant");
  memory("a", "fresh");
  files_->lists = 0;
  EXPECT_EQ(store.read("shared/a")->memory.body, "fresh\n");
  EXPECT_EQ(files_->lists, 0);
}

TEST_F(WarmStoreTest, NewAndMovedFoldersAreSeenWithWhatLiesInThem) {
  const Store store = open();
  (void)find(store, "ant");
  memory("new/er/c", "ant");
  EXPECT_THAT(find(store, "ant"), ElementsAre("shared/a", "shared/new/er/c"));
  memory("new/er/d", "ant");
  EXPECT_EQ(lists_of(store, "ant", {"shared/a", "shared/new/er/c", "shared/new/er/d"}), 0);
  fs::rename(temp_ / "shared/new", temp_ / "shared/moved");
  EXPECT_THAT(find(store, "ant"),
              ElementsAre("shared/a", "shared/moved/er/c", "shared/moved/er/d"));
  memory("moved/er/c", "dog");
  EXPECT_THAT(find(store, "dog"), ElementsAre("shared/moved/er/c"));
  fs::rename(temp_ / "shared/moved", temp_ / "outside");
  EXPECT_THAT(find(store, "ant"), ElementsAre("shared/a"));
  fs::rename(temp_ / "outside", temp_ / "shared/deep/back");
  memory("deep/back/er/c", "eel");
  EXPECT_THAT(find(store, "eel"), ElementsAre("shared/deep/back/er/c"));
}

TEST_F(WarmStoreTest, AFileThatChangesWhileItIsReadIsReadAgainByTheNextSearch) {
  const Store store = open();
  (void)find(store, "ant");
  memory("a", "first");
  // Behind the look at the file's stamp, before its bytes are taken.
  files_->meanwhile = [this](const Operation& op) {
    if (op.verb != "read") return;
    files_->meanwhile = {};
    memory("a", "other");
  };
  (void)find(store, "bee");
  EXPECT_THAT(find(store, "other"), ElementsAre("shared/a"));
  memory("a", "third");
  EXPECT_THAT(find(store, "third"), ElementsAre("shared/a"));
}

TEST_F(WarmStoreTest, AFolderThatChangesDuringTheFirstWalkIsLookedAtAgain) {
  const Store store = open();
  files_->meanwhile = [this](const Operation& op) {
    if (op.verb != "read") return;
    files_->meanwhile = {};
    memory("deep/late", "ant");
  };
  (void)find(store, "ant");
  EXPECT_THAT(find(store, "ant"), ElementsAre("shared/a", "shared/deep/late"));
}

TEST_F(WarmStoreTest, AfterLostEventsEverythingIsLookedAt) {
  const Store store = open();
  (void)find(store, "ant");
  memory("a", "cat");
  files_->weakness.lose = true;
  EXPECT_GT(lists_of(store, "cat", {"shared/a"}), 0);
  EXPECT_EQ(lists_of(store, "cat", {"shared/a"}), 0);
}

TEST_F(WarmStoreTest, WithoutRoomForWatchesEverySearchLooksAtEverything) {
  files_->weakness.room = 2;  // the folder itself, twice; not the one in it
  Store store = open();
  EXPECT_GT(lists_of(store, "ant", {"shared/a"}), 0);
  memory("deep/b", "ant");
  EXPECT_GT(lists_of(store, "ant", {"shared/a", "shared/deep/b"}), 0);
  EXPECT_FALSE(store.take_changes().any);
}

TEST_F(WarmStoreTest, ItTriesAgainAfterAMinute) {
  files_->weakness.room = 2;
  const Store store = open();
  (void)find(store, "ant");
  files_->weakness.room = 1000;
  EXPECT_GT(lists_of(store, "ant", {"shared/a"}), 0);
  clock_->advance(std::chrono::minutes(2));
  EXPECT_GT(lists_of(store, "ant", {"shared/a"}), 0);
  EXPECT_EQ(lists_of(store, "ant", {"shared/a"}), 0);
}

TEST_F(WarmStoreTest, AScopeThatIsMadeLaterIsFound) {
  const Store store = open();
  (void)find(store, "ant");
  temp_.write("global/g.md", "ant");
  EXPECT_THAT(find(store, "ant"), ElementsAre("global/g", "shared/a"));
  temp_.write("global/g.md", "bee");
  EXPECT_THAT(find(store, "ant"), ElementsAre("shared/a"));
}

TEST_F(WarmStoreTest, AnotherFolderInItsPlaceIsSeen) {
  const Store store = open();
  (void)find(store, "ant");
  fs::create_directory(temp_ / "other");
  temp_.write("other/c.md", "ant");
  fs::rename(temp_ / "shared", temp_ / "aside");
  fs::rename(temp_ / "other", temp_ / "shared");
  EXPECT_THAT(find(store, "ant"), ElementsAre("shared/c"));
  temp_.write("aside/a.md", "ant");
  temp_.write("shared/c.md", "bee");
  EXPECT_THAT(find(store, "ant"), IsEmpty());
}

TEST_F(WarmStoreTest, WhatALinkLeadsToIsWatchedToo) {
  temp_.write("shared/.data/one.md", "ant");
  fs::create_symlink(".data/one.md", temp_ / "shared/linked.md");
  const Store store = open();
  EXPECT_THAT(find(store, "ant"), ElementsAre("shared/a", "shared/linked"));
  temp_.write("shared/.data/one.md", "bee");
  EXPECT_THAT(find(store, "bee"), ElementsAre("shared/deep/b", "shared/linked"));
  // As some systems replace a folder of settings: by the link to it.
  fs::remove(temp_ / "shared/linked.md");
  fs::create_symlink("deep/b.md", temp_ / "shared/linked.md");
  EXPECT_THAT(find(store, "bee"), ElementsAre("shared/deep/b"));
}

TEST_F(WarmStoreTest, AFileWithAnotherNameElsewhereIsLookedAtEachTime) {
  fs::create_hard_link(temp_ / "shared/a.md", temp_ / "outside.md");
  const Store store = open();
  (void)find(store, "ant");
  temp_.write("outside.md", "cat");
  EXPECT_THAT(find(store, "cat"), ElementsAre("shared/a"));
}

TEST_F(WarmStoreTest, AWriteThroughAMappingIsSeenAfterAMinute) {
  const Store store = open();
  (void)find(store, "ant");
  const int file = ::open((temp_ / "shared/a.md").c_str(), O_RDWR);
  const std::string text = temp_.read("shared/a.md");
  void* mapped = ::mmap(nullptr, text.size(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  static_cast<char*>(mapped)[text.find("ant")] = 'b';
  ::munmap(mapped, text.size());
  ::close(file);
  clock_->advance(std::chrono::minutes(2));
  EXPECT_THAT(find(store, "bnt"), ElementsAre("shared/a"));
}

TEST_F(WarmStoreTest, TextThatIsForgottenElsewhereIsForgottenHere) {
  const Store store = open();
  (void)find(store, "ant");
  Store other = open();
  ASSERT_TRUE(other.forget("shared/a", true));
  files_->lists = 0;
  EXPECT_THAT(find(store, "ant"), IsEmpty());
  EXPECT_GT(files_->lists, 0);  // the index was made anew
}

TEST_F(WarmStoreTest, TwoStoresThatWriteByTurnsSeeEachOther) {
  const Store one = open();
  const Store two = open();
  for (int i = 0; i < 40; ++i) {
    memory("n" + std::to_string(i), "wasp");
    EXPECT_EQ(find(one, "wasp limit").size(), find(two, "wasp limit").size());
    memory("a", "turn" + std::string(static_cast<std::size_t>(i), 'q'));
    const std::string word = "turn" + std::string(static_cast<std::size_t>(i), 'q');
    EXPECT_THAT(find(i % 2 == 0 ? one : two, word), ElementsAre("shared/a"));
    EXPECT_THAT(find(i % 2 == 0 ? two : one, word), ElementsAre("shared/a"));
  }
}

// What was written before the search began is found, however fast somebody writes.
TEST_F(WarmStoreTest, AnAnswerIsNeverOlderThanTheQuestion) {
  const Store store = open();
  std::atomic<int> written{0};
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 1; !stop; ++i) {
      if (i % 2 == 0) {
        memory("deep/b", "bee " + std::to_string(i));
      } else {
        temp_.write("new", "bee " + std::to_string(i) + "\n");
        fs::rename(temp_ / "new", temp_ / "shared/deep/b.md");
      }
      written = i;
    }
  });
  for (int i = 0; i < 300; ++i) {
    const int before = written;
    const auto found = store.list();
    // While it is written anew the file is empty for a moment.
    const auto read = store.read("shared/deep/b");
    if (!read || before == 0) continue;
    const auto number = read->memory.body.find("bee ");
    if (number == std::string::npos) continue;
    EXPECT_GE(std::stoi(read->memory.body.substr(number + 4)), before);
  }
  stop = true;
  writer.join();
  const std::string last = std::to_string(written);
  EXPECT_THAT(find(store, last), ElementsAre("shared/deep/b"));
}

TEST_F(WarmStoreTest, ChangesAreToldOnceByReference) {
  Store store = open();
  EXPECT_THAT(store.take_changes().references, IsEmpty());
  EXPECT_GE(store.changes_descriptor(), 0);
  memory("a", "cat");
  const MemoryChanges changes = store.take_changes();
  EXPECT_THAT(changes.references, ElementsAre("shared/a"));
  EXPECT_FALSE(changes.any);
  EXPECT_THAT(store.take_changes().references, IsEmpty());
}

TEST_F(WarmStoreTest, ChangesThatASearchSawAreToldAsWell) {
  Store store = open();
  (void)find(store, "ant");
  memory("a", "cat");
  (void)find(store, "cat");
  EXPECT_THAT(store.take_changes().references, ElementsAre("shared/a"));
  memory("a", "dog");
  (void)store.take_changes();
  EXPECT_THAT(find(store, "dog"), ElementsAre("shared/a"));
}

TEST_F(WarmStoreTest, TheListIsToldWhenAMemoryComesOrGoes) {
  Store store = open();
  (void)find(store, "ant");
  Change change;
  change.body = {BodyEdit::Kind::kAppend, "wasp\n", {}};
  ASSERT_TRUE(store.update("shared/a", change));
  EXPECT_FALSE(store.take_changes().list);
  memory("new", "ant");
  EXPECT_TRUE(store.take_changes().list);
  memory("new", "bee");
  EXPECT_FALSE(store.take_changes().list);
  fs::remove(temp_ / "shared/new.md");
  EXPECT_TRUE(store.take_changes().list);
}

TEST_F(WarmStoreTest, AnythingMayHaveChangedWhenAFolderMovesOrEventsAreLost) {
  Store store = open();
  (void)find(store, "ant");
  fs::rename(temp_ / "shared/deep", temp_ / "shared/deeper");
  EXPECT_TRUE(store.take_changes().any);
  EXPECT_FALSE(store.take_changes().any);
  files_->weakness.lose = true;
  EXPECT_TRUE(store.take_changes().any);
}

TEST_F(WarmStoreTest, AScopeThatIsMadeLaterIsTold) {
  Store store = open();
  (void)store.take_changes();
  temp_.write("global/g.md", "ant");
  EXPECT_TRUE(store.take_changes().list);
  EXPECT_FALSE(store.take_changes().list);
}

TEST_F(WarmStoreTest, WhatIsNoMemoryIsNotTold) {
  Store store = open();
  (void)store.take_changes();
  temp_.write("shared/INDEX.md", "x");
  temp_.write("shared/notes.txt", "x");
  temp_.write("shared/.swap.md", "x");
  const MemoryChanges changes = store.take_changes();
  EXPECT_THAT(changes.references, IsEmpty());
  EXPECT_FALSE(changes.any || changes.list);
}

}  // namespace
}  // namespace memfs::testing
