// What holds for every merge, on random memories.
#include <gtest/gtest.h>
#include <memfs/merge.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <sstream>

#include "libmemfs/format/front_matter.h"
#include "libmemfs/merge/kept_values.h"
#include "libmemfs/merge/keyed_text.h"

namespace memfs {
namespace {

constexpr std::array<const char*, 24> kEntries = {"title: One\n",
                                                  "title: \"Two: 2\"  # two\n",
                                                  "title: 'Three'\n",
                                                  "description: |\n  long\n\n  text # no comment\n",
                                                  "description: short\n",
                                                  "tags: [a, b]\n",
                                                  "tags: [b, c, d] # tagged\n",
                                                  "tags:\n  - a\n  - e\n",
                                                  "tags: a, f\n",
                                                  "keywords: some words\n",
                                                  "keywords: [w1, w2]\n",
                                                  "custom: 1.10\n",
                                                  "custom:\n  deep: {x: 1}\n",
                                                  "custom:\n- 1\n- two: 2\n",
                                                  "expires_at: 2027-01-01\n",
                                                  "expires_at: 2026-12-01T10:00:00Z\n",
                                                  "id: mem-01hzzzzzzzzzzzzzzzzzzzzzzz\n",
                                                  "id: mem-01haaaaaaaaaaaaaaaaaaaaaaa\n",
                                                  "created_at: 2026-01-01T00:00:00Z\n",
                                                  "updated_at: 2026-02-01T00:00:00Z\n",
                                                  "updated_at: 2026-03-01T00:00:00Z\n",
                                                  "merge_conflict:\n  - title: Kept\n",
                                                  "revision: 3\n",
                                                  "revision: 5\n"};

std::string key_in(std::string_view entry) { return std::string(entry.substr(0, entry.find(':'))); }

// A memory as a list of entries with comments, and lines.
struct Draft {
  std::vector<std::string> entries;
  std::vector<std::string> lines;
  bool fenced = true;

  std::string text() const {
    std::string out;
    if (fenced) out += "---\n";
    if (fenced)
      for (const std::string& entry : entries) out += entry;
    if (fenced) out += "---\n";
    for (const std::string& line : lines) out += line;
    return out;
  }
};

class Drafts {
 public:
  explicit Drafts(unsigned seed) : random_(seed) {}

  Draft base() {
    Draft draft;
    draft.fenced = pick(10) != 0;
    const auto entries = pick(8);
    for (std::size_t i = 0; i < entries; ++i) set(draft, kEntries.at(pick(kEntries.size())));
    const auto lines = pick(6);
    for (std::size_t i = 0; i < lines; ++i) draft.lines.push_back(line());
    return draft;
  }

  Draft edited(Draft draft) {
    const auto edits = pick(5);
    for (std::size_t i = 0; i < edits; ++i) edit(draft);
    return draft;
  }

  bool no_base() { return pick(12) == 0; }

 private:
  void edit(Draft& draft) {
    const auto what = pick(9);
    if (what <= 2) set(draft, kEntries.at(pick(kEntries.size())));
    if (what == 3 && !draft.entries.empty())
      draft.entries.erase(draft.entries.begin() + at(draft.entries));
    if (what == 4) {
      const auto place = static_cast<std::ptrdiff_t>(pick(draft.entries.size() + 1));
      draft.entries.insert(draft.entries.begin() + place, comment());
    }
    if (what == 5 && draft.entries.size() > 1)
      std::swap(draft.entries.front(), draft.entries.back());
    if (what == 6) draft.lines.insert(draft.lines.begin() + at(draft.lines), line());
    if (what == 7 && !draft.lines.empty())
      draft.lines[static_cast<std::size_t>(at(draft.lines))] = line();
    if (what == 8 && pick(4) == 0) draft.fenced = true;
  }

  void set(Draft& draft, const std::string& entry) {
    for (std::string& other : draft.entries) {
      if (key_in(other) != key_in(entry)) continue;
      other = entry;
      return;
    }
    const auto place = static_cast<std::ptrdiff_t>(pick(draft.entries.size() + 1));
    draft.entries.insert(draft.entries.begin() + place, entry);
  }

  std::size_t pick(std::size_t n) { return random_() % n; }
  template <typename List>
  std::ptrdiff_t at(const List& list) {
    return list.empty() ? 0 : static_cast<std::ptrdiff_t>(pick(list.size()));
  }
  std::string line() { return "line " + std::to_string(pick(30)) + "\n"; }
  std::string comment() { return "# note " + std::to_string(pick(1000)) + "\n"; }

  std::mt19937 random_;
};

struct Case {
  std::string base, ours, theirs;
};

Case random_case(unsigned seed) {
  Drafts drafts(seed);
  const Draft base = drafts.base();
  Case c{base.text(), drafts.edited(base).text(), drafts.edited(base).text()};
  if (drafts.no_base()) c.base.clear();
  return c;
}

std::string shown(const Case& c, const MemoryMerge& merge) {
  return "--- base\n" + c.base + "--- ours\n" + c.ours + "--- theirs\n" + c.theirs +
         "--- merged\n" + merge.text;
}

std::set<std::string> lines_in(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

constexpr unsigned kSeeds = 1500;

TEST(MergeModel, TheFrontMatterStaysReadable) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const Case c = random_case(seed);
    const MemoryMerge merge = merge_memories({c.base, c.ours, c.theirs});
    ASSERT_NE(read_front_matter(merge.text).state, BlockState::kBroken) << shown(c, merge);
  }
}

TEST(MergeModel, TheSidesMayBeSwapped) {
  int decided = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const Case c = random_case(seed);
    const MemoryMerge there = merge_memories({c.base, c.ours, c.theirs});
    const MemoryMerge back = merge_memories({c.base, c.theirs, c.ours});
    ASSERT_EQ(there.conflicts, back.conflicts) << shown(c, there);
    ASSERT_EQ(there.undecided, back.undecided) << shown(c, there);
    if (!there.clean()) continue;
    ++decided;
    ASSERT_EQ(there.text, back.text) << shown(c, there);
  }
  EXPECT_GT(decided, static_cast<int>(kSeeds) / 4);
}

// Where a line occurs more than once there is no telling which of them a side added.
bool repeats_a_line(const std::string& text) {
  std::multiset<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("line ")) lines.insert(line);
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return lines.count(line) > 1; });
}

// Whether the side has keys of the base in another order. Where both do, one of the orders is lost.
bool moves_keys(const std::string& base, const std::string& side) {
  const KeyedText had = cut_keys(base);
  const KeyedText has = cut_keys(side);
  std::ptrdiff_t last = -1;
  for (const KeyedEntry& entry : has.entries) {
    const KeyedEntry* before = had.find(entry.key);
    if (before == nullptr) continue;
    if (before - had.entries.data() < last) return true;
    last = before - had.entries.data();
  }
  return false;
}

TEST(MergeModel, MergingASideAgainChangesNothing) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const Case c = random_case(seed);
    const MemoryMerge merge = merge_memories({c.base, c.ours, c.theirs});
    if (merge.conflicts > 0 || repeats_a_line(c.base) || repeats_a_line(c.ours) ||
        repeats_a_line(c.theirs) || repeats_a_line(merge.text))
      continue;
    if (moves_keys(c.base, c.ours) && moves_keys(c.base, c.theirs)) continue;
    const MemoryMerge again = merge_memories({c.base, merge.text, c.theirs});
    ASSERT_EQ(again.text, merge.text) << shown(c, merge) << "--- again\n" << again.text;
  }
}

// Every line of a body, every comment and every value of either side is in the result, or the other
// side took it out of what the base had, or a rule chose another value of the key.
TEST(MergeModel, NothingIsLost) {
  const std::set<std::string> chosen_by_rule = {"revision", "updated_at", "created_at"};
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const Case c = random_case(seed);
    const MemoryMerge merge = merge_memories({c.base, c.ours, c.theirs});
    const auto result = lines_in(merge.text);
    const auto base = lines_in(c.base);
    for (const std::string& side : {c.ours, c.theirs}) {
      for (const std::string& line : lines_in(side)) {
        const bool text = line.starts_with("line ") || line.starts_with("# note");
        if (!text || base.contains(line)) continue;
        ASSERT_TRUE(result.contains(line)) << line << "\n" << shown(c, merge);
      }
      const KeyedText had = cut_keys(c.base);
      const KeyedText cut = cut_keys(side);
      const KeyedText now = cut_keys(merge.text);
      const KeyedEntry* kept_entry = now.find(kKeptKey);
      const auto kept = kept_entry ? parse_kept(kept_entry->raw) : std::vector<KeptValue>();
      ASSERT_TRUE(kept) << shown(c, merge);
      for (const KeyedEntry& entry : cut.entries) {
        const KeyedEntry* before = had.find(entry.key);
        if (before != nullptr && before->value.same_value(entry.value)) continue;
        if (chosen_by_rule.contains(entry.key) || entry.key == kKeptKey) continue;
        const KeyedEntry* after = now.find(entry.key);
        ASSERT_NE(after, nullptr) << entry.key << "\n" << shown(c, merge);
        const bool there = after->value.same_value(entry.value) ||
                           std::any_of(kept->begin(), kept->end(), [&](const KeptValue& value) {
                             return value.key == entry.key && value.value.same_value(entry.value);
                           });
        const bool merged_list = entry.key == "tags" || entry.key == "keywords";
        const bool alias =
            entry.key == "id" && merge.text.find(entry.value.text) != std::string::npos;
        ASSERT_TRUE(there || merged_list || alias) << entry.key << "\n" << shown(c, merge);
      }
    }
  }
}

// Tags as sets, against the definition.
TEST(MergeModel, TagsAreTheUnionLessTheDeletions) {
  const auto tags = [](const std::string& text) {
    std::set<std::string> out;
    const KeyedText cut = cut_keys(text);
    const KeyedEntry* entry = cut.find("tags");
    if (entry == nullptr) return out;
    if (entry->value.kind == YamlNode::Kind::kScalar) {
      std::istringstream in(entry->value.text);
      for (std::string word; std::getline(in, word, ',');)
        out.insert(word.substr(word.find_first_not_of(' ')));
    }
    for (const YamlNode& item : entry->value.items) out.insert(item.text);
    return out;
  };
  int merged = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const Case c = random_case(seed);
    const auto base = tags(c.base);
    const auto ours = tags(c.ours);
    const auto theirs = tags(c.theirs);
    if (ours.empty() || theirs.empty()) continue;
    std::set<std::string> wanted;
    for (const auto* side : {&ours, &theirs})
      for (const std::string& tag : *side)
        if ((ours.contains(tag) && theirs.contains(tag)) || !base.contains(tag)) wanted.insert(tag);
    const MemoryMerge merge = merge_memories({c.base, c.ours, c.theirs});
    EXPECT_EQ(tags(merge.text), wanted) << shown(c, merge);
    ++merged;
  }
  EXPECT_GT(merged, 100);
}

}  // namespace
}  // namespace memfs
