// Every markdown file below a folder, in an order that is the same everywhere.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace bench {

inline std::vector<std::string> markdown_files(const std::string& root) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".md" && entry.is_regular_file())
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace bench
