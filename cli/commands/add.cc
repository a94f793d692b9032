#include <filesystem>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/editor.h"
#include "cli/write_options.h"

namespace memfs::cli {
namespace {

bool has_title(const std::vector<FieldEdit>& fields) {
  for (const FieldEdit& edit : fields)
    if (edit.key == "title") return true;
  return false;
}

void set_title(NewMemory& wish, std::string title) {
  FieldEdit edit;
  edit.key = "title";
  edit.text = std::move(title);
  wish.fields.push_back(std::move(edit));
}

// A bare `mem add` on a terminal opens the editor on an empty file: `draft`.
Result<NewMemory> wish_of(Context& context, const Args& args, std::optional<Draft>& draft) {
  NewMemory wish;
  MEMFS_ASSIGN(wish.scope, scope_argument(args, Scope::kPrivate));
  MEMFS_ASSIGN(const auto body, body_argument(args));
  wish.fields = field_edits(args);
  wish.if_absent = args.has("if-absent");
  wish.verified = args.has("verified");
  MEMFS_ASSIGN(wish.consent, consent_argument(args));
  std::string text = args.rest().empty() ? "" : args.rest().front();
  if (text.empty() && !body && args.rest().empty()) {
    if (!can_edit(context)) {
      return make_error(ErrorCode::kUsage, "nothing to remember")
          .with_hint("mem add 'the fact', or mem add TITLE --body-file -");
    }
    MEMFS_ASSIGN(draft, Draft::make("add", ""));
    MEMFS_ASSIGN(text, draft->edit(context));
  }
  if (body) {
    wish.body = *body;
    if (!text.empty() && has_title(wish.fields))
      return make_error(ErrorCode::kUsage, "the title is given twice")
          .with_hint("leave out --title or the text");
    if (!text.empty()) set_title(wish, text);
    if (!has_title(wish.fields)) set_title(wish, title_from_text(wish.body));
    return wish;
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return make_error(ErrorCode::kUsage, "the text is empty").with_hint("mem add 'the fact'");
  wish.body = text + (text.ends_with('\n') ? "" : "\n");
  if (!has_title(wish.fields)) set_title(wish, title_from_text(text));
  return wish;
}

int run(Context& context, const Args& args) {
  std::optional<Draft> draft;
  const auto add = [&]() -> Result<WriteResult> {
    MEMFS_ASSIGN(const NewMemory wish, wish_of(context, args, draft));
    MEMFS_ASSIGN(Store store, context.open_store());
    return store.create(wish);
  };
  const auto result = add();
  if (!result) {
    std::error_code ignored;
    if (draft && std::filesystem::is_empty(draft->path(), ignored)) {
      draft->discard();
    } else if (draft) {
      context.note("your text is kept in " + draft->path());
    }
    return context.fail(result.error());
  }
  if (draft) draft->discard();
  report_write(context, "Added", *result);
  return 0;
}

}  // namespace

Command add_command() {
  Command command;
  command.summary = "keep a new memory";
  command.arguments = {{"TEXT", "the memory; with --body or --body-file its title", false}};
  command.flags = {
      {"--scope", "SCOPE", "private (default), shared or global"},
      {"--body", "TEXT", "the memory's text"},
      {"--body-file", "FILE", "read the text from a file; - is standard input"},
      {"--if-absent", "", "fail if the name is taken or a memory says nearly the same"},
      {"--verified", "", "you have just made sure that it holds"},
      {"--force", "", "add it although a memory says the same"},
  };
  for (Flag& flag : guard_flags(true)) command.flags.push_back(std::move(flag));
  for (Flag& flag : field_flags()) command.flags.push_back(std::move(flag));
  command.details =
      "A fact is just text. A rule that agents always get is --kind preference; a body that is\n"
      "always shown is --activation pinned; something that ends has --expires-at; other words "
      "that\n"
      "should find it are --keywords.\n";
  command.examples =
      "  mem add 'Releases are cut from release/7.x'\n"
      "  mem add 'Release branch' --body 'release/7.x' --scope shared --keywords '发布 分支'\n"
      "  mem add 'Incident notes' --body-file notes.txt --expires-at 2027-01-31\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
