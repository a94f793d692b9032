// Writes a segment: documents first, then terms in ascending order with their postings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"
#include "index/posting_list.h"
#include "index/segment.h"
#include "index/term_dictionary.h"

namespace memfs::index {

// A document as the file keeps it.
struct DocumentRecord {
  std::string_view key{};
  Stamp stamp{};
  ContentHash hash{};
  std::array<std::uint8_t, kMaxFields> length_codes{};
  std::string_view stored{};
};

// The terms of a segment, or a range of them, with their postings.
class TermsWriter {
 public:
  // `length_codes` of the segment's documents; both must outlive the writer.
  TermsWriter(const Norms& norms, std::string_view length_codes) : list_(norms, length_codes) {}

  // Terms come in ascending order, postings in that of documents.
  void start_term(std::string_view term, std::size_t documents);
  void add_posting(const PostingIn& posting) { list_.add(posting); }
  void end_term();

 private:
  friend class SegmentWriter;
  std::string postings_, positions_;
  PostingListWriter list_;
  TermDictionaryWriter dictionary_;
  std::string term_;
  std::uint32_t term_documents_ = 0;
};

class SegmentWriter {
 public:
  explicit SegmentWriter(const std::vector<FieldSpec>& fields) : fields_(fields) {}

  void add_document(const DocumentRecord& document);
  // Of the document added last: hash64() of a look-up word.
  void add_lookup(std::uint64_t hash);

  // All documents are there. Ranges of terms may be written at the same time, each by one thread,
  // and are taken in ascending order.
  TermsWriter start_terms();
  void take(TermsWriter terms);

  // The bytes of the file. The writer is used up.
  std::string finish();

 private:
  std::string slots() const;
  std::string sorted_lookups();

  std::vector<FieldSpec> fields_;
  std::string documents_, lengths_, keys_, stored_, postings_, positions_;
  std::vector<std::uint64_t> key_hashes_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> lookups_;
  LengthSums sums_;
  std::optional<Norms> norms_;
  TermDictionaryWriter dictionary_;
};

}  // namespace memfs::index
