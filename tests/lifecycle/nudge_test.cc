#include <gtest/gtest.h>
#include <memfs/lifecycle.h>

#include <vector>

namespace memfs {
namespace {

// The turns, counted from 1, that carry a reminder.
std::vector<int> reminders(Nudge nudge, int turns) {
  std::vector<int> found;
  for (int turn = 1; turn <= turns; ++turn)
    if (nudge.begin_turn()) found.push_back(turn);
  return found;
}

TEST(Nudge, NewtTheTurnAfterNQuietOnesIsReminded) {
  EXPECT_EQ(reminders(Nudge(3), 4), std::vector<int>({4}));
  EXPECT_EQ(reminders(Nudge(1), 2), std::vector<int>({2}));
}

TEST(Nudge, NewtAfterThatEveryNthTurnIsReminded) {
  EXPECT_EQ(reminders(Nudge(3), 13), std::vector<int>({4, 7, 10, 13}));
}

TEST(Nudge, NewtTenTurnsAreTheDefault) {
  EXPECT_EQ(reminders(Nudge(), 25), std::vector<int>({11, 21}));
}

TEST(Nudge, NewtASaveStartsTheCountAnew) {
  Nudge nudge(2);
  EXPECT_FALSE(nudge.begin_turn());
  EXPECT_FALSE(nudge.begin_turn());
  nudge.note_saved();
  EXPECT_FALSE(nudge.begin_turn());
  EXPECT_FALSE(nudge.begin_turn());
  EXPECT_TRUE(nudge.begin_turn());
}

TEST(Nudge, NewtASaveInAnyTurnKeepsAnActiveSessionQuiet) {
  Nudge nudge(3);
  for (int turn = 0; turn < 50; ++turn) {
    EXPECT_FALSE(nudge.begin_turn()) << turn;
    if (turn % 3 == 0) nudge.note_saved();
  }
}

TEST(Nudge, NewtAnIntervalOfZeroIsOff) {
  EXPECT_TRUE(reminders(Nudge(0), 50).empty());
  EXPECT_TRUE(reminders(Nudge::from_text("mem-nudge 1 40\n", 0), 50).empty());
}

TEST(Nudge, TheReminderIsOneLineThatSaysHowLongItHasBeen) {
  const auto line = Nudge::from_text("mem-nudge 1 12\n").begin_turn();
  ASSERT_TRUE(line);
  EXPECT_NE(line->find("12"), std::string::npos) << *line;
  EXPECT_EQ(line->find('\n'), std::string::npos) << *line;
}

TEST(Nudge, AProgramThatRunsAnewAtEachTurnRemindsAtTheSameTurns) {
  std::string state;
  std::vector<int> found;
  for (int turn = 1; turn <= 13; ++turn) {
    Nudge nudge = Nudge::from_text(state, 3);
    if (nudge.begin_turn()) found.push_back(turn);
    state = nudge.to_text();
  }
  EXPECT_EQ(found, std::vector<int>({4, 7, 10, 13}));
}

TEST(Nudge, ASaveIsRememberedInTheText) {
  Nudge nudge(2);
  nudge.begin_turn();
  nudge.begin_turn();
  nudge.note_saved();
  EXPECT_EQ(reminders(Nudge::from_text(nudge.to_text(), 2), 3), std::vector<int>({3}));
}

TEST(Nudge, AnotherIntervalFindsTheSameCount) {
  Nudge nudge(10);
  for (int turn = 0; turn < 5; ++turn) nudge.begin_turn();
  EXPECT_TRUE(Nudge::from_text(nudge.to_text(), 5).begin_turn());
  EXPECT_FALSE(Nudge::from_text(nudge.to_text(), 6).begin_turn());
}

TEST(Nudge, ADamagedTextIsAFreshState) {
  for (const char* text :
       {"", "mem-nudge 1 ", "mem-nudge 1 x\n", "mem-nudge 1 40", "mem-nudge 2 40\n",
        "mem-nudge 1 -40\n", "mem-nudge 1 40\n40\n", " mem-nudge 1 40\n", "mem-nudge 1 4000000\n",
        "mem-nudge 1 99999999999999999999\n", "nonsense"})
    EXPECT_EQ(Nudge::from_text(text, 3).to_text(), Nudge(3).to_text()) << text;
}

}  // namespace
}  // namespace memfs
