// What a search sees: segments, which of their documents still count, and statistics over these.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "index/document.h"
#include "index/segment.h"
#include "index/segment_writer.h"

namespace memfs::index {

// Some documents of a segment, such as those that were replaced or removed since it was written.
class DocumentSet {
 public:
  bool contains(std::uint32_t document) const {
    return document < marks_.size() && marks_[document];
  }
  bool add(std::uint32_t document);  // false if it was dead already
  std::size_t size() const { return count_; }
  // How many dead documents lie in [first, last].
  bool any_in(std::uint32_t first, std::uint32_t last) const;
  std::vector<std::uint32_t> sorted() const;

 private:
  std::vector<bool> marks_;
  std::size_t count_ = 0;
};

// What replaces a document's stamp since its segment was written.
struct StampChange {
  std::uint32_t document = 0;
  Stamp stamp{};
};

struct SegmentView {
  std::shared_ptr<const Segment> segment{};
  DocumentSet dead{};
  std::vector<StampChange> stamps{};  // sorted by document
  std::uint8_t source = 0;            // of several indexes that are searched as one: their order
  bool mapped = false;                // the bytes are those of a file
  std::size_t live() const { return segment->document_count() - dead.size(); }
  Stamp stamp(std::uint32_t document) const;
};

// A document of a snapshot.
struct DocumentId {
  std::uint32_t segment = 0;
  std::uint32_t document = 0;
  bool operator==(const DocumentId&) const = default;
};

class Snapshot {
 public:
  explicit Snapshot(std::vector<FieldSpec> fields);
  // Takes in another index's segments; `source` orders documents with equal keys and scores.
  void add(const std::vector<SegmentView>& segments, std::uint8_t source);

  const std::vector<FieldSpec>& fields() const { return fields_; }
  const std::vector<SegmentView>& segments() const { return segments_; }
  std::uint64_t document_count() const { return documents_; }
  // Norms under the average lengths of all live documents.
  const Norms& norms() const;
  // How much larger a frequency can be now than when the segment was written: averages have moved.
  double drift(std::size_t segment) const;

  std::string_view key(DocumentId id) const {
    return segments_[id.segment].segment->key(id.document);
  }
  std::string_view stored(DocumentId id) const {
    return segments_[id.segment].segment->stored(id.document);
  }
  Stamp stamp(DocumentId id) const { return segments_[id.segment].stamp(id.document); }
  std::uint8_t source(DocumentId id) const { return segments_[id.segment].source; }
  // Source, then key: the order of documents that nothing else sets apart.
  bool precedes(DocumentId a, DocumentId b) const;
  // Live documents of a list of the given segment.
  std::uint32_t live_documents(std::size_t segment, const TermList& list) const;
  // Live documents that may have the look-up word.
  std::vector<DocumentId> find_lookup(std::string_view word) const;
  bool damaged() const;

 private:
  std::vector<FieldSpec> fields_;
  std::vector<SegmentView> segments_;
  std::uint64_t documents_ = 0;
  LengthSums sums_;
  mutable std::optional<Norms> norms_{};
};

}  // namespace memfs::index
