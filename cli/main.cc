#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "cli/context.h"
#include "libmemfs/base/clock.h"
#include "libmemfs/format/date.h"

namespace memfs::cli {
namespace {

std::string env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// Flags before the command are the same flags behind it.
struct Line {
  std::vector<std::string> leading;
  std::string command;
  std::vector<std::string> words;
};

Line split(const std::vector<std::string>& words) {
  Line line;
  std::size_t i = 0;
  for (; i < words.size() && words[i].starts_with('-'); ++i) {
    line.leading.push_back(words[i]);
    const bool takes_value = words[i] == "--root" || words[i] == "-C" || words[i] == "--directory";
    if (takes_value && i + 1 < words.size()) line.leading.push_back(words[++i]);
  }
  if (i < words.size()) line.command = words[i++];
  // `mem git install`: the name of a group takes the next word along.
  if (i < words.size() && find_command(line.command + " " + words[i]))
    line.command += " " + words[i++];
  line.words.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  return line;
}

Result<void> set_up(Context& context, const Args& args) {
  for (const char* name : {"root", "directory"}) {
    if (args.has(name) && args.value(name)->empty())
      return make_error(ErrorCode::kUsage, std::string("--") + name + " is empty");
  }
  Environment& environment = context.environment;
  std::error_code failed;
  std::filesystem::path here = std::filesystem::current_path(failed);
  if (const auto dir = args.value("directory")) here = here / *dir;
  if (here.empty() || !std::filesystem::is_directory(here, failed)) {
    return make_error(ErrorCode::kNotFound, "the working directory does not exist")
        .at(here.string());
  }
  environment.working_directory = here.lexically_normal().string();
  environment.root = args.value("root").value_or(env("MEM_ROOT"));
  environment.home = env("HOME");
  environment.mem_home = env("MEM_HOME");
  environment.xdg_data_home = env("XDG_DATA_HOME");
  environment.xdg_state_home = env("XDG_STATE_HOME");
  environment.xdg_cache_home = env("XDG_CACHE_HOME");
  context.json = args.has("json");
  context.quiet = args.has("quiet");
  context.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  context.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  context.in_is_terminal = ::isatty(STDIN_FILENO) == 1;
  context.color = context.out_is_terminal && !args.has("no-color") && env("NO_COLOR").empty() &&
                  env("TERM") != "dumb";
  winsize size = {};
  if (context.out_is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    context.width = size.ws_col;
  context.editor = env("VISUAL").empty() ? env("EDITOR") : env("VISUAL");
  context.project = env("MEM_PROJECT");
  for (const char* name : {"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"})
    if (std::string folder = env(name); !folder.empty())
      context.harness_folders.push_back(std::move(folder));
  // An agent that uses the command says so, and is refused what a person is only warned of.
  context.services.agent = !env("MEM_AGENT").empty();
  for (const char* name : {"MEM_AGENT", "USER", "LOGNAME"})
    if (context.services.writer.empty()) context.services.writer = env(name);
  context.services.clock = std::make_shared<SystemClock>();
  context.services.ids = std::make_shared<RandomIds>();
  if (const std::string now = env("MEM_NOW"); !now.empty()) {
    const auto parsed = parse_date(now);
    if (!parsed) return make_error(ErrorCode::kUsage, "MEM_NOW is not a date: " + now);
    context.services.clock = std::make_shared<FixedClock>(parsed->at);
  }
  if (env("MEM_TEST_IDS") == "1") context.services.ids = std::make_shared<RepeatableIds>();
  return {};
}

// The exit code of what stopped the command before it ran.
int stopped(Context& context, const Command& command, const Error& error) {
  const int code = context.fail(error);
  if (command.always_succeeds) return 0;
  return command.failure != 0 ? command.failure : code;
}

// With the `--` that makes all of them arguments, but for a question for help.
std::vector<std::string> as_arguments(std::vector<std::string> words) {
  const bool help = words.size() == 1 && (words.front() == "--help" || words.front() == "-h");
  const bool marked = !words.empty() && words.front() == "--";
  if (!help && !marked) words.insert(words.begin(), "--");
  return words;
}

int run_command(Context& context, const Command& command, const std::vector<std::string>& words) {
  auto args = parse_arguments(command, words);
  if (!args) {
    for (const std::string& word : words) context.json = context.json || word == "--json";
    return stopped(context, command, args.error());
  }
  if (args->has("help")) {
    context.out() << help_of(command);
    return 0;
  }
  context.json = args->has("json");
  if (auto ready = set_up(context, *args); !ready) return stopped(context, command, ready.error());
  if (command.failure == 0) return command.run(context, *args);
  try {
    return command.run(context, *args);
  } catch (const std::exception& failure) {
    // Out of memory, mostly: main() has no code of its own for this command.
    std::cerr << "mem: failed: " << failure.what() << "\n";
    return command.failure;
  }
}

void print_help(const std::vector<std::string>& words) {
  std::string name;
  for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
  const auto command = find_command(name);
  const auto members = commands_of_group(name);
  std::cout << (command            ? help_of(*command)
                : !members.empty() ? help_of_group(name, members)
                                   : overview());
}

// The name of a group without one of its members behind it.
int run_group(Context& context, const Line& line, const std::vector<Command>& members) {
  const bool help =
      line.words.empty() || line.words.front() == "--help" || line.words.front() == "-h";
  if (help) {
    std::cout << help_of_group(line.command, members);
    return line.words.empty() ? 2 : 0;
  }
  context.json = std::find(line.words.begin(), line.words.end(), "--json") != line.words.end();
  return context.fail(make_error(ErrorCode::kUsage, "there is no command `" + line.command + " " +
                                                        line.words.front() + "`")
                          .with_hint("`mem " + line.command + " --help` lists them"));
}

int run(const std::vector<std::string>& words) {
  Context context(std::cout, std::cerr);
  Line line = split(words);
  if (line.command.empty()) {
    for (const std::string& word : line.leading) {
      if (word == "--help" || word == "-h") {
        std::cout << overview();
        return 0;
      }
      if (word == "--version") return run_command(context, *find_command("version"), {});
    }
    Command home;
    home.name = "";
    home.run = [](Context& c, const Args&) { return run_overview(c); };
    return run_command(context, home, line.leading);
  }
  if (line.command == "help") {
    print_help(line.words);
    return 0;
  }
  const auto command = find_command(line.command);
  const auto members = command ? std::vector<Command>() : commands_of_group(line.command);
  if (!members.empty()) return run_group(context, line, members);
  if (!command) {
    context.json = std::find(words.begin(), words.end(), "--json") != words.end();
    return context.fail(make_error(ErrorCode::kUsage, "there is no command `" + line.command + "`")
                            .with_hint("`mem --help` lists them"));
  }
  if (command->only_arguments) line.words = as_arguments(std::move(line.words));
  line.leading.insert(line.leading.end(), line.words.begin(), line.words.end());
  return run_command(context, *command, line.leading);
}

// No file may get the number of a stream that the caller has closed: what is printed would go into
// it. Each is opened the wrong way round, so that using it stays an error.
void keep_standard_numbers() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) < 0)
      (void)::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace
}  // namespace memfs::cli

int main(int argc, char** argv) {
  memfs::cli::keep_standard_numbers();
  std::ios::sync_with_stdio(false);
  int code = 7;
  try {
    code = memfs::cli::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& failure) {
    // Out of memory, mostly. Writes are atomic, so what was begun is done or not done.
    std::cerr << "mem: failed: " << failure.what() << "\n";
  }
  std::cout.flush();
  // Results that could not be written are a failure, whatever the command thought.
  return std::cout ? code : 7;
}
