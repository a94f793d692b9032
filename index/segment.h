// Segment: an immutable piece of an index, read in place.
//
// File layout (offsets in bytes, numbers little-endian):
//
//      0  magic "memidx\r\n"
//      8  format version (4), number of documents (4)
//     16  analysis version (24): ICU's version and ours, padded with NUL
//     40  sum of the lengths of each field (8 × 8), documents that have it (8 × 4)
//    136  sections: offset (8), size (8) for each of kSections, in the order of enum Section
//    296  offset of the checksums (8)
//    304  checksum of the checksums (8), checksum of the bytes before this one (8)
//    320  the sections
//         checksums: for each page of kPage bytes up to here, the header left out, the low half of
//                    its XXH3
//
//   documents := one record of kRecord bytes each: size, mtime, ctime, inode (8 each), content
//                hash (16), end of its key (4), end of what is stored (4)
//   lengths   := length codes of the fields (8) of each document
//   keys, stored := the documents' texts, one behind the other
//   slots     := hash table of keys: number of a document + 1 (4), or 0; linear probing
//   lookups   := hash of a word (8), document (4), sorted: several documents may share one
//   term index, terms, postings, positions: term_dictionary.h, posting_list.h
//
// The header is verified when a segment is opened, pages when they are first touched. Damage never
// leads outside the file: what is read is zero or ends early, and damaged() tells.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"
#include "index/field_lengths.h"
#include "index/posting_list.h"
#include "index/term_dictionary.h"
#include "libmemfs/base/file_system.h"

namespace memfs::index {

constexpr std::uint32_t kFormatVersion = 2;
constexpr std::string_view kMagic = "memidx\r\n";
constexpr std::size_t kPage = 65536;
constexpr std::size_t kRecord = 56;
constexpr std::size_t kHeader = 320;

enum class Section : std::uint8_t {
  kDocuments,
  kLengths,
  kKeys,
  kStored,
  kSlots,
  kLookups,
  kTermIndex,
  kTerms,
  kPostings,
  kPositions,
};
constexpr std::size_t kSections = 10;
constexpr std::size_t kHeaderSections = 136;  // offset in the header
constexpr std::size_t kHeaderChecks = 296;

// What the terms of an index depend on: ICU's version and the analyser's.
std::string analysis_version();

class Segment final : public PostingCursor::Gate {
 public:
  enum class Fault : std::uint8_t { kNone, kForeign, kOtherVersion, kDamaged };
  // nullptr if the bytes are no segment that we can read; `fault` then says why.
  static std::shared_ptr<const Segment> open(std::shared_ptr<const Bytes> bytes, Fault& fault);

  std::uint32_t document_count() const { return documents_; }
  const LengthSums& length_sums() const { return sums_; }
  std::size_t size() const { return file_.size(); }
  std::string_view bytes() const { return file_; }

  // REQUIRES document < document_count().
  std::string_view key(std::uint32_t document) const;
  std::string_view stored(std::uint32_t document) const;
  Stamp stamp(std::uint32_t document) const;
  ContentHash hash(std::uint32_t document) const;
  // kMaxFields length codes a document.
  std::string_view length_codes() const { return lengths_; }

  std::optional<std::uint32_t> find_key(std::string_view key) const;
  // Documents that may have the look-up word: the caller compares.
  std::vector<std::uint32_t> find_lookup(std::string_view word) const;
  // The hashes of the look-up words of each document.
  std::vector<std::vector<std::uint64_t>> lookups_by_document() const;
  const TermDictionary& terms() const { return *terms_; }

  // What a comparison with the files is going to read, and where terms begin.
  void prefetch() const;

  bool touch(const char* begin, std::size_t size) const override;
  bool damaged() const { return damaged_.load(std::memory_order_relaxed) || terms_->damaged(); }
  void report_damage() const override { damaged_.store(true, std::memory_order_relaxed); }

 private:
  Segment() = default;
  bool read_header(Fault& fault);
  std::string_view section(Section which) const;
  std::string_view record(std::uint32_t document) const;
  std::string_view piece(Section which, std::uint32_t document, std::size_t at) const;
  bool verify(std::size_t page) const;

  std::shared_ptr<const Bytes> bytes_;
  std::string_view file_;
  std::string_view checks_;
  std::uint32_t documents_ = 0;
  LengthSums sums_{};
  std::array<std::string_view, kSections> sections_{};
  std::string_view lengths_;
  std::optional<TermDictionary> terms_;
  mutable std::vector<std::atomic<std::uint8_t>> verified_;
  mutable std::atomic<bool> damaged_ = false;
};

}  // namespace memfs::index
