// Keeps what a test makes the server say, for check_messages.py to hold against the schemas.
#pragma once

#include <fstream>
#include <string_view>

#include "cli/mcp/protocol/json_text.h"

namespace memfs::testing {

// One file a conversation, named after the test that is running.
class MessageFile {
 public:
  MessageFile();
  // `request` is the line to which the message is an answer.
  void keep(std::string_view request, const mcp::Json& message);

 private:
  std::ofstream file_{};
};

}  // namespace memfs::testing
