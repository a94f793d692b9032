#include "cli/mcp/answers.h"
#include "cli/mcp/arguments.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/tools/tools.h"

namespace memfs::cli {
namespace {

Result<mcp::ToolResult> run(const ToolCall& call) {
  ToolArguments arguments(call.arguments);
  const std::string reference = arguments.required("ref");
  Consent consent;
  consent.near_duplicate = arguments.flag("force");
  MEMFS_TRY(arguments.check());
  MEMFS_ASSIGN(const WriteResult result, call.store.recover(reference, consent));
  return answer(write_answer(result));
}

}  // namespace

ToolEntry recover_memory_tool() {
  using namespace schema;
  ToolEntry entry;
  mcp::Tool& tool = entry.tool;
  tool.name = "recover_memory";
  tool.title = "Recover a memory";
  tool.description =
      "Bring a forgotten memory back as its next revision, with every check of a new one.";
  tool.input_schema =
      arguments({{"ref", text("scope/name or id that the memory had.")},
                 {"force", flag("Also if another memory says nearly the same by now.")}},
                {"ref"});
  tool.output_schema = write_schema();
  entry.run = run;
  return entry;
}

}  // namespace memfs::cli
