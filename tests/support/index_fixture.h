// Small indexes in memory for tests of the search engine.
#pragma once

#include <string>
#include <vector>

#include "index/segment_builder.h"
#include "index/snapshot.h"

namespace memfs::testing {

// One segment of documents given by their texts, one for each field; keys are their numbers.
inline std::shared_ptr<const index::Segment> segment_of(
    const std::vector<index::FieldSpec>& fields,
    const std::vector<std::vector<std::string>>& documents, std::size_t first_number = 0) {
  std::vector<index::SegmentBuilder> parts;
  parts.emplace_back(fields);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    index::Document document;
    document.key = std::to_string(100000 + first_number + i);
    for (std::size_t field = 0; field < fields.size(); ++field)
      document.texts.at(field) = documents[i][field];
    parts.front().add(std::move(document));
  }
  auto fault = index::Segment::Fault::kNone;
  return index::Segment::open(bytes_of(index::SegmentBuilder::finish(parts)), fault);
}

inline index::Snapshot snapshot_of(const std::vector<index::FieldSpec>& fields,
                                   const std::vector<std::vector<std::string>>& documents) {
  index::Snapshot snapshot(fields);
  snapshot.add({{segment_of(fields, documents), {}, {}, 0}}, 0);
  return snapshot;
}

}  // namespace memfs::testing
