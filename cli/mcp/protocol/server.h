// The loop: reads messages, answers them, tells of changes, until the client has gone.
#pragma once

#include "cli/mcp/protocol/service.h"

namespace memfs::mcp {

struct ServeOptions {
  int in = 0;
  int out = 1;
  std::size_t page_size = kPageSize;
  // How long requests wait for the client's roots.
  int roots_timeout_ms = 1000;
};

// Serves until `in` ends, `out` has no reader any more, or SIGTERM comes; what has arrived before
// the end of `in` is answered. Writes nothing but JSON-RPC, one message a line.
// SIGTERM asks a running call to end (CallContext::cancelled); a second one ends the process as it
// would without us.
// While it runs SIGTERM and SIGPIPE are its own; not for two threads at a time.
Result<void> serve(Service& service, const ServeOptions& options = {});

}  // namespace memfs::mcp
