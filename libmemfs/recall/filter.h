// Filters of queries and listings: name:value pairs over the fields of a memory.
#pragma once

#include <memfs/memory.h>

#include <string_view>

#include "libmemfs/base/clock.h"

namespace memfs {

// Whether `name:value` is a filter: the name is known and its field can have the value.
bool is_filter(std::string_view name, std::string_view value);

// REQUIRES: is_filter(name, value).
bool fits_filter(const Memory& memory, std::string_view name, std::string_view value, Instant now);

}  // namespace memfs
