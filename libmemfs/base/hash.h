// Content hash of a file's bytes: 128-bit XXH3 as 32 lower-case hex digits (xxHash 0.8
// specification). It detects change; it is not a defence against someone who forges collisions.
#pragma once

#include <string>
#include <string_view>

namespace memfs {

std::string content_hash(std::string_view bytes);
// The first 64 bits, as 16 hex digits: a short stable key for a path.
std::string short_hash(std::string_view bytes);

}  // namespace memfs
