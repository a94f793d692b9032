#include "cli/mcp/answers.h"
#include "cli/mcp/fields.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/tools/tools.h"

namespace memfs::cli {
namespace {

Result<mcp::ToolResult> run(const ToolCall& call) {
  ToolArguments arguments(call.arguments);
  const SaveWish wish = save_wish(arguments);
  MEMFS_TRY(arguments.check());
  MEMFS_ASSIGN(const WriteResult result, call.store.save(wish));
  return answer(write_answer(result));
}

}  // namespace

ToolEntry remember_tool() {
  ToolEntry entry;
  mcp::Tool& tool = entry.tool;
  tool.name = "remember";
  tool.title = "Remember";
  tool.description =
      "Keep something for later sessions, or change what is kept: what is left out stays, an empty "
      "text clears. Worth keeping is what makes a later session act better: decisions and their "
      "reasons, preferences of the user, conventions, traps that cost time. State one idea, as a "
      "fact, with why and how to apply it. Not for secrets, for what the repository already "
      "records, for progress on a task, for what is stale in a week, or for claims that something "
      "cannot be done. Recall first, and change the memory that covers it rather than add another.";
  tool.input_schema = schema::arguments(save_properties());
  tool.output_schema = write_schema();
  entry.usual = true;
  entry.run = run;
  return entry;
}

}  // namespace memfs::cli
