// Whether a key that mem does not know is one of its own, misspelt.
#pragma once

#include <string_view>

#include "libmemfs/format/field_table.h"

namespace memfs {

// The field that `key` probably means: "Title", "expire_at", "subject-key", "tag"; nullptr for our
// own keys, for keys of other tools that mem reads or knows, and for keys like none of ours.
// `key` in the spelling of the file.
const Field* misspelt_field(std::string_view key);

// Keys of other systems that mem reads or passes over on purpose: "name", "aliases", "date", …
bool is_foreign_key(std::string_view key);

}  // namespace memfs
