// A few hashes of a memory by which those that may say the same are brought together, without
// comparing each with each. What they bring together near_duplicate.h compares.
#pragma once

#include <memfs/memory.h>

#include <cstdint>
#include <vector>

namespace memfs {

struct Fingerprint {
  std::uint64_t body = 0;   // of all its words in order; 0: too few of them
  std::uint64_t title = 0;  // of the beginnings of its words, in no order; 0: it states none
  std::uint32_t words = 0;  // of the body, as far as it is looked at
  // The smallest hashes of three neighbouring words each: texts that share most of their words
  // share one of these nearly always (Broder 1997, min-wise sampling).
  std::vector<std::uint64_t> smallest{};
};

// Words are runs of letters and digits under ASCII case folding, and single characters of scripts
// without blanks: rougher than the index's, and the same for the same text. `memory` with its body.
Fingerprint fingerprint_of(const Memory& memory);

}  // namespace memfs
