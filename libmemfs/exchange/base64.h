// Base64 (RFC 4648, section 4): how bytes that are no text travel in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace memfs {

std::string base64_of(std::string_view bytes);
// nullopt for what is none: other characters, a wrong length, padding in the middle.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace memfs
