// Byte-exact edits of front matter: only the bytes of the keys that are named change.
#pragma once

#include <memfs/result.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// What a key is to become.
struct NewValue {
  enum class Form : std::uint8_t { kText, kList, kBare };
  Form form = Form::kText;
  std::string text{};                // kText: any string; kBare: digits or a date, never quoted
  std::vector<std::string> items{};  // kList
};

struct KeyEdit {
  std::string key;
  std::optional<NewValue> value;  // nullopt: the key is removed
};

// Returns the whole file with the edits made. New keys go where docs/format.md says, with the
// block's own newline and indentation; a file without front matter gets a block on top. After
// each edit the block is read again and compared: anything but the intended change is an error
// and nothing is returned.
// Errors: kInvalid if the block is broken, has anchors or aliases, or is laid out in a way that
// cannot be edited safely. Line and column are the file's.
Result<std::string> edit_front_matter(std::string_view file, const std::vector<KeyEdit>& edits);

}  // namespace memfs
