// Every tool, one file each. docs/mcp.md tells of them with examples.
#pragma once

#include <memfs/result.h>

#include <string_view>
#include <vector>

#include "cli/mcp/tool.h"

namespace memfs::cli {

ToolEntry remember_tool();
ToolEntry recall_tool();
ToolEntry read_memory_tool();
ToolEntry forget_tool();
ToolEntry memory_context_tool();
ToolEntry recover_memory_tool();
ToolEntry verify_memory_tool();
ToolEntry memory_batch_tool();
ToolEntry memory_tool();
ToolEntry save_note_tool();

// The tools of a choice, in a fixed order: "" for the usual ones, "all", or names with commas
// between them. With `read_only` only those that write nothing. kUsage for a name that is none.
Result<std::vector<ToolEntry>> chosen_tools(std::string_view choice, bool read_only);

}  // namespace memfs::cli
