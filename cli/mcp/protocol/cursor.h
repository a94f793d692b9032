// Long lists in pages. A cursor names the last entry that was sent, so that entries which come or
// go before it neither repeat nor hide others.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs::mcp {

// `list` says which list the cursor belongs to; nobody but us is to read it.
std::string make_cursor(std::string_view list, std::string_view last_key);
// The key, or nothing if the cursor is none of this list.
std::optional<std::string> read_cursor(std::string_view list, std::string_view cursor);

// Where the entry after the one with `key` stands, or nothing if that entry is gone.
template <typename T, typename KeyOf>
std::optional<std::size_t> position_after(const std::vector<T>& all, std::string_view key,
                                          KeyOf key_of) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const T& entry) { return key_of(entry) == key; });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin()) + 1;
}

}  // namespace memfs::mcp
