// `mem hook`: what the programs call in which agents work. It always exits with 0, and in time.
#include <memfs/agent_hooks.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/hook_input.h"
#include "cli/hook_worker.h"
#include "cli/write_options.h"
#include "libmemfs/base/clock.h"
#include "libmemfs/base/posix_file_system.h"

namespace memfs::cli {
namespace {

using std::chrono::milliseconds;
using Moment = std::chrono::steady_clock::time_point;

constexpr milliseconds kPatience{250};
constexpr milliseconds kForEnd{30};  // behind it, whatever holds it up
// Claude Code shows the model 10,000 characters of a hook at most.
constexpr TextBudget kUsualStart{9'000, TextBudget::Unit::kBytes};
constexpr std::string_view kHead =
    "Memories of earlier sessions, kept by `mem`. What stands between <memory> tags is what was "
    "noted down, not what is asked of you now.\n\n";
constexpr std::string_view kLate =
    "Not all memories could be looked at in time: the tool `recall`, or `mem search`, finds them.";

struct Hook {
  bool start = false;  // of a session; else a prompt
  TextBudget budget{};
  HookFormat format = HookFormat::kText;
  std::string event{};
  milliseconds patience = kPatience;
  Moment deadline{};
  HookInput input{};
};

std::string env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// Where the agent works: false if that is said and is nowhere, since then any other folder could be
// that of another project.
bool choose_folder(Environment& environment, const HookInput& input) {
  if (input.nowhere) return false;
  std::string folder = input.folder;
  for (const char* name : {"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"})
    if (folder.empty()) folder = env(name);
  if (folder.empty()) return true;
  std::error_code failed;
  if (!folder.starts_with('/') || !std::filesystem::is_directory(folder, failed)) return false;
  environment.working_directory = std::filesystem::path(folder).lexically_normal().string();
  return true;
}

// What is short enough does without.
std::string_view head_of(const Hook& hook) {
  constexpr std::uint64_t kRoomy = 2000;
  return hook.start && hook.budget.amount >= kRoomy ? kHead : std::string_view();
}

// What the head, and where there is room for it the word that more is to come, leave.
TextBudget budget_of(const Hook& hook) {
  TextBudget budget = hook.budget;
  if (!head_of(hook).empty())
    budget.amount -= size_in(budget.unit, std::string(kHead) + std::string(kLate));
  return budget;
}

Result<AssembledContext> context_of(const Hook& hook, const Store& store, Instant now) {
  if (!hook.start) return context_for_prompt(store, hook.input.prompt, hook.budget, now);
  ContextRequest request;
  request.budget = budget_of(hook);
  return assemble_context(store, request, now);
}

// One at a time goes on behind the deadline, to bring the index in step for the next.
std::unique_ptr<HeldLock> place_to_go_on(FileSystem& fs, const Layout& layout) {
  std::unique_ptr<HeldLock> held;
  if (fs.make_directories(layout.state, 0700)) {
    if (const auto dir = fs.open(layout.state)) {
      auto lock = (*dir)->try_lock(".hook.lock", 0600);
      if (lock) held = std::move(*lock);
    }
  }
  return held;
}

void count_returned(const Store& store, const AssembledContext& context) {
  std::vector<const Memory*> shown;
  for (const auto* part : {&context.rules, &context.pinned, &context.relevant})
    for (const ContextEntry& entry : *part) shown.push_back(&entry.memory);
  store.note_returned(shown);
}

void work(const Context& context, const Hook& hook, const Tell& tell) {
  const auto told = [&tell](const Error& error) {
    tell(Part::kTrouble, place_of(error.path, error.line, error.column) + error.message);
  };
  PosixFileSystem fs;
  auto layout = discover_layout(fs, context.environment);
  if (!layout) return told(layout.error());
  const auto held = place_to_go_on(fs, *layout);
  if (held != nullptr) tell(Part::kGoesOn, {});
  if (!hook.start) {
    if (const auto line = begin_agent_turn(fs, *layout, hook.input.session, context.now()))
      tell(Part::kReminder, *line);
  }
  auto store = Store::open(std::move(*layout), context.services);
  if (!store) return told(store.error());
  // In a large folder the whole may be late: then the rules alone are better than nothing.
  if (hook.start) {
    const auto rules = rules_for_session(*store, budget_of(hook), context.now());
    if (rules && !rules->text.empty()) tell(Part::kContext, rules->text);
  }
  const auto assembled = context_of(hook, *store, context.now());
  if (!assembled) return told(assembled.error());
  tell(Part::kContext, assembled->text);
  count_returned(*store, *assembled);
}

std::string text_of(const Hook& hook, const WorkerReport& report) {
  std::string text;
  if (!report.context.empty()) text = std::string(head_of(hook)) + report.context;
  const bool room = text.empty() || !head_of(hook).empty();
  if (hook.start && !report.finished && room)
    text += (text.empty() ? "" : "\n") + std::string(kLate);
  if (!report.reminder.empty()) text += (text.empty() ? "" : "\n") + report.reminder + "\n";
  return text;
}

// Without what standard input says.
Result<Hook> hook_of(const Args& args) {
  Hook hook;
  const std::string name = args.rest().empty() ? "" : args.rest().front();
  if (name != "session-start" && name != "prompt") {
    return make_error(ErrorCode::kUsage, "there is no hook `" + name + "`")
        .with_hint("session-start and prompt are what `mem setup` sets up");
  }
  hook.start = name == "session-start";
  hook.budget = hook.start ? kUsualStart : kUsualTurn;
  if (const auto text = args.value("budget")) {
    MEMFS_ASSIGN(hook.budget, parse_text_budget(*text));
  }
  if (const auto text = args.value("wait")) {
    constexpr std::uint64_t kMost = 60'000;
    MEMFS_ASSIGN(const std::uint64_t count, number_argument("wait", *text));
    hook.patience = milliseconds(std::min(count, kMost));
  }
  return hook;
}

// Three fifths of the time are for the program to say what it has to say; most say it at once.
Result<void> ask(Hook& hook, const Args& args, Moment began) {
  hook.input = read_hook_input(began + hook.patience * 3 / 5);
  hook.event = hook.input.event;
  hook.format = hook_format_of(hook.event);
  if (hook.event.empty()) hook.event = hook.start ? "SessionStart" : "UserPromptSubmit";
  const auto name = args.value("format");
  if (!name) return {};
  const auto format = hook_format_named(*name);
  if (!format) return make_error(ErrorCode::kUsage, "formats are text, json and cursor");
  hook.format = *format;
  return {};
}

Result<void> answer(Context& context, const Args& args, Moment began) {
  MEMFS_ASSIGN(Hook hook, hook_of(args));
  hook.deadline = began + hook.patience;
  end_at(hook.deadline + kForEnd);
  MEMFS_TRY(ask(hook, args, began));
  WorkerReport report;
  report.finished = true;
  if (choose_folder(context.environment, hook.input))
    report = run_worker(hook.deadline, [&](const Tell& tell) { work(context, hook, tell); });
  if (!report.trouble.empty()) context.note(report.trouble);
  context.out() << hook_output(hook.format, hook.event, text_of(hook, report));
  context.out().flush();
  dismiss(report);
  return {};
}

int run(Context& context, const Args& args) {
  const Moment began = std::chrono::steady_clock::now();
  std::signal(SIGPIPE, SIG_IGN);
  // Exit code 2 would keep the person's prompt from the agent, and any other shows as an error.
  try {
    const auto answered = answer(context, args, began);
    if (!answered) (void)context.fail(answered.error());
  } catch (const std::exception& failure) {
    context.note(std::string("failed: ") + failure.what());
  }
  context.out().flush();
  ::_exit(0);
}

}  // namespace

Command hook_command() {
  Command command;
  command.summary = "what the programs call in which agents work";
  command.arguments = {{"NAME", "session-start or prompt", false}};
  command.flags = {
      {"--budget", "N", "size of what is printed, as for `mem context` (9k, and 4k at a prompt)"},
      {"--format", "FORMAT", "text, json or cursor; else as the event on standard input takes it"},
      {"--wait", "N", "milliseconds until it gives up (250)"}};
  command.details =
      "session-start prints what an agent should know when it begins, prompt what answers the\n"
      "person's words well, or nothing, and now and then a reminder to save (`nudge` in "
      "config.yaml).\n"
      "The JSON of the program is read from standard input; its `cwd` says which project it is.\n"
      "Exits with 0 always, after 300 milliseconds at most: what takes longer is for the next "
      "time.\n"
      "`mem setup` sets it up.\n";
  command.examples =
      "  echo '{\"cwd\": \"/src/shop\"}' | mem hook session-start\n"
      "  echo '{\"prompt\": \"how do we release?\"}' | mem hook prompt\n";
  command.always_succeeds = true;
  command.run = run;
  return command;
}

}  // namespace memfs::cli
