// A front-matter value as it stands in the file, with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kScalar, kSequence, kMapping, kAlias };

  Kind kind = Kind::kNull;
  bool quoted = false;    // scalar: in quotes or a block scalar, so never a null, number or boolean
  bool flow = false;      // collection: written with brackets
  bool anchored = false;  // has an anchor
  std::string text{};     // scalar: its decoded text; null: its spelling ("", "~", "null")
  std::size_t offset = 0;         // byte offset in the block where its text starts
  std::vector<YamlNode> items{};  // sequence: values; mapping: key, value, key, value, …

  bool is_mapping() const { return kind == Kind::kMapping; }
  // The value under `key` of a mapping, or nullptr.
  const YamlNode* find(std::string_view key) const {
    if (!is_mapping()) return nullptr;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
      if (items[i].text == key) return &items[i + 1];
    return nullptr;
  }
  // Same structure and text, wherever it stands and however it is quoted or laid out.
  bool same_value(const YamlNode& other) const {
    if (kind != other.kind) return false;
    if (kind == Kind::kScalar && (text != other.text || quoted != other.quoted)) return false;
    if (kind == Kind::kAlias && text != other.text) return false;
    if (items.size() != other.items.size()) return false;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!items[i].same_value(other.items[i])) return false;
    return true;
  }
};

}  // namespace memfs
