#include "cli/mcp/protocol/inbox.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "libmemfs/base/posix_descriptor.h"

namespace memfs::mcp {
namespace {

// An inbox that has been written to.
class Filled {
 public:
  explicit Filled(const std::string& bytes) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    out_ = Fd(ends[0]);
    in_ = Fd(ends[1]);
    write(bytes);
  }
  void write(const std::string& bytes) {
    EXPECT_EQ(::write(in_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    inbox().read_ahead();
  }
  void close() {
    in_.reset();
    inbox().read_ahead();
  }
  Inbox& inbox() {
    if (!inbox_) inbox_.emplace(out_.get());
    return *inbox_;
  }

 private:
  Fd out_{};
  Fd in_{};
  std::optional<Inbox> inbox_{};
};

std::string cancel(const std::string& id) {
  return R"({"method":"notifications/cancelled","params":{"requestId":)" + id + "}}\n";
}

TEST(McpInbox, GivesLinesInTheirOrderAndSaysWhatIsBroken) {
  Filled filled("{\"a\":1}\n{\n[]\n");
  EXPECT_EQ(filled.inbox().next()->message["a"], 1);
  EXPECT_EQ(filled.inbox().next()->broken, "not JSON at byte 2");
  EXPECT_EQ(filled.inbox().next()->message, Json::array());
  EXPECT_FALSE(filled.inbox().next());
  EXPECT_FALSE(filled.inbox().at_end());
  filled.close();
  EXPECT_TRUE(filled.inbox().at_end());
}

TEST(McpInbox, ResponsesCanComeOutBeforeTheirTurn) {
  Filled filled("{\"id\":1,\"method\":\"x\"}\n5\n{\"id\":2,\"result\":{}}\n");
  EXPECT_EQ(filled.inbox().next(true)->message["id"], 2);
  EXPECT_FALSE(filled.inbox().next(true));
  EXPECT_EQ(filled.inbox().next()->message["id"], 1);
  EXPECT_EQ(filled.inbox().next()->message, 5);
}

TEST(McpInbox, ACancellationIsSeenWhileItWaitsAndByItsExactId) {
  Filled filled(cancel("7") + cancel("\"7\"") + cancel("8"));
  Inbox& inbox = filled.inbox();
  EXPECT_TRUE(inbox.has_cancel_of(7));
  EXPECT_TRUE(inbox.has_cancel_of("7"));
  EXPECT_FALSE(inbox.has_cancel_of("8"));
  inbox.next();
  EXPECT_FALSE(inbox.has_cancel_of(7));
  EXPECT_TRUE(inbox.has_cancel_of("7"));
}

TEST(McpInbox, ReadsAheadNoMoreThanALineMayHold) {
  Filled filled("");
  const std::string line = std::string(32'767, ' ') + "\n" + std::string(32'000, '1') + "\n";
  int times = 0;
  while (filled.inbox().wants_more() && times < 2000) {
    filled.write(line);
    ++times;
  }
  EXPECT_GT(times, 500);
  EXPECT_LT(times, 530);
  filled.inbox().next();
  EXPECT_TRUE(filled.inbox().wants_more());
}

}  // namespace
}  // namespace memfs::mcp
