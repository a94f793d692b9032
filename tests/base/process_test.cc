#include "libmemfs/base/process.h"

#include <gtest/gtest.h>

#include <csignal>

#include <cstdlib>

namespace memfs {
namespace {

ProcessOutput run(const std::string& script, const ProcessOptions& options = {}) {
  const auto output = run_process({"sh", "-c", script}, options);
  EXPECT_TRUE(output) << output.error().message;
  return output ? *output : ProcessOutput{};
}

TEST(Process, BothOutputsComeTogetherOrApart) {
  EXPECT_EQ(run("echo a; echo b >&2").out, "a\nb\n");
  ProcessOptions apart;
  apart.split_output = true;
  const auto output = run("echo a; echo b >&2; exit 3", apart);
  EXPECT_EQ(output.out, "a\n");
  EXPECT_EQ(output.err, "b\n");
  EXPECT_EQ(output.exit_code, 3);
}

TEST(Process, TheInputIsReadToItsEndHoweverMuchIsAnswered) {
  ProcessOptions options;
  options.input = std::string(std::size_t{3} << 20U, 'x') + "\nend\n";
  EXPECT_EQ(run("cat", options).out, options.input);
  EXPECT_EQ(run("cat >&2; echo done", options).out, options.input + "done\n");
}

TEST(Process, AProgramNeedNotReadItsInput) {
  ProcessOptions options;
  options.input = std::string(std::size_t{3} << 20U, 'x');
  EXPECT_EQ(run("exec true", options).exit_code, 0);
  EXPECT_EQ(run("read line && exit 4; exit 5").exit_code, 5) << "no input is an empty one";
}

// A server ignores the signal; `yes` without it would say that it cannot write.
TEST(Process, AProgramIsEndedByWritingToWhoHasLeftAlsoIfWeAreNot) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(run("yes | head -c 1; true").out, "y");
  ::signal(SIGPIPE, before);
}

TEST(Process, AVariableThatIsSetTakesThePlaceOfOurs) {
  ::setenv("MEM_PROCESS_TEST", "ours", 1);
  ProcessOptions options;
  options.environment = {"MEM_PROCESS_TEST=theirs"};
  EXPECT_EQ(run("echo $MEM_PROCESS_TEST", options).out, "theirs\n");
  EXPECT_EQ(run("echo $MEM_PROCESS_TEST").out, "ours\n");
  ProcessOptions without;
  without.without = {"MEM_PROCESS"};
  EXPECT_EQ(run("echo $MEM_PROCESS_TEST", without).out, "\n");
  ::unsetenv("MEM_PROCESS_TEST");
}

}  // namespace
}  // namespace memfs
