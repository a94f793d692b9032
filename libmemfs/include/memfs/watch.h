// What changed in a store's folders since it was last asked, by whomever.
#pragma once

#include <string>
#include <vector>

namespace memfs {

struct MemoryChanges {
  std::vector<std::string> references{};  // "scope/name", sorted; some of them may be gone
  bool any = false;                       // any memory may have changed
  bool list = false;                      // some came or went
};

}  // namespace memfs
