#include "index/segment_writer.h"

#include <algorithm>

#include "index/bytes.h"
#include "index/field_lengths.h"
#include "libmemfs/base/hash.h"

namespace memfs::index {

void SegmentWriter::add_document(const DocumentRecord& document) {
  keys_ += document.key;
  stored_ += document.stored;
  put(documents_, document.stamp.size);
  put(documents_, document.stamp.mtime_ns);
  put(documents_, document.stamp.ctime_ns);
  put(documents_, document.stamp.inode);
  put(documents_, document.hash);
  put<std::uint32_t>(documents_, static_cast<std::uint32_t>(keys_.size()));
  put<std::uint32_t>(documents_, static_cast<std::uint32_t>(stored_.size()));
  put(lengths_, document.length_codes);
  sums_.add(lengths_.data() + lengths_.size() - kMaxFields);
  key_hashes_.push_back(hash64(document.key));
}

void SegmentWriter::add_lookup(std::uint64_t hash) {
  lookups_.emplace_back(hash, static_cast<std::uint32_t>(key_hashes_.size() - 1));
}

TermsWriter SegmentWriter::start_terms() {
  if (!norms_) norms_.emplace(fields_, sums_.averages());
  return {*norms_, lengths_};
}

void SegmentWriter::take(TermsWriter terms) {
  if (postings_.empty()) {
    postings_ = std::move(terms.postings_);
    positions_ = std::move(terms.positions_);
    dictionary_ = std::move(terms.dictionary_);
    return;
  }
  postings_ += terms.postings_;
  positions_ += terms.positions_;
  dictionary_.append(std::move(terms.dictionary_));
}

void TermsWriter::start_term(std::string_view term, std::size_t documents) {
  term_ = term;
  term_documents_ = static_cast<std::uint32_t>(documents);
  list_.start(documents);
}

void TermsWriter::end_term() {
  const std::size_t postings = postings_.size();
  const std::size_t positions = positions_.size();
  list_.finish(postings_, positions_);
  dictionary_.add(term_, term_documents_, postings_.size() - postings,
                  positions_.size() - positions);
}

std::string SegmentWriter::slots() const {
  const std::size_t count = key_hashes_.size() * 3 / 2 + 1;
  std::vector<std::uint32_t> table(count);
  for (std::size_t document = 0; document < key_hashes_.size(); ++document) {
    std::size_t slot = key_hashes_[document] % count;
    while (table[slot] != 0) slot = slot + 1 == count ? 0 : slot + 1;
    table[slot] = static_cast<std::uint32_t>(document + 1);
  }
  return {reinterpret_cast<const char*>(table.data()), table.size() * 4};
}

std::string SegmentWriter::sorted_lookups() {
  std::sort(lookups_.begin(), lookups_.end());
  std::string out;
  for (const auto& [hash, document] : lookups_) {
    put(out, hash);
    put(out, document);
  }
  return out;
}

std::string SegmentWriter::finish() {
  std::string index = dictionary_.index();
  std::string terms = std::move(dictionary_).terms();
  std::string table = slots();
  std::string lookups = sorted_lookups();
  const std::array<std::string*, kSections> sections = {&documents_, &lengths_,  &keys_, &stored_,
                                                        &table,      &lookups,   &index, &terms,
                                                        &postings_,  &positions_};
  std::string file(kMagic);
  put<std::uint32_t>(file, kFormatVersion);
  put<std::uint32_t>(file, static_cast<std::uint32_t>(key_hashes_.size()));
  std::string version = analysis_version();
  version.resize(24, '\0');
  file += version;
  for (const std::uint64_t words : sums_.words) put(file, words);
  for (const std::uint64_t documents : sums_.documents)
    put<std::uint32_t>(file, static_cast<std::uint32_t>(documents));
  std::uint64_t offset = kHeader;
  for (const std::string* section : sections) {
    put<std::uint64_t>(file, offset);
    put<std::uint64_t>(file, section->size());
    offset += (section->size() + 7) / 8 * 8;
  }
  put<std::uint64_t>(file, offset);  // of the checksums
  std::string head = std::move(file);
  file.clear();
  file.reserve(offset + (offset / kPage + 1) * 4);
  file = head;
  file.resize(kHeader, '\0');
  for (std::string* section : sections) {
    file += *section;
    file.resize((file.size() + 7) / 8 * 8, '\0');
    *section = {};  // large ones: not twice in memory for longer than needed
  }
  std::string checks;
  for (std::size_t page = 0; page < offset; page += kPage) {
    const std::size_t begin = std::max(page, kHeader);  // the header has a sum of its own
    const auto covered =
        std::string_view(file).substr(begin, std::min(page + kPage, offset) - begin);
    put(checks, static_cast<std::uint32_t>(hash64(covered)));
  }
  put(head, hash64(checks));
  put(head, hash64(head));
  file.replace(0, kHeader, head);
  file += checks;
  return file;
}

}  // namespace memfs::index
