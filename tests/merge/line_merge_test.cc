#include "libmemfs/merge/line_merge.h"

#include <gtest/gtest.h>

#include <random>

#include "libmemfs/base/process.h"
#include "tests/support/temp_dir.h"

namespace memfs {
namespace {

std::string merged(std::string_view base, std::string_view ours, std::string_view theirs,
                   ConflictStyle style = ConflictStyle::kMerge) {
  ConflictMarkers markers;
  markers.style = style;
  return merge_lines({base, ours, theirs}, markers).text;
}

TEST(LineMerge, TakesWhatOneSideChanged) {
  EXPECT_EQ(merged("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n"), "A\nb\nc\nD\n");
  EXPECT_EQ(merged("a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n"), "a\nc\nd\n");
  EXPECT_EQ(merged("a\nb\n", "a\nx\nb\n", "a\nx\nb\n"), "a\nx\nb\n") << "the same change, once";
}

TEST(LineMerge, KeepsALastLineWithoutNewline) {
  EXPECT_EQ(merged("a\nb\nc", "A\nb\nc", "a\nb\nc"), "A\nb\nc");
  EXPECT_EQ(merged("a\nb\nc", "a\nb\nC", "A\nb\nc"), "A\nb\nC");
  EXPECT_EQ(merged("a", "x", "y"), "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n");
}

TEST(LineMerge, ShowsBothVersionsOfLinesThatTouchEachOther) {
  EXPECT_EQ(merged("a\nb\n", "A\nb\n", "a\nB\n"),
            "<<<<<<< ours\nA\nb\n=======\na\nB\n>>>>>>> theirs\n");
  EXPECT_EQ(merged("", "x\ny\n", "x\nz\n"), "x\n<<<<<<< ours\ny\n=======\nz\n>>>>>>> theirs\n")
      << "what they begin with alike stands outside";
}

TEST(LineMerge, ShowsTheBaseWhereItIsAskedTo) {
  EXPECT_EQ(merged("a\nb\n", "x\nm\nb\n", "x\nn\nb\n", ConflictStyle::kZdiff3),
            "x\n<<<<<<< ours\nm\n||||||| base\na\n=======\nn\n>>>>>>> theirs\nb\n");
  EXPECT_EQ(merged("a\nb\n", "x\nm\nb\n", "x\nn\nb\n", ConflictStyle::kDiff3),
            "<<<<<<< ours\nx\nm\n||||||| base\na\n=======\nx\nn\n>>>>>>> theirs\nb\n");
}

TEST(LineMerge, WritesMarkersWithTheNewlinesOfTheText) {
  EXPECT_EQ(merged("a\r\n", "b\r\n", "c\r\n"),
            "<<<<<<< ours\r\nb\r\n=======\r\nc\r\n>>>>>>> theirs\r\n");
}

class RandomTexts {
 public:
  explicit RandomTexts(unsigned seed) : random_(seed) {}

  std::string base() {
    std::string text;
    const auto lines = pick(12);
    for (std::size_t i = 0; i < lines; ++i) text += line();
    return text;
  }
  // A line or two of it changed, dropped or added.
  std::string edited(const std::string& text) {
    std::string out;
    for (std::size_t begin = 0; begin < text.size();) {
      const auto end = text.find('\n', begin) + 1;
      const auto what = pick(10);
      if (what == 0) out += line();
      if (what == 1) {
        out += line();
      } else if (what != 2) {
        out += text.substr(begin, end - begin);
      }
      begin = end;
    }
    if (pick(4) == 0) out += line();
    return out;
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  std::string line() { return std::string(1, static_cast<char>('a' + pick(6))) + "\n"; }
  std::mt19937 random_;
};

TEST(LineMerge, IsTheSameWithTheSidesSwapped) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    RandomTexts texts(seed);
    const std::string base = texts.base();
    const std::string ours = texts.edited(base);
    const std::string theirs = texts.edited(base);
    ConflictMarkers swapped;
    std::swap(swapped.ours, swapped.theirs);
    const LineMerge there = merge_lines({base, ours, theirs}, {});
    const LineMerge back = merge_lines({base, theirs, ours}, swapped);
    ASSERT_EQ(there.conflicts, back.conflicts) << seed;
    if (there.conflicts > 0) continue;
    ASSERT_EQ(there.text, back.text) << seed;
  }
}

// git may find another shortest script; where it merges without a conflict as we do, nearly all
// results are the same bytes.
TEST(LineMerge, AgreesWithGit) {
  testing::TempDir dir;
  int clean = 0;
  int same = 0;
  int as_clean = 0;
  constexpr unsigned kTexts = 120;
  for (unsigned seed = 0; seed < kTexts; ++seed) {
    RandomTexts texts(seed);
    const std::string base = texts.base();
    const std::string ours = texts.edited(base);
    const std::string theirs = texts.edited(base);
    dir.write("base", base);
    dir.write("ours", ours);
    dir.write("theirs", theirs);
    ProcessOptions options;
    options.only_output = true;
    const auto git = run_process({"git", "merge-file", "-p", "-q", dir.path() + "/ours",
                                  dir.path() + "/base", dir.path() + "/theirs"},
                                 options);
    ASSERT_TRUE(git) << git.error().message;
    const LineMerge own = merge_lines({base, ours, theirs}, {});
    as_clean += (git->exit_code == 0) == (own.conflicts == 0) ? 1 : 0;
    if (git->exit_code != 0 || own.conflicts != 0) continue;
    ++clean;
    same += git->out == own.text ? 1 : 0;
  }
  EXPECT_GT(clean, 20);
  EXPECT_GE(same * 100, clean * 97) << same << " of " << clean;
  EXPECT_GE(as_clean * 100, static_cast<int>(kTexts) * 93) << as_clean;
}

}  // namespace
}  // namespace memfs
