#include "libmemfs/base/line_diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <string>
#include <vector>

namespace memfs {
namespace {

std::string diff(std::string_view before, std::string_view after) {
  return unified_diff(before, after, "a/x.md", "b/x.md");
}

constexpr std::string_view kHead = "--- a/x.md\n+++ b/x.md\n";

std::string hunks(std::string_view before, std::string_view after) {
  const std::string whole = diff(before, after);
  EXPECT_TRUE(whole.starts_with(kHead)) << whole;
  return whole.substr(std::min(kHead.size(), whole.size()));
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// A patch program that believes nothing: places, counts and every line it takes away must fit.
class Patcher {
 public:
  Patcher(std::string_view old, std::string_view patch) : old_(split(old)), patch_(split(patch)) {}

  // "<why>" where the patch does not apply.
  std::string run() {
    if (patch_.size() < 2 || !patch_[0].starts_with("--- ") || !patch_[1].starts_with("+++ "))
      return "<no head>";
    at_ = 2;
    while (at_ < patch_.size() && why_.empty()) hunk();
    for (; next_ < old_.size(); ++next_) new_.push_back(old_[next_]);
    std::string text;
    for (const std::string& line : new_) text += line;
    return why_.empty() ? text : "<" + why_ + ">";
  }
  int changes() const { return changes_; }

 private:
  struct Range {
    std::size_t begin = 0, count = 1;
  };

  static Range range(const std::string& text, std::size_t from) {
    Range out;
    const char* end = text.data() + text.size();
    const auto begin = std::from_chars(text.data() + from, end, out.begin);
    if (begin.ptr < end && *begin.ptr == ',') std::from_chars(begin.ptr + 1, end, out.count);
    if (out.count > 0) --out.begin;
    return out;
  }

  void hunk() {
    const std::string head = patch_[at_++];
    const auto plus = head.find(" +");
    if (!head.starts_with("@@ -") || plus == std::string::npos) {
      why_ = "bad hunk " + head;
      return;
    }
    const Range before = range(head, 4);
    const Range after = range(head, plus + 2);
    while (next_ < before.begin && next_ < old_.size()) new_.push_back(old_[next_++]);
    if (next_ != before.begin || new_.size() != after.begin) why_ = "wrong place " + head;
    const std::size_t old_begin = next_;
    const std::size_t new_begin = new_.size();
    while (why_.empty() && at_ < patch_.size() && !patch_[at_].starts_with("@@")) line();
    if (next_ - old_begin != before.count || new_.size() - new_begin != after.count)
      why_ = "wrong count " + head + why_;
  }

  void line() {
    const char sign = patch_[at_].front();
    std::string text = patch_[at_].substr(1);
    ++at_;
    if (at_ < patch_.size() && patch_[at_] == "\\ No newline at end of file\n") {
      text.pop_back();
      ++at_;
    }
    if (sign != '+' && (next_ >= old_.size() || old_[next_++] != text)) why_ = "other line " + text;
    if (sign != '-') new_.push_back(text);
    if (sign != ' ') ++changes_;
  }

  std::vector<std::string> old_, patch_, new_;
  std::size_t at_ = 0, next_ = 0;
  int changes_ = 0;
  std::string why_;
};

void expect_applies(std::string_view before, std::string_view after) {
  const std::string patch = diff(before, after);
  if (before == after) {
    EXPECT_EQ(patch, "");
    return;
  }
  ASSERT_EQ(Patcher(before, patch).run(), after) << patch.substr(0, 2000);
}

// Lines of a longest common subsequence, by the quadratic table.
std::size_t common_lines(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      best[i][j] =
          a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
  return best[a.size()][b.size()];
}

std::string random_lines(std::mt19937& random, std::size_t most, unsigned kinds) {
  std::string text;
  for (std::size_t n = random() % (most + 1); n > 0; --n)
    text += "line " + std::to_string(random() % kinds) + (random() % 9 == 0 ? "\r\n" : "\n");
  if (!text.empty() && random() % 3 == 0) text.pop_back();
  return text;
}

TEST(LineDiff, EqualTextsDoNotDiffer) {
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("a\nb", "a\nb"), "");
}

TEST(LineDiff, AChangedLineStandsInThreeLinesOfContext) {
  EXPECT_EQ(diff("1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
            "--- a/x.md\n+++ b/x.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-five\n+5\n 6\n 7\n 8\n");
}

TEST(LineDiff, LabelsAreTheCallersOwn) {
  EXPECT_EQ(unified_diff("a\n", "b\n", "shared/x@3", "shared/x@now"),
            "--- shared/x@3\n+++ shared/x@now\n@@ -1 +1 @@\n-a\n+b\n");
}

TEST(LineDiff, ATextThatBeginsOrEndsCountsFromLineZero) {
  EXPECT_EQ(hunks("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(hunks("a\n", ""), "@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(hunks("a\nb\n", "new\na\nb\n"), "@@ -1,2 +1,3 @@\n+new\n a\n b\n");
}

TEST(LineDiff, AMissingLastNewlineIsMarkedOnTheSideThatMissesIt) {
  EXPECT_EQ(hunks("a\nb", "a\nb\n"), "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
  EXPECT_EQ(hunks("a\nb\n", "a\nb"), "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n");
  EXPECT_EQ(hunks("a\nb", "x\nb"), "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n");
  EXPECT_EQ(hunks("a", "b"),
            "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
}

TEST(LineDiff, ACarriageReturnIsPartOfItsLine) {
  EXPECT_EQ(hunks("a\r\nb\r\n", "a\nb\r\n"), "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n");
}

TEST(LineDiff, ChangesSixLinesApartShareAHunkAndFartherOnesDoNot) {
  EXPECT_EQ(hunks("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n"),
            "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
  EXPECT_EQ(hunks("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n"),
            "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

TEST(LineDiff, AnAddedParagraphBeginsAtItsOwnBeginning) {
  EXPECT_EQ(hunks("- a\n  end\n", "- a\n  end\n- b\n  end\n"),
            "@@ -1,2 +1,4 @@\n - a\n   end\n+- b\n+  end\n");
}

TEST(LineDiff, NulAndInvalidBytesAreBytes) {
  using namespace std::string_view_literals;
  EXPECT_EQ(hunks("\0\xFF\n"sv, "\0\xFE\n"sv), "@@ -1 +1 @@\n-\0\xFF\n+\0\xFE\n"sv);
}

TEST(LineDiff, ApplyingADiffToTheOldTextGivesTheNewOne) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    std::mt19937 random(seed);
    const auto kinds = static_cast<unsigned>(1 + random() % 12);
    const std::string before = random_lines(random, 40, kinds);
    const std::string after = random_lines(random, 40, kinds);
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(expect_applies(before, after));
  }
}

TEST(LineDiff, NoShorterScriptExists) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed + 7000);
    const auto kinds = static_cast<unsigned>(1 + random() % 8);
    const std::string before = random_lines(random, 60, kinds);
    const std::string after = random_lines(random, 60, kinds);
    if (before == after) continue;
    const auto a = split(before);
    const auto b = split(after);
    Patcher patcher(before, diff(before, after));
    ASSERT_EQ(patcher.run(), after) << seed;
    EXPECT_EQ(static_cast<std::size_t>(patcher.changes()),
              a.size() + b.size() - 2 * common_lines(a, b))
        << seed;
  }
}

TEST(LineDiff, FewEditsInALongTextStayFew) {
  std::mt19937 random(1);
  std::string before;
  std::string after;
  int edits = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string line = "line " + std::to_string(random() % 700) + "\n";
    before += line;
    if (random() % 500 != 0) {
      after += line;
    } else {
      ++edits;
    }
  }
  Patcher patcher(before, diff(before, after));
  EXPECT_EQ(patcher.run(), after);
  EXPECT_EQ(patcher.changes(), edits);
}

// Beyond the bound on work the script may be longer than necessary, but it is right.
TEST(LineDiff, ThousandsOfScatteredChangesAreStillRight) {
  std::mt19937 random(2);
  std::string before;
  std::string after;
  for (int i = 0; i < 30000; ++i) {
    before += "n" + std::to_string(random() % 5) + "\n";
    after += "n" + std::to_string(random() % 5) + "\n";
  }
  expect_applies(before, after);
}

TEST(LineDiff, BeyondTheBoundLinesThatOccurOnceStillHoldTheTextsTogether) {
  std::string before;
  std::string after;
  for (int i = 0; i < 6000; ++i) {
    before += "same " + std::to_string(i) + "\nx\n";
    after += "same " + std::to_string(i) + "\nx\nx\n";
  }
  Patcher patcher(before, diff(before, after));
  EXPECT_EQ(patcher.run(), after);
  EXPECT_EQ(patcher.changes(), 6000);
}

TEST(LineDiff, AMebibyteOfOtherLinesIsReplacedAtOnce) {
  std::string before;
  std::string after;
  for (int i = 0; before.size() < (1U << 20); ++i) {
    before += std::to_string(i) + "\n";
    after += std::to_string(-i - 1) + "\n";
  }
  expect_applies(before, after);
}

}  // namespace
}  // namespace memfs
