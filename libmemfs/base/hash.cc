#include "libmemfs/base/hash.h"

#include <xxhash.h>

namespace memfs {

std::string content_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  std::string hex;
  for (const unsigned char byte : canonical.digest) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

std::string short_hash(std::string_view bytes) { return content_hash(bytes).substr(0, 16); }

}  // namespace memfs
