#include "index/posting_list.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "index/bytes.h"
#include "index/field_lengths.h"

namespace memfs::index {
namespace {

constexpr unsigned kLargestCode = 254;

void pack(std::string& out, const std::vector<std::uint32_t>& values, unsigned bits) {
  std::uint64_t pending = 0;
  unsigned have = 0;
  for (const std::uint32_t value : values) {
    pending |= static_cast<std::uint64_t>(value) << have;
    have += bits;
    while (have >= 8) {
      out.push_back(static_cast<char>(pending));
      pending >>= 8U;
      have -= 8;
    }
  }
  if (have > 0) out.push_back(static_cast<char>(pending));
}

}  // namespace

Norms::Norms(const std::vector<FieldSpec>& fields, const std::array<double, kMaxFields>& averages)
    : table_(fields.size() * 256), body_(fields.size() - 1) {
  for (std::size_t field = 0; field < fields.size(); ++field) {
    const double b = fields[field].length_influence;
    const double average = std::max(averages.at(field), 1.0);
    for (unsigned code = 0; code < 256; ++code) {
      const double length = length_of_code(static_cast<std::uint8_t>(code));
      table_[field * 256 + code] =
          fields[field].weight / kUnitsPerOccurrence / (1 - b + b * length / average);
    }
  }
}

void PostingListWriter::start(std::size_t documents) {
  expected_ = documents;
  previous_ = kEnd;
  has_positions_ = false;
  largest_ = 0;
  differences_.clear();
  for (std::string* part : {&codes_, &wide_, &blocks_, &skips_, &positions_}) part->clear();
}

void PostingListWriter::add(const PostingIn& posting) {
  differences_.push_back(posting.document - previous_);  // previous_ + 1 wraps to 0 at the start
  previous_ = posting.document;
  const auto body = static_cast<std::uint8_t>(1U << norms_.body());
  const bool plain = posting.mask == body && posting.units.at(norms_.body()) <= kLargestCode;
  codes_.push_back(plain ? static_cast<char>(posting.units.at(norms_.body())) : '\0');
  if (!plain) wide_.push_back(static_cast<char>(posting.mask));
  double frequency = 0;
  for (std::size_t field = 0; field <= norms_.body(); ++field) {
    if ((posting.mask >> field & 1U) == 0) continue;
    const auto code = static_cast<std::uint8_t>(
        length_codes_[static_cast<std::size_t>(posting.document) * kMaxFields + field]);
    frequency += posting.units.at(field) * norms_.of(field, code);
    if (!plain) put_varint(wide_, posting.units.at(field));
  }
  // Rounded up: a bound must not be smaller than what it bounds.
  largest_ = std::max(largest_, std::nextafter(static_cast<float>(frequency),
                                               std::numeric_limits<float>::infinity()));
  has_positions_ = has_positions_ || !posting.positions.empty();
  if (plain && posting.units.at(norms_.body()) == kUnitsPerOccurrence) {
    positions_ += posting.positions;
  } else {
    put_text(positions_, posting.positions);
  }
  if (differences_.size() == kBlock) end_block();
}

void PostingListWriter::end_block() {
  if (differences_.empty()) return;
  if (differences_.size() == kBlock) {
    const std::uint32_t all = *std::max_element(differences_.begin(), differences_.end());
    const auto bits = static_cast<unsigned>(std::bit_width(all));
    blocks_.push_back(static_cast<char>(bits));
    pack(blocks_, differences_, bits);
  } else {
    for (const std::uint32_t difference : differences_) put_varint(blocks_, difference);
  }
  blocks_ += codes_;
  blocks_ += wide_;
  if (expected_ >= kBlock) {
    put<std::uint32_t>(skips_, previous_);
    put<std::uint32_t>(skips_, static_cast<std::uint32_t>(blocks_.size()));
    put<std::uint32_t>(skips_, static_cast<std::uint32_t>(positions_.size()));
    put<float>(skips_, largest_);
  }
  largest_ = 0;
  differences_.clear();
  codes_.clear();
  wide_.clear();
}

void PostingListWriter::finish(std::string& postings, std::string& positions) {
  end_block();
  postings += skips_;
  postings += blocks_;
  if (has_positions_) positions += positions_;
}

PostingCursor::PostingCursor(const TermList& list, const Norms& norms,
                             std::string_view length_codes, const Gate* gate, double drift)
    : norms_(norms), length_codes_(length_codes), gate_(gate), drift_(drift), list_(list) {
  const std::size_t blocks = list.documents >= kBlock ? (list.documents + kBlock - 1) / kBlock : 0;
  if (blocks * kSkipEntry > list.postings.size() ||
      (gate_ != nullptr && !gate_->touch(list.postings.data(), blocks * kSkipEntry))) {
    fail();
    return;
  }
  skips_ = list.postings.substr(0, blocks * kSkipEntry);
  data_ = list.postings.substr(skips_.size());
  load_block(0);
}

void PostingCursor::report() const {
  damaged_ = true;
  if (gate_ != nullptr) gate_->report_damage();
}

void PostingCursor::fail() {
  report();
  at_ = count_ = 0;
  block_ = std::max<std::size_t>(block_count(), 1);
}

std::uint32_t PostingCursor::last_of(std::size_t block) const {
  return load<std::uint32_t>(skip(block));
}

void PostingCursor::load_block(std::size_t block) {
  block_ = block;
  at_ = count_ = 0;
  wide_found_ = false;
  position_index_ = position_offset_ = 0;
  positions_touched_ = false;
  const std::size_t blocks = std::max<std::size_t>(block_count(), 1);
  if (block >= blocks || list_.documents == 0) return;
  const bool has_skips = !skips_.empty();
  const std::size_t count =
      block + 1 < blocks || list_.documents % kBlock == 0 ? kBlock : list_.documents % kBlock;
  const std::size_t begin = has_skips && block > 0 ? load<std::uint32_t>(skip(block - 1) + 4) : 0;
  const std::size_t end = has_skips ? load<std::uint32_t>(skip(block) + 4) : data_.size();
  before_ = has_skips && block > 0 ? last_of(block - 1) : kEnd;
  positions_begin_ = has_skips && block > 0 ? load<std::uint32_t>(skip(block - 1) + 8) : 0;
  if (begin > end || end > data_.size()) return fail();
  const auto bytes = data_.substr(begin, end - begin);
  if (gate_ != nullptr && !gate_->touch(bytes.data(), bytes.size())) return fail();
  decode(bytes, count, count == kBlock);
}

void PostingCursor::decode(std::string_view bytes, std::size_t count, bool packed) {
  std::uint32_t document = before_;
  std::size_t used = 0;
  if (packed) {
    if (bytes.empty()) return fail();
    const auto bits = static_cast<unsigned char>(bytes[0]);
    used = 1 + kBlock * bits / 8;
    // The codes behind the differences make room for reading eight bytes at a time.
    if (bits > 32 || used + kBlock > bytes.size()) return fail();
    const char* from = bytes.data() + 1;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    for (std::size_t i = 0, bit = 0; i < kBlock; ++i, bit += bits) {
      const auto word = load<std::uint64_t>(from + (bit >> 3U));
      document += static_cast<std::uint32_t>(word >> (bit & 7U) & mask);
      documents_[i] = document;
    }
  } else {
    ByteReader reader(bytes);
    for (std::size_t i = 0; i < count; ++i) {
      document += reader.varint32();
      documents_[i] = document;
    }
    used = reader.position();
    if (!reader.ok() || used + count > bytes.size()) return fail();
  }
  // Ascending and inside the segment: then nothing that is looked up by number is outside either.
  const std::size_t documents = length_codes_.size() / kMaxFields;
  std::uint32_t previous = before_ == kEnd ? 0 : before_;
  for (std::size_t i = 0; i < count; ++i) {
    if (documents_[i] < previous || documents_[i] >= documents) return fail();
    previous = documents_[i];
  }
  codes_ = reinterpret_cast<const unsigned char*>(bytes.data()) + used;
  wide_ = bytes.substr(used + count);
  count_ = count;
}

void PostingCursor::next_block() { load_block(block_ + 1); }

void PostingCursor::advance(std::uint32_t target) {
  if (at_ >= count_ || documents_[at_] >= target) return;
  if (documents_[count_ - 1] < target) {
    std::size_t block = block_ + 1;
    while (block < block_count() && last_of(block) < target) ++block;
    load_block(block);
    if (count_ == 0) return;
  }
  const auto* found = std::lower_bound(documents_.data() + at_, documents_.data() + count_, target);
  at_ = static_cast<std::size_t>(found - documents_.data());
  if (at_ >= count_) next_block();
}

void PostingCursor::find_wide() const {
  ByteReader reader(wide_);
  for (std::size_t i = 0; i < count_; ++i) {
    if (codes_[i] != 0) continue;
    wide_at_[i] = static_cast<std::uint32_t>(reader.position());
    const auto mask = reader.number<std::uint8_t>();
    for (int bit = 0; bit < std::popcount(mask); ++bit) reader.varint();
  }
  wide_found_ = true;
  if (!reader.ok()) report();
}

double PostingCursor::frequency() const {
  const char* lengths =
      length_codes_.data() + static_cast<std::size_t>(documents_[at_]) * kMaxFields;
  const unsigned code = codes_[at_];
  if (code != 0)
    return code * norms_.of(norms_.body(), static_cast<std::uint8_t>(lengths[norms_.body()]));
  if (!wide_found_) find_wide();
  ByteReader reader(wide_.substr(std::min<std::size_t>(wide_at_[at_], wide_.size())));
  const auto mask = reader.number<std::uint8_t>();
  double frequency = 0;
  for (std::size_t field = 0; field <= norms_.body(); ++field) {
    if ((mask >> field & 1U) != 0)
      frequency += static_cast<double>(reader.varint()) *
                   norms_.of(field, static_cast<std::uint8_t>(lengths[field]));
  }
  return frequency;
}

std::uint8_t PostingCursor::mask() const {
  if (codes_[at_] != 0) return static_cast<std::uint8_t>(1U << norms_.body());
  if (!wide_found_) find_wide();
  return ByteReader(wide_.substr(std::min<std::size_t>(wide_at_[at_], wide_.size())))
      .number<std::uint8_t>();
}

// The positions of the block at hand, as a whole.
bool PostingCursor::touch_positions() const {
  if (positions_touched_) return true;
  const std::size_t end =
      skips_.empty() ? list_.positions.size() : load<std::uint32_t>(skip(block_) + 8);
  if (positions_begin_ > end || end > list_.positions.size()) return false;
  block_positions_ = list_.positions.substr(positions_begin_, end - positions_begin_);
  positions_touched_ =
      gate_ == nullptr || gate_->touch(block_positions_.data(), block_positions_.size());
  return positions_touched_;
}

std::string_view PostingCursor::positions_of(std::size_t index) const {
  if (list_.positions.empty()) return {};
  if (!touch_positions()) {
    report();
    return {};
  }
  if (index < position_index_) position_index_ = position_offset_ = 0;
  ByteReader reader(block_positions_.substr(position_offset_));
  while (reader.ok()) {
    const std::size_t begin = position_offset_ + reader.position();
    std::string_view positions;
    if (codes_[position_index_] == kUnitsPerOccurrence) {
      reader.varint();
      positions = block_positions_.substr(begin, position_offset_ + reader.position() - begin);
    } else {
      positions = reader.text();
    }
    if (!reader.ok()) break;
    if (index == position_index_) {
      position_offset_ = begin;
      return positions;
    }
    ++position_index_;
  }
  report();
  return {};
}

void PostingCursor::places(std::vector<Place>& out) const {
  const auto bytes = positions_of(at_);
  ByteReader reader(bytes);
  const std::uint8_t fields = mask();
  const auto body = static_cast<std::uint8_t>(norms_.body());
  if (fields == 1U << body) {
    for (std::uint32_t position = 0; !reader.at_end();) {
      position += reader.varint32();
      if (reader.ok()) out.push_back({body, position});
    }
    return;
  }
  for (std::uint8_t field = 0; field <= body; ++field) {
    if ((fields >> field & 1U) == 0) continue;
    std::uint32_t position = 0;
    for (std::uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
      position += reader.varint32();
      if (reader.ok()) out.push_back({field, position});
    }
  }
}

PostingIn PostingCursor::posting() const {
  PostingIn posting;
  posting.document = documents_[at_];
  posting.mask = mask();
  posting.positions = positions_of(at_);
  if (codes_[at_] != 0) {
    posting.units.at(norms_.body()) = codes_[at_];
    return posting;
  }
  ByteReader reader(wide_.substr(std::min<std::size_t>(wide_at_[at_] + 1, wide_.size())));
  for (std::size_t field = 0; field <= norms_.body(); ++field)
    if ((posting.mask >> field & 1U) != 0) posting.units.at(field) = reader.varint32();
  return posting;
}

double PostingCursor::largest_of_all() const {
  double largest = 0;
  for (std::size_t block = 0; block < block_count(); ++block)
    largest = std::max<double>(largest, load<float>(skip(block) + 12));
  if (!skips_.empty()) return largest * drift_;
  PostingCursor copy = *this;
  for (copy.at_ = 0; copy.at_ < copy.count_; ++copy.at_)
    largest = std::max(largest, copy.frequency());
  return largest;
}

double PostingCursor::largest_near(std::uint32_t target, std::uint32_t& until) const {
  until = kEnd;
  if (skips_.empty()) return largest_frequency();
  if (shallow_ < block_) shallow_ = block_;
  while (shallow_ < block_count() && last_of(shallow_) < target) ++shallow_;
  if (shallow_ >= block_count()) return 0;
  until = last_of(shallow_);
  return load<float>(skip(shallow_) + 12) * drift_;
}

}  // namespace memfs::index
