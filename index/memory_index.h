// An index in memory, made for one query: of the documents' terms only those are kept that the
// query can ask for, which makes building it a single pass of the analyser.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "index/index_reader.h"

namespace memfs::index {

// The terms that a query asks for.
struct TermFilter {
  bool everything = false;  // keep all terms: for an index that serves many queries
  std::set<std::string, std::less<>> terms;
  std::set<std::string, std::less<>> prefixes;
  bool accepts(std::string_view term) const;
};

class MemoryIndex final : public IndexReader {
 public:
  MemoryIndex(std::vector<FieldSpec> fields, TermFilter filter);

  // Adds a document with one text per field, in the order of the fields; returns its number.
  std::uint32_t add(const std::vector<std::string_view>& texts);
  // Appends the documents of `other`, which was made with the same fields and filter.
  void append(MemoryIndex&& other);

  const std::vector<FieldSpec>& fields() const override { return fields_; }
  std::uint32_t document_count() const override;
  std::uint32_t length(std::uint32_t document, std::size_t field) const override;
  double average_length(std::size_t field) const override;
  const std::vector<Posting>* find(std::string_view term) const override;
  std::vector<std::string> terms_with_prefix(std::string_view prefix) const override;

 private:
  std::vector<FieldSpec> fields_;
  TermFilter filter_;
  std::vector<std::uint32_t> lengths_;  // document × field
  std::map<std::string, std::vector<Posting>, std::less<>> postings_;
};

}  // namespace memfs::index
