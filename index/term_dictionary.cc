#include "index/term_dictionary.h"

#include <algorithm>

#include "index/bytes.h"

namespace memfs::index {
namespace {

constexpr std::size_t kHead = 8;  // bytes of the index for a block
constexpr std::size_t kLongestTerm = 1024;

}  // namespace

void TermDictionaryWriter::add(std::string_view term, std::uint32_t documents,
                               std::size_t postings_size, std::size_t positions_size) {
  if (blocks_ == 0 || terms_.size() - block_begin_ >= kTermBlock) {
    block_begin_ = terms_.size();
    put<std::uint32_t>(heads_, static_cast<std::uint32_t>(block_begin_));
    put<std::uint32_t>(heads_, static_cast<std::uint32_t>(head_terms_.size()));
    head_terms_ += term;
    ++blocks_;
    put(terms_, postings_);
    put(terms_, positions_);
    previous_.clear();
  }
  const auto differs =
      std::mismatch(term.begin(), term.end(), previous_.begin(), previous_.end()).first;
  const auto shared = static_cast<std::size_t>(differs - term.begin());
  put_varint(terms_, shared);
  put_text(terms_, term.substr(shared));
  put_varint(terms_, documents);
  put_varint(terms_, postings_size);
  put_varint(terms_, positions_size);
  postings_ += postings_size;
  positions_ += positions_size;
  previous_ = term;
}

void TermDictionaryWriter::append(TermDictionaryWriter next) {
  const auto add = [](std::string& bytes, std::size_t at, auto more) {
    const auto sum = static_cast<decltype(more)>(load<decltype(more)>(bytes.data() + at) + more);
    std::memcpy(bytes.data() + at, &sum, sizeof sum);
  };
  for (std::size_t head = 0; head < next.heads_.size(); head += kHead) {
    const std::size_t block = load<std::uint32_t>(next.heads_.data() + head);
    add(next.terms_, block, postings_);
    add(next.terms_, block + sizeof postings_, positions_);
    add(next.heads_, head, static_cast<std::uint32_t>(terms_.size()));
    add(next.heads_, head + 4, static_cast<std::uint32_t>(head_terms_.size()));
  }
  block_begin_ = terms_.size() + next.block_begin_;
  terms_ += next.terms_;
  heads_ += next.heads_;
  head_terms_ += next.head_terms_;
  blocks_ += next.blocks_;
  postings_ += next.postings_;
  positions_ += next.positions_;
  previous_ = std::move(next.previous_);
}

std::string TermDictionaryWriter::index() const {
  std::string out;
  put<std::uint32_t>(out, blocks_);
  return out + heads_ + head_terms_;
}

TermDictionary::TermDictionary(std::string_view terms, std::string_view index,
                               std::string_view postings, std::string_view positions,
                               const PostingCursor::Gate* gate)
    : terms_(terms), index_(index), postings_(postings), positions_(positions), gate_(gate) {
  if (index_.size() < 4) {
    damaged_ = !index_.empty() || !terms_.empty();
    return;
  }
  if (gate_ != nullptr && !gate_->touch(index_.data(), index_.size())) {
    damaged_ = true;
    return;
  }
  blocks_ = load<std::uint32_t>(index_.data());
  if (blocks_ * kHead + 4 > index_.size()) {
    damaged_ = true;
    blocks_ = 0;
  }
}

std::string_view TermDictionary::head(std::size_t block) const {
  const char* entry = index_.data() + 4 + block * kHead;
  const auto all = index_.substr(4 + blocks_ * kHead);
  const std::size_t begin = load<std::uint32_t>(entry + 4);
  const std::size_t end = block + 1 < blocks_ ? load<std::uint32_t>(entry + kHead + 4) : all.size();
  if (begin > end || end > all.size()) {
    damaged_ = true;
    return {};
  }
  return all.substr(begin, end - begin);
}

// The last block whose first term is not behind `term`; the first one if there is none.
std::size_t TermDictionary::block_of(std::string_view term) const {
  std::size_t low = 0;
  std::size_t high = blocks_;
  while (low + 1 < high) {
    const std::size_t middle = (low + high) / 2;
    (head(middle) <= term ? low : high) = middle;
  }
  return low;
}

TermList TermDictionary::find(std::string_view term) const {
  Cursor cursor(*this, term);
  return !cursor.at_end() && cursor.term() == term ? cursor.list() : TermList{};
}

TermDictionary::Cursor::Cursor(const TermDictionary& dictionary, std::string_view from)
    : dictionary_(dictionary), block_(0) {
  if (dictionary_.blocks_ == 0) {
    at_end_ = true;
    return;
  }
  block_ = dictionary_.block_of(from);
  if (!start_block()) return;
  next();
  while (!at_end_ && term_ < from) next();
}

void TermDictionary::Cursor::fail() {
  dictionary_.damaged_ = true;
  at_end_ = true;
}

bool TermDictionary::Cursor::start_block() {
  const char* entry = dictionary_.index_.data() + 4 + block_ * kHead;
  const std::size_t begin = load<std::uint32_t>(entry);
  const std::size_t end = block_ + 1 < dictionary_.blocks_ ? load<std::uint32_t>(entry + kHead)
                                                           : dictionary_.terms_.size();
  const bool inside = begin <= end && end <= dictionary_.terms_.size();
  const auto bytes = inside ? dictionary_.terms_.substr(begin, end - begin) : std::string_view();
  const auto* gate = dictionary_.gate_;
  if (!inside || (gate != nullptr && !gate->touch(bytes.data(), bytes.size()))) {
    fail();
    return false;
  }
  reader_ = ByteReader(bytes);
  postings_ = reader_.number<std::uint64_t>();
  positions_ = reader_.number<std::uint64_t>();
  term_.clear();
  return true;
}

void TermDictionary::Cursor::next() {
  if (at_end_) return;
  while (reader_.at_end()) {
    if (++block_ >= dictionary_.blocks_) {
      at_end_ = true;
      return;
    }
    if (!start_block()) return;
  }
  const std::uint64_t shared = reader_.varint();
  const auto rest = reader_.text();
  list_.documents = reader_.varint32();
  const std::uint64_t postings_size = reader_.varint();
  const std::uint64_t positions_size = reader_.varint();
  const auto& postings = dictionary_.postings_;
  const auto& positions = dictionary_.positions_;
  const bool inside = postings_ <= postings.size() && positions_ <= positions.size() &&
                      postings_size <= postings.size() - postings_ &&
                      positions_size <= positions.size() - positions_;
  if (!reader_.ok() || !inside || shared > term_.size() || rest.size() > kLongestTerm)
    return fail();
  term_.resize(static_cast<std::size_t>(shared));
  term_ += rest;
  list_.postings = postings.substr(postings_, postings_size);
  list_.positions = positions.substr(positions_, positions_size);
  postings_ += postings_size;
  positions_ += positions_size;
}

}  // namespace memfs::index
