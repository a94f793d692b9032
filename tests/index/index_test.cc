#include "index/index.h"

#include <gtest/gtest.h>

#include <map>

#include "index/searcher.h"
#include "libmemfs/base/hash.h"
#include "tests/support/memory_fs.h"

namespace memfs::index {
namespace {

const std::vector<FieldSpec> kFields = {{"title", 5.0, 0.3}, {"body", 1.0, 0.4}};
constexpr std::int64_t kNow = 1'000'000'000'000;  // long after every stamp here

// Files that are not on any disk, and an index of them.
class IndexTest : public ::testing::Test {
 protected:
  struct File {
    std::string text;
    Stamp stamp;
  };

  void SetUp() override { (void)fs.make_directories("/c", 0700); }

  void write(const std::string& key, const std::string& text) {
    ++time;
    files[key] = {text, {text.size(), time, time, static_cast<std::uint64_t>(time)}};
  }

  Index open() { return {*fs.open("/c"), kFields, 2}; }

  static Loaded load(const File& file, const ContentHash* known) {
    Loaded loaded;
    if (file.text == "gone") return loaded;
    loaded.stamp = file.stamp;
    const ContentHash hash = hash128(file.text);
    loaded.state = Loaded::State::kRead;
    if (known != nullptr && *known == hash) {
      loaded.state = Loaded::State::kSame;
      return loaded;
    }
    loaded.document.hash = hash;
    loaded.document.stored = "stored " + file.text;
    loaded.document.lookups = {"word:" + file.text};
    loaded.document.texts[1] = file.text;
    return loaded;
  }

  RefreshReport refresh(Index& index, std::int64_t now = kNow) {
    std::vector<FileEntry> entries;
    std::vector<const File*> order;
    for (const auto& [key, file] : files) {
      entries.push_back({key, file.stamp});
      order.push_back(&file);
    }
    return index.refresh(
        entries, [&](std::size_t i, const ContentHash* known) { return load(*order[i], known); },
        now);
  }

  // That only these have changed.
  RefreshReport update(Index& index, const std::vector<std::string>& changed,
                       const std::vector<std::string>& gone = {}) {
    std::vector<FileEntry> entries;
    for (const std::string& key : changed) entries.push_back({key, {}});
    return index.update(
        entries, gone,
        [&](std::size_t i, const ContentHash* known) { return load(files[changed[i]], known); },
        kNow);
  }

  static std::string found(const Index& index, const std::string& word) {
    Snapshot snapshot(kFields);
    snapshot.add(index.segments(), 0);
    const auto query = parse_query(word, [](auto, auto) { return false; });
    std::string out;
    for (const Match& match : search(snapshot, *query, {}))
      out += std::string(snapshot.key(match.id)) + " ";
    EXPECT_FALSE(snapshot.damaged());
    return out;
  }

  // What a fresh process sees and reads.
  RefreshReport expect_found(const std::string& word, const std::string& expected) {
    Index index = open();
    RefreshReport report = refresh(index);
    EXPECT_EQ(found(index, word), expected);
    return report;
  }

  std::vector<std::string> names() {
    std::vector<std::string> out;
    const auto entries = (*fs.open("/c"))->list("");
    for (const DirEntry& entry : *entries) out.push_back(entry.name);
    return out;
  }

  testing::MemoryFs fs;
  std::map<std::string, File> files;
  std::int64_t time = 0;
};

TEST_F(IndexTest, ReadsEverythingOnceAndThenOnlyWhatChanged) {
  write("a", "walrus");
  write("b", "tusk");
  EXPECT_EQ(expect_found("walrus", "a ").read, 2U);
  const auto again = expect_found("tusk", "b ");
  EXPECT_EQ(again.read, 0U);
  EXPECT_FALSE(again.complete);
  write("b", "walrus");
  EXPECT_EQ(expect_found("walrus", "a b ").read, 1U);
  expect_found("tusk", "");
}

TEST_F(IndexTest, RemovedAndRenamedFilesAreGone) {
  write("a", "walrus");
  write("b", "walrus");
  expect_found("walrus", "a b ");
  files.erase("a");
  auto moved = files.extract("b");
  moved.key() = "c";
  files.insert(std::move(moved));
  const auto report = expect_found("walrus", "c ");
  EXPECT_EQ(report.removed, 2U);
}

TEST_F(IndexTest, ANewStampWithTheSameBytesIsNotAnalysedAgain) {
  write("a", "walrus");
  expect_found("walrus", "a ");
  write("a", "walrus");
  const auto touched = expect_found("walrus", "a ");
  EXPECT_EQ(touched.read, 1U);
  EXPECT_EQ(touched.changed, 0U);
  EXPECT_EQ(expect_found("walrus", "a ").read, 0U) << "the new stamp is remembered";
}

TEST_F(IndexTest, AStampThatIsTooYoungIsNotTrusted) {
  write("a", "walrus");
  Index index = open();
  refresh(index, time);
  EXPECT_EQ(refresh(index, time).read, 1U) << "still racy";
  EXPECT_EQ(refresh(index, kNow).read, 1U) << "looked into for the last time";
  EXPECT_EQ(refresh(index, kNow).read, 0U);
  // The same stamp with other bytes, as a second write within the clock's grain leaves it.
  write("b", "walrus");
  refresh(index, time);
  files["b"].text = "dugong";
  refresh(index, time);
  EXPECT_EQ(found(index, "dugong"), "b ");
}

TEST_F(IndexTest, AFileThatCannotBeReadHasNoDocument) {
  write("a", "gone");
  write("b", "walrus");
  EXPECT_EQ(expect_found("walrus", "b ").read, 2U);
  EXPECT_EQ(expect_found("walrus", "b ").read, 1U) << "it is tried each time";
}

TEST_F(IndexTest, SegmentsStayFewAndSayTheSame) {
  Index index = open();
  for (int i = 0; i < 200; ++i) {
    write("key" + std::to_string(i % 50), "walrus number" + std::string(1, char('a' + i % 26)));
    refresh(index);
  }
  EXPECT_LT(index.segments().size(), 12U);
  std::size_t live = 0;
  for (const SegmentView& view : index.segments()) live += view.live();
  EXPECT_EQ(live, 50U);
  Index fresh(nullptr, kFields);
  refresh(fresh);
  Index reopened = open();
  EXPECT_EQ(refresh(reopened).read, 0U);
  EXPECT_EQ(found(reopened, "walrus"), found(fresh, "walrus"));
}

TEST_F(IndexTest, LookUpWordsFindDocumentsThroughMerges) {
  Index index = open();
  for (int i = 0; i < 30; ++i) {
    write("key" + std::to_string(i), "text" + std::to_string(i));
    refresh(index);
  }
  Snapshot snapshot(kFields);
  snapshot.add(index.segments(), 0);
  for (int i = 0; i < 30; ++i) {
    const auto hits = snapshot.find_lookup("word:text" + std::to_string(i));
    ASSERT_EQ(hits.size(), 1U);
    EXPECT_EQ(snapshot.stored(hits[0]), "stored text" + std::to_string(i));
  }
  EXPECT_TRUE(snapshot.find_lookup("word:nothing").empty());
}

TEST_F(IndexTest, AWriterThatIsAtWorkIsNotWaitedFor) {
  write("a", "walrus");
  expect_found("walrus", "a ");
  const auto dir = *fs.open("/c");
  const auto lock = dir->try_lock("lock", 0600);
  write("b", "walrus");
  const auto report = expect_found("walrus", "a b ");
  EXPECT_FALSE(report.written);
  EXPECT_EQ(expect_found("walrus", "a b ").read, 1U) << "nobody has written it yet";
}

TEST_F(IndexTest, AReaderKeepsItsSnapshotWhileWritersGoOn) {
  write("a", "walrus");
  Index reader = open();
  refresh(reader);
  Snapshot snapshot(kFields);
  snapshot.add(reader.segments(), 0);
  for (int i = 0; i < 20; ++i) {
    write("a", "tusk" + std::to_string(i));
    expect_found("walrus", "");
  }
  const auto query = parse_query("walrus", [](auto, auto) { return false; });
  EXPECT_EQ(search(snapshot, *query, {}).size(), 1U);
  refresh(reader);
  EXPECT_EQ(found(reader, "walrus"), "");
}

TEST_F(IndexTest, AnErasedIndexLeavesNoFileAndIsMadeAnew) {
  write("a", "walrus");
  expect_found("walrus", "a ");
  Index index = open();
  ASSERT_TRUE(index.erase());
  for (const std::string& name : names()) EXPECT_FALSE(name.ends_with(".seg")) << name;
  EXPECT_TRUE(expect_found("walrus", "a ").complete);
}

TEST_F(IndexTest, WhoAnalysedFilesBeforeTheyWereErasedWritesNothingOfThem) {
  // With no index at all, with a sound one of other files, and with one that is given up.
  for (const char* before : {"", "sound", "garbage"}) {
    const auto dir = *fs.open("/c");
    for (const std::string& name : names()) (void)dir->remove(name);
    files.clear();
    write("b", "walrus");
    if (before == std::string("sound")) expect_found("walrus", "b ");
    if (before == std::string("garbage")) fs.plant("/c/manifest", "garbage");
    write("a", "secret");
    Index slow = open();
    const std::vector<FileEntry> entries = {{"a", files["a"].stamp}};
    const auto report = slow.refresh(
        entries,
        [&](std::size_t, const ContentHash*) {
          EXPECT_TRUE(open().erase());  // while the other one is at work
          Loaded loaded;
          loaded.state = Loaded::State::kRead;
          loaded.stamp = files["a"].stamp;
          loaded.document.texts[1] = "secret";
          return loaded;
        },
        kNow);
    EXPECT_FALSE(report.written) << before;
    for (const std::string& name : names()) EXPECT_FALSE(name.ends_with(".seg")) << before << name;
  }
}

TEST_F(IndexTest, AnIndexThatWasErasedAndMadeAnewIsNotTakenForTheOldOne) {
  write("a", "walrus");
  Index server = open();
  refresh(server);
  ASSERT_TRUE(open().erase());
  write("b", "walrus");
  expect_found("walrus", "a b ");
  write("c", "walrus");
  refresh(server);
  EXPECT_EQ(found(server, "walrus"), "a b c ");
  const auto report = expect_found("walrus", "a b c ");
  EXPECT_EQ(report.note, "");
  EXPECT_EQ(report.read, 0U);
}

TEST_F(IndexTest, AServerWritesAnewWhatSomebodyRemoved) {
  write("a", "walrus");
  Index server = open();
  refresh(server);
  const auto dir = *fs.open("/c");
  for (const std::string& name : names()) (void)dir->remove(name);
  EXPECT_TRUE(refresh(server).written);
  EXPECT_EQ(expect_found("walrus", "a ").read, 0U);
}

TEST_F(IndexTest, AnUpdateReadsOnlyWhatIsNamed) {
  write("a", "walrus");
  write("b", "walrus");
  write("c", "walrus");
  Index server = open();
  refresh(server);
  write("b", "tusk");
  write("d", "walrus");
  files.erase("a");
  const auto report = update(server, {"b", "d"}, {"a"});
  EXPECT_EQ(report.read, 2U);
  EXPECT_EQ(report.removed, 2U);  // the old "b", too
  EXPECT_EQ(found(server, "walrus"), "c d ");
  EXPECT_FALSE(server.knows("a"));
  expect_found("walrus", "c d ");
}

TEST_F(IndexTest, UpdatesAreWrittenEightAtOnce) {
  write("a", "walrus");
  Index server = open();
  refresh(server);
  for (int i = 1; i <= 8; ++i) {
    write("a", "walrus " + std::to_string(i));
    EXPECT_EQ(update(server, {"a"}).written, i == 8);
  }
  EXPECT_EQ(expect_found("walrus", "a ").read, 0U);
}

TEST_F(IndexTest, AnUpdateDoesNotTakeOverWhatAnotherWrote) {
  write("a", "walrus");
  Index server = open();
  refresh(server);
  write("b", "walrus");
  Index late = open();
  refresh(late);
  // The other one wrote what it saw before this.
  write("a", "tusk");
  update(server, {"a", "b"});
  EXPECT_EQ(server.state_of_cache(), Index::CacheState::kGoneOn);
  for (int i = 0; i < 10; ++i) {
    write("b", "tusk " + std::to_string(i));
    EXPECT_FALSE(update(server, {"b"}).written);
  }
  EXPECT_EQ(found(server, "tusk"), "a b ");
}

TEST_F(IndexTest, WhetherTheCacheIsOnesOwnCanBeAsked) {
  write("a", "walrus");
  Index server = open();
  refresh(server);
  EXPECT_EQ(server.state_of_cache(), Index::CacheState::kOwn);
  ASSERT_TRUE(open().erase());
  EXPECT_EQ(server.state_of_cache(), Index::CacheState::kReplaced);
  write("b", "walrus");
  expect_found("walrus", "a b ");
  EXPECT_EQ(server.state_of_cache(), Index::CacheState::kReplaced);
  refresh(server);
  EXPECT_EQ(server.state_of_cache(), Index::CacheState::kOwn);
}

// Damage of every file of the cache: at each place, cut off at each length, or another's.
class DamagedIndexTest : public IndexTest {
 protected:
  void SetUp() override {
    IndexTest::SetUp();
    for (int i = 0; i < 20; ++i)
      write("key" + std::to_string(i), "walrus tusk " + std::to_string(i));
    expect_found("walrus", expected);
    for (const std::string& name : names()) sound[name] = fs.bytes_of("/c/" + name);
  }

  void expect_right_answer(const std::string& what) {
    Index index = open();
    refresh(index);
    Snapshot snapshot(kFields);
    snapshot.add(index.segments(), 0);
    const auto query = parse_query("tusk", [](auto, auto) { return false; });
    auto matches = search(snapshot, *query, {});
    for (std::uint32_t i = 0; i < 20; ++i) (void)snapshot.find_lookup("word:x");
    if (snapshot.damaged()) {
      index.discard();
      refresh(index);
      snapshot = Snapshot(kFields);
      snapshot.add(index.segments(), 0);
      matches = search(snapshot, *query, {});
    }
    EXPECT_EQ(matches.size(), 10U) << what;
    EXPECT_FALSE(snapshot.damaged()) << what;
    for (const auto& [name, bytes] : sound) fs.plant("/c/" + name, bytes);
  }

  std::string expected = "key0 key1 key10 key11 key12 key13 key14 key15 key16 key17 ";
  std::map<std::string, std::string> sound;
};

TEST_F(DamagedIndexTest, AFlippedByteAnywhereChangesNoAnswer) {
  for (const auto& [name, bytes] : sound) {
    for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 300) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x21);
      fs.plant("/c/" + name, damaged);
      expect_right_answer(name + " at " + std::to_string(at));
    }
  }
}

TEST_F(DamagedIndexTest, ATruncatedOrForeignFileChangesNoAnswer) {
  for (const auto& [name, bytes] : sound) {
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 100) {
      fs.plant("/c/" + name, bytes.substr(0, size));
      expect_right_answer(name + " cut to " + std::to_string(size));
    }
    fs.plant("/c/" + name, "garbage");
    expect_right_answer(name + " is garbage");
    fs.plant("/c/" + name, std::string(bytes.size(), '\0'));
    expect_right_answer(name + " is zero");
  }
}

TEST_F(DamagedIndexTest, ANewerVersionIsLeftBehindWithANote) {
  std::string newer = sound["manifest"];
  newer[8] = 99;
  fs.plant("/c/manifest", newer);
  Index index = open();
  const auto report = refresh(index);
  EXPECT_TRUE(report.complete);
  EXPECT_NE(report.note, "");
  EXPECT_EQ(found(index, "walrus"), expected);
}

TEST_F(DamagedIndexTest, AMissingSegmentIsMadeAnew) {
  for (const auto& [name, bytes] : sound) {
    if (!name.ends_with(".seg")) continue;
    (void)(*fs.open("/c"))->remove(name);
    expect_right_answer(name + " is gone");
  }
}

}  // namespace
}  // namespace memfs::index
