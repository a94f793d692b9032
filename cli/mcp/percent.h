// Percent-encoding (RFC 3986).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace memfs::cli {

// Everything but unreserved characters and, unless `slashes`, "/".
std::string percent_encoded(std::string_view path, bool slashes = false);
// nullopt for a sign without two digits behind it, and for a NUL.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace memfs::cli
