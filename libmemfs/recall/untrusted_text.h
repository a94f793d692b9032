// What others may have written, where a model is told of it outside of a memory's own text.
#pragma once

#include <memfs/history.h>
#include <memfs/store.h>

#include <string>
#include <string_view>

namespace memfs {

// A short text in which a name or a line of somebody else's may be quoted, such as an error's: one
// that tells a model what to do is replaced by the guard's rule, hidden characters are escapes.
std::string guarded_text(std::string_view text);

// What the guard finds in a state of a memory, and what of it would keep it out of contexts. Trust
// is given to the file as it is, and not to its other states.
Admission admit_revision(const Store& store, const RevisionText& text);

}  // namespace memfs
