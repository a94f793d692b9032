// Bytes as text: base64 of RFC 4648, with padding, without newlines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace memfs {

std::string to_base64(std::string_view bytes);
// nullopt if it is not exactly what to_base64() gives.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace memfs
