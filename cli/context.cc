#include "cli/context.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "cli/command_line.h"
#include "cli/json.h"
#include "libmemfs/base/clock.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {

int exit_code_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUsage:
      return 2;
    case ErrorCode::kNotFound:
      return 3;
    case ErrorCode::kConflict:
      return 4;
    case ErrorCode::kRefused:
      return 5;
    case ErrorCode::kInvalid:
    case ErrorCode::kCorrupt:
      return 6;
    case ErrorCode::kIo:
    case ErrorCode::kUnsupported:
      return 7;
    case ErrorCode::kBusy:
      return 75;
  }
  return 7;
}

Result<Store> Context::open_store() const {
  PosixFileSystem fs;
  MEMFS_ASSIGN(Layout layout, discover_layout(fs, environment));
  return Store::open(std::move(layout), services);
}

std::chrono::sys_time<std::chrono::milliseconds> Context::now() const {
  return services.clock->now();
}

void Context::note(std::string_view text) {
  if (!quiet) err_ << "mem: " << escape_for_terminal(text) << "\n";
}

void Context::note_problems(const std::vector<Problem>& problems) {
  constexpr std::size_t kShown = 3;
  std::size_t count = 0;
  for (const Problem& problem : problems) {
    if (problem.severity == Severity::kInfo) continue;
    if (++count <= kShown)
      note(place_of(problem.path, problem.line, problem.column) + problem.message);
  }
  if (count > kShown)
    note("and " + std::to_string(count - kShown) + " more problems: `mem check` lists them");
}

std::string Context::shown_lines(std::string_view text) const {
  std::string lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines += (lines.empty() ? "" : "\n     ") + shown(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

int Context::fail(const Error& error) {
  if (json) {
    out_ << error_json(error);
  } else {
    err_ << "mem: " << place_of(shown(error.path), error.line, error.column)
         << shown_lines(error.message) << "\n";
    if (!error.hint.empty()) err_ << "     " << shown(error.hint) << "\n";
    print_rows(error);
  }
  return exit_code_of(error);
}

void Context::print_rows(const Error& error) {
  constexpr std::size_t kShown = 50;
  const std::string list = error.rows.size() == 1 ? error.rows.front().list : "";
  if (list == "findings" || list == "problems") return;  // the message
  for (std::size_t i = 0; i < std::min(error.rows.size(), kShown); ++i) {
    std::string line;
    for (const auto& [key, value] : error.rows[i].cells) {
      if (key == "hint" || key == "hash" || key == "column" || key == "kind") continue;
      if (key == "line") {
        line += ", line " + value + ":";
        continue;
      }
      const bool number = key == "characters";
      line += (line.empty()                      ? ""
               : error.rows[i].list == "entries" ? "  "
                                                 : " ") +
              shown(value) + (number ? " " + key : "");
    }
    err_ << "  " << line << "\n";
  }
  if (error.rows.size() > kShown)
    err_ << "  and " << error.rows.size() - kShown << " more: --json lists them all\n";
}

std::string Context::shown(std::string_view text) const { return escape_for_terminal(text); }

std::string Context::bold(std::string_view text) const {
  return color && !text.empty() ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::string Context::dim(std::string_view text) const {
  return color && !text.empty() ? "\x1b[2m" + std::string(text) + "\x1b[0m" : std::string(text);
}

Result<std::optional<std::string>> body_argument(const Args& args) {
  const auto text = args.value("body");
  const auto file = args.value("body-file");
  if (text && file)
    return make_error(ErrorCode::kUsage, "--body and --body-file exclude each other");
  if (text) return std::optional(*text + (text->empty() || text->ends_with('\n') ? "" : "\n"));
  if (!file) return std::optional<std::string>();
  if (*file == "-") return std::optional(std::string(std::istreambuf_iterator<char>(std::cin), {}));
  std::error_code ignored;
  std::ostringstream bytes;
  std::ifstream in;
  if (!std::filesystem::is_directory(*file, ignored)) in.open(*file, std::ios::binary);
  if (in.is_open() && in.peek() != std::ifstream::traits_type::eof()) bytes << in.rdbuf();
  if (!in.is_open() || in.bad() || bytes.bad()) {
    return make_error(ErrorCode::kNotFound, "cannot read the body's file")
        .at(*file)
        .with_hint("--body-file - reads standard input");
  }
  return std::optional(bytes.str());
}

}  // namespace memfs::cli
