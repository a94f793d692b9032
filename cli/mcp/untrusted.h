// Text that somebody else may have written, as a model may get it: as data, with its source.
#pragma once

#include <memfs/store.h>

#include <string>
#include <string_view>

#include "cli/mcp/protocol/json_text.h"

namespace memfs::cli {

// Says in one sentence whose text a shared memory is.
extern const char* const kSharedOrigin;

// Why a memory's text is held back from contexts, and who can change that.
std::string held_back_reason(const std::vector<Finding>& findings);
// On one line or several, hidden characters as escapes.
std::string visible(std::string_view text);

// Adds "body", or for text that must not be taken at its word "quoted_body" and why; and the origin
// of a shared memory. `text` is the body of the memory or a part of it.
void add_body(mcp::Json& json, const Admission& admission, std::string_view text);

// The fields of a memory; of one that is held back only those that cannot carry words.
mcp::Json guarded_fields(const Admission& admission, mcp::Json fields);

}  // namespace memfs::cli
