#include "tests/support/mcp_client.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <utility>

extern char** environ;

namespace memfs::testing {

using nlohmann::json;

McpClient::McpClient(const std::vector<std::string>& words) {
  int in[2];  // a socket, which can be written to without a signal when the process has gone
  int out[2];
  // Close-on-exec, so that no other process that a test starts keeps this one's input open.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
    throw std::runtime_error(std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> copy = words;
  std::vector<char*> arguments;
  for (std::string& word : copy) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failed =
      ::posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  to_ = in[1];
  from_ = out[0];
  if (failed != 0) throw std::runtime_error(std::strerror(failed));
  ask("initialize", {{"protocolVersion", "2025-11-25"},
                     {"capabilities", json::object()},
                     {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
}

McpClient::McpClient(McpClient&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      id_(other.id_),
      buffer_(std::move(other.buffer_)),
      other_(std::move(other.other_)) {}

McpClient::~McpClient() { close(); }

int McpClient::close() {
  if (to_ >= 0) ::close(std::exchange(to_, -1));
  int status = 0;
  if (pid_ > 0) ::waitpid(std::exchange(pid_, -1), &status, 0);
  if (from_ >= 0) ::close(std::exchange(from_, -1));
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool McpClient::read_line(std::string& line) {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return true;
    }
    char bytes[65536];
    const ssize_t count = ::read(from_, bytes, sizeof bytes);
    if (count <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(count));
  }
}

json McpClient::ask(const std::string& method, json params) {
  const int id = ++id_;
  const std::string line =
      json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}}
          .dump() +
      "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = ::send(to_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return {};
    sent += static_cast<std::size_t>(count);
  }
  for (std::string answer; read_line(answer);) {
    json message = json::parse(answer, nullptr, false);
    if (message.is_discarded() || !message.contains("jsonrpc")) {
      other_ += answer + "\n";
      continue;
    }
    if (message.contains("id") && message["id"] == id) return message;
  }
  return {};
}

std::string McpClient::notified(const std::string& method) {
  for (std::string line; read_line(line);) {
    const json message = json::parse(line, nullptr, false);
    if (message.is_object() && message.value("method", "") == method)
      return message["params"].value("uri", "");
  }
  return {};
}

json McpClient::call(const std::string& tool, json arguments) {
  json response = ask("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
  if (response.contains("result") && response["result"].contains("structuredContent"))
    return response["result"]["structuredContent"];
  return response;
}

}  // namespace memfs::testing
