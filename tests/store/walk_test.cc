#include "libmemfs/store/walk.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/memory_fs.h"
#include "tests/support/wrapping_fs.h"

namespace memfs::testing {
namespace {

class WalkTest : public ::testing::Test {
 protected:
  Walk walk() {
    (void)memory.make_directories("/m", 0755);
    Walk found = walk_scope(**memory.open("/m"), 2);
    std::sort(found.files.begin(), found.files.end(),
              [](const auto& a, const auto& b) { return a.name_rel < b.name_rel; });
    return found;
  }
  MemoryFs memory;
};

TEST_F(WalkTest, FindsMemoriesInSubFoldersSortedByName) {
  for (const char* file : {"/m/b.md", "/m/a/x.md", "/m/a.MD", "/m/.hidden/y.md", "/m/.dot.md",
                           "/m/t.txt", "/m/INDEX.md", "/m/index.md"})
    memory.plant(file, "x");
  std::string names;
  for (const WalkedFile& file : walk().files) names += std::string(file.name_rel) + " ";
  EXPECT_EQ(names, "a.MD a/x.md b.md index.md ");
}

TEST_F(WalkTest, LinksStayInsideAndEnd) {
  memory.plant("/m/.real/x.txt", "x");
  memory.plant_link("/m/one.md", "two");
  memory.plant_link("/m/two", ".real/x.txt");
  memory.plant_link("/m/circle.md", "circle.md");
  memory.plant_link("/m/out.md", "../../x");
  const auto dir = *memory.open("/m");
  EXPECT_EQ(*resolve_link(*dir, "one.md"), ".real/x.txt");
  EXPECT_EQ(resolve_link(*dir, "circle.md").error().code, ErrorCode::kRefused);
  EXPECT_EQ(resolve_link(*dir, "out.md").error().code, ErrorCode::kRefused);
  const Walk found = walk();
  ASSERT_EQ(found.files.size(), 1U);
  EXPECT_EQ(found.files[0].file_rel(), ".real/x.txt");
}

TEST_F(WalkTest, ALinkToAMemoryIsNoSecondMemory) {
  memory.plant("/m/a.md", "x");
  memory.plant_link("/m/b.md", "a.md");
  const Walk found = walk();
  EXPECT_EQ(found.files.size(), 1U);
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].code, "link-to-memory");
}

TEST_F(WalkTest, NamesThatAreNotUtf8AreReportedEscaped) {
  memory.plant("/m/\xFF\xFE.md", "x");
  const Walk found = walk();
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].code, "name-utf8");
  EXPECT_EQ(found.problems[0].path, "/m/\\xff\\xfe.md");
}

TEST_F(WalkTest, WhatCannotBeLookedAtIsAProblemAndNotGone) {
  memory.plant("/m/deep/a.md", "x");
  memory.plant("/m/b.md", "x");
  std::string broken;
  WrappingFs wrapped(memory, [&](const Operation& op) -> Result<void> {
    if (op.verb == "stat" && op.path == broken) return make_error(ErrorCode::kIo, "cannot read");
    return {};
  });
  const auto dir = *wrapped.open("/m");
  EXPECT_TRUE(walk_scope(*dir, 2).problems.empty());
  broken = "/m/deep/a.md";
  const Walk below = walk_scope(*dir, 2);
  ASSERT_EQ(below.problems.size(), 1U);
  EXPECT_EQ(below.problems[0].path, "/m/deep");
  EXPECT_FALSE(below.failure);
  broken = "/m/b.md";
  EXPECT_TRUE(walk_scope(*dir, 2).failure) << "the scope's own folder";
}

}  // namespace
}  // namespace memfs::testing
