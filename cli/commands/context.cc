#include <memfs/context.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/write_options.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

Result<ContextFormat> format_argument(const Context& context, const Args& args) {
  const std::string name = args.value("format").value_or(context.json ? "json" : "markdown");
  if (name == "markdown") return ContextFormat::kMarkdown;
  if (name == "xml") return ContextFormat::kXml;
  if (name == "json") return ContextFormat::kJson;
  return make_error(ErrorCode::kUsage, "there is no format `" + escape_for_terminal(name) + "`")
      .with_hint("formats are markdown, xml and json");
}

Result<ContextRequest> request_of(const Context& context, const Args& args) {
  ContextRequest request;
  MEMFS_ASSIGN(request.scopes, scope_arguments(args));
  MEMFS_ASSIGN(request.format, format_argument(context, args));
  if (const auto text = args.value("budget")) {
    MEMFS_ASSIGN(request.budget, parse_text_budget(*text));
  }
  if (const auto text = args.value("pinned-budget")) {
    MEMFS_ASSIGN(request.pinned_budget, number_argument("pinned-budget", *text));
  }
  if (const auto text = args.value("facts")) {
    MEMFS_ASSIGN(request.facts, number_argument("facts", *text));
  }
  request.index = !args.has("no-index");
  if (const auto query = args.value("query")) {
    request.query = *query;
    if (query->empty())
      return make_error(ErrorCode::kUsage, "--query is empty")
          .with_hint("leave it out for what holds whatever is asked");
  }
  return request;
}

int run(Context& context, const Args& args) {
  const auto request = request_of(context, args);
  if (!request) return context.fail(request.error());
  context.json = request->format == ContextFormat::kJson;
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto assembled = assemble_context(*store, *request, context.now());
  if (!assembled) return context.fail(assembled.error());
  std::vector<const Memory*> shown;
  for (const auto* part : {&assembled->rules, &assembled->pinned, &assembled->relevant})
    for (const ContextEntry& entry : *part) shown.push_back(&entry.memory);
  store->note_returned(shown);
  for (const std::string& note : assembled->notes) context.note(context.shown(note));
  if (request->format != ContextFormat::kJson) context.note_problems(assembled->problems);
  const std::string& text = assembled->text;
  context.out() << (context.out_is_terminal ? escape_for_terminal(text, true) : text);
  return 0;
}

}  // namespace

Command context_command() {
  Command command;
  command.summary = "what an agent should read now: rules, what is pinned or relevant, an index";
  command.flags = {
      {"--query", "QUERY", "also what answers it well, with the reason"},
      {"--budget", "N", "size of it all: 8000 (bytes), 8k, 1MB, 2000tokens, 2ktokens (16k)"},
      {"--format", "FORMAT", "markdown, xml or json"},
      {"--facts", "N", "relevant ones shown whole (6)"},
      {"--pinned-budget", "N", "characters of pinned bodies (8000)"},
      {"--no-index", "", "without the lines for all others"},
      {"--scope", "SCOPE", "private, shared or global; may be repeated", true}};
  command.details =
      "Memories of --kind preference are rules and come first, then --activation pinned ones, "
      "then\n"
      "what is relevant, then one line for each of the others, the newest if not all fit. Nothing\n"
      "is cut in the middle: what is not shown whole is named, or counted, at the end.\n";
  command.examples = "  mem context\n  mem context --query 'how do we release' --budget 2ktokens\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
