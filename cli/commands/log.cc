#include <algorithm>
#include <charconv>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/write_options.h"
#include "libmemfs/format/date.h"

namespace memfs::cli {
namespace {

// "3d", "2w", "5h", "30min", or a date.
Result<Instant> since_argument(const Context& context, const std::string& text) {
  if (const auto date = parse_date(text)) return date->at;
  std::int64_t count = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(parsed.ptr, text.data() + text.size());
  std::chrono::minutes length{};
  if (unit == "min") length = std::chrono::minutes(1);
  if (unit == "h") length = std::chrono::hours(1);
  if (unit == "d") length = std::chrono::days(1);
  if (unit == "w") length = std::chrono::weeks(1);
  constexpr std::int64_t kMost = 1'000'000;
  if (parsed.ec == std::errc{} && length.count() > 0 && count >= 0 && count <= kMost)
    return context.now() - count * length;
  return make_error(ErrorCode::kUsage, "--since takes a date or a time span, not `" + text + "`")
      .with_hint("write 2026-11-30, 1d, 2w, 5h or 30min");
}

std::string spoken(const WriteEntry& entry) {
  std::string text(name_of(entry.operation));
  if (!entry.takes_back.empty()) text = "undo";
  text.resize(std::max<std::size_t>(text.size(), 8), ' ');
  return text;
}

void print_entry(Context& context, const WriteEntry& entry) {
  std::string line = format_instant(entry.at) + "  " + spoken(entry) + "  " +
                     context.bold(context.shown(
                         entry.name.empty() ? std::string(name_of(entry.scope)) : entry.ref()));
  line += revision_part(entry.revision);
  if (!entry.origin.empty()) line += ", from " + context.shown(entry.origin);
  if (!entry.by.empty()) line += ", by " + context.shown(entry.by);
  if (entry.undone) line += context.dim(" [undone]");
  context.out() << line << "\n";
}

int run(Context& context, const Args& args) {
  LogFilter filter;
  auto scopes = scope_arguments(args);
  if (!scopes) return context.fail(scopes.error());
  filter.scopes = *scopes;
  filter.by = args.value("by").value_or("");
  if (const auto text = args.value("since")) {
    auto since = since_argument(context, *text);
    if (!since) return context.fail(since.error());
    filter.since = *since;
  }
  std::uint64_t limit = args.has("since") ? 10000 : 30;
  if (const auto text = args.value("limit")) {
    auto number = number_argument("limit", *text);
    if (!number) return context.fail(number.error());
    limit = *number;
  }
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto entries = store->log(filter);
  if (!entries) return context.fail(entries.error());
  const std::size_t all = entries->size();
  entries->resize(std::min<std::size_t>(all, limit));
  if (context.json) {
    context.out() << log_json(*entries);
    return 0;
  }
  for (const WriteEntry& entry : *entries) print_entry(context, entry);
  if (all > entries->size())
    context.note("the newest " + std::to_string(entries->size()) + " of " + std::to_string(all) +
                 ": -n shows more");
  return 0;
}

}  // namespace

Command log_command() {
  Command command;
  command.summary = "what was written across the folder, newest first";
  command.flags = {{"--since", "WHEN", "a date, or 1d, 2w, 5h, 30min ago"},
                   {"--by", "WHO", "written by this person or program"},
                   {"--scope", "SCOPE", "private, shared or global; may be repeated", true},
                   {"-n,--limit", "N", "how many to print (30; with --since all)"}};
  command.details =
      "The log is this machine's. Files that an editor, git or another machine wrote are in it as\n"
      "by-hand, with the time that the file or its last commit has.\n";
  command.examples = "  mem log --since 1d\n  mem log --by claude -n 5\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
