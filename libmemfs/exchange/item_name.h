// Names of memories from paths of elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// The path as a name that links and other systems can have: as it is (NFC) where that is one, else
// with each component that does not fit made to fit, which adds a warning. Never leads out of the
// scope.
std::string name_of_path(std::string_view path, std::vector<std::string>& warnings);

}  // namespace memfs
