// Judges what has the shape of a credential.
#pragma once

#include <string_view>

#include "libmemfs/guard/pattern.h"
#include "libmemfs/guard/secret_rules.h"

namespace memfs {

// Is `value`, a part of what the rule's pattern matched in `text`, a credential rather than what a
// manual puts in its place? May shorten `value` (a comma behind it) or extend it (a key's lines).
bool is_credential(SecretCheck check, std::string_view text, ByteRange whole, ByteRange& value);
// Is what stands in a cell of a column of passwords one? May shorten `cell`.
bool is_password_cell(std::string_view text, ByteRange& cell);

}  // namespace memfs
