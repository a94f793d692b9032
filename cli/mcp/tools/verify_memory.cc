#include "cli/mcp/answers.h"
#include "cli/mcp/arguments.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/tools/tools.h"

namespace memfs::cli {
namespace {

Result<mcp::ToolResult> run(const ToolCall& call) {
  ToolArguments arguments(call.arguments);
  const std::string reference = arguments.required("ref");
  Change expected;
  expected.expected_revision = arguments.number("expected_revision", 1, 1ULL << 53U);
  expected.if_match = arguments.text("if_match");
  MEMFS_TRY(arguments.check());
  MEMFS_ASSIGN(const WriteResult result, call.store.verify(reference, expected));
  return answer(write_answer(result));
}

}  // namespace

ToolEntry verify_memory_tool() {
  using namespace schema;
  ToolEntry entry;
  mcp::Tool& tool = entry.tool;
  tool.name = "verify_memory";
  tool.title = "Verify a memory";
  tool.description =
      "Say that a memory still holds, after you have checked the fact itself: it counts as fresh "
      "again. If it does not hold, change or forget it.";
  tool.input_schema = arguments(
      {{"ref", text("scope/name or id of the memory.")},
       {"expected_revision", number(1, 1ULL << 53U, "Fail if it is not at this revision.")},
       {"if_match", text("Fail if the memory's etag is another.")}},
      {"ref"});
  tool.output_schema = write_schema();
  entry.run = run;
  return entry;
}

}  // namespace memfs::cli
