#include "index/segment.h"

#include <algorithm>

#include "index/bytes.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/base/unicode.h"

namespace memfs::index {
namespace {

// Raised whenever the same file would give other terms, look-up words or another record.
constexpr std::string_view kAnalysisRevision = "4";
constexpr std::size_t kLookupEntry = 12;

}  // namespace

std::string analysis_version() {
  return unicode_library_version() + "-" + std::string(kAnalysisRevision);
}

std::shared_ptr<const Segment> Segment::open(std::shared_ptr<const Bytes> bytes, Fault& fault) {
  std::shared_ptr<Segment> segment(new Segment());
  segment->file_ = bytes->view();
  segment->bytes_ = std::move(bytes);
  fault = Fault::kDamaged;
  return segment->read_header(fault) ? segment : nullptr;
}

bool Segment::read_header(Fault& fault) {
  if (file_.size() < kHeader) return false;
  if (file_.substr(0, 8) != kMagic) {
    fault = Fault::kForeign;
    return false;
  }
  std::string version = analysis_version();
  version.resize(24, '\0');
  if (load<std::uint32_t>(file_.data() + 8) != kFormatVersion || file_.substr(16, 24) != version) {
    fault = Fault::kOtherVersion;
    return false;
  }
  constexpr std::size_t kChecked = kHeader - 8;
  if (load<std::uint64_t>(file_.data() + kChecked) != hash64(file_.substr(0, kChecked)))
    return false;
  documents_ = load<std::uint32_t>(file_.data() + 12);
  for (std::size_t field = 0; field < kMaxFields; ++field) {
    sums_.words.at(field) = load<std::uint64_t>(file_.data() + 40 + field * 8);
    sums_.documents.at(field) = load<std::uint32_t>(file_.data() + 104 + field * 4);
  }
  const auto checks = load<std::uint64_t>(file_.data() + kHeaderChecks);
  if (checks < kHeader || checks > file_.size()) return false;
  const std::size_t pages = (checks + kPage - 1) / kPage;
  if (file_.size() - checks != pages * 4) return false;
  checks_ = file_.substr(checks);
  if (load<std::uint64_t>(file_.data() + kHeaderChecks + 8) != hash64(checks_)) return false;
  verified_ = std::vector<std::atomic<std::uint8_t>>(pages);
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto offset = load<std::uint64_t>(file_.data() + kHeaderSections + i * 16);
    const auto size = load<std::uint64_t>(file_.data() + kHeaderSections + i * 16 + 8);
    if (offset < kHeader || offset > checks || size > checks - offset) return false;
    sections_.at(i) = file_.substr(offset, size);
  }
  lengths_ = section(Section::kLengths);
  if (section(Section::kDocuments).size() != std::size_t{documents_} * kRecord) return false;
  if (lengths_.size() != std::size_t{documents_} * kMaxFields) return false;
  if (!touch(lengths_.data(), lengths_.size())) return false;
  terms_.emplace(section(Section::kTerms), section(Section::kTermIndex),
                 section(Section::kPostings), section(Section::kPositions), this);
  fault = Fault::kNone;
  return !terms_->damaged();
}

std::string_view Segment::section(Section which) const {
  return sections_.at(static_cast<std::size_t>(which));
}

void Segment::prefetch() const {
  for (const Section which : {Section::kDocuments, Section::kKeys, Section::kSlots,
                              Section::kTermIndex, Section::kLookups})
    bytes_->will_need(section(which));
}

bool Segment::touch(const char* begin, std::size_t size) const {
  if (size == 0) return true;
  const auto offset = static_cast<std::size_t>(begin - file_.data());
  for (std::size_t page = offset / kPage; page <= (offset + size - 1) / kPage; ++page) {
    if (verified_[page].load(std::memory_order_relaxed) == 0 && !verify(page)) return false;
  }
  return true;
}

bool Segment::verify(std::size_t page) const {
  const std::size_t end = std::min((page + 1) * kPage, file_.size() - checks_.size());
  const std::size_t begin = std::max(page * kPage, kHeader);
  const auto sum = static_cast<std::uint32_t>(hash64(file_.substr(begin, end - begin)));
  if (sum != load<std::uint32_t>(checks_.data() + page * 4)) {
    report_damage();
    return false;
  }
  verified_[page].store(1, std::memory_order_relaxed);
  return true;
}

std::string_view Segment::record(std::uint32_t document) const {
  const auto all = section(Section::kDocuments).substr(std::size_t{document} * kRecord, kRecord);
  static constexpr char kZeros[kRecord] = {};
  return touch(all.data(), all.size()) ? all : std::string_view(kZeros, kRecord);
}

// Pieces lie one behind the other; each record holds the end of its own.
std::string_view Segment::piece(Section which, std::uint32_t document, std::size_t at) const {
  const auto all = section(which);
  const std::size_t begin =
      document == 0 ? 0 : load<std::uint32_t>(record(document - 1).data() + at);
  const std::size_t end = load<std::uint32_t>(record(document).data() + at);
  if (begin > end || end > all.size()) {
    report_damage();
    return {};
  }
  const auto out = all.substr(begin, end - begin);
  return touch(out.data(), out.size()) ? out : std::string_view();
}

std::string_view Segment::key(std::uint32_t document) const {
  return piece(Section::kKeys, document, 48);
}

std::string_view Segment::stored(std::uint32_t document) const {
  return piece(Section::kStored, document, 52);
}

Stamp Segment::stamp(std::uint32_t document) const {
  const char* at = record(document).data();
  return {load<std::uint64_t>(at), load<std::int64_t>(at + 8), load<std::int64_t>(at + 16),
          load<std::uint64_t>(at + 24)};
}

ContentHash Segment::hash(std::uint32_t document) const {
  return load<ContentHash>(record(document).data() + 32);
}

std::optional<std::uint32_t> Segment::find_key(std::string_view wanted) const {
  const auto slots = section(Section::kSlots);
  const std::size_t count = slots.size() / 4;
  if (count == 0) return std::nullopt;
  for (std::size_t slot = hash64(wanted) % count, seen = 0; seen < count;
       slot = slot + 1 == count ? 0 : slot + 1, ++seen) {
    if (!touch(slots.data() + slot * 4, 4)) return std::nullopt;
    const auto number = load<std::uint32_t>(slots.data() + slot * 4);
    if (number == 0) return std::nullopt;
    if (number > documents_) {
      report_damage();
      return std::nullopt;
    }
    if (key(number - 1) == wanted) return number - 1;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> Segment::find_lookup(std::string_view word) const {
  const auto all = section(Section::kLookups);
  const std::uint64_t wanted = hash64(word);
  const auto hash_at = [&](std::size_t i) -> std::uint64_t {
    const char* at = all.data() + i * kLookupEntry;
    return touch(at, kLookupEntry) ? load<std::uint64_t>(at) : 0;
  };
  std::size_t low = 0;
  std::size_t high = all.size() / kLookupEntry;
  const std::size_t count = high;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (hash_at(middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  std::vector<std::uint32_t> documents;
  for (; low < count && hash_at(low) == wanted; ++low) {
    const auto document = load<std::uint32_t>(all.data() + low * kLookupEntry + 8);
    if (document >= documents_) {
      report_damage();
      break;
    }
    documents.push_back(document);
  }
  return documents;
}

std::vector<std::vector<std::uint64_t>> Segment::lookups_by_document() const {
  std::vector<std::vector<std::uint64_t>> out(documents_);
  const auto all = section(Section::kLookups);
  if (!touch(all.data(), all.size())) return out;
  for (std::size_t at = 0; at + kLookupEntry <= all.size(); at += kLookupEntry) {
    const auto document = load<std::uint32_t>(all.data() + at + 8);
    if (document < documents_) out[document].push_back(load<std::uint64_t>(all.data() + at));
  }
  return out;
}

}  // namespace memfs::index
