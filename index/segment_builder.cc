#include "index/segment_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "index/bytes.h"
#include "index/field_lengths.h"
#include "index/parallel.h"
#include "index/segment_writer.h"
#include "libmemfs/base/hash.h"

namespace memfs::index {
namespace {

constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

// Tokens pack into 64 bits: term (28), field (3), position (27), units (5), has a position (1).
constexpr unsigned kTermShift = 36;
constexpr unsigned kFieldShift = 33;
constexpr unsigned kPositionShift = 6;
constexpr std::uint32_t kMaxPosition = (1U << 27U) - 1;

std::uint64_t units_of(Form form) {
  static const std::array<std::uint64_t, 5> units = [] {
    std::array<std::uint64_t, 5> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
      out.at(i) = static_cast<std::uint64_t>(
          std::lround(weight_of(static_cast<Form>(i)) * kUnitsPerOccurrence));
    return out;
  }();
  return units.at(static_cast<std::size_t>(form));
}

// A stem or a pair of Thai letters finds documents but is no step of a phrase.
bool has_position(Form form) { return form != Form::kStem && form != Form::kPair; }

// The first eight bytes as a number that sorts as they do.
std::uint64_t sort_key(std::string_view text) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i)
    key = key << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return key;
}

constexpr std::array<std::uint32_t, 9> kSliceSizes = {12, 20, 36, 68, 132, 260, 516, 1028, 4100};

}  // namespace

std::uint32_t SlicePool::take(std::uint32_t size) {
  if (used_ + size > 1U << kPageBits) {
    pages_.push_back(std::make_unique_for_overwrite<char[]>(1U << kPageBits));
    used_ = 0;
  }
  const auto at = static_cast<std::uint32_t>((pages_.size() - 1) << kPageBits) + used_;
  used_ += size;
  return at;
}

void SlicePool::append(Chain& chain, const char* bytes, std::size_t size) {
  if (chain.size == 0) {
    chain.first = chain.at = take(kSliceSizes[0]);
    chain.end = chain.at + kSliceSizes[0] - kLink;
  }
  chain.size = (chain.size + static_cast<std::uint32_t>(size)) & 0xFFFFFFFU;
  while (size > 0) {
    if (chain.at == chain.end) {
      chain.level = std::min<std::uint32_t>(chain.level + 1U, 8U) & 15U;
      const std::uint32_t slice = kSliceSizes.at(chain.level);
      const std::uint32_t next = take(slice);
      std::memcpy(address(chain.end), &next, kLink);
      chain.at = next;
      chain.end = next + slice - kLink;
    }
    const auto part = std::min<std::size_t>(size, chain.end - chain.at);
    std::memcpy(address(chain.at), bytes, part);
    chain.at += static_cast<std::uint32_t>(part);
    bytes += part;
    size -= part;
  }
}

void SlicePool::read(const Chain& chain, std::string& out) const {
  out.clear();
  std::uint32_t at = chain.first;
  std::uint32_t left = chain.size;
  for (std::size_t level = 0; left > 0; level = std::min<std::size_t>(level + 1, 8)) {
    const std::uint32_t part = std::min(left, kSliceSizes.at(level) - kLink);
    out.append(address(at), part);
    left -= part;
    if (left > 0) std::memcpy(&at, address(at + part), kLink);
  }
}

SegmentBuilder::SegmentBuilder(const std::vector<FieldSpec>& fields)
    : fields_(fields), table_(1024) {}

void SegmentBuilder::add(Document document) {
  Kept kept;
  tokens_.clear();
  for (field_ = 0; field_ < fields_.size(); ++field_) {
    words_ = 0;
    analyze(document.texts.at(field_), Purpose::kDocument, *this);
    kept.length_codes.at(field_) = code_of_length(words_);
  }
  flush_document(static_cast<std::uint32_t>(documents_.size()));
  kept.key = std::move(document.key);
  kept.stored = std::move(document.stored);
  kept.stamp = document.stamp;
  kept.hash = document.hash;
  for (const std::string& word : document.lookups) kept.lookups.push_back(hash64(word));
  kept_bytes_ += kept.key.size() + kept.stored.size();
  documents_.push_back(std::move(kept));
}

bool SegmentBuilder::is_full() const {
  constexpr std::size_t kPostings = std::size_t{1} << 27U;  // one chain could take it all
  constexpr std::size_t kKept = std::size_t{1} << 30U;
  constexpr std::size_t kTerms = std::size_t{1} << 26U;
  return pool_.size() > kPostings || kept_bytes_ > kKept || terms_.size() > kTerms;
}

void SegmentBuilder::on_word(std::string_view normal, Form form, const TokenPlace& place) {
  const std::uint32_t term = intern(normal);
  push(term, form, place.position);
  if (terms_[term].stem == kUnknown) derive(term);
  const Term& known = terms_[term];
  if (known.stem != 0) push(known.stem - 1, derived_form_of(form, Form::kStem), place.position);
  if (known.folded != 0)
    push(known.folded - 1, derived_form_of(form, Form::kFolded), place.position);
}

void SegmentBuilder::on_term(std::string_view term, Form form, const TokenPlace& place) {
  push(intern(term), form, place.position);
}

void SegmentBuilder::push(std::uint32_t term, Form form, std::uint32_t position) {
  words_ = position + 1;
  tokens_.push_back(std::uint64_t{term} << kTermShift | std::uint64_t{field_} << kFieldShift |
                    std::uint64_t{std::min(position, kMaxPosition)} << kPositionShift |
                    units_of(form) << 1U | (has_position(form) ? 1U : 0U));
}

void SegmentBuilder::derive(std::uint32_t term) {
  const DerivedForms forms = derived_forms(text_of(terms_[term]));
  const std::uint32_t stem = forms.stem.empty() ? 0 : intern(forms.stem) + 1;
  const std::uint32_t folded = forms.folded.empty() ? 0 : intern(forms.folded) + 1;
  terms_[term].stem = stem;
  terms_[term].folded = folded;
}

std::uint32_t SegmentBuilder::intern(std::string_view text) {
  const auto hash = static_cast<std::uint32_t>(hash64(text));
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  for (; table_[slot].number != 0; slot = (slot + 1) & mask) {
    const Slot& known = table_[slot];
    if (known.hash == hash && text_of(terms_[known.number - 1]) == text) return known.number - 1;
  }
  Term term;
  term.size = static_cast<std::uint8_t>(text.size());
  term.stem = kUnknown;
  std::memcpy(term.text.data(), text.data(), std::min(text.size(), Term::kInline));
  if (text.size() > Term::kInline) term.rest = keep_text(text);
  terms_.push_back(term);
  table_[slot] = {hash, static_cast<std::uint32_t>(terms_.size())};
  if (terms_.size() * 2 > table_.size()) grow_table();
  return static_cast<std::uint32_t>(terms_.size() - 1);
}

std::uint32_t SegmentBuilder::keep_text(std::string_view text) {
  constexpr std::uint32_t kTextPage = 1U << 20U;
  if (texts_used_ + text.size() > kTextPage) {
    texts_.push_back(std::make_unique_for_overwrite<char[]>(kTextPage));
    texts_used_ = 0;
  }
  std::memcpy(texts_.back().get() + texts_used_, text.data(), text.size());
  const auto at = static_cast<std::uint32_t>((texts_.size() - 1) << 20U) + texts_used_;
  texts_used_ += static_cast<std::uint32_t>(text.size());
  return at;
}

void SegmentBuilder::grow_table() {
  std::vector<Slot> before(table_.size() * 2);
  before.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Slot& known : before) {
    if (known.number == 0) continue;
    std::size_t slot = known.hash & mask;
    while (table_[slot].number != 0) slot = (slot + 1) & mask;
    table_[slot] = known;
  }
}

// By term, field and position. Tokens come by field and nearly by position, so long documents are
// sorted by term alone, by distribution, and the few that are out of order set right afterwards.
void SegmentBuilder::sort_tokens() {
  constexpr std::size_t kWorthDistributing = 100;
  constexpr unsigned kDigit = 8;
  constexpr std::size_t kBuckets = 1U << kDigit;
  if (tokens_.size() < kWorthDistributing) {
    std::sort(tokens_.begin(), tokens_.end());
    return;
  }
  sorted_.resize(tokens_.size());
  for (unsigned shift = kTermShift; terms_.size() >> (shift - kTermShift) > 0; shift += kDigit) {
    std::array<std::uint32_t, kBuckets> begins{};
    for (const std::uint64_t token : tokens_) ++begins[token >> shift & (kBuckets - 1)];
    std::uint32_t begin = 0;
    for (std::uint32_t& count : begins) begin += std::exchange(count, begin);
    for (const std::uint64_t token : tokens_)
      sorted_[begins[token >> shift & (kBuckets - 1)]++] = token;
    tokens_.swap(sorted_);
  }
  for (std::size_t i = 1; i < tokens_.size(); ++i) {
    const std::uint64_t token = tokens_[i];
    std::size_t to = i;
    for (; to > 0 && tokens_[to - 1] > token; --to) tokens_[to] = tokens_[to - 1];
    tokens_[to] = token;
  }
}

void SegmentBuilder::flush_document(std::uint32_t document) {
  sort_tokens();
  for (std::size_t at = 0; at < tokens_.size();) at = flush_term(at, document);
}

// Appends one posting to its term's chain: difference of documents, mask, units of each field,
// size of the positions and these as the segment keeps them.
std::size_t SegmentBuilder::flush_term(std::size_t begin, std::uint32_t document) {
  const std::uint64_t number = tokens_[begin] >> kTermShift;
  std::array<std::uint32_t, kMaxFields> units{};
  std::uint8_t mask = 0;
  std::size_t end = begin;
  while (end < tokens_.size() && tokens_[end] >> kTermShift == number) {
    const std::size_t field = tokens_[end] >> kFieldShift & 7U;
    units.at(field) += static_cast<std::uint32_t>(tokens_[end] >> 1U & 31U);
    mask = static_cast<std::uint8_t>(mask | 1U << field);
    ++end;
  }
  const std::size_t body = fields_.size() - 1;
  const bool body_only = mask == 1U << body;
  positions_.clear();
  bool any = false;
  std::size_t at = begin;
  for (std::size_t field = 0; field <= body; ++field) {
    if ((mask >> field & 1U) == 0) continue;
    std::uint32_t previous = 0;
    std::uint32_t count = 0;
    std::string& into = body_only ? positions_ : places_;
    places_.clear();
    for (; at < end && (tokens_[at] >> kFieldShift & 7U) == field; ++at) {
      if ((tokens_[at] & 1U) == 0) continue;
      const auto position =
          static_cast<std::uint32_t>(tokens_[at] >> kPositionShift & kMaxPosition);
      if (count > 0 && position == previous) continue;
      put_varint(into, position - previous);
      previous = position;
      ++count;
    }
    any = any || count > 0;
    if (body_only) continue;
    put_varint(positions_, count);
    positions_ += places_;
  }
  if (!any) positions_.clear();
  Term& term = terms_[number];
  std::array<char, 64> head;  // at most 5 + 1 + 8 · 5 + 10
  char* end_of_head = put_varint(head.data(), document + 1 - term.last);
  *end_of_head++ = static_cast<char>(mask);
  for (std::size_t field = 0; field <= body; ++field)
    if ((mask >> field & 1U) != 0) end_of_head = put_varint(end_of_head, units.at(field));
  end_of_head = put_varint(end_of_head, positions_.size());
  pool_.append(term.chain, head.data(), static_cast<std::size_t>(end_of_head - head.data()));
  if (!positions_.empty()) pool_.append(term.chain, positions_.data(), positions_.size());
  term.last = document + 1;
  ++term.documents;
  return end;
}

std::vector<std::uint32_t> SegmentBuilder::sorted_terms() const {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  order.reserve(terms_.size());
  for (std::uint32_t i = 0; i < terms_.size(); ++i)
    if (terms_[i].documents > 0) order.emplace_back(sort_key(text_of(terms_[i])), i);
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return text_of(terms_[a.second]) < text_of(terms_[b.second]);
  });
  std::vector<std::uint32_t> numbers;
  numbers.reserve(order.size());
  for (const auto& [key, number] : order) numbers.push_back(number);
  return numbers;
}

void SegmentBuilder::write_postings(const Term& term, std::uint32_t base, TermsWriter& writer,
                                    std::string& scratch) const {
  pool_.read(term.chain, scratch);
  ByteReader reader(scratch);
  std::uint32_t document = base - 1;
  PostingIn posting;
  while (!reader.at_end()) {
    document += reader.varint32();
    posting.document = document;
    posting.mask = reader.number<std::uint8_t>();
    for (std::size_t field = 0; field < fields_.size(); ++field)
      if ((posting.mask >> field & 1U) != 0) posting.units.at(field) = reader.varint32();
    posting.positions = reader.text();
    writer.add_posting(posting);
  }
}

// Some of the terms of one part, in ascending order, and the number of its first document.
struct SegmentBuilder::Range {
  std::span<const std::uint32_t> terms{};
  std::uint32_t base = 0;
};

// Merges one range of each part.
void SegmentBuilder::write_range(const std::vector<SegmentBuilder>& parts,
                                 const std::vector<Range>& ranges, TermsWriter& writer) {
  std::vector<std::size_t> next(parts.size());
  std::string scratch;
  const auto at_end = [&](std::size_t p) { return next[p] == ranges[p].terms.size(); };
  const auto head = [&](std::size_t p) -> const Term& {
    return parts[p].terms_[ranges[p].terms[next[p]]];
  };
  while (true) {
    std::string_view least;
    std::size_t documents = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (at_end(p)) continue;
      const auto text = parts[p].text_of(head(p));
      if (documents > 0 && text > least) continue;
      if (text != least) documents = 0;
      least = text;
      documents += head(p).documents;
    }
    if (documents == 0) return;
    writer.start_term(least, documents);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (at_end(p) || parts[p].text_of(head(p)) != least) continue;
      parts[p].write_postings(head(p), ranges[p].base, writer, scratch);
      ++next[p];
    }
    writer.end_term();
  }
}

std::string SegmentBuilder::finish(std::vector<SegmentBuilder>& parts) {
  SegmentWriter writer(parts.front().fields_);
  std::vector<std::uint32_t> bases;
  std::uint32_t base = 0;
  for (SegmentBuilder& part : parts) {
    bases.push_back(base);
    base += static_cast<std::uint32_t>(part.documents_.size());
    for (const Kept& kept : part.documents_) {
      writer.add_document({kept.key, kept.stamp, kept.hash, kept.length_codes, kept.stored});
      for (const std::uint64_t hash : kept.lookups) writer.add_lookup(hash);
    }
    part.documents_ = {};
    part.table_ = {};
    part.tokens_ = part.sorted_ = {};
  }
  // As many ranges of terms as parts: a thread for each.
  std::vector<std::vector<std::uint32_t>> orders(parts.size());
  in_parts(parts.size(), parts.size(),
           [&](std::size_t p, std::size_t, std::size_t) { orders[p] = parts[p].sorted_terms(); });
  std::vector<TermsWriter> terms;
  std::vector<std::vector<Range>> ranges(parts.size());
  for (std::size_t r = 0; r < parts.size(); ++r) {
    terms.push_back(writer.start_terms());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const auto border = [&](std::size_t of) {
        if (of == 0 || orders[0].empty()) return std::size_t{0};
        if (of == parts.size()) return orders[p].size();
        const auto text =
            parts[0].text_of(parts[0].terms_[orders[0][orders[0].size() * of / parts.size()]]);
        return static_cast<std::size_t>(
            std::lower_bound(orders[p].begin(), orders[p].end(), text,
                             [&](std::uint32_t number, std::string_view wanted) {
                               return parts[p].text_of(parts[p].terms_[number]) < wanted;
                             }) -
            orders[p].begin());
      };
      const std::size_t begin = border(r);
      const std::size_t end = r + 1 == parts.size() ? orders[p].size() : border(r + 1);
      ranges[r].push_back({std::span(orders[p]).subspan(begin, end - begin), bases[p]});
    }
  }
  in_parts(parts.size(), parts.size(), [&](std::size_t r, std::size_t, std::size_t) {
    write_range(parts, ranges[r], terms[r]);
  });
  parts.clear();
  for (TermsWriter& range : terms) writer.take(std::move(range));
  terms.clear();
  return writer.finish();
}

}  // namespace memfs::index
