// The tool memory: remember, update, forget and search in one.
#include <memfs/search.h>

#include "cli/json_parts.h"
#include "cli/mcp/answers.h"
#include "cli/mcp/fields.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/tools/tools.h"
#include "cli/mcp/untrusted.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"
#include "libmemfs/recall/compact_index.h"
#include "libmemfs/recall/untrusted_text.h"

namespace memfs::cli {
namespace {

constexpr std::size_t kHits = 10;

// What a call gives; each action reads the part that it needs.
struct Given {
  std::string action{};
  std::optional<std::string> name{}, content{}, description{}, id{}, query{};
  std::optional<std::vector<std::string>> tags{};
  Scope scope = Scope::kPrivate;
};

Given read(ToolArguments& arguments) {
  Given given;
  given.action = trim(arguments.required("action"));
  for (const auto& [member, key] :
       {std::pair(&given.name, "name"), std::pair(&given.content, "content"),
        std::pair(&given.description, "description"), std::pair(&given.id, "id"),
        std::pair(&given.query, "query")}) {
    *member = arguments.text(key);
    if (*member && trim(**member).empty()) member->reset();
  }
  given.tags = arguments.texts("tags");
  if (arguments.flag("shared")) given.scope = Scope::kShared;
  if (arguments.flag("global")) given.scope = Scope::kGlobal;
  return given;
}

std::vector<FieldEdit> fields_of(const Given& given) {
  std::vector<FieldEdit> fields;
  if (given.description) fields.push_back({"description", *given.description});
  if (given.tags) fields.push_back({"tags", "", *given.tags, given.tags->empty()});
  return fields;
}

// Facts are called by their titles, too.
std::string reference_of(const Store& store, const Given& given) {
  const std::string said = given.id ? *given.id : given.name.value_or("");
  const std::string slug = slug_of(said);
  return !store.read(said) && !slug.empty() && store.read(slug) ? slug : said;
}

mcp::ToolResult told(const char* done, const WriteResult& written) {
  mcp::ToolResult result = answer(write_answer(written));
  const Memory& memory = written.memory;
  result.text = std::string(done) + " " + guarded_text(memory.title) + " [" +
                std::string(name_of(memory.scope)) + "], id " + guarded_text(memory.ref()) + "\n" +
                guarded_text(memory.path);
  for (const std::string& warning : written.warnings)
    result.text += "\nwarning: " + guarded_text(warning);
  return result;
}

Result<mcp::ToolResult> remember(const ToolCall& call, const Given& given) {
  NewMemory wish;
  wish.scope = given.scope;
  wish.fields = fields_of(given);
  std::erase_if(wish.fields, [](const FieldEdit& edit) { return edit.clear; });
  wish.fields.push_back({"title", *given.name});
  wish.body = as_body(*given.content);
  wish.if_absent = true;
  MEMFS_ASSIGN(const WriteResult written, call.store.create(wish));
  return told(written.duplicate ? "Known already:" : "Remembered", written);
}

Result<mcp::ToolResult> update(const ToolCall& call, const Given& given) {
  Change change;
  change.fields = fields_of(given);
  change.body = {BodyEdit::Kind::kSet, as_body(*given.content), {}};
  MEMFS_ASSIGN(const WriteResult written,
               call.store.update(reference_of(call.store, given), change));
  return told("Updated", written);
}

Result<mcp::ToolResult> forget(const ToolCall& call, const Given& given) {
  MEMFS_ASSIGN(const ForgetResult gone, call.store.forget(reference_of(call.store, given)));
  mcp::ToolResult result = answer(forget_answer(gone));
  result.text = "Forgot " + guarded_text(gone.ref) + ", which is archived";
  return result;
}

mcp::Json hit_json(const Hit& hit) {
  const Memory& memory = hit.memory;
  mcp::Json json = {{"ref", shown_reference(memory)},
                    {"id", or_null(guarded_text(memory.id))},
                    {"scope", name_of(memory.scope)},
                    {"path", guarded_text(memory.path)}};
  if (memory.scope == Scope::kShared) json["origin"] = kSharedOrigin;
  if (hit.held_back.empty()) {
    json["title"] = visible(memory.title);
    json["snippet"] = visible(hit.snippet);
  } else {
    json["held_back"] = held_back_reason(hit.held_back);
  }
  return json;
}

std::string spoken(const mcp::Json& hit) {
  std::string text = "\n- " + hit["ref"].get<std::string>();
  for (const char* part : {"title", "snippet", "held_back", "origin"})
    if (hit.contains(part)) text += "\n  " + hit[part].get<std::string>();
  return text;
}

Result<mcp::ToolResult> find(const ToolCall& call, const Given& given) {
  SearchRequest request;
  request.query = *given.query;
  request.limit = kHits;
  request.guarded = true;
  MEMFS_ASSIGN(const SearchResult found, search(call.store, request, call.now));
  mcp::ToolResult result;
  mcp::Json hits = mcp::Json::array();
  result.text =
      found.hits.empty() ? "No memory matches that." : std::to_string(found.total) + " found:";
  std::vector<const Memory*> returned;
  for (const Hit& hit : found.hits) {
    returned.push_back(&hit.memory);
    hits.push_back(hit_json(hit));
    result.text += spoken(hits.back());
  }
  call.store.note_returned(returned);
  result.structured = {{"hits", std::move(hits)}, {"total", found.total}};
  return result;
}

// What each action cannot do without.
void check_given(ToolArguments& arguments, const Given& given) {
  const bool is_search = given.action == "search";
  if (given.action == "remember" && !given.name) (void)arguments.required("name");
  if (is_search && !given.query) (void)arguments.required("query");
  if ((given.action == "update" || given.action == "forget") && !given.id && !given.name)
    (void)arguments.required("id");
  if ((given.action == "remember" || given.action == "update") && !given.content)
    (void)arguments.required("content");
}

Result<mcp::ToolResult> run(const ToolCall& call) {
  ToolArguments arguments(call.arguments);
  const Given given = read(arguments);
  MEMFS_TRY(arguments.check());
  check_given(arguments, given);
  MEMFS_TRY(arguments.check());
  if (given.action == "remember") return remember(call, given);
  if (given.action == "update") return update(call, given);
  if (given.action == "forget") return forget(call, given);
  if (given.action == "search") return find(call, given);
  arguments.wrong("there is no action `" + escape_for_terminal(given.action) + "`",
                  "use remember, update, forget or search");
  return arguments.check().error();
}

mcp::Tool described() {
  mcp::Tool tool;
  tool.name = "memory";
  tool.title = "Memory";
  tool.description =
      "Facts that outlast this session: what the user prefers or decided and why, conventions of "
      "the project, traps that cost time. Save one only if a later session does better for it, one "
      "idea each, in words that still hold next month; what the user said counts for more than "
      "what you conclude. Search before you save, and update rather than add. No secrets, no state "
      "of a task, nothing that the repository says itself.";
  using namespace schema;
  tool.input_schema = schema::arguments(
      {{"action", choice({"remember", "update", "forget", "search"}, "What to do.")},
       {"name", text("Short title of the fact. For remember.")},
       {"content", text("The fact, in markdown. For remember and update, which replaces it.")},
       {"description", text("One line that says what it is about; its first line if left out.")},
       {"tags", texts("Words to find it by; an update without them keeps those there are.")},
       {"shared", flag("Into the repository, for everybody who works on it.")},
       {"global", flag("For all projects of this user.")},
       {"id", text("Id or name of the fact. For update and forget.")},
       {"query", text("What to look for. For search.")}},
      {"action"});
  tool.destructive = true;
  return tool;
}

}  // namespace

ToolEntry memory_tool() {
  ToolEntry entry;
  entry.tool = described();
  entry.reads = true;  // to search
  entry.run = run;
  return entry;
}

}  // namespace memfs::cli
