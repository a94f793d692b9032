#include "cli/wording.h"

namespace memfs::cli {

std::string place_of(const std::string& path, int line, int column) {
  if (path.empty()) return {};
  std::string place = path;
  if (line > 0) place += ":" + std::to_string(line);
  if (line > 0 && column > 0) place += ":" + std::to_string(column);
  return place + ": ";
}

std::string revision_part(std::uint64_t revision) {
  return revision > 0 ? ", revision " + std::to_string(revision) : "";
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace memfs::cli
