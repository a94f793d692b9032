// Puts one entry into settings in JSON and takes it out again, byte for byte: indentation, line
// ends, comments and the order of everything else stay. Pure functions on texts.
//
// An entry goes behind the last item of its container, in the way that item stands there; what is
// missing on the way to the container is made with it. Taking it out removes the entry, the blanks
// before it and one comma; the containers that were made with it go too, unless something else has
// moved in.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/setup/json_text.h"

namespace memfs::setup {

// What an insertion made beside the entry, so that its removal can take out exactly that.
struct Footprint {
  std::size_t containers = 0;  // of the path, the inner ones
  bool spread = false;         // `{}` was opened to stand on lines of its own
  bool whole = false;          // the text held nothing: the outermost container is ours as well
  bool operator==(const Footprint&) const = default;
};

struct JsonInsertion {
  std::string text;
  Footprint footprint{};
};

// The keys from the outermost object to a container, which is an object if the entry has a key and
// an array if it has none.
using JsonPath = std::vector<std::string>;

// `value` is JSON. A `text` of blanks alone counts as an object with nothing in it. kInvalid for
// what is no JSON, kRefused if something on the path is of another kind. REQUIRES: no such key.
Result<JsonInsertion> insert_json(std::string_view text, const JsonPath& path,
                                  const std::string& key, std::string_view value);

// Takes item number `index` out of the container.
Result<std::string> remove_json(std::string_view text, const JsonPath& path, std::size_t index,
                                const Footprint& footprint);

// Puts `value` where item number `index` has its value.
Result<std::string> replace_json(std::string_view text, const JsonPath& path, std::size_t index,
                                 std::string_view value);

// The container; nullptr if there is none, or of another kind.
const JsonNode* container_at(const JsonNode& root, const JsonPath& path);

}  // namespace memfs::setup
