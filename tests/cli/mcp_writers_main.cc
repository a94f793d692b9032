// mcp_writers SERVERS WRITES: the concurrency test of the servers, as large as one likes.
#include <cstdio>
#include <cstdlib>

#include "tests/cli/mcp_writers.h"
#include "tests/support/temp_dir.h"

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "mcp_writers SERVERS WRITES\n");
    return 2;
  }
  const memfs::testing::TempDir folder;
  const std::string wrong = memfs::testing::write_at_once(
      MEM_EXECUTABLE, folder.path(), std::atoi(arguments[1]), std::atoi(arguments[2]));
  std::printf("%s\n", wrong.empty() ? "every write is there exactly once" : wrong.c_str());
  return wrong.empty() ? 0 : 1;
}
