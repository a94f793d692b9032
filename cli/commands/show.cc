#include <memfs/freshness.h>
#include <memfs/links.h>

#include <algorithm>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown.h"

namespace memfs::cli {
namespace {

void field(Context& context, const char* name, const std::string& value) {
  if (value.empty()) return;
  context.out() << context.dim(std::string(name) + ": ") << context.shown(value) << "\n";
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string text_of(const std::optional<Date>& date) { return date ? date->text : ""; }

void print_head(Context& context, const Found& found) {
  const Memory& memory = found.memory;
  context.out() << context.bold(context.shown(memory.title)) << "\n"
                << context.dim(context.shown(memory.ref()) + revision_part(memory.revision))
                << "\n";
  if (memory.has_description) field(context, "description", memory.description);
  field(context, "type", memory.type);
  if (memory.kind != "fact") field(context, "kind", memory.kind);
  if (memory.activation != "relevant") field(context, "activation", memory.activation);
  field(context, "volatility", memory.volatility);
  field(context, "subject", memory.subject_key);
  field(context, "keywords", memory.keywords);
  field(context, "tags", joined(memory.tags));
  if (is_expired(memory, context.now())) {
    field(context, "expired", text_of(memory.expires_at));
  } else {
    field(context, "expires", text_of(memory.expires_at));
  }
  field(context, "verified", text_of(memory.last_verified_at));
  field(context, "updated", text_of(memory.updated_at));
  const Age age = age_of(memory, context.now());
  if (age.freshness == Freshness::kStale)
    field(context, "stale",
          "for " + spoken_duration(age.overdue) + "; `mem verify " + memory.ref() +
              "` once it is known to hold");
  field(context, "id", memory.id);
}

// A line, not a list: `mem links` has all of them.
void print_backlinks(Context& context, const std::vector<Backlink>& backlinks) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> refs;
  for (const Backlink& link : backlinks)
    if (refs.empty() || refs.back() != link.from.ref()) refs.push_back(link.from.ref());
  std::string shown = joined(
      {refs.begin(), refs.begin() + static_cast<std::ptrdiff_t>(std::min(refs.size(), kShown))});
  if (refs.size() > kShown) shown += " and " + std::to_string(refs.size() - kShown) + " more";
  field(context, "linked from", shown);
}

void print_body(Context& context, const Memory& memory) {
  context.out() << "\n"
                << (context.out_is_terminal ? escape_for_terminal(memory.body, true) : memory.body);
  if (!memory.body.ends_with('\n')) context.out() << "\n";
}

void note_findings(Context& context, const Admission& admission) {
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < std::min(admission.findings.size(), kShown); ++i) {
    const Finding& finding = admission.findings[i];
    context.note("the guard found " + finding.rule + " on line " + std::to_string(finding.line) +
                 ": " + finding.message);
  }
  if (!admission.held_back.empty())
    context.note("it is held back from contexts; `mem trust " + admission.memory.ref() +
                 "` lets it in");
}

int show_revision(Context& context, const Args& args, const Store& store) {
  if (args.value("revision")->empty())
    return context.fail(make_error(ErrorCode::kUsage, "--revision is empty"));
  auto text = store.revision(args.rest().front(), *args.value("revision"));
  if (!text) return context.fail(text.error());
  if (context.json) {
    context.out() << revision_json(*text, context.now());
  } else if (args.has("raw")) {
    context.out() << text->bytes;
  } else if (args.has("html")) {
    context.out() << to_html(text->memory.body);
  } else {
    print_head(context, {text->memory, {}});
    print_body(context, text->memory);
  }
  return 0;
}

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  if (args.has("revision")) return show_revision(context, args, *store);
  const auto linked = read_with_backlinks(*store, args.rest().front());
  if (!linked) return context.fail(linked.error());
  const Found& found = linked->found;
  const Memory& memory = found.memory;
  store->note_read(memory);
  for (const std::string& shadowed : found.shadows)
    context.note("this is " + context.shown(memory.ref()) + "; it hides " +
                 context.shown(shadowed));
  const auto admission = store->admit(memory);
  if (!admission) return context.fail(admission.error());
  if (!context.json && args.has("raw")) {
    auto bytes = store->read_bytes(memory);
    if (!bytes) return context.fail(bytes.error());
    context.out() << *bytes;
    return 0;
  }
  if (!context.json && args.has("html")) {
    context.out() << to_html(memory.body);
    return 0;
  }
  if (context.json) {
    context.out() << show_json(found, *admission, linked->back, context.now());
    return 0;
  }
  context.note_problems(memory.problems);
  note_findings(context, *admission);
  print_head(context, found);
  print_backlinks(context, linked->back);
  print_body(context, memory);
  return 0;
}

}  // namespace

Command show_command() {
  Command command;
  command.summary = "print a memory";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY"}};
  command.flags = {{"--raw", "", "the exact bytes of the file"},
                   {"--html", "", "the text as HTML; raw HTML in it is left out"},
                   {"--revision", "N", "an older state, see `mem history`"}};
  command.examples = "  mem show release-branch\n  mem show shared/deploy/rollback --raw\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
