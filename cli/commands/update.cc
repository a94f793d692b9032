#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

Result<BodyEdit> body_edit(const Args& args) {
  BodyEdit edit;
  int ways = 0;
  MEMFS_ASSIGN(auto body, body_argument(args));
  if (body) {
    edit.kind = BodyEdit::Kind::kSet;
    edit.text = std::move(*body);
    ++ways;
  }
  if (const auto text = args.value("append")) {
    edit.kind = BodyEdit::Kind::kAppend;
    edit.text = *text;
    ++ways;
  }
  if (const auto old = args.value("replace")) {
    const auto with = args.value("with");
    if (!with) return make_error(ErrorCode::kUsage, "--replace needs --with");
    edit.kind = BodyEdit::Kind::kReplace;
    edit.old = *old;
    edit.text = *with;
    ++ways;
  } else if (args.has("with")) {
    return make_error(ErrorCode::kUsage, "--with needs --replace");
  }
  if (ways > 1)
    return make_error(ErrorCode::kUsage, "give one of --body, --body-file, --append, --replace");
  return edit;
}

Result<Change> change_of(const Args& args) {
  Change change;
  change.fields = field_edits(args);
  MEMFS_ASSIGN(change.body, body_edit(args));
  if (const auto text = args.value("expected-revision")) {
    MEMFS_ASSIGN(change.expected_revision, number_argument("expected-revision", *text));
  }
  change.if_match = args.value("if-match");
  MEMFS_ASSIGN(change.consent, consent_argument(args));
  change.verified = args.has("verified");
  if (change.fields.empty() && !change.verified && change.body.kind == BodyEdit::Kind::kKeep) {
    return make_error(ErrorCode::kUsage, "nothing to change")
        .with_hint("`mem update --help` shows what can be changed");
  }
  return change;
}

int run(Context& context, const Args& args) {
  auto change = change_of(args);
  if (!change) return context.fail(change.error());
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  auto result = store->update(args.rest().front(), *change);
  if (!result) return context.fail(result.error());
  report_write(context, "Updated", *result);
  return 0;
}

}  // namespace

Command update_command() {
  Command command;
  command.summary = "change fields or text of a memory";
  command.arguments = {{"REF", "name, scope/name, id, end of an id, or subject:KEY"}};
  command.flags = {
      {"--body", "TEXT", "the new text"},
      {"--body-file", "FILE", "read the new text from a file; - is standard input"},
      {"--append", "TEXT", "add a line at the end"},
      {"--replace", "OLD", "text that occurs exactly once …"},
      {"--with", "NEW", "… and what takes its place"},
      {"--clear", "FIELD", "remove a field", true},
      {"--verified", "", "you have just made sure that it holds, as `mem verify` says"},
      {"--expected-revision", "N", "fail unless the memory is at this revision"},
      {"--if-match", "ETAG", "fail unless the file still has this etag"},
  };
  for (Flag& flag : guard_flags(true)) command.flags.push_back(std::move(flag));
  for (Flag& flag : field_flags()) command.flags.push_back(std::move(flag));
  command.details =
      "Only the bytes of what is changed are touched: comments, order, quoting and\n"
      "newlines of a hand-written file stay.\n";
  command.examples =
      "  mem update release-branch --append 'hot fixes go there too'\n"
      "  mem update release-branch --replace 7.x --with 8.x --expected-revision 3\n"
      "  mem update subject:project.release_branch --clear expires-at\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
