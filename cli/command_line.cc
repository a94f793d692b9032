#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli/commands/commands.h"
#include "libmemfs/format/field_table.h"

namespace memfs::cli {
namespace {

// "-n,--limit" → "limit"
std::string long_name(const std::string& name) {
  const auto dashes = name.rfind("--");
  return name.substr(dashes == std::string::npos ? 1 : dashes + 2);
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::string shown(const Flag& flag) {
  std::string out = flag.name;
  if (const auto comma = out.find(','); comma != std::string::npos) out.replace(comma, 1, ", ");
  return flag.value.empty() ? out : out + " " + flag.value;
}

std::string flag_lines(const std::vector<Flag>& flags) {
  std::size_t width = 0;
  for (const Flag& flag : flags) width = std::max(width, shown(flag).size());
  std::string out;
  for (const Flag& flag : flags) out += "  " + padded(shown(flag), width) + "  " + flag.help + "\n";
  return out;
}

std::string usage_line(const Command& command) {
  std::string out = "mem " + command.name;
  for (const Argument& argument : command.arguments) {
    std::string word = argument.name + (argument.repeated ? "…" : "");
    out += argument.required ? " " + word : " [" + word + "]";
  }
  return out + (command.flags.empty() ? "" : " [options]");
}

// Takes the values out: "--flag VALUE" and "--flag=VALUE" → "--flag=N", an index into `values`. So
// a flag's value is exactly the word behind it, empty or starting with a dash as it may be.
std::vector<std::string> with_indices(const std::vector<Flag>& flags,
                                      const std::vector<std::string>& words,
                                      std::vector<std::string>& values) {
  std::map<std::string, std::string> takers;
  for (const Flag& flag : flags) {
    if (flag.value.empty()) continue;
    const std::string name = "--" + long_name(flag.name);
    takers[name] = name;
    if (const auto comma = flag.name.find(','); comma != std::string::npos)
      takers[flag.name.substr(0, comma)] = name;
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      out.emplace_back("--");
      for (++i; i < words.size(); ++i) {
        out.push_back(std::to_string(values.size()));
        values.push_back(words[i]);
      }
      break;
    }
    if (words[i].size() < 2 || words[i].front() != '-') {
      // An argument: CLI11 would read brackets in it as a list. "-" alone is one, too.
      out.push_back(std::to_string(values.size()));
      values.push_back(words[i]);
      continue;
    }
    if (words[i].size() > 2 && words[i][1] != '-') {
      // "-n2", "-qn 2": switches, and at most one flag whose value is the rest or the next word.
      for (std::size_t k = 1; k < words[i].size(); ++k) {
        const std::string flag = std::string("-") + words[i][k];
        const auto taker = takers.find(flag);
        if (taker == takers.end()) {
          out.push_back(flag);
          continue;
        }
        std::string value = words[i].substr(k + 1);
        if (value.starts_with('=')) value.erase(0, 1);
        if (value.empty() && i + 1 < words.size()) value = words[++i];
        out.push_back(taker->second + "=" + std::to_string(values.size()));
        values.push_back(std::move(value));
        break;
      }
      continue;
    }
    const auto equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const auto taker = takers.find(words[i].substr(0, equals));
    if (taker == takers.end() || (equals == std::string::npos && i + 1 == words.size())) {
      out.push_back(words[i]);
      continue;
    }
    out.push_back(taker->second + "=" + std::to_string(values.size()));
    values.push_back(equals == std::string::npos ? words[++i] : words[i].substr(equals + 1));
  }
  return out;
}

}  // namespace

bool Args::has(std::string_view name) const { return flags_.contains(name); }

std::optional<std::string> Args::value(std::string_view name) const {
  const auto it = flags_.find(name);
  if (it == flags_.end()) return std::nullopt;
  return it->second.back();
}

std::vector<std::string> Args::values(std::string_view name) const {
  const auto it = flags_.find(name);
  return it == flags_.end() ? std::vector<std::string>() : it->second;
}

namespace {

struct Entry {
  std::string_view name;
  std::string_view alias;  // another name for it, or empty
  Command (*make)();
};

// In the order of the help page. Only the one that is asked for is made: each start pays for it.
constexpr std::array kEntries = {
    Entry{"init", "", init_command},
    Entry{"where", "", where_command},
    Entry{"link", "", link_command},
    Entry{"add", "remember", add_command},
    Entry{"update", "", update_command},
    Entry{"edit", "", edit_command},
    Entry{"show", "cat", show_command},
    Entry{"list", "ls", list_command},
    Entry{"search", "recall", search_command},
    Entry{"forget", "rm", forget_command},
    Entry{"mv", "", mv_command},
    Entry{"links", "", links_command},
    Entry{"graph", "", graph_command},
    Entry{"restore", "recover", restore_command},
    Entry{"verify", "confirm", verify_command},
    Entry{"stale", "", stale_command},
    Entry{"history", "", history_command},
    Entry{"diff", "", diff_command},
    Entry{"log", "", log_command},
    Entry{"context", "", context_command},
    Entry{"stats", "", stats_command},
    Entry{"trust", "", trust_command},
    Entry{"undo", "", undo_command},
    Entry{"index", "", index_command},
    Entry{"check", "doctor", check_command},
    Entry{"adopt", "", adopt_command},
    Entry{"resolve", "", resolve_command},
    Entry{"git install", "", git_install_command},
    Entry{"git status", "", git_status_command},
    Entry{"git uninstall", "", git_uninstall_command},
    Entry{"git hook", "", git_hook_command},
    Entry{"sync", "", sync_command},
    Entry{"import", "", import_command},
    Entry{"export", "", export_command},
    Entry{"mcp", "", mcp_command},
    Entry{"setup", "", setup_command},
    Entry{"hook", "", hook_command},
    Entry{"git merge-driver", "", git_merge_driver_command},
    Entry{"version", "", version_command},
};

Command made(const Entry& entry) {
  Command command = entry.make();
  command.name = entry.name;
  command.alias = entry.alias;
  return command;
}

}  // namespace

std::vector<Command> commands() {
  std::vector<Command> all;
  for (const Entry& entry : kEntries) all.push_back(made(entry));
  return all;
}

std::optional<Command> find_command(std::string_view name) {
  for (const Entry& entry : kEntries)
    if (!name.empty() && (entry.name == name || entry.alias == name)) return made(entry);
  return std::nullopt;
}

std::vector<Command> commands_of_group(std::string_view group) {
  std::vector<Command> all;
  for (const Entry& entry : kEntries)
    if (entry.name.starts_with(std::string(group) + " ")) all.push_back(made(entry));
  return all;
}

const std::vector<Flag>& common_flags() {
  static const std::vector<Flag> flags = {
      {"--json", "", "print one JSON document"},
      {"-q,--quiet", "", "print results only, no notes"},
      {"--no-color", "", "no colour (also: NO_COLOR)"},
      {"--root", "DIR", "use a self-contained folder (also: MEM_ROOT)"},
      {"-C,--directory", "DIR", "as if started in DIR"},
      {"-h,--help", "", "this page"},
  };
  return flags;
}

std::vector<Flag> field_flags() {
  std::vector<Flag> flags;
  for (const Field& field : kFields) {
    if (field.owned) continue;
    std::string name(field.key);
    std::replace(name.begin(), name.end(), '_', '-');
    std::string value = field.type == FieldType::kChoice ? std::string(field.choices)
                        : field.type == FieldType::kTags ? "A,B"
                        : field.type == FieldType::kDate ? "DATE"
                                                         : "TEXT";
    flags.push_back({"--" + name, value, std::string(field.help), field.type == FieldType::kTags});
  }
  return flags;
}

Result<Args> parse_arguments(const Command& command, const std::vector<std::string>& words) {
  CLI::App app;
  app.set_help_flag();
  std::vector<Flag> flags = command.flags;
  flags.insert(flags.end(), common_flags().begin(), common_flags().end());
  std::map<std::string, std::vector<std::size_t>> values;
  std::map<std::string, bool> switches;
  std::map<std::string, CLI::Option*> options;
  for (const Flag& flag : flags) {
    const std::string name = long_name(flag.name);
    options[name] = flag.value.empty() ? app.add_flag(flag.name, switches[name])
                                       : app.add_option(flag.name, values[name])
                                             ->expected(1)
                                             ->allow_extra_args(false)
                                             ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  std::vector<std::size_t> places;
  app.add_option("arguments", places);
  std::vector<std::string> taken;
  std::vector<std::string> given = with_indices(flags, words, taken);
  const std::string help = "`mem " + command.name + " --help` shows what it takes";
  for (const std::string& word : given) {
    // CLI11 takes "-5" for a number among the arguments.
    const bool known = word.size() != 2 || word[0] != '-' || word[1] == '-' ||
                       std::any_of(flags.begin(), flags.end(),
                                   [&](const Flag& flag) { return flag.name.starts_with(word); });
    if (!known)
      return make_error(ErrorCode::kUsage, "there is no option `" + word + "`")
          .with_hint("text that starts with a dash goes behind --; " + help);
  }
  std::reverse(given.begin(), given.end());
  try {
    app.parse(given);
  } catch (const CLI::ParseError& failure) {
    return make_error(ErrorCode::kUsage, failure.what()).with_hint(help);
  }
  std::vector<std::string> rest;
  for (const std::size_t place : places) rest.push_back(taken.at(place));
  Args args;
  for (const auto& [name, option] : options) {
    if (option->count() == 0) continue;
    if (switches.contains(name)) args.add(name, "");
    for (const std::size_t index : values[name]) args.add(name, taken.at(index));
  }
  const bool repeated = !command.arguments.empty() && command.arguments.back().repeated;
  const auto required = static_cast<std::size_t>(
      std::count_if(command.arguments.begin(), command.arguments.end(),
                    [](const Argument& argument) { return argument.required; }));
  if (!args.has("help") && rest.size() < required)
    return make_error(ErrorCode::kUsage, "missing " + command.arguments[rest.size()].name)
        .with_hint(help);
  if (!repeated && rest.size() > command.arguments.size())
    return make_error(ErrorCode::kUsage,
                      "too many arguments: `" + rest[command.arguments.size()] + "`")
        .with_hint("put a text of several words in quotes; " + help);
  args.add_rest(std::move(rest));
  return args;
}

std::string help_of(const Command& command) {
  std::string out = command.summary + "\n\nUsage: " + usage_line(command) + "\n";
  if (!command.alias.empty()) out += "Alias: mem " + command.alias + "\n";
  if (!command.arguments.empty()) out += "\n";
  for (const Argument& argument : command.arguments)
    out += "  " + padded(argument.name, 8) + "  " + argument.help + "\n";
  if (!command.details.empty()) out += "\n" + command.details;
  if (!command.flags.empty()) out += "\nOptions:\n" + flag_lines(command.flags);
  out += "\nEvery command:\n" + flag_lines(common_flags());
  return out + "\nExamples:\n" + command.examples;
}

std::string help_of_group(std::string_view group, const std::vector<Command>& members) {
  std::string out = "Usage: mem " + std::string(group) + " COMMAND [ARGUMENTS]\n\nCommands:\n";
  for (const Command& command : members)
    out += "  " + padded(command.name, 18) + "  " + command.summary + "\n";
  return out;
}

std::string overview() {
  std::string out =
      "mem keeps memories of people and their coding agents as markdown files.\n\n"
      "Usage: mem COMMAND [ARGUMENTS]\n\nCommands:\n";
  for (const Command& command : commands()) {
    const std::string name = command.name + (command.alias.empty() ? "" : ", " + command.alias);
    out += "  " + padded(name, 16) + "  " + command.summary + "\n";
  }
  return out + "\nEvery command:\n" + flag_lines(common_flags()) +
         "\nExamples:\n"
         "  mem add 'Releases are cut from release/7.x'\n"
         "  mem search 'release branch'\n"
         "  mem show release-branch\n";
}

}  // namespace memfs::cli
