// The example of docs/embedding.md, compiled and run as a test.
#include <gtest/gtest.h>

// [example]
#include <memfs/search.h>
#include <memfs/store.h>

std::string remember_and_find(const std::string& folder) {
  auto layout = memfs::layout_at(folder);
  if (!layout) return layout.error().message;
  auto store = memfs::Store::open(*layout);
  if (!store) return store.error().message;
  auto made =
      store->create({memfs::Scope::kShared, {{"title", "Release branch"}}, "release/7.x\n"});
  if (!made) return made.error().message;
  auto found = memfs::search(*store, {"release"}, std::chrono::sys_days());
  return found ? found->hits.front().memory.ref() : found.error().message;
}
// [example]

#include "tests/support/temp_dir.h"

namespace {

TEST(Embedding, TheExampleWorks) {
  const memfs::testing::TempDir temp;
  EXPECT_EQ(remember_and_find(temp.path()), "shared/release-branch");
}

}  // namespace
