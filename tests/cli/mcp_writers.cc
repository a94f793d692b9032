#include "tests/cli/mcp_writers.h"

#include <memfs/store.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/mcp_client.h"

namespace memfs::testing {
namespace {

using Json = nlohmann::json;

class Writer {
 public:
  Writer(const std::vector<std::string>& words, int number) : client_(words), number_(number) {}

  void write(int write) { write % 10 == 0 ? change_common() : make_own(write); }
  const std::string& failure() const { return failure_; }

 private:
  void make_own(int write) {
    const std::string name = "w" + std::to_string(number_) + "-" + std::to_string(write);
    const Json made = client_.call("remember", {{"name", name}, {"body", "word" + name}});
    if (!made.contains("ref")) failure_ = made.dump();
  }

  // As often as others are told from it: each time one of them is not.
  void change_common() {
    for (;;) {
      const Json read = client_.call("read_memory", {{"refs", {"common"}}})["memories"][0];
      const std::string body =
          read["body"].get<std::string>() + "by " + std::to_string(number_) + "\n";
      const Json changed = client_.call(
          "remember",
          {{"name", "common"}, {"body", body}, {"expected_revision", read["revision"]}});
      if (changed.contains("ref")) return;
      if (changed["error"]["code"] == "conflict") continue;
      failure_ = changed.dump();
      return;
    }
  }

  McpClient client_;
  int number_;
  std::string failure_{};
};

std::string differs(const std::string& what, std::uint64_t is, std::uint64_t should) {
  return is == should ? ""
                      : what + ": " + std::to_string(is) + ", not " + std::to_string(should) + "\n";
}

std::string check(const std::string& root, int servers, int writes) {
  const auto layout = layout_at(root);
  const auto store = Store::open(*layout);
  const auto all = static_cast<std::uint64_t>(servers);
  const auto common_each = static_cast<std::uint64_t>((writes + 9) / 10);
  const auto own_each = static_cast<std::uint64_t>(writes) - common_each;
  const auto common = store->read("common");
  if (!common) return common.error().message;
  std::string wrong = differs("memories", store->list()->memories.size(), all * own_each + 1) +
                      differs("revision", common->memory.revision, all * common_each + 1);
  std::map<std::string, std::uint64_t> lines;
  std::istringstream body(common->memory.body);
  for (std::string line; std::getline(body, line);) ++lines[line];
  for (int number = 0; number < servers; ++number) {
    const std::string line = "by " + std::to_string(number);
    wrong += differs(line, lines[line], common_each);
  }
  return wrong;
}

}  // namespace

std::string write_at_once(const std::string& program, const std::string& root, int servers,
                          int writes) {
  const std::vector<std::string> words = {program, "--root", root, "mcp"};
  McpClient(words).call("remember", {{"name", "common"}, {"body", "begin"}});
  std::vector<std::string> failures(static_cast<std::size_t>(servers));
  std::vector<std::thread> threads;
  for (int number = 0; number < servers; ++number)
    threads.emplace_back([&, number] {
      Writer writer(words, number);
      for (int i = 0; i < writes && writer.failure().empty(); ++i) writer.write(i);
      failures[static_cast<std::size_t>(number)] = writer.failure();
    });
  for (std::thread& thread : threads) thread.join();
  std::string wrong;
  for (const std::string& failure : failures) wrong += failure;
  return wrong + check(root, servers, writes);
}

}  // namespace memfs::testing
