// What a command works with: the environment, the streams, the clock and the store.
#pragma once

#include <memfs/layout.h>
#include <memfs/result.h>
#include <memfs/store.h>

#include <chrono>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/wording.h"

namespace memfs::cli {

// 0 done · 1 nothing found, or errors found by a check · 2 wrong use · 3 no such memory ·
// 4 conflict · 5 refused · 6 the file is invalid · 7 the system failed · 75 the lock stayed held
int exit_code_of(const Error& error);

class Context {
 public:
  Context(std::ostream& out, std::ostream& err) : out_(out), err_(err) {}

  Environment environment{};
  bool json = false;
  bool quiet = false;
  bool color = false;  // results on a terminal that can show it
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool in_is_terminal = false;
  std::size_t width = 0;  // columns of the terminal, 0 if there is none
  std::string editor{};   // $VISUAL or $EDITOR
  Store::Services services{};
  std::string project{};                       // $MEM_PROJECT: for servers and hooks
  std::vector<std::string> harness_folders{};  // what harnesses say of the project, surest first

  Result<Store> open_store() const;
  std::chrono::sys_time<std::chrono::milliseconds> now() const;

  // Results.
  std::ostream& out() { return out_; }
  // Everything else; silent with --quiet.
  void note(std::string_view text);
  // Problems met on the way, on stderr: the first few, then a count.
  void note_problems(const std::vector<Problem>& problems);
  // Prints the error (as JSON on stdout with --json) and returns its exit code.
  int fail(const Error& error);
  // The lists that an error carries, a line each, on stderr.
  void print_rows(const Error& error);
  // Stored text as it may be shown: control characters escaped.
  std::string shown(std::string_view text) const;
  // The same of a text that quotes another program's lines.
  std::string shown_lines(std::string_view text) const;
  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;

 private:
  std::ostream& out_;
  std::ostream& err_;
};

// The text of `--body`, `--body-file F` (`-`: standard input) or nothing.
Result<std::optional<std::string>> body_argument(const class Args& args);

}  // namespace memfs::cli
