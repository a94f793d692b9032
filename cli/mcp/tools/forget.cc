#include "cli/json_parts.h"
#include "cli/mcp/answers.h"
#include "cli/mcp/arguments.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/tools/tools.h"

namespace memfs::cli {
namespace {

Result<mcp::ToolResult> run(const ToolCall& call) {
  ToolArguments arguments(call.arguments);
  const std::string reference = arguments.required("ref");
  const std::string if_match = arguments.text("if_match").value_or("");
  MEMFS_TRY(arguments.check());
  MEMFS_ASSIGN(const ForgetResult result, call.store.forget(reference, false, if_match));
  return answer(forget_answer(result));
}

}  // namespace

ToolEntry forget_tool() {
  using namespace schema;
  ToolEntry entry;
  mcp::Tool& tool = entry.tool;
  tool.name = "forget";
  tool.title = "Forget";
  tool.description =
      "Take out a memory that is wrong or of no use any more. It goes to an archive, from which "
      "recover_memory or the user can bring it back.";
  tool.input_schema = arguments({{"ref", text("scope/name or id of the memory.")},
                                 {"if_match", text("Fail if the memory's etag is another.")}},
                                {"ref"});
  tool.output_schema = schema::result(
      {{"id", text_or_null()}, {"ref", text()}, {"archived_as", text()}, {"usage", any()}},
      {"ref", "archived_as", "usage"});
  tool.destructive = true;
  entry.usual = true;
  entry.run = run;
  return entry;
}

}  // namespace memfs::cli
