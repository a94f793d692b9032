// A session without pipes over any service: lines in, messages out. Each message that goes out is
// also kept in a file of the test, which check_messages.py validates against the schema of its
// revision.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/protocol/session.h"
#include "tests/mcp/message_file.h"

namespace memfs::testing {

class Talk : public mcp::Link {
 public:
  explicit Talk(mcp::Service& service, std::size_t page_size = mcp::kPageSize)
      : session_(service, *this, page_size) {}

  // Everything that is said to one line, in order.
  std::vector<mcp::Json> say_all(std::string_view line);
  // The one message that is said to it; null if there is none or more than one.
  mcp::Json say(std::string_view line);
  // A request with id 1; `params` as JSON.
  mcp::Json ask(const std::string& method, const std::string& params = "{}");
  // The same by 2026-07-28: with its _meta.
  mcp::Json ask_stateless(const std::string& method, mcp::Json params = mcp::Json::object());
  // initialize for a revision; gives the result.
  mcp::Json open(const std::string& revision, const std::string& capabilities = "{}");
  // What the subscribers are told.
  std::vector<mcp::Json> tell(const mcp::Changes& changes);

  // The request that has been cancelled by a notification which waits.
  void cancel(const mcp::Json& id, int after_questions = 0);

  void forget() { sent_.clear(); }
  // What was sent last.
  const mcp::Json& last() const { return sent_.back(); }
  mcp::Session& session() { return session_; }

  void send(const mcp::Json& message) override { sent_.push_back(message); }
  bool cancelled(const mcp::Json& id) override;

 private:
  mcp::Session session_;
  std::vector<mcp::Json> sent_{};
  MessageFile messages_{};
  mcp::Json cancelled_{};
  int questions_left_ = 0;
};

// Of the error that `response` is; 0 if it is none.
int code_of(const mcp::Json& response);

// Adds what a request by 2026-07-28 carries.
mcp::Json stateless(mcp::Json params);

}  // namespace memfs::testing
