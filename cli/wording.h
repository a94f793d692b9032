// Turns of phrase that all faces share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace memfs::cli {

// "path:line:column: message" with as much of the place as is known.
std::string place_of(const std::string& path, int line, int column);

// "1 memory", "2 memories".
std::string counted(std::size_t count, std::string_view one, std::string_view many);
// ", revision 3", or nothing for a file that has none.
std::string revision_part(std::uint64_t revision);

}  // namespace memfs::cli
