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

// Every text in it as guarded_text() has it.
mcp::Json guarded_texts(mcp::Json json);
// The same of all that an error says, but for the lists that name private and global memories;
// and no more of it than a model should have to read.
Error guarded_error(Error error);

// Adds "body", or for text that must not be taken at its word "quoted_body" and why; and the origin
// of a shared memory. `text` is the body of the memory or a part of it.
void add_body(mcp::Json& json, const Admission& admission, std::string_view text);

// The same for the whole file of a memory: "file" or "quoted_file".
void add_file(mcp::Json& json, const Admission& admission, std::string_view text);

// The fields of a memory; of one that is held back only those that cannot carry words.
mcp::Json guarded_fields(const Admission& admission, mcp::Json fields);

}  // namespace memfs::cli
