// What is gone since the last check, by other means than mem. Cases 89 and 135.
#include "tests/check/check_fixture.h"

namespace memfs::testing {
namespace {

class VanishedTest : public CheckFixture {
 protected:
  // Writes three and lets the check see them.
  void given_three() {
    add("Alpha", "the first letter of them\n");
    add("Beta", "second comes after the first\n");
    write("shared/hand.md", "written by a person\n");
    EXPECT_EQ(problems("vanished").size(), 0U);
  }
};

TEST_F(VanishedTest, AFileThatSomebodyRemovedIsToldOnceWithTheWayBack) {
  given_three();
  remove("shared/alpha.md");
  remove("shared/hand.md");
  const auto found = problems("vanished");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "2 memories are gone since the last check: alpha, hand");
  EXPECT_NE(found[0].hint.find("mem restore"), std::string::npos);
  EXPECT_EQ(problems("vanished").size(), 0U) << "only once";
  EXPECT_TRUE(open().recover("alpha")) << "and the way works";
}

TEST_F(VanishedTest, OfManyTenAreNamed) {
  for (int i = 10; i < 40; ++i) write("shared/n" + std::to_string(i) + ".md", std::to_string(i));
  check();
  for (int i = 10; i < 40; ++i) remove("shared/n" + std::to_string(i) + ".md");
  const auto found = problems("vanished");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].message.find("30 memories are gone"), std::string::npos);
  EXPECT_NE(found[0].message.find("n19, …"), std::string::npos) << found[0].message;
  EXPECT_EQ(found[0].message.find("n20"), std::string::npos);
}

TEST_F(VanishedTest, WhatMovedOrWasForgottenIsNotLost) {
  given_three();
  write("shared/sub/new-name.md", file("shared/alpha.md"));
  remove("shared/alpha.md");
  write("shared/by-hand.md", file("shared/hand.md"));
  remove("shared/hand.md");
  ASSERT_TRUE(open().forget("beta"));
  EXPECT_EQ(codes(), "");
  ASSERT_TRUE(open().forget("shared/by-hand"));
  EXPECT_EQ(problems("vanished").size(), 0U);
}

TEST_F(VanishedTest, WhatMemMovedIsNotLostAlthoughItHasNoIdAndChangedSince) {
  given_three();
  ASSERT_TRUE(open().move({"shared/hand", "shared/first"}));
  ASSERT_TRUE(open().move({"shared/first", "shared/second"}));
  write("shared/second.md", "written anew by a person\n");
  EXPECT_EQ(problems("vanished").size(), 0U);
  remove("shared/second.md");
  EXPECT_EQ(problems("vanished").size(), 1U);
}

TEST_F(VanishedTest, AMemoryThatMovedAwayAndBackCanStillBeLost) {
  given_three();
  ASSERT_TRUE(open().move({"shared/hand", "shared/away"}));
  ASSERT_TRUE(open().move({"shared/away", "shared/hand"}));
  remove("shared/hand.md");
  EXPECT_EQ(problems("vanished").size(), 1U);
}

TEST_F(VanishedTest, ThousandsOfEmptiedFilesAreToldInTheTimeOfAListing) {
  constexpr int kMany = 20000;
  const auto path = [](int i) { return "shared/n" + std::to_string(i) + ".md"; };
  for (int i = 0; i < kMany; ++i) write(path(i), std::to_string(i));
  check();
  for (int i = 0; i < kMany; ++i) write(path(i), "");
  const auto found = problems("empty-file");
  ASSERT_EQ(found.size(), std::size_t{kMany});
  for (const Problem& problem : found)
    ASSERT_NE(problem.message.find("it was a memory at the last check"), std::string::npos);
}

TEST_F(VanishedTest, APurgedMemoryIsNotNamedAgain) {
  given_three();
  ASSERT_TRUE(open().forget("alpha", true));
  ASSERT_TRUE(open().forget("hand", true));
  EXPECT_EQ(problems("vanished").size(), 0U);
  const auto state = *memory->open("/m/.state/scopes");
  const auto entries = *state->list("");
  ASSERT_FALSE(entries.empty());
  for (const DirEntry& entry : entries) {
    const auto seen = state->read(entry.name + "/seen", 1 << 20);
    if (!seen) continue;
    EXPECT_EQ(seen->bytes.find("hand"), std::string::npos) << seen->bytes;
  }
}

TEST_F(VanishedTest, AScopeThatIsGoneAsAWholeIsALoss) {
  write("global/one.md", "x\n");
  check();
  const auto dir = *memory->open("/m");
  ASSERT_TRUE(dir->rename("global", "elsewhere"));
  const auto found = problems("vanished");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "1 memory is gone since the last check: one");
  EXPECT_EQ(problems("vanished").size(), 0U);
}

TEST_F(VanishedTest, AnEmptiedFileIsAnErrorThatTellsWhatItWas) {
  given_three();
  ASSERT_TRUE(open().update("alpha", append("more")));
  check();
  write("shared/alpha.md", "");
  write("shared/beta.md", std::string(300, '\0'));
  for (int run = 0; run < 2; ++run) {
    const CheckReport report = check();
    EXPECT_EQ(with_code(report, "vanished").size(), 0U) << "never counted as deleted";
    ASSERT_EQ(with_code(report, "empty-file").size(), 1U);
    EXPECT_EQ(with_code(report, "empty-file")[0].message, "the file is empty: it was revision 2");
    ASSERT_EQ(with_code(report, "nul-filled").size(), 1U);
    EXPECT_NE(with_code(report, "nul-filled")[0].message.find("it was revision 1"),
              std::string::npos);
  }
}

TEST_F(VanishedTest, ADamagedListIsNoList) {
  given_three();
  const auto state = *memory->open("/m/.state/scopes");
  const auto entries = *state->list("");
  for (const DirEntry& entry : entries)
    memory->plant("/m/.state/scopes/" + entry.name + "/seen", "mem-seen 1\n1\tx\n\xFF\t\t\t../a\n");
  EXPECT_EQ(problems("vanished").size(), 0U);
}

TEST_F(VanishedTest, NothingIsRememberedWhereNothingIsToBeWritten) {
  write("shared/a.md", "x\n");
  Store store = open();
  ASSERT_TRUE(check_store(store, {.fix = false, .remember = false}));
  EXPECT_FALSE(memory->exists("/m/.state/scopes"));
}

TEST_F(VanishedTest, AnEmptyStoreGetsNoStateFolder) {
  ASSERT_TRUE(memory->make_directories("/m/shared", 0755));
  EXPECT_EQ(codes(), "");
  EXPECT_FALSE(memory->exists("/m/.state/scopes"));
}

}  // namespace
}  // namespace memfs::testing
