// What writer and reader of our own JSON lines share.
#pragma once

#include <memfs/memory.h>

#include <string>

namespace memfs {

// `"id":…,"title":…,…,"revision":…`: what other programs want to know of a memory without reading
// its front matter.
std::string fields_as_json(const Memory& memory);

}  // namespace memfs
