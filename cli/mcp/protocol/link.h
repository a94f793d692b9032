// What a session needs of the connection; serve() has one, tests have another.
#pragma once

#include "cli/mcp/protocol/json_text.h"

namespace memfs::mcp {

class Link {
 public:
  virtual ~Link() = default;
  virtual void send(const Json& message) = 0;
  // Whether a notification has arrived, and waits to be read, that cancels the request; or the
  // process is to end.
  virtual bool cancelled(const Json& id) = 0;
};

}  // namespace memfs::mcp
