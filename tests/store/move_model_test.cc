// After any sequence of moves every link leads to the memory to which it led before, and nothing
// else has changed. Memories are told apart by a mark in their text, not by what a move may touch.
#include <gtest/gtest.h>
#include <memfs/check.h>
#include <memfs/links.h>

#include <map>

#include "libmemfs/format/link_scan.h"
#include "tests/support/numbers.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

constexpr std::size_t kMemories = 14;

// What a reader sees of a memory: its text without addresses, and where its links lead.
struct View {
  std::string text{};                  // "⟨⟩" in place of the name in each link
  std::vector<std::string> targets{};  // marks, "" where no memory is meant
  std::vector<std::string> addresses{};
  bool operator==(const View&) const = default;
};
using Views = std::map<std::string, View>;  // by mark

class MoveModel : public StoreFixture, public ::testing::WithParamInterface<std::uint64_t> {
 protected:
  Numbers numbers{GetParam() * 7919 + 1};

  template <typename List>
  const auto& any(const List& list) {
    return list[numbers.below(list.size())];
  }

  std::string some_name() {
    static const std::vector<std::string> kFolders = {
        "", "", "deploy/", "deploy/prod/", "Ops/", "shared/", "Ünterlagen/"};
    static const std::vector<std::string> kLeaves = {
        "note",           "Note Two",     "rollback", "café",   "release-branch",
        "Release Branch", "记忆",         "a.md",     "x (1)",  "C++",
        "b&c%20d",        "note's \"q\"", "old",      "Sprint", "a]b"};
    const std::string folder = any(kFolders);
    return folder + any(kLeaves);
  }

  // An address of the memory from somewhere, in some spelling.
  std::string some_link(const std::string& from_scope, const std::string& scope,
                        const std::string& name, const std::string& id) {
    const std::string leaf = leaf_of(name);
    const std::string path = (from_scope == scope ? "" : "../" + scope + "/") + name + ".md";
    switch (numbers.below(14)) {
      case 0:
        return "[[" + name + "]]";
      case 1:
        return "[[" + leaf + "|shown]]";
      case 2:
        return "[[" + scope + "/" + name + "#part]]";
      case 3:
        return "![[" + leaf + ".md]]";
      case 4:
        return "[[" + fold(leaf) + "#part|x]]";
      case 5:
        return id.empty() ? "[[" + leaf + "]]" : "[[" + id + "]]";
      case 6:
        return "[text](<" + path + ">)";
      case 7:
        return "[text](<./" + name + ".md#part> \"title\")";
      case 8:
        return "[text](mem://" + scope + "/" + name + ")";
      case 9:
        return "| [[" + leaf + "\\|a]] |";
      case 10:
        return "`[[" + leaf + "]]`";
      case 11:
        return "[[missing " + leaf + "]]";
      case 12:
        return "[[Mark " + leaf + "]]";
      default:
        return "[gone](nowhere.md) ![p](p.png) https://a.b/[[" + leaf + "]]";
    }
  }
  static std::string fold(const std::string& text) {
    return text == "Note Two" ? "note two" : text;
  }

  void make_folder() {
    std::vector<std::array<std::string, 3>> made;
    while (made.size() < kMemories) {
      const std::string scope(name_of(kScopes[numbers.below(3)]));
      const std::string name = some_name();
      const std::string path = "/m/" + scope + "/" + name + ".md";
      if (memory->exists(path)) continue;
      memory->plant(path, "");
      const bool has_id = numbers.below(3) > 0;
      made.push_back({scope, name, has_id ? "id-" + std::to_string(made.size()) + "-tail" : ""});
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto& [scope, name, id] = made[i];
      std::string bytes;
      if (!id.empty())
        bytes = "---\nid: " + id + "\ntitle: Mark " + leaf_of(name) +
                "\nrevision: 3\n# note\naliases: [alias-" + std::to_string(i % 5) + "]\n---\n";
      bytes += "mark-" + std::to_string(i) + ".\n";
      for (std::size_t links = numbers.below(6); links > 0; --links) {
        const auto& [to_scope, to_name, to_id] = any(made);
        bytes += "\nsee " + some_link(scope, to_scope, to_name, to_id) + " end\n";
      }
      if (numbers.below(4) == 0) bytes += "\n[[alias-" + std::to_string(numbers.below(5)) + "]]\n";
      memory->plant("/m/" + scope + "/" + name + ".md", bytes);
    }
  }

  static std::string mark_in(const std::string& body) {
    const auto at = body.find("mark-");
    return at == std::string::npos ? "?" : body.substr(at, body.find('.', at) - at);
  }

  Views views() {
    Views seen;
    const Store store = open();
    const auto listing = store.list();
    std::map<std::string, std::string> marks;
    for (const Memory& listed : listing->memories)
      marks[listed.ref()] = mark_in(store.read(listed.ref())->memory.body);
    for (const Memory& listed : listing->memories) {
      const auto found = store.read(listed.ref());
      const std::string& body = found->memory.body;
      const auto report = links_of(store, listed.ref());
      const auto links = scan_links(body);
      EXPECT_EQ(report->out.size(), links.size());
      View view;
      std::size_t at = 0;
      for (std::size_t i = 0; i < links.size(); ++i) {
        const bool leads = report->out[i].state == LinkState::kMemory;
        view.targets.push_back(leads ? marks[report->out[i].ref] : "");
        view.addresses.push_back(report->out[i].address);
        // What stands for the name; headings and the like are text that stays.
        const auto& span = links[i].address;
        const auto hash = body.find('#', span.begin);
        view.text.append(body, at, span.begin - at);
        view.text += "⟨⟩";
        at = std::min(hash, span.end);
      }
      view.text.append(body, at);
      seen[marks[listed.ref()]] = view;
    }
    return seen;
  }

  MoveWish some_wish(const Listing& listing) {
    const Memory& chosen = any(listing.memories);
    MoveWish wish;
    wish.from = chosen.ref();
    const std::string folder = parent_of(chosen.name);
    if (!folder.empty() && numbers.below(4) == 0)
      wish.from = std::string(name_of(chosen.scope)) + "/" + folder + "/";
    switch (numbers.below(5)) {
      case 0:
        wish.to = std::string(name_of(kScopes[numbers.below(3)])) + "/";
        break;
      case 1:
        wish.to = std::string(name_of(kScopes[numbers.below(3)])) + "/" + some_name();
        break;
      case 2:
        wish.to = "new folder/";
        break;
      default:
        wish.to = some_name();
    }
    return wish;
  }
};

TEST_P(MoveModel, EveryLinkLeadsWhereItLedAndNothingElseChanges) {
  make_folder();
  int moves = 0;
  for (int attempt = 0; attempt < 30 && moves < 10; ++attempt) {
    const Views before = views();
    const auto files = files_below(*memory, "/m");
    const auto listing = open().list();
    const MoveWish wish = some_wish(*listing);
    const auto moved = open().move(wish);
    const Views after = views();
    SCOPED_TRACE(wish.from + " -> " + wish.to);
    if (!moved) {
      auto now_there = files_below(*memory, "/m");
      EXPECT_EQ(before, after);
      std::erase_if(now_there, [](const auto& f) { return f.first.starts_with("/m/.state"); });
      for (const auto& [path, bytes] : now_there) {
        if (path.ends_with("INDEX.md")) continue;
        EXPECT_EQ(files.at(path), bytes) << path;
      }
      continue;
    }
    ++moves;
    ASSERT_EQ(before.size(), after.size());
    std::size_t differ = 0;
    std::string told;
    for (const auto& [mark, view] : before) {
      EXPECT_EQ(view.text, after.at(mark).text) << mark;
      ASSERT_EQ(view.targets.size(), after.at(mark).targets.size()) << mark;
      for (std::size_t i = 0; i < view.targets.size(); ++i) {
        // What led nowhere may lead somewhere now: the page that it asked for is there.
        if (view.targets[i].empty()) {
          EXPECT_EQ(view.addresses[i], after.at(mark).addresses[i]) << mark;
          continue;
        }
        if (view.targets[i] == after.at(mark).targets[i]) continue;
        ++differ;
        told += "\n" + mark + ": " + view.addresses[i] + " led to " + view.targets[i] +
                ", and now " + after.at(mark).addresses[i] + " to " + after.at(mark).targets[i];
      }
    }
    EXPECT_EQ(differ, moved->left.size()) << told;
    for (const LeftLink& link : moved->left)
      EXPECT_EQ(link.why, "no way to write it leads to the same memory") << link.text;
  }
  EXPECT_GT(moves, 2);
}

TEST_P(MoveModel, AKillAtAnyOperationLeavesTheOldOrTheNewStateAfterOneFix) {
  make_folder();
  const auto listing = open().list();
  MoveWish wish;
  for (int attempt = 0;; ++attempt) {
    ASSERT_LT(attempt, 100);
    wish = some_wish(*listing);
    wish.dry_run = true;
    const auto told = open().move(wish);
    if (told && told->links.size() > 1) break;
  }
  wish.dry_run = false;
  const auto planted = files_below(*memory, "/m");
  const auto fresh = [&] {
    memory = std::make_shared<MemoryFs>();
    for (const auto& [path, bytes] : planted) memory->plant(path, bytes);
  };
  fresh();
  const Views before = views();
  ASSERT_TRUE(open().move(wish));
  const Views after = views();
  // Every kill point in some run: a seed begins at another and takes every third.
  for (int n = 1 + static_cast<int>(GetParam() % 3);; n += 3) {
    fresh();
    FaultFs faults(*memory);
    Store store = open(std::shared_ptr<FileSystem>(memory, &faults.fs()));
    faults.arm(n, FaultFs::Mode::kCrash);
    const bool survived = store.move(wish).has_value();
    faults.arm(0, FaultFs::Mode::kCrash);
    memory->crash();
    Store recovered = open();
    ASSERT_TRUE(check_store(recovered, {.fix = true})) << n;
    const Views now_seen = views();
    EXPECT_TRUE(now_seen == before || now_seen == after) << "killed at operation " << n;
    if (survived) {
      EXPECT_EQ(now_seen, after);
    }
    const auto checked = check_store(recovered);
    for (const Problem& problem : checked->problems)
      EXPECT_TRUE(problem.code != "interrupted" && problem.code != "leftover" &&
                  problem.code != "index-stale")
          << n << " " << problem.code << " " << problem.path;
    if (survived) {
      EXPECT_GT(n, 60) << "too few kill points to mean anything";
      break;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MoveModel, ::testing::Range<std::uint64_t>(0, 6));

}  // namespace
}  // namespace memfs::testing
