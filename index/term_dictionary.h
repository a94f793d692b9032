// The sorted terms of a segment and where their postings lie.
//
// Grammar (numbers are varints unless a size is given):
//
//   terms := block*
//   block := first postings offset (8), first positions offset (8), entry*   about kTermBlock bytes
//   entry := shared with the term before it, size of the rest, rest, documents,
//            size of the postings, size of the positions
//   index := number of blocks (4), for each block: its offset (4), offset of its first term (4),
//            then the first terms, one behind the other
//
// A look-up searches the small index and scans one block: two or three pages of the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "index/bytes.h"
#include "index/posting_list.h"

namespace memfs::index {

constexpr std::size_t kTermBlock = 1024;

class TermDictionaryWriter {
 public:
  // REQUIRES: terms in ascending byte order. Sizes are what the lists take in their sections.
  void add(std::string_view term, std::uint32_t documents, std::size_t postings_size,
           std::size_t positions_size);
  // What `next` has, whose terms are all behind these; offsets go on where these end.
  void append(TermDictionaryWriter next);
  std::string terms() && { return std::move(terms_); }
  std::string index() const;

 private:
  std::string terms_, heads_, head_terms_;
  std::uint32_t blocks_ = 0;
  std::size_t block_begin_ = 0;
  std::string previous_;
  std::uint64_t postings_ = 0, positions_ = 0;
};

class TermDictionary {
 public:
  TermDictionary(std::string_view terms, std::string_view index, std::string_view postings,
                 std::string_view positions, const PostingCursor::Gate* gate);

  // An empty list (no documents) if there is no such term.
  TermList find(std::string_view term) const;

  // Walks over the terms in ascending order, from the first one that is not before `from` on.
  // Ends early at damage.
  class Cursor {
   public:
    Cursor(const TermDictionary& dictionary, std::string_view from);
    bool at_end() const { return at_end_; }
    std::string_view term() const { return term_; }
    const TermList& list() const { return list_; }
    void next();

   private:
    bool start_block();
    void fail();

    const TermDictionary& dictionary_;
    std::size_t block_;
    ByteReader reader_{std::string_view()};
    std::uint64_t postings_ = 0, positions_ = 0;
    std::string term_;
    TermList list_{};
    bool at_end_ = false;
  };

  bool damaged() const { return damaged_.load(std::memory_order_relaxed); }

 private:
  std::string_view head(std::size_t block) const;
  std::size_t block_of(std::string_view term) const;

  std::string_view terms_, index_, postings_, positions_;
  std::size_t blocks_ = 0;
  const PostingCursor::Gate* gate_ = nullptr;
  mutable std::atomic<bool> damaged_ = false;
};

}  // namespace memfs::index
