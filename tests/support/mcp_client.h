// A client of `mem mcp` that talks to one process over pipes.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace memfs::testing {

class McpClient {
 public:
  // Starts the process and agrees on 2025-11-25. REQUIRES: the program is there.
  explicit McpClient(const std::vector<std::string>& words);
  McpClient(McpClient&& other) noexcept;
  McpClient& operator=(McpClient&&) = delete;
  ~McpClient();

  // The response to a request; null if the process has gone.
  nlohmann::json ask(const std::string& method, nlohmann::json params = nlohmann::json::object());
  // The structured content of a tool's result, or the whole response if there is none.
  nlohmann::json call(const std::string& tool, nlohmann::json arguments);
  // Waits for a notification; its `uri`.
  std::string notified(const std::string& method);
  // What came on standard output and is no JSON-RPC.
  const std::string& other_lines() const { return other_; }
  // Ends the input and waits for the process; its exit code.
  int close();

 private:
  bool read_line(std::string& line);

  int pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  int id_ = 0;
  std::string buffer_{};
  std::string other_{};
};

}  // namespace memfs::testing
