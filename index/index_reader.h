// IndexReader: what a search needs of an index, whoever keeps it. MemoryIndex is built at each
// call; a persistent reader takes its place behind the same interface.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs::index {

constexpr std::size_t kMaxFields = 8;

// A searchable field: its weight in the ranking and how much its length matters (BM25F's b).
struct FieldSpec {
  std::string name;
  double weight = 1.0;
  double length_influence = 0.4;
};

struct Occurrence {
  std::uint8_t field = 0;
  std::uint8_t form = 0;       // index::Form
  std::uint32_t position = 0;  // in that field
};

struct Posting {
  std::uint32_t document = 0;
  std::vector<Occurrence> occurrences;  // sorted by field and position
};

class IndexReader {
 public:
  virtual ~IndexReader() = default;
  virtual const std::vector<FieldSpec>& fields() const = 0;
  virtual std::uint32_t document_count() const = 0;
  // Words of a field in a document, and on average over all documents that have the field.
  virtual std::uint32_t length(std::uint32_t document, std::size_t field) const = 0;
  virtual double average_length(std::size_t field) const = 0;
  // Postings of a term sorted by document, or nullptr.
  virtual const std::vector<Posting>* find(std::string_view term) const = 0;
  // Terms that start with `prefix`, bytewise sorted.
  virtual std::vector<std::string> terms_with_prefix(std::string_view prefix) const = 0;
};

}  // namespace memfs::index
