// Makes one segment of several without the texts: live documents, one segment's behind the other's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "index/snapshot.h"

namespace memfs::index {

// nullopt if one of them is damaged.
std::optional<std::string> merge_segments(const std::vector<FieldSpec>& fields,
                                          const std::vector<const SegmentView*>& views);

}  // namespace memfs::index
