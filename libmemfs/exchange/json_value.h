// JSON as importers need it: a tree that knows on which line each value begins, and the way back.
// The only file of libmemfs that knows nlohmann-json.
#pragma once

#include <memfs/result.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memfs {

struct JsonValue {
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string text{};  // kString: the string; kNumber, kBoolean: as spelled
  std::vector<JsonValue> items{};
  std::vector<std::pair<std::string, JsonValue>> members{};  // in the order of the text
  int line = 0;                                              // 1-based

  bool is(Kind wanted) const { return kind == wanted; }
  // The first member of that name; nullptr if there is none.
  const JsonValue* find(std::string_view key) const;
  // The text of a member that is a string; nullptr otherwise.
  const std::string* string(std::string_view key) const;
};

// A value takes some hundred bytes, whatever it says: a text of nothing but values must not take
// all memory.
constexpr std::size_t kMaxJsonValues = 8'000'000;

// kInvalid with path, line and column for what is no JSON, is nested deeper than 64, gives a key
// twice, has too many values, or has a NUL character or half of a surrogate pair in a string.
// `first_line`: the line of the file on which `text` begins.
Result<JsonValue> parse_json(std::string_view text, const std::string& path, int first_line = 1,
                             std::size_t max_values = kMaxJsonValues);

// With quotes; characters beyond ASCII as they are. REQUIRES: UTF-8.
std::string json_string(std::string_view text);
// On one line, without blanks.
std::string json_text(const JsonValue& value);

}  // namespace memfs
