// In which order the keys of a merged block stand.
#pragma once

#include <string>
#include <vector>

namespace memfs {

struct ThreeOrders {
  std::vector<std::string> base, ours, theirs;
};

// All keys of the three, each once. A side that moved keys of the base wins; what a side added
// stands behind the key that it stands behind there; what both added at one place has the order of
// the field table, then that of the bytes. The same with the sides swapped.
std::vector<std::string> merge_orders(const ThreeOrders& orders);

}  // namespace memfs
