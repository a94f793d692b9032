#include "index/snippet.h"

#include <algorithm>
#include <set>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

struct Hit {
  std::size_t begin;
  std::size_t end;
  std::string term;
};

// Gathers the words of a text that a query wants. Thai letter pairs find, but show nothing.
class HitFinder final : public TokenSink {
 public:
  explicit HitFinder(const Query& query) : wanted_(query) {}

  void on_word(std::string_view normal, Form form, const TokenPlace& place) override {
    if (take(normal, place)) return;
    // A stem, and a form without accents, mostly begins as its word does: few need to be made.
    if (!wanted_.may_begin_like(normal)) return;
    const DerivedForms forms = derived_forms(normal);
    if (!take(forms.stem, place)) take(forms.folded, place);
    (void)form;
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
    hits_.push_back({place.begin, place.end, std::string(term)});
    return true;
  }

  WantedTerms wanted_;
  std::vector<Hit> hits_;
};

std::vector<Hit> hits_in(std::string_view text, const Query& query) {
  HitFinder finder(query);
  analyze(text, Purpose::kDocument, finder);
  return finder.hits();
}

// The first hit of the window of `width` bytes with most different words.
std::size_t best_start(const std::vector<Hit>& hits, std::size_t width) {
  constexpr std::size_t kLookedAt = 500;  // hits; a long text full of the word is cut short
  std::size_t best = 0;
  std::size_t best_count = 0;
  for (std::size_t i = 0; i < std::min(hits.size(), kLookedAt); ++i) {
    std::set<std::string_view> terms;
    for (std::size_t k = i; k < hits.size() && hits[k].end <= hits[i].begin + width; ++k)
      terms.insert(hits[k].term);
    if (terms.size() > best_count) {
      best_count = terms.size();
      best = i;
    }
  }
  return best;
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
    const Hit& first = hits[best_start(hits, max_graphemes)];
    snippet.hit = true;
    snippet.offset = first.begin;
    begin = nice_begin(text, first.begin, max_graphemes / 3);
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
