// `mem git hook NAME`: what the hooks call. Only errors in what is staged stop anything.
#include <memfs/git_hooks.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ostream>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json_git.h"
#include "cli/problem_lines.h"

namespace memfs::cli {
namespace {

// That the check itself failed is no reason to keep somebody from his commit.
int pass(Context& context, const Error& error) {
  context.note("what is staged was not checked: " + place_of(error.path, error.line, 0) +
               error.message);
  return 0;
}

int print_check(Context& context, const CommitCheck& check) {
  if (context.json) {
    context.out() << commit_check_json(check);
    return check.report.problems.empty() ? 0 : 1;
  }
  for (const SealedMemory& memory : check.sealed)
    context.note("sealed the hand edit of " + memory.ref + " as revision " +
                 std::to_string(memory.revision));
  for (const UnsealedMemory& memory : check.unsealed)
    context.note("not sealed: " + (memory.ref.empty() ? "" : memory.ref + ": ") + memory.why);
  if (check.report.problems.empty()) return 0;
  for (const Problem& problem : check.report.problems) print_problem(context, problem);
  context.note(counted(check.report.problems.size(), "error", "errors") +
               " in what is staged: nothing was committed");
  context.note("`git add` what you mend; `git commit --no-verify` commits it all the same");
  return 1;
}

// The index that git is about to commit: not always the one that stays.
std::vector<std::string> index_of_the_hook() {
  const char* index = std::getenv("GIT_INDEX_FILE");
  if (index == nullptr) return {};
  return {std::string("GIT_INDEX_FILE=") + index};
}

int run_check(Context& context, bool seal) {
  context.services.lock_wait = std::chrono::seconds(2);  // somebody waits for his commit
  auto store = context.open_store();
  if (!store) return pass(context, store.error());
  if (seal) {
    const auto check = check_commit(*store, index_of_the_hook());
    return check ? print_check(context, *check) : pass(context, check.error());
  }
  auto report = check_staged(*store, index_of_the_hook());
  if (!report) return pass(context, report.error());
  CommitCheck check;
  check.report = std::move(*report);
  return print_check(context, check);
}

// Nobody waits for more than this: the next command does the rest.
void end_in(unsigned seconds) {
  std::signal(SIGALRM, [](int) { ::_exit(0); });
  ::alarm(seconds);
}

int run_refresh(Context& context, bool merged = false) {
  constexpr unsigned kPatience = 5;
  end_in(kPatience);
  context.services.lock_wait = std::chrono::milliseconds(200);
  auto store = context.open_store();
  if (store) (void)refresh_shared(*store, merged);
  return 0;
}

int run(Context& context, const Args& args) {
  const std::vector<std::string>& words = args.rest();
  const std::string& name = words.front();
  // A hook works on the project that it belongs to, whatever MEM_ROOT says.
  context.environment.root.clear();
  if (name == "pre-commit" || name == "pre-merge-commit")
    return run_check(context, name == "pre-commit");
  // Of a checkout the third argument says whether it was of a branch and not of single files.
  if (name == "post-checkout")
    return words.size() > 3 && words[3] == "1" ? run_refresh(context) : 0;
  if (name == "post-merge" || name == "post-rewrite")
    return run_refresh(context, name == "post-merge");
  return context.fail(make_error(ErrorCode::kUsage, "mem has nothing to do in the hook " + name)
                          .with_hint("pre-commit, pre-merge-commit, post-merge, post-checkout and "
                                     "post-rewrite call it"));
}

}  // namespace

Command git_hook_command() {
  Command command;
  command.summary = "what git's hooks call";
  command.arguments = {{"NAME", "of the hook"}, {"ARGUMENTS", "that git gave to it", false, true}};
  command.details =
      "pre-commit and pre-merge-commit check the staged memories and exit with 1 if there\n"
      "are errors; the others bring the search index up to date. `mem git install` sets them\n"
      "up.\n";
  command.examples = "  mem git hook pre-commit\n";
  command.run = run;
  return command;
}

}  // namespace memfs::cli
