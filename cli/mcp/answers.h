// What tools answer: structured results, and errors as a model can use them.
#pragma once

#include <memfs/result.h>
#include <memfs/store.h>

#include <string>

#include "cli/mcp/protocol/service.h"

namespace memfs::cli {

// `structured`, and the same as text.
mcp::ToolResult answer(mcp::Json structured);
// The library's message and hint as they are, the lists it carries line by line, and all of it
// structured under "error".
mcp::ToolResult refusal(const Error& error);
// What it has under "error".
mcp::Json refusal_parts(const Error& error);
// The text of it alone.
std::string refusal_text(const Error& error);

// What a write did, with "created".
mcp::Json write_answer(const WriteResult& result);
mcp::Json forget_answer(const ForgetResult& result);
// Its schema.
mcp::Json write_schema();

}  // namespace memfs::cli
