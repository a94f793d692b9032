#include "cli/exchange_arguments.h"

#include <algorithm>
#include <filesystem>

namespace memfs::cli {

std::string format_lines(std::span<const ExchangeName> formats) {
  std::size_t width = 0;
  for (const ExchangeName& format : formats) width = std::max(width, format.name.size());
  std::string lines = "Formats:\n";
  for (const ExchangeName& format : formats) {
    std::string name(format.name);
    name.resize(width, ' ');
    lines += "  " + name + "  " + std::string(format.help) + "\n";
  }
  return lines;
}

Error no_such_format(std::string_view name, std::string_view verb,
                     std::span<const ExchangeName> formats) {
  std::string names;
  for (const ExchangeName& format : formats)
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  return make_error(ErrorCode::kUsage,
                    "there is no format `" + std::string(name) + "` to " + std::string(verb))
      .with_hint("one of " + names);
}

std::string absolute_path(const Context& context, const std::string& typed) {
  const auto path =
      (std::filesystem::path(context.environment.working_directory) / typed).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

}  // namespace memfs::cli
