// Whatever happens to the files, a search gives what a fresh index would give.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <memfs/search.h>
#include <memfs/store.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <random>

#include "libmemfs/base/clock.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;

class World {
 public:
  explicit World(unsigned seed) : random_(seed) {
    fs::create_directories(temp_ / "shared/deep/er");
    fs::create_directories(temp_ / "other");
  }

  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

  // One thing that people, editors, git or other programs do.
  std::string change() {
    switch (pick(10)) {
      case 0:
      case 1:
        return write(path(), memory());
      case 2:
        return write_by_rename(path(), memory());
      case 3:
        return append(path());
      case 4: {
        std::error_code ignored;
        fs::remove(path(), ignored);
        return "remove";
      }
      case 5: {
        std::error_code ignored;
        fs::rename(path(), path(), ignored);
        return "rename";
      }
      case 6: {
        std::error_code ignored;
        fs::copy_file(path(), path(), fs::copy_options::overwrite_existing, ignored);
        return "copy";
      }
      case 7:
        return touch(path());
      case 8: {
        // A branch is switched: a whole folder is another one.
        fs::rename(temp_ / "shared/deep", temp_ / "aside");
        if (pick(2) == 0)
          fs::rename(temp_ / "other", temp_ / "shared/deep");
        else
          fs::create_directories(temp_ / "shared/deep");
        fs::create_directories(temp_ / "shared/deep/er");
        fs::remove_all(temp_ / "other");
        fs::rename(temp_ / "aside", temp_ / "other");
        return "switch";
      }
      default:
        return same_size_and_time(path());
    }
  }

  // What is rarer: links, hidden folders, repositories in the folder, folders made and removed.
  std::string odd_change() {
    std::error_code ignored;
    const fs::path shared = temp_ / "shared";
    switch (pick(11)) {
      case 0:
        fs::remove(shared / "linked.md", ignored);
        fs::create_symlink(pick(2) == 0 ? ".hidden/kept.md" : "a1.md", shared / "linked.md",
                           ignored);
        return "link";
      case 1:
        fs::create_directories(shared / ".hidden");
        return write(shared / ".hidden/kept.md", memory()) + " what a link leads to";
      case 2:
        fs::rename(shared / ".hidden", shared / ".other", ignored);
        fs::remove_all(shared / ".other", ignored);
        return "remove what a link leads to";
      case 3:
        fs::remove(shared / "linked.md", ignored);
        fs::remove(shared / "twice.md", ignored);
        return "remove links";
      case 4:
        // Of the second name of what lies here already nobody is told (folder_watch.h).
        fs::create_hard_link(temp_ / "twice.md", shared / "twice.md", ignored);
        return append(temp_ / "twice.md") + " by another name";
      case 5:
        fs::remove(temp_ / "twice.md", ignored);
        return "remove the other name";
      case 6:
        fs::create_directories(shared / "deep/er/.git", ignored);
        return write(shared / "deep/er/e0.md", memory()) + " in a repository";
      case 7:
        fs::remove_all(shared / "deep/er/.git", ignored);
        return "no repository";
      case 8:
        fs::create_directories(shared / "new/er", ignored);
        return write(shared / "new/er/n.md", memory()) + " in a new folder";
      case 9:
        fs::rename(shared / "new", shared / "deep/moved", ignored);
        fs::remove_all(shared / (pick(2) == 0 ? "new" : "deep/moved"), ignored);
        return "move a folder";
      default:
        ::mkfifo((shared / "pipe.md").c_str(), 0600);
        if (pick(2) == 0) fs::remove(shared / "pipe.md", ignored);
        return "pipe";
    }
  }

  // In place, so that for a moment the file is empty, and half of it is there.
  std::string rewrite_in_pieces() {
    const fs::path file = path();
    std::ofstream out(file, std::ios::binary);
    for (unsigned pieces = pick(3); pieces > 0; --pieces) out << memory() << std::flush;
    ::chmod(file.c_str(), pick(2) == 0 ? 0600 : 0644);
    return "rewrite in pieces";
  }

  Store open(bool cached, bool trusting) const {
    Layout layout = *layout_at(temp_.path());
    if (!cached) layout.cache.clear();
    Store::Services services;
    services.clock = std::make_shared<FixedClock>(Instant(std::chrono::hours(500000)));
    // An hour ahead every file is old enough for its stamp to be believed.
    const auto now = SystemClock().now();
    services.file_clock =
        std::make_shared<FixedClock>(trusting ? now + std::chrono::hours(1) : now);
    return *Store::open(layout, services);
  }

  static std::string answers(const Store& store) {
    std::string out;
    const Instant now{std::chrono::hours(500000)};
    for (const char* query : {"ant", "ant bee", "\"ant bee\"", "c*", "ant -bee", "type:project",
                              "fox is:problem", "(dog OR eel) AND cat", "zebra"}) {
      SearchRequest request;
      request.query = query;
      request.limit = 5;
      const auto result = search(store, request, now);
      out += std::string(query) + " " + std::to_string(result->total) + ":";
      for (const Hit& hit : result->hits)
        out += " " + hit.memory.ref() + "=" + std::to_string(hit.score) + "=" + hit.snippet;
      out += "\n";
    }
    const auto listing = store.list();
    for (const Memory& memory : listing->memories)
      out += memory.ref() + " " + memory.title + " " + memory.etag + " " + memory.type + "\n";
    for (const Problem& problem : listing->problems) out += problem.path + problem.code + "\n";
    return out;
  }

 private:
  fs::path path() {
    static const char* const kNames[] = {"a", "b", "deep/c", "deep/d", "deep/er/e", "f"};
    return temp_ / (std::string("shared/") + kNames[pick(6)] + std::to_string(pick(4)) + ".md");
  }

  std::string memory() {
    static const char* const kWords[] = {"ant", "bee", "cat", "dog", "eel", "fox"};
    std::string text;
    if (pick(3) > 0)
      text = "---\ntitle: " + std::string(kWords[pick(6)]) + "\ntype: project\n---\n";
    if (pick(10) == 0) text = "---\ntitle: [broken\n---\n";
    for (unsigned words = pick(20); words > 0; --words) text += std::string(kWords[pick(6)]) + " ";
    return text;
  }

  std::string write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    distinct_time(file);
    return "write";
  }

  std::string write_by_rename(const fs::path& file, const std::string& text) {
    std::ofstream(temp_ / "new", std::ios::binary) << text;
    distinct_time(temp_ / "new");
    fs::rename(temp_ / "new", file);
    return "write by rename";
  }

  std::string append(const fs::path& file) {
    std::ofstream(file, std::ios::binary | std::ios::app) << " zebra";
    distinct_time(file);
    return "append";
  }

  // The kernel's clock is coarse, and where stamps are believed a test must not outrun it.
  void distinct_time(const fs::path& file) { set_time(file, ++minutes_ * 60); }

  std::string touch(const fs::path& file) {
    set_time(file, 1000000000 + pick(100) * 60);
    return "touch";
  }

  static void set_time(const fs::path& file, long seconds) {
    const struct timespec times[2] = {{seconds, 0}, {seconds, 0}};
    ::utimensat(AT_FDCWD, file.c_str(), times, 0);
  }

  // Another text of the same size that keeps the file's time: only ctime tells.
  std::string same_size_and_time(const fs::path& file) {
    struct stat before = {};
    if (::stat(file.c_str(), &before) != 0 || before.st_size == 0) return "nothing";
    std::string text(static_cast<std::size_t>(before.st_size), 'x');
    const std::string word = "ant ";
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = word[i % 4];
    // In place the clock's grain could hide it, so that is left to the racy rule's own test.
    std::ofstream(temp_ / "new", std::ios::binary) << text;
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    ::utimensat(AT_FDCWD, (temp_ / "new").c_str(), times, 0);
    fs::rename(temp_ / "new", file);
    return "same size and time";
  }

  TempDir temp_;
  std::mt19937 random_;
  long minutes_ = 0;
};

void compare_with_a_fresh_index(unsigned seed, bool trusting) {
  World world(seed);
  Store server = world.open(true, trusting);  // goes on all the time
  std::string history;
  for (int round = 0; round < 100; ++round) {
    for (unsigned changes = world.pick(4); changes > 0; --changes) history += world.change() + ", ";
    const std::string expected = World::answers(world.open(false, trusting));
    // Sometimes the server looks first, sometimes a new process.
    if (world.pick(2) == 0) {
      ASSERT_EQ(World::answers(server), expected) << history;
    }
    if (world.pick(2) == 0) {
      ASSERT_EQ(World::answers(world.open(true, trusting)), expected) << history;
    }
  }
  ASSERT_EQ(World::answers(server), World::answers(world.open(false, trusting))) << history;
}

// The server is asked after one change or several at once.
void compare_a_warm_store(unsigned seed, bool odd) {
  World world(seed);
  Store server = world.open(true, false);
  server.keep_warm();
  std::string history;
  for (int round = 0; round < 120; ++round) {
    for (unsigned changes = 1 + world.pick(3); changes > 0; --changes) {
      const unsigned kind = world.pick(10);
      history += kind >= 8          ? world.rewrite_in_pieces()
                 : kind >= 6 && odd ? world.odd_change()
                                    : world.change();
      history += ", ";
      if (world.pick(3) == 0) (void)server.take_changes();
    }
    ASSERT_EQ(World::answers(server), World::answers(world.open(false, false)))
        << round << ": " << history;
    // Others write the cache, too.
    if (world.pick(4) == 0) (void)World::answers(world.open(true, false));
    history += "asked, ";
  }
}

TEST(IndexModel, AStoreThatIsKeptWarmAnswersAsAFreshOne) { compare_a_warm_store(21, false); }

TEST(IndexModel, AlsoWithLinksPipesRepositoriesAndFoldersThatMove) {
  compare_a_warm_store(22, true);
}

TEST(IndexModel, EveryAnswerEqualsThatOfAFreshIndex) {
  for (unsigned seed = 1; seed <= 2; ++seed) compare_with_a_fresh_index(seed, false);
}

TEST(IndexModel, AlsoWhereStampsAreBelieved) {
  for (unsigned seed = 11; seed <= 12; ++seed) compare_with_a_fresh_index(seed, true);
}

}  // namespace
}  // namespace memfs::testing
