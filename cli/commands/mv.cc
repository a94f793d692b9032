#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

constexpr std::size_t kShownMoves = 20;
constexpr std::size_t kShownLinks = 20;

void print_more(Context& context, std::size_t count, std::size_t shown) {
  if (count > shown) context.out() << "  and " << count - shown << " more\n";
}

void print_moves(Context& context, const MoveResult& result, bool dry_run) {
  const auto& moved = result.moved;
  for (std::size_t i = 0; i < std::min(moved.size(), kShownMoves); ++i)
    context.out() << (dry_run ? "Would move " : "Moved ") << context.shown(moved[i].before.ref())
                  << " to " << context.bold(context.shown(moved[i].after.ref())) << "\n";
  print_more(context, moved.size(), kShownMoves);
  if (moved.size() == 1 && !dry_run)
    context.out() << "  " << context.shown(moved.front().after.path) << "\n";
}

void print_links(Context& context, const MoveResult& result, bool dry_run) {
  const auto& links = result.links;
  if (!links.empty())
    context.out() << counted(links.size(), "link", "links")
                  << (dry_run ? " would follow\n"
                              : (links.size() == 1 ? " follows\n" : " follow\n"));
  for (std::size_t i = 0; i < std::min(links.size(), kShownLinks); ++i)
    context.out() << "  " << context.shown(links[i].ref) << ":" << links[i].line << "  "
                  << context.shown(links[i].before) << " -> " << context.shown(links[i].after)
                  << "\n";
  print_more(context, links.size(), kShownLinks);
}

int run(Context& context, const Args& args) {
  const auto consent = consent_argument(args);
  if (!consent) return context.fail(consent.error());
  MoveWish wish;
  wish.from = args.rest()[0];
  wish.to = args.rest()[1];
  wish.dry_run = args.has("dry-run");
  wish.if_match = args.value("if-match").value_or("");
  wish.consent = *consent;
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const auto result = store->move(wish);
  if (!result) return context.fail(result.error());
  if (context.json) {
    context.out() << move_json(*result, wish.dry_run);
    return 0;
  }
  print_moves(context, *result, wish.dry_run);
  print_links(context, *result, wish.dry_run);
  for (const LeftLink& link : result->left)
    context.note(context.shown(link.ref) + ":" + std::to_string(link.line) + ": " +
                 context.shown(link.text) + " was left as it is: " + link.why);
  for (const std::string& warning : result->warnings) context.note(context.shown(warning));
  return 0;
}

}  // namespace

Command mv_command() {
  Command command;
  command.summary = "rename a memory or a folder, or move it to another scope; links follow";
  command.arguments = {
      {"REF", "a memory, or a folder with a slash at its end: deploy/"},
      {"NEW", "name, scope/name, folder/ or scope/; of a folder: what it is called then"}};
  command.flags = {{"--dry-run", "", "only tell what would be done"},
                   {"--if-match", "ETAG", "only if the file has this etag"}};
  for (Flag& flag : guard_flags(false)) command.flags.push_back(std::move(flag));
  command.details =
      "Every link that leads to a moved memory is rewritten in all scopes that can be written, so\n"
      "that it leads there again; nothing else changes. All of it is done, or none. `mem undo`\n"
      "takes it back. To another scope all checks of a new memory apply.\n";
  command.examples =
      "  mem mv release-branch releases/branch\n  mem mv private/rollback shared/\n"
      "  mem mv deploy/ ops/deploy --dry-run\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
