// The postings of one term in one segment: which documents have it, how often and where.
//
// Grammar (numbers are varints unless a size is given; sizes in bytes):
//
//   postings  := [ skip* ] block*                skip entries only if there are kBlock or more
//   skip      := last document (4), end of the block (4), end of its positions (4),
//                largest frequency in it (4, float)          offsets count from the list's start
//   block     := documents codes wide*
//   documents := full block of kBlock: bits (1), then kBlock differences of that many bits;
//                shorter block: one varint difference each
//   codes     := one byte a posting: 1 … 254: only in the body, weighted occurrences in
//                twentieths; 0: a wide record tells
//   wide      := mask of fields (1), then for each field its weighted occurrences in twentieths
//   positions := one per posting: size of the rest, but for those whose code is that of a single
//                exact word, which have one position and no size; then
//                  body only: differences of positions
//                  otherwise: for each field of the mask: how many, differences of positions
//
// The first difference of a list counts from -1, so that document 0 is written as 1.
// Frequencies are weighted by form (index::weight_of) and by field; a block's largest one is what
// BM25F calls tf' under the average lengths that the segment had when it was written.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"

namespace memfs::index {

constexpr std::size_t kBlock = 128;
constexpr std::size_t kSkipEntry = 16;
constexpr std::uint32_t kEnd = 0xFFFFFFFF;  // behind the last document
constexpr unsigned kUnitsPerOccurrence = 20;

// tf' of one weighted occurrence by field and length code: weight / (units · norm).
class Norms {
 public:
  // `averages`: words of a field over the documents that have it.
  Norms(const std::vector<FieldSpec>& fields, const std::array<double, kMaxFields>& averages);
  double of(std::size_t field, std::uint8_t length_code) const {
    return table_[field * 256 + length_code];
  }
  std::size_t body() const { return body_; }

 private:
  std::vector<double> table_;
  std::size_t body_;
};

// One posting on its way into a list.
struct PostingIn {
  std::uint32_t document = 0;
  std::uint8_t mask = 0;                          // fields in which the term occurs
  std::array<std::uint32_t, kMaxFields> units{};  // weighted occurrences, in twentieths
  std::string_view positions{};                   // without the size in front
};

// Encodes one list at a time.
class PostingListWriter {
 public:
  PostingListWriter(const Norms& norms, std::string_view length_codes)
      : norms_(norms), length_codes_(length_codes) {}

  void start(std::size_t documents);
  void add(const PostingIn& posting);
  // Appends the list to the sections. No positions are written if no posting has any.
  void finish(std::string& postings, std::string& positions);

 private:
  void end_block();

  const Norms& norms_;
  std::string_view length_codes_;  // kMaxFields bytes a document
  std::size_t expected_ = 0;
  std::uint32_t previous_ = kEnd;
  bool has_positions_ = false;
  float largest_ = 0;
  std::vector<std::uint32_t> differences_;
  std::string codes_, wide_, blocks_, skips_, positions_;
};

// Where a list lies.
struct TermList {
  std::uint32_t documents = 0;  // live and dead ones
  std::string_view postings{};
  std::string_view positions{};
};

// Walks over a list. Damage ends it early and is told by damaged(); it never reads outside.
class PostingCursor {
 public:
  // `touch` is asked before bytes of the file are looked at (checksums); may be nullptr.
  class Gate {
   public:
    virtual ~Gate() = default;
    virtual bool touch(const char* begin, std::size_t size) const = 0;
    virtual void report_damage() const = 0;
  };

  PostingCursor(const TermList& list, const Norms& norms, std::string_view length_codes,
                const Gate* gate, double drift);

  std::uint32_t document() const { return at_ < count_ ? documents_[at_] : kEnd; }
  void next() {
    if (++at_ >= count_) next_block();
  }
  // To the first document that is not before `target`.
  void advance(std::uint32_t target);
  bool damaged() const { return damaged_; }

  // REQUIRES document() != kEnd for what follows.
  double frequency() const;  // tf'
  std::uint8_t mask() const;
  struct Place {
    std::uint8_t field;
    std::uint32_t position;
    bool operator==(const Place&) const = default;
    bool operator<(const Place& other) const {
      return field != other.field ? field < other.field : position < other.position;
    }
  };
  void places(std::vector<Place>& out) const;
  PostingIn posting() const;  // as it was given to the writer

  // No frequency of the list is larger.
  double largest_frequency() const {
    if (largest_ < 0) largest_ = largest_of_all();
    return largest_;
  }
  // The same for the block in which `target` lies; `until` is the block's last document.
  double largest_near(std::uint32_t target, std::uint32_t& until) const;

 private:
  std::size_t block_count() const { return skips_.size() / kSkipEntry; }
  const char* skip(std::size_t block) const { return skips_.data() + block * kSkipEntry; }
  std::uint32_t last_of(std::size_t block) const;
  void load_block(std::size_t block);
  void next_block();
  void decode(std::string_view bytes, std::size_t count, bool packed);
  void find_wide() const;
  bool touch_positions() const;
  void fail();
  void report() const;
  double largest_of_all() const;
  std::string_view positions_of(std::size_t index) const;

  const Norms& norms_;
  std::string_view length_codes_;
  const Gate* gate_;
  double drift_;
  TermList list_;
  std::string_view skips_, data_;
  std::size_t block_ = 0;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
  mutable double largest_ = -1;  // not asked for yet
  mutable bool damaged_ = false;
  std::uint32_t before_ = kEnd;  // last document of the block before
  std::array<std::uint32_t, kBlock> documents_;
  const unsigned char* codes_ = nullptr;
  std::string_view wide_;
  mutable bool wide_found_ = false;
  mutable std::array<std::uint32_t, kBlock> wide_at_;
  std::uint32_t positions_begin_ = 0;         // of this block
  mutable std::string_view block_positions_;  // of this block, once they were touched
  mutable bool positions_touched_ = false;
  mutable std::size_t position_index_ = 0;
  mutable std::size_t position_offset_ = 0;
  mutable std::size_t shallow_ = 0;
};

}  // namespace memfs::index
