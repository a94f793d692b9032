#include "index/memory_index.h"

#include "index/analyzer.h"

namespace memfs::index {

bool TermFilter::accepts(std::string_view term) const {
  if (everything || terms.contains(term)) return true;
  // The prefixes that could fit sort just before the term, or are its beginnings.
  for (const std::string& prefix : prefixes)
    if (term.starts_with(prefix)) return true;
  return false;
}

MemoryIndex::MemoryIndex(std::vector<FieldSpec> fields, TermFilter filter)
    : fields_(std::move(fields)), filter_(std::move(filter)) {}

std::uint32_t MemoryIndex::add(const std::vector<std::string_view>& texts) {
  const std::uint32_t document = document_count();
  for (std::size_t field = 0; field < fields_.size(); ++field) {
    std::uint32_t words = 0;
    for (Token& token : analyze(texts[field], Purpose::kDocument)) {
      words = token.position + 1;
      if (!filter_.accepts(token.term)) continue;
      auto& list = postings_[std::move(token.term)];
      if (list.empty() || list.back().document != document) list.push_back({document, {}});
      list.back().occurrences.push_back({static_cast<std::uint8_t>(field),
                                         static_cast<std::uint8_t>(token.form), token.position});
    }
    lengths_.push_back(words);
  }
  return document;
}

void MemoryIndex::append(MemoryIndex&& other) {
  const std::uint32_t offset = document_count();
  lengths_.insert(lengths_.end(), other.lengths_.begin(), other.lengths_.end());
  for (auto& [term, list] : other.postings_) {
    auto& mine = postings_[term];
    for (Posting& posting : list) {
      posting.document += offset;
      mine.push_back(std::move(posting));
    }
  }
}

std::uint32_t MemoryIndex::document_count() const {
  return fields_.empty() ? 0 : static_cast<std::uint32_t>(lengths_.size() / fields_.size());
}

std::uint32_t MemoryIndex::length(std::uint32_t document, std::size_t field) const {
  return lengths_[document * fields_.size() + field];
}

double MemoryIndex::average_length(std::size_t field) const {
  double sum = 0;
  double count = 0;
  for (std::size_t i = field; i < lengths_.size(); i += fields_.size()) {
    sum += lengths_[i];
    count += lengths_[i] > 0 ? 1 : 0;
  }
  return count > 0 ? sum / count : 1;
}

const std::vector<Posting>* MemoryIndex::find(std::string_view term) const {
  const auto it = postings_.find(term);
  return it == postings_.end() ? nullptr : &it->second;
}

std::vector<std::string> MemoryIndex::terms_with_prefix(std::string_view prefix) const {
  std::vector<std::string> terms;
  for (auto it = postings_.lower_bound(prefix);
       it != postings_.end() && it->first.starts_with(prefix); ++it)
    terms.push_back(it->first);
  return terms;
}

}  // namespace memfs::index
