#include "libmemfs/exchange/base64.h"

#include <cstdint>

namespace memfs {
namespace {

constexpr std::string_view kSigns =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t group =
        byte_at(bytes, at) << 16U | byte_at(bytes, at + 1) << 8U | byte_at(bytes, at + 2);
    for (std::size_t i = 0; i < 4; ++i)
      text += at + i > bytes.size() ? '=' : kSigns[group >> (18 - 6 * i) & 63U];
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  std::size_t bits = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const std::size_t sign = kSigns.find(c);
    if (sign == std::string_view::npos) return std::nullopt;
    group = (group << 6U | static_cast<std::uint32_t>(sign)) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 0xFFU);
  }
  // Padding and unused bits have one spelling only.
  if (to_base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace memfs
