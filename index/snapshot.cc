#include "index/snapshot.h"

#include <algorithm>

#include "index/bytes.h"

namespace memfs::index {

bool DocumentSet::add(std::uint32_t document) {
  if (document >= marks_.size()) marks_.resize(document + 1);
  if (marks_[document]) return false;
  marks_[document] = true;
  ++count_;
  return true;
}

bool DocumentSet::any_in(std::uint32_t first, std::uint32_t last) const {
  const auto end = std::min<std::size_t>(std::size_t{last} + 1, marks_.size());
  if (first >= end) return false;
  const auto begin = marks_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto stop = marks_.begin() + static_cast<std::ptrdiff_t>(end);
  return std::find(begin, stop, true) != stop;
}

std::vector<std::uint32_t> DocumentSet::sorted() const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < marks_.size(); ++i)
    if (marks_[i]) out.push_back(i);
  return out;
}

Stamp SegmentView::stamp(std::uint32_t document) const {
  const auto change = std::lower_bound(
      stamps.begin(), stamps.end(), document,
      [](const StampChange& c, std::uint32_t wanted) { return c.document < wanted; });
  if (change != stamps.end() && change->document == document) return change->stamp;
  return segment->stamp(document);
}

Snapshot::Snapshot(std::vector<FieldSpec> fields) : fields_(std::move(fields)) {}

void Snapshot::add(const std::vector<SegmentView>& segments, std::uint8_t source) {
  for (const SegmentView& view : segments) {
    segments_.push_back(view);
    segments_.back().source = source;
    documents_ += view.live();
    norms_.reset();
    sums_.add(view.segment->length_sums());
    for (const std::uint32_t i : view.dead.sorted())
      sums_.remove(view.segment->length_codes().data() + std::size_t{i} * kMaxFields);
  }
}

const Norms& Snapshot::norms() const {
  if (!norms_) norms_.emplace(fields_, sums_.averages());
  return *norms_;
}

double Snapshot::drift(std::size_t segment) const {
  // norm = 1 - b + b · length / average, so it shrinks by no more than the averages' ratio.
  const auto now = sums_.averages();
  const auto then = segments_[segment].segment->length_sums().averages();
  double drift = 1;
  for (std::size_t field = 0; field < fields_.size(); ++field)
    drift = std::max(drift, std::max(now.at(field), 1.0) / std::max(then.at(field), 1.0));
  return drift;
}

bool Snapshot::precedes(DocumentId a, DocumentId b) const {
  if (source(a) != source(b)) return source(a) < source(b);
  return key(a) < key(b);
}

std::uint32_t Snapshot::live_documents(std::size_t segment, const TermList& list) const {
  const SegmentView& view = segments_[segment];
  if (view.dead.size() == 0 || list.documents == 0) return list.documents;
  static const Norms none(std::vector<FieldSpec>(kMaxFields), {});
  PostingCursor cursor(list, none, view.segment->length_codes(), view.segment.get(), 1);
  std::uint32_t dead = 0;
  std::uint32_t block_begin = 0;
  while (cursor.document() != kEnd) {
    std::uint32_t until = kEnd;
    (void)cursor.largest_near(cursor.document(), until);
    block_begin = cursor.document();
    if (until != kEnd && !view.dead.any_in(block_begin, until)) {
      cursor.advance(until + 1);
      continue;
    }
    for (; cursor.document() <= until && cursor.document() != kEnd; cursor.next())
      dead += view.dead.contains(cursor.document()) ? 1 : 0;
  }
  return list.documents - dead;
}

std::vector<DocumentId> Snapshot::find_lookup(std::string_view word) const {
  std::vector<DocumentId> out;
  for (std::uint32_t segment = 0; segment < segments_.size(); ++segment)
    for (const std::uint32_t document : segments_[segment].segment->find_lookup(word))
      if (!segments_[segment].dead.contains(document)) out.push_back({segment, document});
  return out;
}

bool Snapshot::damaged() const {
  return std::any_of(segments_.begin(), segments_.end(),
                     [](const SegmentView& view) { return view.segment->damaged(); });
}

}  // namespace memfs::index
