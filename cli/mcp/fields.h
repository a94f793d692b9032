// The fields of a memory as arguments, for all tools that write one.
#pragma once

#include <memfs/store.h>

#include "cli/mcp/arguments.h"

namespace memfs::cli {

// Properties of an input schema: every field, body, and what a write is asked for besides.
mcp::Json save_properties();
// What is given of them. Texts that are given empty clear their field.
SaveWish save_wish(ToolArguments& arguments);

// A body without a newline at its end gets one, as files have.
std::string as_body(std::string text);

}  // namespace memfs::cli
