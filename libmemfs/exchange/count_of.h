// Counts in the notes of an import or export: "3 files", "1 file".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace memfs {

inline std::string count_of(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace memfs
