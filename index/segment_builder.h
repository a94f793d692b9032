// Builds a segment from documents: analyses their texts and gathers postings in memory.
//
// Terms are interned once; what follows from a word alone (its stem, its form without accents) is
// found once for each word and not for each time it occurs. The postings of a term grow in a chain
// of slices, so that a hundred thousand lists of one document cost little and long ones nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/analyzer.h"
#include "index/document.h"

namespace memfs::index {

// Byte strings that only grow, many at a time, without a heap block each.
class SlicePool {
 public:
  struct Chain {
    std::uint32_t first = 0;
    std::uint32_t at = 0;   // where the next byte goes
    std::uint32_t end = 0;  // of the current slice
    std::uint32_t size : 28 = 0;
    std::uint32_t level : 4 = 0;
  };
  void append(Chain& chain, const char* bytes, std::size_t size);
  void read(const Chain& chain, std::string& out) const;
  std::size_t size() const { return pages_.size() << kPageBits; }

 private:
  static constexpr std::uint32_t kPageBits = 18;
  static constexpr std::uint32_t kLink = 4;
  std::uint32_t take(std::uint32_t size);
  char* address(std::uint32_t at) const {
    return pages_[at >> kPageBits].get() + (at & ((1U << kPageBits) - 1));
  }
  std::vector<std::unique_ptr<char[]>> pages_;
  std::uint32_t used_ = 1U << kPageBits;  // of the last page
};

class SegmentBuilder final : private TokenSink {
 public:
  explicit SegmentBuilder(const std::vector<FieldSpec>& fields);
  SegmentBuilder(SegmentBuilder&&) = default;
  SegmentBuilder& operator=(SegmentBuilder&&) = default;

  void add(Document document);
  std::size_t document_count() const { return documents_.size(); }
  // Time to finish it and to go on with another one: its numbers have 32 bits and fewer.
  bool is_full() const;

  // The segment of all parts, which share their fields: the documents of the first part, then
  // those of the second, and so on. The parts are used up.
  static std::string finish(std::vector<SegmentBuilder>& parts);

 private:
  // What a look at a term needs lies together, in one line of the cache: that is where the time of
  // building goes.
  struct alignas(64) Term {
    static constexpr std::size_t kInline = 23;
    std::array<char, kInline> text{};  // its beginning
    std::uint8_t size = 0;             // bytes; at most kMaxTermSize
    std::uint32_t rest = 0;            // longer ones: where the whole text is in texts_
    std::uint32_t stem = 0;  // number of the term + 1; 0: there is none; kUnknown: not looked for
    std::uint32_t folded = 0;
    std::uint32_t documents = 0;
    std::uint32_t last = 0;  // document of the last posting + 1
    SlicePool::Chain chain{};
  };
  static_assert(sizeof(Term) == 64);
  // A place of the hash table; `number` is that of the term + 1, or 0.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;
  };
  struct Kept {
    std::string key, stored;
    std::vector<std::uint64_t> lookups;
    Stamp stamp;
    ContentHash hash;
    std::array<std::uint8_t, kMaxFields> length_codes;
  };

  void on_word(std::string_view normal, Form form, const TokenPlace& place) override;
  void on_term(std::string_view term, Form form, const TokenPlace& place) override;
  void push(std::uint32_t term, Form form, std::uint32_t position);
  std::uint32_t intern(std::string_view text);
  std::uint32_t keep_text(std::string_view text);
  void grow_table();
  void derive(std::uint32_t term);
  void sort_tokens();
  void flush_document(std::uint32_t document);
  std::size_t flush_term(std::size_t begin, std::uint32_t document);
  std::string_view text_of(const Term& term) const {
    if (term.size <= Term::kInline) return {term.text.data(), term.size};
    return {texts_[term.rest >> 20U].get() + (term.rest & 0xFFFFFU), term.size};
  }
  std::vector<std::uint32_t> sorted_terms() const;
  void write_postings(const Term& term, std::uint32_t base, class TermsWriter& writer,
                      std::string& scratch) const;
  struct Range;
  static void write_range(const std::vector<SegmentBuilder>& parts,
                          const std::vector<Range>& ranges, TermsWriter& writer);

  std::vector<FieldSpec> fields_;
  std::vector<Kept> documents_;
  std::size_t kept_bytes_ = 0;
  std::vector<Term> terms_;
  std::vector<Slot> table_;
  std::vector<std::unique_ptr<char[]>> texts_;
  std::uint32_t texts_used_ = 1U << 20U;
  SlicePool pool_;
  // Of the document at hand: term, field, position and units, packed so that they sort.
  std::vector<std::uint64_t> tokens_, sorted_;
  std::size_t field_ = 0;
  std::uint32_t words_ = 0;
  std::string positions_, places_;
};

}  // namespace memfs::index
