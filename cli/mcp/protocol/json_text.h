// JSON as text: one message in, one line out. The only header of the protocol that includes
// nlohmann-json; members keep their order.
#pragma once

#include <memfs/result.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace memfs::mcp {

using Json = nlohmann::ordered_json;

// Arrays and objects inside each other; one more is refused.
constexpr int kMaxDepth = 64;

// One JSON text (RFC 8259). kInvalid with the place for: syntax, invalid UTF-8, a NUL, a number
// that no double holds, more than kMaxDepth levels (refused before they are built), the same member
// twice in one object (which of the two a reader takes is anybody's guess).
// Whole numbers up to 64 bits stay whole, `10.0` stays a fraction; larger ones become a double.
Result<Json> parse_json(std::string_view text);

// Without line breaks; bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& json);

// The member of an object, or nullptr: also if `json` is no object or the member is null, since
// null means not given.
const Json* member(const Json& json, const char* name);
// The member if it is a string.
const std::string* string_member(const Json& json, const char* name);

}  // namespace memfs::mcp
