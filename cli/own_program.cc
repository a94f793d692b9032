#include "cli/own_program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace memfs::cli {
namespace {

namespace fs = std::filesystem;

// What PATH finds as `mem`; empty if there is none.
fs::path mem_in_path() {
  const char* value = std::getenv("PATH");
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    fs::path file = fs::path(rest.substr(0, colon)) / "mem";
    std::error_code failed;
    if (fs::is_regular_file(file, failed) && ::access(file.c_str(), X_OK) == 0) return file;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return {};
}

fs::path own_file() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : self;
}

// Where PATH finds this very program; empty if it does not.
fs::path found_in_path(const fs::path& self) {
  std::error_code failed;
  fs::path found = mem_in_path();
  const bool same = !found.empty() && found.is_absolute() && fs::equivalent(found, self, failed);
  return same ? found : fs::path();
}

}  // namespace

std::string own_program() {
  const fs::path self = own_file();
  return self.empty() || !found_in_path(self).empty() ? "mem" : self.string();
}

std::string own_program_path() {
  const fs::path self = own_file();
  if (self.empty()) return "mem";
  const fs::path found = found_in_path(self);
  return found.empty() ? self.string() : found.string();
}

}  // namespace memfs::cli
