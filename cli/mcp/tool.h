// A tool of the server: what the client is told of it, and what a call does.
#pragma once

#include <memfs/result.h>
#include <memfs/store.h>

#include "cli/mcp/protocol/service.h"
#include "libmemfs/base/clock.h"

namespace memfs::cli {

// A call at work. The store is that of the project that the call means.
struct ToolCall {
  const mcp::Json& arguments;
  Store& store;
  Instant now;
  mcp::CallContext& context;
};

struct ToolEntry {
  mcp::Tool tool{};
  bool usual = false;  // offered unless others are chosen
  bool reads = false;  // of use where nothing may be written
  // What the client gets; an error is told to the model with its hint and particulars.
  Result<mcp::ToolResult> (*run)(const ToolCall& call) = nullptr;
};

}  // namespace memfs::cli
