// Memories as entries: one text each, as newt and hermes-agent have them.
#pragma once

#include <memfs/memory.h>

#include <string>

namespace memfs {

// It was an entry of newt or hermes-agent: its title was made of its text.
bool came_as_entry(const Memory& memory);

// Title and text as one entry: the text, behind the title if that is one of its own. What was an
// entry before is its text, since its title may be of what that said then.
// REQUIRES: the memory has its body.
std::string entry_text(const Memory& memory);
// The title is not in it.
bool entry_loses_title(const Memory& memory);

}  // namespace memfs
