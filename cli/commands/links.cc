#include <memfs/links.h>

#include <algorithm>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"

namespace memfs::cli {
namespace {

std::string state_of(const Context& context, const TextLink& link) {
  switch (link.state) {
    case LinkState::kMemory:
      return "-> " + context.bold(context.shown(link.ref)) +
             (link.ambiguous ? "  (others fit as well)" : "");
    case LinkState::kBroken:
      return "broken";
    case LinkState::kElsewhere:
      return "elsewhere";
  }
  return "";
}

void print_out(Context& context, const LinkReport& report) {
  if (!report.out.empty()) context.out() << "out\n";
  for (const TextLink& link : report.out)
    context.out() << "  " << link.line << ":" << link.column << "  " << context.shown(link.text)
                  << "  " << state_of(context, link) << "\n";
}

void print_back(Context& context, const LinkReport& report) {
  if (!report.back.empty()) context.out() << "back\n";
  for (const Backlink& back : report.back)
    context.out() << "  " << context.bold(context.shown(back.from.ref())) << ":" << back.link.line
                  << "  " << context.shown(back.link.text) << "\n";
}

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto report = links_of(*store, args.rest().front());
  if (!report) return context.fail(report.error());
  const bool one_side = args.has("out") != args.has("back");
  if (one_side && args.has("out")) report->back.clear();
  if (one_side && args.has("back")) report->out.clear();
  if (args.has("broken")) {
    report->back.clear();
    std::erase_if(report->out,
                  [](const TextLink& link) { return link.state != LinkState::kBroken; });
  }
  const bool nothing = report->out.empty() && report->back.empty();
  if (context.json) {
    context.out() << links_json(*report);
    return nothing ? 1 : 0;
  }
  context.note_problems(report->problems);
  if (nothing) {
    context.note("no such links");
    return 1;
  }
  print_out(context, *report);
  print_back(context, *report);
  return 0;
}

}  // namespace

Command links_command() {
  Command command;
  command.summary = "where a memory's links lead, and what links to it";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY"}};
  command.flags = {{"--out", "", "only the links in it"},
                   {"--back", "", "only the links to it"},
                   {"--broken", "", "only those in it that lead nowhere"}};
  command.details =
      "[[name]], [[scope/name|shown]], [[name#heading]], [[id]], ![[name]] and relative markdown\n"
      "links. Each is shown with line and column of the file. Exits with 1 if there are none.\n";
  command.examples =
      "  mem links deploy/rollback\n  mem links --back shared/release-branch --json\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
