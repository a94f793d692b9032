#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/write_options.h"

#include <ostream>

namespace memfs::cli {
namespace {

int run(Context& context, const Args& args) {
  Change expected;
  if (const auto text = args.value("expected-revision")) {
    auto number = number_argument("expected-revision", *text);
    if (!number) return context.fail(number.error());
    expected.expected_revision = *number;
  }
  expected.if_match = args.value("if-match");
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  if (args.rest().size() > 1 && (args.has("expected-revision") || args.has("if-match"))) {
    return context.fail(make_error(ErrorCode::kUsage, "an expectation is about one memory")
                            .with_hint("verify them one by one"));
  }
  // Before anything is written.
  for (const std::string& reference : args.rest())
    if (const auto found = store->read(reference); !found) return context.fail(found.error());
  std::vector<WriteResult> results;
  for (const std::string& reference : args.rest()) {
    auto result = store->verify(reference, expected);
    if (!result) return context.fail(result.error());
    if (!context.json) report_write(context, "Verified", *result);
    results.push_back(std::move(*result));
  }
  if (context.json) context.out() << verify_json(results);
  return 0;
}

}  // namespace

Command verify_command() {
  Command command;
  command.summary = "say that a memory still holds";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY", true, true}};
  command.flags = {{"--expected-revision", "N", "fail unless the memory is at this revision"},
                   {"--if-match", "ETAG", "fail unless the file still has this etag"}};
  command.details = "Renews last_verified_at, and with it the time until the memory is stale.\n";
  command.examples = "  mem stale\n  mem verify release-branch\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
