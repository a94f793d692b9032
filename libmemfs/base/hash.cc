#include "libmemfs/base/hash.h"

#include <xxhash.h>

#include <algorithm>

namespace memfs {

ContentHash hash128(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  ContentHash hash;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest), hash.begin());
  return hash;
}

std::string hex_of(const ContentHash& hash) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : hash) {
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

std::string content_hash(std::string_view bytes) { return hex_of(hash128(bytes)); }

std::uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string short_hash(std::string_view bytes) { return content_hash(bytes).substr(0, 16); }

}  // namespace memfs
