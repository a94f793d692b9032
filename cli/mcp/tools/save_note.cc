// The tool save_note: short notes under one budget.
#include <memfs/notes.h>

#include "cli/json_parts.h"
#include "cli/mcp/answers.h"
#include "cli/mcp/arguments.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/tools/tools.h"
#include "cli/mcp/untrusted.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/untrusted_text.h"

namespace memfs::cli {
namespace {

constexpr std::size_t kExcerpt = 60;  // graphemes

std::string excerpt(std::string_view text) {
  const std::string shown = visible(trim(text));
  text = shown;
  const std::string_view part = take_graphemes(text, kExcerpt);
  return std::string(part) + (part.size() < text.size() ? "…" : "");
}

mcp::Json usage_answer(const NotesUsage& usage) {
  mcp::Json json = {{"used", usage.used}, {"entries", usage.entries}};
  json["limit"] = usage.limit ? mcp::Json(*usage.limit) : mcp::Json();
  json["percent"] = usage.percent() ? mcp::Json(*usage.percent()) : mcp::Json();
  return json;
}

mcp::ToolResult note_answer(const char* done, std::string_view text, const NoteResult& result) {
  mcp::ToolResult told;
  told.structured = {{"ref", result.memory.ref()},
                     {"id", or_null(result.memory.id)},
                     {"changed", result.changed},
                     {"usage", usage_answer(result.usage)},
                     {"warnings", guarded_texts(result.warnings)}};
  told.text = std::string(done) + ": " + excerpt(text) + "\n" + result.usage.line();
  for (const std::string& warning : result.warnings)
    told.text += "\nwarning: " + guarded_text(warning);
  return told;
}

Result<mcp::ToolResult> run(const ToolCall& call) {
  ToolArguments arguments(call.arguments);
  const std::string action(trim(arguments.required("action")));
  const std::string text = arguments.text("text").value_or("");
  const std::string old(trim(arguments.text("old_substring").value_or("")));
  MEMFS_TRY(arguments.check());
  if (action != "add" && action != "replace" && action != "remove")
    arguments.wrong("there is no action `" + escape_for_terminal(action) + "`",
                    "use add, replace or remove");
  if (action != "remove") (void)arguments.required("text");
  if (action != "add") (void)arguments.required("old_substring");
  MEMFS_TRY(arguments.check());
  Notes notes(call.store);
  if (action == "remove") {
    MEMFS_ASSIGN(const NoteResult removed, notes.remove(old));
    return note_answer("note removed", removed.memory.body, removed);
  }
  MEMFS_ASSIGN(const NoteResult saved,
               action == "add" ? notes.add(text) : notes.replace(old, text));
  return note_answer(saved.duplicate ? "note was there already" : "note saved", text, saved);
}

mcp::Tool described() {
  mcp::Tool tool;
  tool.name = "save_note";
  tool.title = "Save a note";
  tool.description =
      "Keep a short fact about this user or project for later sessions, as soon as you learn it: "
      "one statement a note (\"User prefers concise answers\"), true for longer than a week, that "
      "changes what you would do. Not for progress on a task, for secrets, for what the "
      "repository says itself, or for claims that something cannot be done. All notes share a "
      "small budget. When a save does not fit, the answer lists them: replace or remove one, then "
      "save again.";
  tool.input_schema = schema::arguments(
      {{"action",
        schema::choice({"add", "replace", "remove"},
                       "replace and remove mean the one note that has old_substring in it.")},
       {"text", schema::text("The note, for add and replace.")},
       {"old_substring", schema::text("A part of one note that no other note has.")}},
      {"action"});
  tool.output_schema = schema::result({{"ref", schema::text()},
                                       {"id", schema::text_or_null()},
                                       {"changed", schema::flag()},
                                       {"usage", schema::any()},
                                       {"warnings", schema::texts()}},
                                      {"ref", "changed", "usage"});
  tool.destructive = true;
  return tool;
}

}  // namespace

ToolEntry save_note_tool() {
  ToolEntry entry;
  entry.tool = described();
  entry.run = run;
  return entry;
}

}  // namespace memfs::cli
