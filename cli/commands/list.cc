#include <memfs/freshness.h>

#include <algorithm>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/row_format.h"
#include "cli/write_options.h"
#include "libmemfs/base/unicode.h"

namespace memfs::cli {
namespace {

// Of a memory without the date: older than everything.
std::int64_t stamp_of(const std::optional<Date>& date) {
  return date && date->at ? date->at->time_since_epoch().count() : 0;
}

Result<void> sort_by(std::vector<Memory>& memories, const std::string& by) {
  const auto sort = [&](auto before) {
    std::stable_sort(memories.begin(), memories.end(), before);
  };
  if (by == "name") return {};
  if (by == "title") {
    sort([](const Memory& a, const Memory& b) { return fold_name(a.title) < fold_name(b.title); });
  } else if (by == "updated") {
    sort([](const Memory& a, const Memory& b) {
      return stamp_of(a.updated_at) > stamp_of(b.updated_at);
    });
  } else if (by == "created") {
    sort([](const Memory& a, const Memory& b) {
      return stamp_of(a.created_at) > stamp_of(b.created_at);
    });
  } else {
    return make_error(ErrorCode::kUsage, "cannot sort by `" + by + "`")
        .with_hint("sort by name, title, updated or created");
  }
  return {};
}

std::string marks_of(const Memory& memory, const Context& context) {
  std::string marks;
  if (memory.needs_attention()) marks += " [needs attention]";
  const Freshness freshness = age_of(memory, context.now()).freshness;
  if (freshness == Freshness::kStale || freshness == Freshness::kExpired)
    marks += " [" + std::string(name_of(freshness)) + "]";
  if (memory.activation == "pinned") marks += " [pinned]";
  if (memory.kind != "fact") marks += " [" + memory.kind + "]";
  return marks;
}

// "ref  title — description [marks]", cut to the terminal's width.
void print_rows(Context& context, const std::vector<Memory>& memories) {
  std::size_t ref_width = 0;
  for (const Memory& memory : memories)
    ref_width = std::max(ref_width, display_width(context.shown(memory.ref())));
  ref_width = std::min<std::size_t>(ref_width, context.width == 0 ? 48 : context.width * 2 / 5);
  for (const Memory& memory : memories) {
    const std::string ref = context.shown(memory.ref());
    std::string line = context.shown(memory.title);
    if (memory.has_description) line += " — " + context.shown(memory.description);
    const std::string marks = marks_of(memory, context);
    const std::size_t used = std::max(ref_width, display_width(ref)) + 2 + display_width(marks);
    if (context.width > used + 10 && display_width(line) > context.width - used) {
      std::size_t keep = context.width - used - 1;
      while (display_width(take_graphemes(line, keep)) > context.width - used - 1) --keep;
      line = std::string(take_graphemes(line, keep)) + "…";
    }
    const std::size_t pad = ref_width > display_width(ref) ? ref_width - display_width(ref) : 0;
    context.out() << context.bold(ref) << std::string(pad + 2, ' ') << line << context.dim(marks)
                  << "\n";
  }
}

int run_archived(Context& context, Store& store) {
  auto archived = store.archived();
  if (!archived) return context.fail(archived.error());
  if (context.json) {
    context.out() << archived_json(*archived, context.now());
    return 0;
  }
  for (const ArchivedMemory& copy : *archived)
    context.out() << context.shown(copy.memory.ref()) << "  " << copy.archived << "  "
                  << context.shown(copy.memory.title) << "\n";
  return 0;
}

int run(Context& context, const Args& args) {
  const auto scopes = scope_arguments(args);
  if (!scopes) return context.fail(scopes.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  if (args.has("archived")) return run_archived(context, *store);
  const Progress progress(context.err_is_terminal && !context.quiet, "reading memories");
  auto listing = store->list(*scopes);
  if (!listing) return context.fail(listing.error());
  auto memories = filter_memories(std::move(listing->memories), args.rest(), context.now());
  if (!memories) return context.fail(memories.error());
  if (auto sorted = sort_by(*memories, args.value("sort").value_or("name")); !sorted)
    return context.fail(sorted.error());
  if (context.json) {
    context.out() << list_json(*memories, listing->problems, context.now());
    return 0;
  }
  context.note_problems(listing->problems);
  if (args.has("format") || args.has("null")) {
    const std::string format = args.value("format").value_or("{path}");
    for (const Memory& memory : *memories)
      context.out() << format_row(format, memory, nullptr) << (args.has("null") ? '\0' : '\n');
    return 0;
  }
  if (memories->empty()) context.note("no memories here yet: mem add 'the first one'");
  print_rows(context, *memories);
  return 0;
}

}  // namespace

Command list_command() {
  Command command;
  command.summary = "list memories";
  command.arguments = {
      {"FILTER", "type:project, tag:git, is:pinned, in:folder/, -is:expired …", false, true}};
  command.flags = {{"--scope", "SCOPE", "private, shared or global; may be repeated", true},
                   {"--sort", "KEY", "name (default), title, updated or created"},
                   {"--format", "ROW", "what to print: {ref} {id} {title} {path} {revision} …"},
                   {"-0,--null", "", "end rows with a NUL byte; paths unless --format is given"},
                   {"--archived", "", "the forgotten ones, which `mem restore` brings back"}};
  command.examples =
      "  mem list type:project\n"
      "  mem list --format '{ref}\\t{title}'\n"
      "  mem list -0 tag:git | xargs -0 grep -l release\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
