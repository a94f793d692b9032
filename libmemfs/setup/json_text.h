// JSON as people write it into settings: with comments, commas behind the last item and a byte
// order mark, and where in the text each part stands. Nothing is ever printed from it: what is
// changed is spliced into the text (json_edit.h).
#pragma once

#include <memfs/result.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace memfs::setup {

struct JsonItem;

struct JsonNode {
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string text{};              // of a string what it says; of null, bool and number as written
  std::vector<JsonItem> items;     // of an array or object, in order

  bool is_object() const { return kind == Kind::kObject; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_string() const { return kind == Kind::kString; }
  // The value of a key; the last one, if it is there twice, as readers of JSON have it.
  const JsonNode* find(std::string_view key) const;
};

struct JsonItem {
  static constexpr std::size_t kNone = std::string_view::npos;
  std::string key{};          // of a member of an object
  std::size_t begin = 0;      // of the key, or of the element
  std::size_t comma = kNone;  // behind it
  JsonNode value;
};

// kInvalid with line, column and cure. A text of nothing but blanks and comments is invalid, too.
Result<JsonNode> parse_json(std::string_view text);

// The same for values that mean the same: without blanks and comments, keys sorted.
std::string canonical(const JsonNode& node);
// A string as JSON spells it, with its quotation marks.
std::string json_string(std::string_view text);

// The end of the blanks and comments that begin at `pos`.
std::size_t skip_json_blanks(std::string_view text, std::size_t pos);

}  // namespace memfs::setup
