#include "index/segment_merger.h"

#include <algorithm>
#include <memory>

#include "index/bytes.h"
#include "index/segment_writer.h"

namespace memfs::index {
namespace {

constexpr std::uint32_t kGone = 0xFFFFFFFF;

class Merger {
 public:
  Merger(const std::vector<FieldSpec>& fields, const std::vector<const SegmentView*>& inputs)
      : inputs_(inputs), writer_(fields), norms_(fields, {}) {}

  std::optional<std::string> run() {
    for (const SegmentView* input : inputs_) take_documents(input);
    TermsWriter terms = writer_.start_terms();
    std::vector<TermDictionary::Cursor> cursors;
    for (const SegmentView* input : inputs_) cursors.emplace_back(terms_of(input), "");
    while (take_term(cursors, terms)) {
    }
    writer_.take(std::move(terms));
    const bool damaged = std::any_of(inputs_.begin(), inputs_.end(), [](const SegmentView* input) {
      return input->segment->damaged();
    });
    if (damaged || damaged_) return std::nullopt;
    return writer_.finish();
  }

 private:
  static const TermDictionary& terms_of(const SegmentView* input) {
    return input->segment->terms();
  }

  void take_documents(const SegmentView* input) {
    const Segment& segment = *input->segment;
    std::vector<std::uint32_t>& numbers = numbers_.emplace_back(segment.document_count(), kGone);
    // Look-up words are kept as hashes by document in the order of hashes: bring them back.
    std::vector<std::vector<std::uint64_t>> lookups = segment.lookups_by_document();
    for (std::uint32_t i = 0; i < segment.document_count(); ++i) {
      if (input->dead.contains(i)) continue;
      DocumentRecord record{
          segment.key(i), input->stamp(i), segment.hash(i), {}, segment.stored(i)};
      const char* codes = segment.length_codes().data() + std::size_t{i} * kMaxFields;
      std::copy_n(codes, kMaxFields, record.length_codes.begin());
      numbers[i] = count_++;
      writer_.add_document(record);
      for (const std::uint64_t hash : lookups[i]) writer_.add_lookup(hash);
    }
  }

  bool take_term(std::vector<TermDictionary::Cursor>& cursors, TermsWriter& terms) {
    const TermDictionary::Cursor* least = nullptr;
    for (const auto& cursor : cursors)
      if (!cursor.at_end() && (least == nullptr || cursor.term() < least->term())) least = &cursor;
    if (least == nullptr) return false;
    const std::string term(least->term());
    std::uint32_t documents = 0;
    for (std::size_t i = 0; i < cursors.size(); ++i)
      if (!cursors[i].at_end() && cursors[i].term() == term)
        documents += live(i, cursors[i].list());
    if (documents > 0) terms.start_term(term, documents);
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      if (cursors[i].at_end() || cursors[i].term() != term) continue;
      if (documents > 0) take_list(i, cursors[i].list(), terms);
      cursors[i].next();
    }
    if (documents > 0) terms.end_term();
    return true;
  }

  PostingCursor cursor_of(std::size_t input, const TermList& list) const {
    const Segment& segment = *inputs_[input]->segment;
    return {list, norms_, segment.length_codes(), &segment, 1};
  }

  std::uint32_t live(std::size_t input, const TermList& list) {
    if (inputs_[input]->dead.size() == 0) return list.documents;
    PostingCursor cursor = cursor_of(input, list);
    std::uint32_t count = 0;
    for (; cursor.document() != kEnd; cursor.next())
      count += numbers_[input][cursor.document()] != kGone ? 1 : 0;
    damaged_ = damaged_ || cursor.damaged();
    return count;
  }

  void take_list(std::size_t input, const TermList& list, TermsWriter& terms) {
    PostingCursor cursor = cursor_of(input, list);
    for (; cursor.document() != kEnd; cursor.next()) {
      const std::uint32_t number = numbers_[input][cursor.document()];
      if (number == kGone) continue;
      PostingIn posting = cursor.posting();
      posting.document = number;
      terms.add_posting(posting);
    }
    damaged_ = damaged_ || cursor.damaged();
  }

  const std::vector<const SegmentView*>& inputs_;
  SegmentWriter writer_;
  Norms norms_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // new number of each document
  std::uint32_t count_ = 0;
  bool damaged_ = false;
};

}  // namespace

std::optional<std::string> merge_segments(const std::vector<FieldSpec>& fields,
                                          const std::vector<const SegmentView*>& inputs) {
  return Merger(fields, inputs).run();
}

}  // namespace memfs::index
