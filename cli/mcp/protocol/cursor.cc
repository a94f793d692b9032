#include "cli/mcp/protocol/cursor.h"

namespace memfs::mcp {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

std::string to_hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

std::optional<std::string> from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0 || hex.find_first_not_of(kDigits) != std::string_view::npos)
    return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(kDigits.find(hex[i]) * 16 + kDigits.find(hex[i + 1]));
  return bytes;
}

}  // namespace

std::string make_cursor(std::string_view list, std::string_view last_key) {
  return to_hex(std::string(list) + ' ' + std::string(last_key));
}

std::optional<std::string> read_cursor(std::string_view list, std::string_view cursor) {
  auto text = from_hex(cursor);
  if (!text || !text->starts_with(std::string(list) + ' ')) return std::nullopt;
  return text->substr(list.size() + 1);
}

}  // namespace memfs::mcp
