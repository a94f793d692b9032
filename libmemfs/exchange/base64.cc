#include "libmemfs/exchange/base64.h"

#include <algorithm>
#include <cstdint>

namespace memfs {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64_of(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= group.size() ? kDigits[bits >> (18U - 6U * k) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::string_view group = text.substr(i, 4);
    if (i + 4 == text.size())
      for (int pads = 0; pads < 2 && group.ends_with('='); ++pads) group.remove_suffix(1);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto digit = k < group.size() ? kDigits.find(group[k]) : 0;
      if (digit == std::string_view::npos) return std::nullopt;
      bits = bits << 6U | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t k = 0; k + 1 < group.size(); ++k)
      bytes += static_cast<char>(bits >> (16U - 8U * k) & 255U);
  }
  return bytes;
}

}  // namespace memfs
