// Content hash of a file's bytes: 128-bit XXH3 as 32 lower-case hex digits (xxHash 0.8
// specification). It detects change; it is not a defence against someone who forges collisions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace memfs {

std::string content_hash(std::string_view bytes);
// The same as bytes, and as text of such bytes.
using ContentHash = std::array<unsigned char, 16>;
ContentHash hash128(std::string_view bytes);
std::string hex_of(const ContentHash& hash);
// 64-bit XXH3, for tables and checksums.
std::uint64_t hash64(std::string_view bytes);
// The first 64 bits, as 16 hex digits: a short stable key for a path.
std::string short_hash(std::string_view bytes);

}  // namespace memfs
