#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

// One line of a diff, coloured on a terminal.
std::string coloured(const Context& context, const std::string& line) {
  if (!context.color || line.empty()) return line;
  if (line.starts_with("+++") || line.starts_with("---")) return context.bold(line);
  if (line.front() == '+') return "\x1b[32m" + line + "\x1b[0m";
  if (line.front() == '-') return "\x1b[31m" + line + "\x1b[0m";
  return line;
}

void print_diff(Context& context, const std::string& text) {
  if (!context.out_is_terminal) {
    context.out() << text;
    return;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    context.out() << coloured(context, escape_for_terminal(text.substr(begin, end - begin)))
                  << "\n";
    begin = end + 1;
  }
}

int run(Context& context, const Args& args) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const auto& words = args.rest();
  if (words.size() > 3) {
    return context.fail(
        make_error(ErrorCode::kUsage, "too many revisions").with_hint("mem diff REF [FROM [TO]]"));
  }
  auto diff =
      store->diff(words[0], words.size() > 1 ? words[1] : "", words.size() > 2 ? words[2] : "");
  if (!diff) return context.fail(diff.error());
  if (context.json) {
    context.out() << diff_json(diff->memory, *diff);
  } else {
    print_diff(context, diff->text);
  }
  return 0;
}

}  // namespace

Command diff_command() {
  Command command;
  command.summary = "what changed between two states of a memory";
  command.arguments = {{"REF", "the memory, and then revisions: FROM, or FROM TO", true, true}};
  command.details =
      "Without revisions the last change, with one what changed from it to the file as it is now.\n"
      "The output is a unified diff.\n";
  command.examples =
      "  mem diff release-branch\n  mem diff release-branch 2\n  mem diff release-branch 2 4\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
