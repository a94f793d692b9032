// The table of commands: flags, arguments and help come from here and from nowhere else.
#pragma once

#include <memfs/result.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs::cli {

class Context;

struct Flag {
  std::string name;   // "--title", or "-n,--limit"
  std::string value;  // what it takes: "TEXT"; empty for a switch
  std::string help;
  bool repeated = false;
};

struct Argument {
  std::string name;  // "REF"
  std::string help;
  bool required = true;
  bool repeated = false;
};

// What the user gave. Names are the long ones, without dashes.
class Args {
 public:
  bool has(std::string_view name) const;
  std::optional<std::string> value(std::string_view name) const;  // the last one given
  std::vector<std::string> values(std::string_view name) const;
  const std::vector<std::string>& rest() const { return rest_; }  // the arguments

  void add(std::string name, std::string value) {
    flags_[std::move(name)].push_back(std::move(value));
  }
  void add_rest(std::vector<std::string> rest) { rest_ = std::move(rest); }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> flags_;
  std::vector<std::string> rest_;
};

struct Command {
  std::string name{};     // set from the table in command_line.cc
  std::string alias{};    // the same: another name for it, or empty
  std::string summary{};  // one line
  std::vector<Argument> arguments{};
  std::vector<Flag> flags{};
  std::string details{};   // paragraphs, without examples
  std::string examples{};  // lines as typed
  // For programs that call it: each word behind the name is an argument, also with a dash in front.
  bool only_arguments = false;
  int failure = 0;  // the exit code of whatever stops it before it runs; 0: as for all commands
  // For programs that take another exit code for a veto: 0, whatever stops it before it runs.
  bool always_succeeds = false;
  int (*run)(Context&, const Args&) = nullptr;
};

// All commands in the order of the help page; one file in commands/ makes each.
std::vector<Command> commands();
// By its name or alias; nullopt if there is none. A member of a group has a name of two words.
std::optional<Command> find_command(std::string_view name);
// Those whose names begin with this word; empty if it is no group.
std::vector<Command> commands_of_group(std::string_view group);

// Flags that every command takes.
const std::vector<Flag>& common_flags();
// "--title TEXT" … for each field of the field table that a person sets.
std::vector<Flag> field_flags();

// kUsage with the way out in the hint.
Result<Args> parse_arguments(const Command& command, const std::vector<std::string>& words);
std::string help_of(const Command& command);
std::string help_of_group(std::string_view group, const std::vector<Command>& members);
std::string overview();

}  // namespace memfs::cli
