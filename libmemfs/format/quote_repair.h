// Quotes values that YAML refuses and that were certainly meant as text: `title: Fix: the parser`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

struct QuoteRepair {
  std::string file{};               // with the quotes; all other bytes are the same
  std::vector<std::string> keys{};  // whose values were quoted
};

// nullopt unless the block is broken, quoting one-line values of our text keys mends it, and every
// other key then reads as it does without those lines. A value with " #" is left alone: that may be
// a comment; so is one that begins as a quote, bracket, block or anchor may.
std::optional<QuoteRepair> quote_broken_values(std::string_view file);

}  // namespace memfs
