#include <memfs/links.h>

#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

int run(Context& context, const Args& args) {
  GraphRequest request;
  const auto scopes = scope_arguments(args);
  if (!scopes) return context.fail(scopes.error());
  request.scopes = *scopes;
  request.broken = args.has("broken");
  if (!args.rest().empty()) request.root = args.rest().front();
  if (const auto text = args.value("depth")) {
    const auto depth = number_argument("depth", *text);
    if (!depth) return context.fail(depth.error());
    request.depth = *depth;
    if (request.root.empty())
      return context.fail(make_error(ErrorCode::kUsage, "--depth counts from a memory")
                              .with_hint("mem graph REF --depth 2"));
  }
  const std::string format = context.json ? "json" : args.value("format").value_or("dot");
  if (format != "dot" && format != "mermaid" && format != "json")
    return context.fail(
        make_error(ErrorCode::kUsage, "not a format: " + format).with_hint("dot, mermaid or json"));
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const Progress progress(context.err_is_terminal && !context.quiet, "reading links");
  const auto graph = link_graph(*store, request);
  if (!graph) return context.fail(graph.error());
  context.note_problems(graph->problems);
  if (format == "json") {
    context.out() << graph_json(*graph);
  } else {
    context.out() << (format == "dot" ? render_dot(*graph) : render_mermaid(*graph));
  }
  return 0;
}

}  // namespace

Command graph_command() {
  Command command;
  command.summary = "the links between memories as DOT, Mermaid or JSON";
  command.arguments = {{"REF", "only what is linked with this memory, either way", false}};
  command.flags = {{"--format", "FORMAT", "dot (the default), mermaid or json"},
                   {"--depth", "N", "over so many links from REF (1)"},
                   {"--scope", "SCOPE", "private, shared or global; may be repeated", true},
                   {"--broken", "", "also links that lead nowhere, dashed"}};
  command.details = "Each memory is one node, however many links there are.\n";
  command.examples =
      "  mem graph | dot -Tsvg > memories.svg\n  mem graph deploy/rollback --depth 2 "
      "--format mermaid\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
