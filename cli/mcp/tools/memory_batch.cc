// The tool memory_batch: several writes, all or nothing.

#include "cli/json_parts.h"
#include "cli/mcp/answers.h"
#include "cli/mcp/fields.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/tools/tools.h"
#include "cli/mcp/untrusted.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

constexpr std::size_t kMostOperations = 100;

Consent consent_in(ToolArguments& arguments) {
  Consent consent;
  consent.near_duplicate = arguments.flag("force");
  return consent;
}

// What a memory that exists is called: `ref` as in the single tools, or `id` as in remember.
std::string reference_in(ToolArguments& arguments) {
  const std::string id(trim(arguments.text("id").value_or("")));
  return id.empty() ? arguments.required("ref") : id;
}

BatchItem item_in(const std::string& action, ToolArguments& arguments) {
  if (action == "forget")
    return BatchForget{reference_in(arguments), arguments.text("if_match").value_or("")};
  if (action == "recover") return BatchRecover{reference_in(arguments), consent_in(arguments)};
  if (action == "verify") {
    BatchVerify verify{reference_in(arguments), {}};
    verify.expectations.expected_revision = arguments.number("expected_revision", 1, 1ULL << 53U);
    verify.expectations.if_match = arguments.text("if_match");
    return verify;
  }
  SaveWish wish = save_wish(arguments);
  if (action == "update" && wish.reference.empty()) {
    // An update never makes a memory, whatever it is called by.
    wish.reference = wish.name.empty() ? trim(arguments.required("ref")) : wish.name;
    wish.name.clear();
  }
  return wish;
}

Error of_item(Error error, std::size_t item) {
  error.message = "item " + std::to_string(item) + ": " + error.message;
  return std::move(error).with("item", std::to_string(item));
}

Result<BatchItem> read_item(const mcp::Json& operation) {
  if (!operation.is_object())
    return make_error(ErrorCode::kUsage, "an operation is an object with an `action`");
  ToolArguments arguments(operation);
  const std::string action(trim(arguments.required("action")));
  MEMFS_TRY(arguments.check());
  const bool known = action == "remember" || action == "update" || action == "forget" ||
                     action == "recover" || action == "verify";
  if (!known) {
    return make_error(ErrorCode::kUsage, "there is no action `" + escape_for_terminal(action) + "`")
        .with_hint("use remember, update, forget, recover or verify");
  }
  BatchItem item = item_in(action, arguments);
  MEMFS_TRY(arguments.check());
  return item;
}

Result<std::vector<BatchItem>> read_items(const mcp::Json& arguments) {
  const mcp::Json* operations = mcp::member(arguments, "operations");
  if (operations == nullptr || !operations->is_array() || operations->empty() ||
      operations->size() > kMostOperations) {
    return make_error(ErrorCode::kUsage, "`operations` must be a list of 1 to " +
                                             std::to_string(kMostOperations) + " objects");
  }
  std::vector<BatchItem> items;
  for (const mcp::Json& operation : *operations) {
    auto item = read_item(operation);
    if (!item) return of_item(std::move(item).error(), items.size());
    items.push_back(std::move(*item));
  }
  return items;
}

mcp::Json outcome_json(const BatchOutcome& outcome) {
  if (outcome.written) return write_answer(*outcome.written);
  return forget_answer(*outcome.forgotten);
}

Result<mcp::ToolResult> run(const ToolCall& call) {
  MEMFS_ASSIGN(const std::vector<BatchItem> items, read_items(call.arguments));
  MEMFS_ASSIGN(const BatchResult done, call.store.batch(items));
  mcp::Json results = mcp::Json::array();
  for (const BatchOutcome& outcome : done.items) results.push_back(outcome_json(outcome));
  return answer({{"results", std::move(results)}, {"warnings", guarded_texts(done.warnings)}});
}

mcp::Json operation_schema() {
  using namespace schema;
  mcp::Json properties = {
      {"action", choice({"remember", "update", "forget", "recover", "verify"},
                        "remember takes what the tool remember takes; update the same, for a "
                        "memory that is there.")},
      {"ref", text("scope/name or id of the memory, for all but remember.")}};
  properties.update(save_properties());
  return object(std::move(properties), {"action"});
}

}  // namespace

ToolEntry memory_batch_tool() {
  using namespace schema;
  ToolEntry entry;
  mcp::Tool& tool = entry.tool;
  tool.name = "memory_batch";
  tool.title = "Several writes as one";
  tool.description =
      "Do several writes together, all or none: to split or merge memories, to put a new one in "
      "place of an old one, or to make room in a full scope. Names, subjects and budgets are "
      "looked at as they are after all of them, expected revisions as they are before. Each memory "
      "is meant by one operation at most. An error names the operation, counted from 0.";
  tool.input_schema = arguments(
      {{"operations", list(operation_schema(), "What to do; the order does not matter.")}},
      {"operations"});
  tool.output_schema =
      schema::result({{"results", list(any(), "One for each operation, as its own tool answers.")},
                      {"warnings", texts()}},
                     {"results", "warnings"});
  tool.destructive = true;
  entry.run = run;
  return entry;
}

}  // namespace memfs::cli
