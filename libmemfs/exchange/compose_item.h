// From fields to the bytes of a memory that comes from elsewhere.
#pragma once

#include <memfs/result.h>
#include <memfs/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/format/block_editor.h"

namespace memfs {

// A key with text, "" is left out; a list; a date or number as it is.
KeyEdit text_key(std::string key, std::string_view text);
KeyEdit list_key(std::string key, std::vector<std::string> items);
KeyEdit bare_key(std::string key, std::string_view text);

// A file with these keys in this order (empty ones left out) and this body, byte for byte. Without
// keys the body is the file, unless it would read as front matter.
Result<std::string> compose_item(const std::vector<KeyEdit>& keys, std::string_view body);

// How single texts become bodies and come back: a body ends with one newline that is not part of
// the text.
std::string body_of_text(std::string_view text);
std::string_view text_of_body(std::string_view body);

}  // namespace memfs
