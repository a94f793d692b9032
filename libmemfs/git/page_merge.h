// INDEX.md in a merge: it is made from the memories again as soon as the merge is done, so all that
// matters is that nothing stops the merge and no text of a person is lost.
#pragma once

#include <memfs/merge.h>

namespace memfs {

// The text around the generated part is merged by lines. The generated part is a set of lines, in
// the order in which the page is written; there is never a conflict in it.
MemoryMerge merge_pages(const ThreeTexts& pages, const ConflictMarkers& markers);

}  // namespace memfs
