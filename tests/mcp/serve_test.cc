// The loop, through pipes.
#include "cli/mcp/protocol/server.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <map>
#include <string>
#include <thread>

#include "cli/mcp/protocol/line_reader.h"
#include "libmemfs/base/posix_descriptor.h"
#include "tests/mcp/conversation.h"

namespace memfs::testing {
namespace {

using mcp::Json;

// A server in a thread with a pipe on each side.
class Piped {
 public:
  explicit Piped(int roots_timeout_ms = 3'600'000) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    EXPECT_EQ(::pipe(in.data()) + ::pipe(out.data()), 0);
    options_.in = in[0];
    options_.out = out[1];
    options_.roots_timeout_ms = roots_timeout_ms;
    to_server_ = Fd(in[1]);
    from_server_ = Fd(out[0]);
    server_in_ = Fd(in[0]);
    server_out_ = Fd(out[1]);
  }
  ~Piped() { finish(); }

  FixtureService& service() { return service_; }
  void start() {
    server_ = std::thread([this] {
      EXPECT_TRUE(mcp::serve(service_, options_));
      server_out_.reset();
    });
  }
  void write(const std::string& bytes) {
    said_.feed(bytes);
    note_requests();
    std::string_view rest = bytes;
    while (!rest.empty()) {
      const auto count = ::write(to_server_.get(), rest.data(), rest.size());
      ASSERT_GT(count, 0);
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  // The next message; null at the end.
  Json read() {
    std::array<char, 65536> bytes{};
    while (true) {
      if (auto line = lines_.next()) return kept(Json::parse(line->text));
      const auto count = ::read(from_server_.get(), bytes.data(), bytes.size());
      if (count <= 0) return nullptr;
      lines_.feed({bytes.data(), static_cast<std::size_t>(count)});
    }
  }
  void close_input() {
    said_.finish();
    note_requests();
    to_server_.reset();
  }
  void close_output() { from_server_.reset(); }
  // Waits for the end.
  void finish() {
    close_input();
    if (server_.joinable()) server_.join();
  }
  void wait() { server_.join(); }

 private:
  void note_requests() {
    while (auto line = said_.next()) {
      last_ = line->text;
      const auto json = mcp::parse_json(line->text);
      if (json && json->contains("method") && json->contains("id"))
        requests_[mcp::to_text((*json)["id"])] = line->text;
    }
  }
  // With the request that it answers, or what was said last.
  Json kept(Json message) {
    const auto request = requests_.find(mcp::to_text(message.value("id", Json())));
    messages_.keep(request == requests_.end() ? last_ : request->second, message);
    return message;
  }

  MessageFile messages_{};
  mcp::LineReader said_{};
  std::map<std::string, std::string> requests_{};  // by id
  std::string last_{};
  FixtureService service_{};
  mcp::ServeOptions options_{};
  Fd to_server_{};
  Fd from_server_{};
  Fd server_in_{};
  Fd server_out_{};
  mcp::LineReader lines_{};
  std::thread server_{};
};

std::string ping(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})" + "\n";
}

std::string call(int id, const std::string& tool, const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" + arguments +
         "}}\n";
}

std::string initialize(const std::string& capabilities = "{}") {
  return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":)"
         R"("2025-11-25","capabilities":)" +
         capabilities + R"(,"clientInfo":{"name":"t","version":"1"}}})" + "\n" +
         R"({"jsonrpc":"2.0","method":"notifications/initialized"})" + "\n";
}

TEST(McpServe, AnswersWhatCameBeforeTheEndAndEnds) {
  Piped pipe;
  pipe.start();
  pipe.write(ping(1) + "\n\r\n" + ping(2) + "{broken\n" +
             R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  pipe.close_input();
  EXPECT_EQ(pipe.read()["id"], 1);
  EXPECT_EQ(pipe.read()["id"], 2);
  EXPECT_EQ(pipe.read()["error"]["code"], -32700);
  EXPECT_EQ(pipe.read()["id"], 3);
  EXPECT_TRUE(pipe.read().is_null());
  pipe.finish();
}

TEST(McpServe, ALineThatIsTooLongIsOneErrorAndTheNextIsServed) {
  Piped pipe;
  pipe.start();
  const std::string start = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":")";
  const std::string chunk(std::size_t{1} << 20, 'x');
  pipe.write(start);
  for (int i = 0; i < 17; ++i) pipe.write(chunk);
  EXPECT_EQ(pipe.read()["error"]["code"], -32700);
  for (int i = 0; i < 3; ++i) pipe.write(chunk);
  pipe.write("\"}}\n" + ping(2));
  EXPECT_EQ(pipe.read()["id"], 2);
}

TEST(McpServe, ALineOfOneMebibyteComesBackWhole) {
  Piped pipe;
  pipe.start();
  const std::string text(std::size_t{1} << 20, 'y');
  pipe.write(initialize() + call(1, "say", R"({"text":")" + text + "\"}"));
  pipe.read();
  EXPECT_EQ(pipe.read()["result"]["content"][0]["text"], text);
}

TEST(McpServe, AClientThatWritesMuchBeforeItReadsIsNotLeftStanding) {
  constexpr int kMany = 5000;
  Piped pipe;
  pipe.start();
  std::string all;
  for (int i = 1; i <= kMany; ++i) all += ping(i);
  pipe.write(all);
  for (int i = 1; i <= kMany; ++i) ASSERT_EQ(pipe.read()["id"], i);
}

TEST(McpServe, EndsQuietlyWhenNobodyReads) {
  Piped pipe;
  pipe.start();
  pipe.close_output();
  pipe.write(ping(1));
  pipe.wait();
}

TEST(McpServe, EndsOnSigterm) {
  Piped pipe;
  pipe.start();
  pipe.write(ping(1));
  EXPECT_EQ(pipe.read()["id"], 1);
  ::kill(::getpid(), SIGTERM);
  pipe.wait();
}

TEST(McpServe, SigtermEndsALongCall) {
  Piped pipe;
  pipe.start();
  pipe.write(initialize() + R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":)"
                            R"("count","arguments":{"n":2000000000},"_meta":{"progressToken":1}}})"
                            "\n");
  pipe.read();
  EXPECT_EQ(pipe.read()["method"], "notifications/progress");
  ::kill(::getpid(), SIGTERM);
  pipe.wait();
}

TEST(McpServe, ACancellationThatComesDuringACallStopsIt) {
  Piped pipe;
  pipe.start();
  pipe.write(initialize() + call(7, "count", R"({"n":2000000000})"));
  pipe.read();
  pipe.write(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"
             "\n" +
             ping(8));
  EXPECT_EQ(pipe.read()["id"], 8);
}

TEST(McpServe, ACallThatIsTakenBackWhileItWaitsIsNotBegun) {
  Piped pipe;
  pipe.write(initialize() + call(7, "echo", "{}") +
             R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})" +
             "\n" + call(7, "say", R"({"text":"a new one"})"));
  pipe.start();
  pipe.read();
  EXPECT_EQ(pipe.read()["result"]["content"][0]["text"], "a new one");
  pipe.finish();
  EXPECT_EQ(pipe.service().calls(), 1);
}

TEST(McpServe, ChangesFromAnotherThreadAreTold) {
  Piped pipe;
  pipe.start();
  pipe.write(initialize() + R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe",)"
                            R"("params":{"uri":"note://1"}})"
                            "\n");
  pipe.read();
  EXPECT_EQ(pipe.read()["id"], 1);
  pipe.service().changes().add("note://2");
  pipe.service().changes().add("note://1");
  EXPECT_EQ(pipe.read()["params"]["uri"], "note://1");
  pipe.write(call(2, "touch", R"({"uri":"note://1"})"));
  EXPECT_EQ(pipe.read()["id"], 2);
  EXPECT_EQ(pipe.read()["params"]["uri"], "note://1");
}

TEST(McpServe, CallsWaitForTheRootsOfTheClient) {
  Piped pipe;
  pipe.service().ask_for_roots();
  pipe.start();
  pipe.write(initialize(R"({"roots":{}})") + call(1, "echo", "{}"));
  pipe.read();
  EXPECT_EQ(pipe.read()["method"], "roots/list");
  pipe.write(R"({"jsonrpc":"2.0","id":"roots-1","result":{"roots":[{"uri":"file:///here"}]}})"
             "\n");
  EXPECT_EQ(pipe.read()["id"], 1);
  pipe.finish();
  EXPECT_EQ(pipe.service().roots_at_call(), std::vector<std::string>{"file:///here"});
}

TEST(McpServe, CallsDoNotWaitForEverForRoots) {
  for (const int timeout : {0, 3'600'000}) {
    Piped pipe(timeout);
    pipe.service().ask_for_roots();
    pipe.start();
    pipe.write(initialize(R"({"roots":{}})") + call(1, "echo", "{}"));
    pipe.read();
    EXPECT_EQ(pipe.read()["method"], "roots/list");
    if (timeout > 0) pipe.close_input();  // the end is an answer too
    EXPECT_EQ(pipe.read()["id"], 1);
  }
}

TEST(McpServe, AHundredThousandMessagesLeaveNothingBehind) {
  Conversation link;
  mcp::Session session(link.service(), link);
  const auto talk = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      session.receive({{"jsonrpc", "2.0"},
                       {"id", i},
                       {"method", i % 2 == 0 ? "tools/call" : "resources/subscribe"},
                       {"params", {{"name", "say"}, {"uri", "note://1"}}}});
      link.forget();
    }
  };
  session.receive({{"jsonrpc", "2.0"},
                   {"id", 0},
                   {"method", "initialize"},
                   {"params", {{"protocolVersion", "2025-11-25"}}}});
  talk(0, 1000);
  const auto before = ::mallinfo2().uordblks;
  talk(1000, 101'000);
  EXPECT_LT(::mallinfo2().uordblks, before + 65'536);
}

}  // namespace
}  // namespace memfs::testing
