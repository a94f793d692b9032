#include "tests/mcp/message_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

namespace memfs::testing {

MessageFile::MessageFile() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  static const ::testing::TestInfo* last = nullptr;
  static int count = 0;
  count = std::exchange(last, test) == test ? count + 1 : 1;
  std::filesystem::create_directories(MCP_MESSAGES_DIR);
  file_.open(std::string(MCP_MESSAGES_DIR) + "/" + test->test_suite_name() + "." + test->name() +
             "." + std::to_string(count) + ".jsonl");
}

void MessageFile::keep(std::string_view request, const mcp::Json& message) {
  file_ << mcp::to_text({{"request", request}, {"message", message}}) << '\n';
}

}  // namespace memfs::testing
