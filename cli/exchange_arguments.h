// What `import` and `export` share: names of formats, and paths as they are typed.
#pragma once

#include <memfs/exchange.h>

#include <span>
#include <string>
#include <string_view>

#include "cli/context.h"

namespace memfs::cli {

// "Formats:" and a line for each, for the help.
std::string format_lines(std::span<const ExchangeName> formats);
// kUsage that names those that there are; `verb`: "import".
Error no_such_format(std::string_view name, std::string_view verb,
                     std::span<const ExchangeName> formats);
// The path that was typed, absolute, without a slash at its end.
std::string absolute_path(const Context& context, const std::string& typed);

}  // namespace memfs::cli
