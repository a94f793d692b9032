#include "index/snippet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

struct Hit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string term{};
  std::uint32_t position = 0;
  bool in_phrase = false;
};

// Gathers the words of a text that a query wants. Thai letter pairs find, but show nothing.
class HitFinder final : public TokenSink {
 public:
  explicit HitFinder(const Query& query) : wanted_(query) {}

  void on_word(std::string_view normal, Form /*form*/, const TokenPlace& place) override {
    if (take(normal, place)) return;
    // A stem, and a form without accents, mostly begins as its word does: few need to be made.
    if (!wanted_.may_begin_like(normal)) return;
    const DerivedForms forms = derived_forms(normal);
    if (!take(forms.stem, place)) take(forms.folded, place);
  }
  void on_term(std::string_view term, Form form, const TokenPlace& place) override {
    if (form != Form::kPair) take(term, place);
  }
  std::vector<Hit> hits() {
    std::stable_sort(hits_.begin(), hits_.end(),
                     [](const Hit& a, const Hit& b) { return a.begin < b.begin; });
    return std::move(hits_);
  }

 private:
  bool take(std::string_view term, const TokenPlace& place) {
    if (term.empty() || !wanted_.accepts(term)) return false;
    hits_.push_back({place.begin, place.end, std::string(term), place.position, false});
    return true;
  }

  WantedTerms wanted_;
  std::vector<Hit> hits_;
};

// Marks the hits that stand in the order of the phrase.
void mark_phrase(std::vector<Hit>& hits, const Clause& phrase) {
  std::map<std::uint32_t, std::set<std::string_view>> steps;
  for (const Token& token : phrase.tokens)
    if (token.form != Form::kPair && token.form != Form::kStem)
      steps[token.position].insert(token.term);
  if (steps.empty()) return;
  const auto fits = [&](const Hit& hit, const std::set<std::string_view>& terms) {
    return terms.contains(hit.term);
  };
  std::multimap<std::uint32_t, Hit*> by_position;
  for (Hit& hit : hits) by_position.emplace(hit.position, &hit);
  const std::uint32_t first = steps.begin()->first;
  for (Hit& hit : hits) {
    if (!fits(hit, steps.begin()->second)) continue;
    std::vector<Hit*> found;
    for (const auto& [position, terms] : steps) {
      const auto [begin, end] = by_position.equal_range(hit.position + position - first);
      const auto here = std::find_if(begin, end, [&, &wanted = terms](const auto& entry) {
        return fits(*entry.second, wanted);
      });
      if (here == end) break;
      found.push_back(here->second);
    }
    if (found.size() < steps.size()) continue;
    for (Hit* step : found) step->in_phrase = true;
  }
}

std::vector<Hit> hits_in(std::string_view text, const Query& query) {
  HitFinder finder(query);
  analyze(text, Purpose::kDocument, finder);
  auto hits = finder.hits();
  for (const Clause& clause : query.clauses)
    if (clause.kind == Clause::Kind::kPhrase && clause.mode != Clause::Mode::kMustNot)
      mark_phrase(hits, clause);
  return hits;
}

// Which hits show most: rare words of the text before common ones, a phrase before its words.
struct Window {
  std::size_t first = 0;  // hit at which it begins
  std::size_t best = 0;   // hit that says most
};

Window best_window(const std::vector<Hit>& hits, std::size_t width) {
  std::map<std::string_view, std::size_t> counts;
  for (const Hit& hit : hits) ++counts[hit.term];
  const auto weight = [&](const Hit& hit) {
    return (hit.in_phrase ? 10.0 : 1.0) / std::log2(1.0 + static_cast<double>(counts[hit.term]));
  };
  // Two ends that move forward: the sum counts each word of the window once.
  std::map<std::string_view, std::size_t> inside;
  double sum = 0;
  double best_sum = -1;
  Window window;
  std::size_t begin = 0;
  for (std::size_t end = 0; end < hits.size(); ++end) {
    if (inside[hits[end].term]++ == 0) sum += weight(hits[end]);
    while (hits[end].end > hits[begin].begin + width && begin < end) {
      if (--inside[hits[begin].term] == 0) sum -= weight(hits[begin]);
      ++begin;
    }
    if (sum <= best_sum + 1e-9) continue;
    best_sum = sum;
    window.first = begin;
    window.best = begin;
    for (std::size_t i = begin; i <= end; ++i)
      if (weight(hits[i]) > weight(hits[window.best])) window.best = i;
  }
  // A phrase is named by where it begins.
  while (window.best > window.first && hits[window.best].in_phrase &&
         hits[window.best - 1].in_phrase &&
         hits[window.best - 1].position + 1 >= hits[window.best].position)
    --window.best;
  return window;
}

// Where a line or sentence begins, at most `reach` bytes before `pos`; else a word boundary.
std::size_t nice_begin(std::string_view text, std::size_t pos, std::size_t reach) {
  const std::size_t low = pos > reach ? pos - reach : 0;
  for (std::size_t at = pos; at > low; --at)
    if (text[at - 1] == '\n') return at;
  if (low == 0) return 0;
  const auto blank = text.find(' ', low);
  if (blank != std::string_view::npos && blank < pos) return blank + 1;
  std::size_t begin = low;
  while (begin < pos && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80) ++begin;
  return begin;
}

}  // namespace

Snippet make_snippet(std::string_view text, const Query& query, std::size_t max_graphemes) {
  Snippet snippet;
  const auto hits = hits_in(text, query);
  std::size_t begin = 0;
  if (!hits.empty()) {
    const Window best = best_window(hits, max_graphemes);
    snippet.hit = true;
    snippet.offset = hits[best.best].begin;
    begin = nice_begin(text, hits[best.first].begin, max_graphemes / 3);
  }
  // A grapheme may be long (a letter under a pile of marks): bytes are bounded, too.
  const auto window =
      take_graphemes(cut_at_char_boundary(text.substr(begin), max_graphemes * 16), max_graphemes);
  const std::size_t end = begin + window.size();
  for (const Hit& hit : hits) {
    if (hit.begin < begin || hit.end > end) continue;
    if (!snippet.highlights.empty() && hit.begin - begin < snippet.highlights.back().end) continue;
    snippet.highlights.push_back({hit.begin - begin, hit.end - begin});
  }
  snippet.text = window;
  for (char& c : snippet.text)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  while (!snippet.text.empty() && snippet.text.back() == ' ' &&
         (snippet.highlights.empty() || snippet.highlights.back().end < snippet.text.size()))
    snippet.text.pop_back();
  return snippet;
}

}  // namespace memfs::index
