// What callers wish, looked at before anything is composed.
#pragma once

#include <memfs/store.h>

#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// The edit that sets `key`; nullptr if there is none.
const FieldEdit* find_edit(const std::vector<FieldEdit>& fields, std::string_view key);
// The exact last instant that a date given for expires_at means; "" if none is given.
std::string expiry_echo(const std::vector<FieldEdit>& fields);

// With each credential replaced by "[redacted: RULE]".
std::string redacted(const std::string& text);
std::vector<FieldEdit> redacted(std::vector<FieldEdit> fields);
// The same of all that a wish brings, if it asks for it.
NewMemory redacted(NewMemory wish);
Change redacted(Change change);

}  // namespace memfs
