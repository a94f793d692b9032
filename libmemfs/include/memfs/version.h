// Versions of the library and of what it is built on.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace memfs {

// {"mem", "0.1.0"}, {"icu", "72.1"}, …
std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace memfs
