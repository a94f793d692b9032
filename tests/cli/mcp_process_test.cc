// `mem mcp` as a process: many of them on one folder, and what it does not say on standard output.
#include <gtest/gtest.h>

#include "tests/cli/mcp_writers.h"
#include "tests/support/mcp_client.h"
#include "tests/support/mem_processes.h"

namespace memfs::testing {
namespace {

class McpProcesses : public MemProcesses {
 protected:
  // `mem mcp` with these variables and none of ours.
  static ProcessOutput run_alone(std::vector<std::string> environment) {
    ProcessOptions options;
    options.without = {"HOME", "MEM_", "XDG_"};
    options.environment = std::move(environment);
    return *run_process({MEM_EXECUTABLE, "mcp"}, options);
  }
  McpClient client(std::vector<std::string> words = {}) {
    words.insert(words.begin(), {MEM_EXECUTABLE, "--root", temp.path(), "mcp"});
    return McpClient(words);
  }
};

// `mcp_writers 16 100` does the same with more.
TEST_F(McpProcesses, ManyServersLoseNothingAndDoubleNothing) {
  EXPECT_EQ(write_at_once(MEM_EXECUTABLE, temp.path(), 6, 20), "");
}

// MC-7: a broken file, a folder that is missing, a first run.
TEST_F(McpProcesses, NothingButMessagesIsOnStandardOutput) {
  temp.write("private/broken.md", "---\ntitle: [unclosed\n---\nx\n");
  temp.write("private/binary.md", std::string("\xff\xfe\0\x01", 4));
  temp.write("config.yaml", "budget: {\n");
  McpClient broken = client();
  EXPECT_TRUE(broken.call("recall", {{"query", "x"}}).contains("hits"));
  EXPECT_TRUE(broken.call("remember", {{"name", "a"}, {"body", "b"}}).contains("ref"));
  EXPECT_EQ(broken.other_lines(), "");
}

TEST_F(McpProcesses, ASubscriberIsToldOfAHandEdit) {
  temp.write("private/a.md", "one\n");
  McpClient one = client();
  ASSERT_TRUE(one.ask("resources/subscribe", {{"uri", "mem://private/a"}}).contains("result"));
  temp.write("private/a.md", "two\n");
  EXPECT_EQ(one.notified("notifications/resources/updated"), "mem://private/a");
}

TEST_F(McpProcesses, TheEndOfTheInputEndsTheProcess) {
  McpClient one = client();
  EXPECT_TRUE(one.call("recall", {{"query", "x"}}).contains("hits"));
  EXPECT_EQ(one.close(), 0);
}

TEST_F(McpProcesses, APlaceThatIsNoneEndsItBeforeItServes) {
  const ProcessOutput missing = run_alone({"MEM_PROJECT=/nowhere", "HOME=" + temp.path()});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_NE(missing.out.find("/nowhere: there is no such folder"), std::string::npos)
      << missing.out;
  const ProcessOutput homeless = run_alone({"HOME="});
  EXPECT_EQ(homeless.exit_code, 6);
  EXPECT_NE(homeless.out.find("HOME is not set"), std::string::npos) << homeless.out;
}

TEST_F(McpProcesses, AChoiceThatIsNoneEndsItBeforeItServes) {
  const ProcessOutput output = run({"mcp", "--tools", "nonsense"});
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_NE(output.out.find("there is no tool `nonsense`"), std::string::npos) << output.out;
}

}  // namespace
}  // namespace memfs::testing
