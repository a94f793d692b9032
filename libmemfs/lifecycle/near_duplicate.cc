#include "libmemfs/lifecycle/near_duplicate.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

using Words = std::vector<StatementWord>;

constexpr std::size_t kLongTitle = 8;        // words, of which one may be missing
constexpr std::size_t kMostTitleWords = 96;  // beyond that titles are the same or not
constexpr double kShortestBody = 5;          // words that are no coincidence
constexpr double kShortestNearBody = 8;
constexpr double kShortestDescription = 3;
constexpr std::size_t kWordsForOneOther = 40;  // of a body, for one word in the place of another
constexpr double kNearBody = 0.85;             // share of its pairs of words (Dice)
constexpr double kNearSize = 0.8;
constexpr std::size_t kMostOther = 200;  // words of one body that the other does not have

std::string_view without_end(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::u32string letters_of(std::string_view word) {
  std::u32string letters;
  for (std::size_t at = 0; at < word.size();) letters += decode_utf8(word, at);
  return letters;
}

// Long words that differ in one letter, or in the order of two, behind their second letter: what
// stands before it is often a prefix that turns the meaning (upload, unload). Another letter is
// more often another word than one too many.
bool is_slip(const StatementWord& a, const StatementWord& b) {
  constexpr std::size_t kShort = 7;
  if (a.marked || b.marked || a.character || b.character) return false;
  const std::u32string x = letters_of(a.normal);
  const std::u32string y = letters_of(b.normal);
  const std::size_t shorter = std::min(x.size(), y.size());
  const std::size_t longer = std::max(x.size(), y.size());
  if (longer < kShort || longer - shorter > 1) return false;
  std::size_t front = 0;
  while (front < shorter && x[front] == y[front]) ++front;
  std::size_t back = 0;
  while (back < shorter - front && x[x.size() - 1 - back] == y[y.size() - 1 - back]) ++back;
  if (front < 2) return false;
  if (longer != shorter) return front + back >= shorter;
  const std::size_t other = shorter - front - back;
  if (other <= 1) return shorter > kShort;
  return other == 2 && x[front] == y[front + 1] && x[front + 1] == y[front];
}

// Enough to recognise a memory by: two words, four characters, or one long word.
bool is_telling(const Words& words) {
  constexpr std::size_t kLongWord = 6;  // letters
  const auto firm = std::count_if(words.begin(), words.end(),
                                  [](const StatementWord& word) { return !word.soft; });
  if (firm == 1 && !words.front().character)
    return std::any_of(words.begin(), words.end(), [](const StatementWord& word) {
      return !word.soft && letters_of(word.normal).size() >= kLongWord;
    });
  return weight_of(words) >= 2;
}

bool has_characters(const Words& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const StatementWord& word) { return word.character; });
}

// What two sequences share in one order, and what each has beside it.
struct Alignment {
  Words shared{};
  std::size_t firm_left = 0;  // what words of the first alone cost that are not soft
  std::size_t firm_right = 0;
};

// By the table of the longest common subsequence. REQUIRES at most kMostTitleWords each.
Alignment align(const Words& a, const Words& b) {
  const auto same = [](const StatementWord& x, const StatementWord& y) {
    return x == y || is_slip(x, y);
  };
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      best[i][j] =
          same(a[i], b[j]) ? best[i + 1][j + 1] + 1 : std::max(best[i + 1][j], best[i][j + 1]);
  // A word among characters is a name.
  const std::size_t whole = has_characters(a) ? 2 : 1;
  const auto cost = [&](const StatementWord& word) {
    return word.soft ? 0 : word.character ? 1 : whole;
  };
  Alignment found;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && same(a[i], b[j])) {
      found.shared.push_back(a[i++]);
      ++j;
    } else if (j == b.size() || (i < a.size() && best[i + 1][j] >= best[i][j + 1])) {
      found.firm_left += cost(a[i++]);
    } else {
      found.firm_right += cost(b[j++]);
    }
  }
  return found;
}

// "Git: commit style" and "commit style (git)": the same words from another beginning on, where
// nothing says which way round they are meant.
bool is_rotation(const Words& a, const Words& b) {
  if (a.size() != b.size() || a.size() < 3 || has_characters(a)) return false;
  if (std::any_of(a.begin(), a.end(), [](const StatementWord& word) { return word.relation; }))
    return false;
  Words twice = a;
  twice.insert(twice.end(), a.begin(), a.end());
  return std::search(twice.begin(), twice.end(), b.begin(), b.end()) != twice.end();
}

// The share of words in both, if two short texts say the same. With `spare` a long one may have a
// word more.
std::optional<double> short_likeness(const StatementWords& a, const StatementWords& b, bool spare) {
  if (a.marks != b.marks || a.words.empty() || b.words.empty()) return std::nullopt;
  if (a.words == b.words) return 1;
  const std::size_t longer = std::max(a.words.size(), b.words.size());
  if (longer > kMostTitleWords) return std::nullopt;
  if (is_rotation(a.words, b.words)) return 1;
  const Alignment found = align(a.words, b.words);
  const std::size_t more = std::max(found.firm_left, found.firm_right);
  if (std::min(found.firm_left, found.firm_right) > 0) return std::nullopt;
  const std::size_t full = has_characters(a.words) ? 2 * kLongTitle : kLongTitle;
  if (more > (spare && longer >= full ? 1 : 0) || !is_telling(found.shared)) return std::nullopt;
  const auto shared = static_cast<double>(found.shared.size());
  return shared / (static_cast<double>(a.words.size() + b.words.size()) - shared);
}

std::vector<std::uint64_t> pairs_of(const Words& words) {
  std::vector<std::uint64_t> pairs;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    pairs.push_back(hash64(words[i].text + '\n' + words[i + 1].text));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Dice's coefficient of two sorted multisets.
double dice(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::vector<std::uint64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return 2 * static_cast<double>(both.size()) / static_cast<double>(a.size() + b.size());
}

// Words of `a` that `b` does not have (as often), without soft ones.
Words firm_difference(Words a, Words b) {
  const auto less = [](const StatementWord& x, const StatementWord& y) { return x.text < y.text; };
  std::sort(a.begin(), a.end(), less);
  std::sort(b.begin(), b.end(), less);
  Words rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest), less);
  std::erase_if(rest, [](const StatementWord& word) { return word.soft; });
  return rest;
}

// Whether hardly a word stands in the place of another one.
bool has_same_words(const Words& a, const Words& b) {
  Words left = firm_difference(a, b);
  Words right = firm_difference(b, a);
  if (left.size() > kMostOther || right.size() > kMostOther) return false;
  std::erase_if(left, [&](const StatementWord& word) {
    const auto slip = std::find_if(right.begin(), right.end(), [&](const StatementWord& other) {
      return is_slip(word, other);
    });
    if (slip == right.end()) return false;
    right.erase(slip);
    return true;
  });
  return std::min(left.size(), right.size()) <= std::min(a.size(), b.size()) / kWordsForOneOther;
}

double ratio(std::size_t a, std::size_t b) {
  return static_cast<double>(std::min(a, b)) /
         static_cast<double>(std::max<std::size_t>(std::max(a, b), 1));
}

}  // namespace

StatementSketch::StatementSketch(const Statement& statement)
    : statement_(statement),
      title_(statement_words(statement.title)),
      description_(statement_words(statement.description)) {
  std::string bytes(without_end(statement.title));
  bytes += '\0';
  bytes += without_end(statement.body);
  bytes_ = hash128(bytes);
}

bool StatementSketch::is_empty() const {
  return without_end(statement_.title).empty() && without_end(statement_.body).empty();
}

const StatementSketch::Body& StatementSketch::body() const {
  if (!body_) {
    body_.emplace();
    body_->text = statement_words(cut_at_char_boundary(statement_.body, kSketchedBody));
    body_->pairs = pairs_of(body_->text.words);
  }
  return *body_;
}

std::optional<Likeness> StatementSketch::compare_bodies(const StatementSketch& other) const {
  if (ratio(statement_.body.size(), other.statement_.body.size()) < kNearSize) return std::nullopt;
  const Body& a = body();
  const Body& b = other.body();
  const double weight = std::min(weight_of(a.text.words), weight_of(b.text.words));
  if (weight < kShortestBody || a.text.marks != b.text.marks) return std::nullopt;
  if (a.text.words == b.text.words) return Likeness{Likeness::What::kBody, 1};
  if (weight < kShortestNearBody) return std::nullopt;
  const double similarity = dice(a.pairs, b.pairs);
  if (similarity < kNearBody || !has_same_words(a.text.words, b.text.words)) return std::nullopt;
  return Likeness{Likeness::What::kBody, similarity};
}

bool StatementSketch::has_same_body(const StatementSketch& other) const {
  return body().text.words == other.body().text.words &&
         body().text.marks == other.body().text.marks;
}

std::optional<Likeness> likeness(const StatementSketch& a, const StatementSketch& b) {
  using What = Likeness::What;
  if (a.is_empty() || b.is_empty()) return std::nullopt;
  if (a.bytes_ == b.bytes_) return Likeness{What::kExact, 1};
  // A short title is one with the same body only.
  if (const auto title = short_likeness(a.title_, b.title_, true))
    if (is_telling(a.title_.words) || a.has_same_body(b)) return Likeness{What::kTitle, *title};
  // Of a series ("review of 2024-05-01") every memory may have the same description.
  const bool telling = std::min(weight_of(a.description_.words), weight_of(b.description_.words)) >=
                       kShortestDescription;
  if (telling && a.title_.marks == b.title_.marks)
    if (const auto description = short_likeness(a.description_, b.description_, false))
      return Likeness{What::kDescription, *description};
  return a.compare_bodies(b);
}

}  // namespace memfs
