#include <memfs/search.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/row_format.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The snippet with its hits in bold on a terminal that can.
std::string marked_snippet(const Context& context, const Hit& hit) {
  std::string out;
  std::size_t at = 0;
  for (const auto& [begin, end] : hit.highlights) {
    out += context.shown(hit.snippet.substr(at, begin - at));
    out += context.bold(context.shown(hit.snippet.substr(begin, end - begin)));
    at = end;
  }
  return out + context.shown(hit.snippet.substr(at));
}

void print_hit(Context& context, const Hit& hit, bool explain) {
  const Memory& memory = hit.memory;
  std::ostream& out = context.out();
  out << context.bold(context.shown(memory.ref())) << ":" << hit.line << "  "
      << context.shown(memory.title);
  if (hit.age.freshness == Freshness::kStale || hit.age.freshness == Freshness::kExpired)
    out << context.dim(" [" + std::string(name_of(hit.age.freshness)) + "]");
  if (memory.needs_attention()) out << context.dim(" [needs attention]");
  out << "\n";
  if (!hit.snippet.empty()) out << "    " << marked_snippet(context, hit) << "\n";
  if (!explain) return;
  for (const std::string& line : hit.explanation)
    out << context.dim("      " + context.shown(line)) << "\n";
}

// "Nothing matches" and "not everything could be looked at" are different answers.
int exit_code(const SearchResult& result) {
  if (result.total > 0) return 0;
  return result.complete ? 1 : exit_code_of(make_error(ErrorCode::kIo, ""));
}

void note_nothing(Context& context, const SearchResult& result) {
  context.note(result.complete ? "nothing matches" : "nothing matches in what could be read");
  std::string near;
  for (const std::string& word : result.suggestions)
    near += (near.empty() ? "" : ", ") + context.shown(word);
  if (!near.empty()) context.note("words spelt nearly like it: " + near);
}

int run(Context& context, const Args& args) {
  SearchRequest request;
  request.query = joined(args.rest());
  request.include_expired = args.has("expired");
  auto scopes = scope_arguments(args);
  if (!scopes) return context.fail(scopes.error());
  request.scopes = *scopes;
  if (const auto text = args.value("limit")) {
    auto limit = number_argument("limit", *text);
    if (!limit) return context.fail(limit.error());
    request.limit = *limit;
  }
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const Progress progress(context.err_is_terminal && !context.quiet, "searching");
  auto result = search(*store, request, context.now());
  if (!result) return context.fail(result.error());
  std::vector<const Memory*> returned;
  for (const Hit& hit : result->hits) returned.push_back(&hit.memory);
  store->note_returned(returned);
  if (context.json) {
    context.out() << search_json(*result, request.query);
    return exit_code(*result);
  }
  context.note_problems(result->problems);
  for (const std::string& note : result->notes) context.note(note);
  const bool rows = args.has("format") || args.has("null");
  for (const Hit& hit : result->hits) {
    if (rows) {
      const std::string format = args.value("format").value_or("{path}");
      context.out() << format_row(format, hit.memory, &hit) << (args.has("null") ? '\0' : '\n');
    } else {
      print_hit(context, hit, args.has("explain"));
    }
  }
  if (result->total == 0) note_nothing(context, *result);
  if (result->total > result->hits.size() && !rows)
    context.note("the best " + std::to_string(result->hits.size()) + " of " +
                 std::to_string(result->total) + ": -n shows more");
  return exit_code(*result);
}

}  // namespace

Command search_command() {
  Command command;
  command.summary = "find memories, the best first";
  command.arguments = {
      {"QUERY", "words, \"a phrase\", pre*, -not, +must, type:project tag:git …", true, true}};
  command.flags = {{"-n,--limit", "N", "how many to print (10)"},
                   {"--scope", "SCOPE", "private, shared or global; may be repeated", true},
                   {"--explain", "", "every factor of each score"},
                   {"--expired", "", "expired ones too"},
                   {"--format", "ROW", "what to print: {path}:{line}: {snippet} …"},
                   {"-0,--null", "", "end rows with a NUL byte; paths unless --format is given"}};
  command.details =
      "Any word may match; memories with all of them come first. Punctuation is data.\n"
      "A query that starts with a dash goes behind --.\n"
      "Exits with 1 if nothing matches.\n";
  command.examples =
      "  mem search 'release branch'\n"
      "  mem search 分支 type:project\n"
      "  mem search '\"hot fix\" deploy*' --format '{path}:{line}: {snippet}'\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
